// SPDX-License-Identifier: Apache-2.0
// A compute pipeline: a shader with its specialisation constants, ready to be dispatched. It belongs to a device, which
// must outlive it.
#pragma once

#include "embedded_shader.h"
#include "spirv_reader.h"
#include "vulkan_device.h"

#include <memory>
#include <vector>

namespace coterie::gpu {

class ShaderProgram {
  public:
    /// specialisation: the values of constant_id 0, 1, 2, ...
    static engine::Result<std::unique_ptr<ShaderProgram>> create(const VulkanDevice& device, const ShaderCode& code,
                                                                 const std::vector<uint32_t>& specialisation);
    ~ShaderProgram();
    ShaderProgram(const ShaderProgram&) = delete;
    ShaderProgram& operator=(const ShaderProgram&) = delete;

    const ShaderInterface& interface() const { return interface_; }
    VkPipeline pipeline() const { return pipeline_; }
    VkPipelineLayout layout() const { return layout_; }
    VkDescriptorSetLayout setLayout() const { return setLayout_; }

  private:
    explicit ShaderProgram(const VulkanDevice& device) : device_(device) {}
    engine::Status createLayouts();
    engine::Status compile(const ShaderCode& code, const std::vector<uint32_t>& specialisation);

    const VulkanDevice& device_;
    ShaderInterface interface_;
    VkDescriptorSetLayout setLayout_ = VK_NULL_HANDLE;
    VkPipelineLayout layout_ = VK_NULL_HANDLE;
    VkPipeline pipeline_ = VK_NULL_HANDLE;
};

} // namespace coterie::gpu
