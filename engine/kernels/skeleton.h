// SPDX-License-Identifier: Apache-2.0
// A kernel to copy: a small but whole one, a dot product of floats with a version for each instruction set. It is in no
// table, and only its test is built with it (tests/kernels/tst_kernel_skeleton.cpp). CONTRIBUTING.md, "How to add a
// kernel", lists the steps.
#pragma once

#include <cstdint>
#include <span>

namespace coterie::engine {

/// Returns x . y. x, y: [n], aligned to 4 bytes; n may be 0. Each version adds in its own order, so results of two
/// versions differ by rounding.
using Dot = float (*)(const float* x, const float* y, int64_t n);

struct DotVersion {
    const char* table; ///< name of the table it belongs to; its runsHere() says whether `dot` may be called
    Dot dot;
};

/// The versions in this build, scalar last.
std::span<const DotVersion> dotVersions();

} // namespace coterie::engine
