// SPDX-License-Identifier: Apache-2.0
// Reads from SPIR-V what a pipeline needs to know of a shader, so that layouts are written down once, in the shader.
// Source of the numbers: the SPIR-V specification 1.5, sections 2.3 and 3.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coterie::gpu {

/// A shader has no more bindings. Vulkan promises four of them in a stage, so a device is asked for this number.
constexpr uint32_t kMostBindings = 8;

struct ShaderInterface {
    struct Binding {
        bool reads = false, writes = false; ///< by some variable at this binding
    };
    std::vector<Binding> bindings; ///< storage buffers of set 0, by their number
    uint32_t pushBytes = 0;        ///< size of the push constants, whose members have 4 bytes each
};

/// Internal: the words are no SPIR-V, or are cut off, or have what a pipeline of ours can't have: another set, a gap
/// between bindings.
engine::Result<ShaderInterface> readShaderInterface(std::span<const uint32_t> words);

} // namespace coterie::gpu
