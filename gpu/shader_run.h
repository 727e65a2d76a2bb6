// SPDX-License-Identifier: Apache-2.0
// Runs one shader once over data of the host and waits for it, for tests and the self-test.
#pragma once

#include "base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace coterie::gpu {

class VulkanDevice;

struct ShaderInput {
    std::span<const std::byte> bytes; ///< at least one, for a readonly binding
};
/// The bytes of a writeonly binding; at least one. They are 0xCD before the shader runs.
struct ShaderOutput {
    std::span<std::byte> bytes;
};
using ShaderBinding = std::variant<ShaderInput, ShaderOutput>;

struct ShaderCall {
    std::string_view shader;              ///< name of an embedded shader
    std::vector<ShaderBinding> bindings;  ///< binding 0, 1, 2, ...
    std::vector<uint32_t> specialisation; ///< constant_id 0, 1, 2, ...
    std::span<const std::byte> push;      ///< the push constants
    std::array<uint32_t, 3> groups{1, 1, 1};
};

/// Internal: the call does not fit the shader. DeviceLost also if the shader does not end within ten seconds.
engine::Status runShader(VulkanDevice& device, const ShaderCall& call);

} // namespace coterie::gpu
