// SPDX-License-Identifier: Apache-2.0
// A kernel to copy: the smallest whole one, a dot product of floats, with a version for each instruction set. No table
// has it, and only its test is built with it (tests/kernels/tst_kernel_skeleton.cpp). CONTRIBUTING.md, "How to add a
// kernel", says what each piece becomes.
#pragma once

#include <cstdint>
#include <span>

namespace coterie::engine {

/// Returns x . y. x, y: [n], on 4 bytes; n may be 0. The order of additions is the version's own, so results of two
/// versions differ by rounding.
using Dot = float (*)(const float* x, const float* y, int64_t n);

struct DotVersion {
    const char* table; ///< the table that would have it; its runsHere() says whether `dot` may be called
    Dot dot;
};

/// The versions in this build, scalar last.
std::span<const DotVersion> dotVersions();

} // namespace coterie::engine
