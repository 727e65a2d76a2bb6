// SPDX-License-Identifier: Apache-2.0
#include "shader_program.h"

namespace coterie::gpu {

using engine::Result;
using engine::Status;

Result<std::unique_ptr<ShaderProgram>> ShaderProgram::create(const VulkanDevice& device, const ShaderCode& code,
                                                             const std::vector<uint32_t>& specialisation) {
    Result<ShaderInterface> read = readShaderInterface(code.words);
    if (!read) return read.error();
    std::unique_ptr<ShaderProgram> program(new ShaderProgram(device));
    program->interface_ = std::move(read).value();
    if (Status made = program->createLayouts(); !made) return made.error();
    if (Status made = program->compile(code, specialisation); !made) return made.error();
    return program;
}

ShaderProgram::~ShaderProgram() {
    if (device_.isAbandoned()) return;
    const VulkanFunctions& vk = device_.functions();
    vk.DestroyPipeline(device_.handle(), pipeline_, nullptr);
    vk.DestroyPipelineLayout(device_.handle(), layout_, nullptr);
    vk.DestroyDescriptorSetLayout(device_.handle(), setLayout_, nullptr);
}

Status ShaderProgram::createLayouts() {
    const VulkanFunctions& vk = device_.functions();
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (uint32_t number = 0; number < interface_.bindings.size(); ++number)
        bindings.push_back({.binding = number,
                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                            .descriptorCount = 1,
                            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
                            .pImmutableSamplers = nullptr});
    const VkDescriptorSetLayoutCreateInfo set{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                              .pNext = nullptr,
                                              .flags = 0,
                                              .bindingCount = static_cast<uint32_t>(bindings.size()),
                                              .pBindings = bindings.data()};
    if (Status made = checked(vk.CreateDescriptorSetLayout(device_.handle(), &set, nullptr, &setLayout_),
                              "vkCreateDescriptorSetLayout");
        !made)
        return made;
    const VkPushConstantRange push{
        .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .offset = 0, .size = interface_.pushBytes};
    const VkPipelineLayoutCreateInfo layout{.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .pNext = nullptr,
                                            .flags = 0,
                                            .setLayoutCount = 1,
                                            .pSetLayouts = &setLayout_,
                                            .pushConstantRangeCount = interface_.pushBytes == 0 ? 0u : 1u,
                                            .pPushConstantRanges = &push};
    return checked(vk.CreatePipelineLayout(device_.handle(), &layout, nullptr, &layout_), "vkCreatePipelineLayout");
}

Status ShaderProgram::compile(const ShaderCode& code, const std::vector<uint32_t>& specialisation) {
    const VulkanFunctions& vk = device_.functions();
    const VkShaderModuleCreateInfo source{.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                          .pNext = nullptr,
                                          .flags = 0,
                                          .codeSize = code.words.size_bytes(),
                                          .pCode = code.words.data()};
    VkShaderModule module = VK_NULL_HANDLE;
    if (Status made =
            checked(vk.CreateShaderModule(device_.handle(), &source, nullptr, &module), "vkCreateShaderModule");
        !made)
        return made;
    std::vector<VkSpecializationMapEntry> entries;
    for (uint32_t id = 0; id < specialisation.size(); ++id)
        entries.push_back({.constantID = id, .offset = id * 4, .size = sizeof(uint32_t)});
    const VkSpecializationInfo constants{.mapEntryCount = static_cast<uint32_t>(entries.size()),
                                         .pMapEntries = entries.data(),
                                         .dataSize = specialisation.size() * sizeof(uint32_t),
                                         .pData = specialisation.data()};
    VkComputePipelineCreateInfo info{.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .pNext = nullptr,
                  .flags = 0,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants};
    info.layout = layout_;
    const VkResult result = vk.CreateComputePipelines(device_.handle(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline_);
    vk.DestroyShaderModule(device_.handle(), module, nullptr);
    return checked(result, "vkCreateComputePipelines");
}

} // namespace coterie::gpu
