// SPDX-License-Identifier: Apache-2.0
// Turns the arrays of a model's call into bindings of a shader's call.
#pragma once

#include "shader_run.h"

#include <array>
#include <cstddef>
#include <span>

namespace coterie::gpu {

/// A binding that the shader has and this call does not use.
inline ShaderInput unusedInput() {
    static constexpr std::array<std::byte, 16> bytes{};
    return {bytes};
}
inline ShaderOutput unusedOutput() {
    static std::array<std::byte, 16> bytes; // nobody reads it
    return {bytes};
}

template <typename T>
ShaderInput inputOf(std::span<const T> values) {
    return values.empty() ? unusedInput() : ShaderInput{std::as_bytes(values)};
}

template <typename T>
ShaderOutput outputOf(std::span<T> values) {
    return values.empty() ? unusedOutput() : ShaderOutput{std::as_writable_bytes(values)};
}

} // namespace coterie::gpu
