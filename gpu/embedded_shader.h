// SPDX-License-Identifier: Apache-2.0
// The shaders that the build compiled from gpu/shaders and put into the program. Any thread may use them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace coterie::gpu {

struct ShaderCode {
    std::string_view name;           ///< the file's name, and the variant's behind it: "product_q4_k"
    std::span<const uint32_t> words; ///< SPIR-V
};

std::span<const ShaderCode> embeddedShaders();
/// Null if there is none with this name.
const ShaderCode* findShader(std::string_view name);

} // namespace coterie::gpu
