// SPDX-License-Identifier: Apache-2.0
// See shader_run.h.
#include "shader_run.h"

#include "device_buffer.h"
#include "shader_program.h"

#include <cstring>
#include <string>

namespace coterie::gpu {

using engine::Error;
using engine::ErrorKind;
using engine::Result;
using engine::Status;

namespace {

constexpr int kUnwritten = 0xCD;
constexpr uint64_t kLongestWait = 10'000'000'000; ///< nanoseconds

/// The objects of one run. What was made is freed, whatever fails.
class Run {
  public:
    Run(const VulkanDevice& device, const ShaderProgram& program, const ShaderCall& call)
        : device_(device), vk_(device.functions()), program_(program), call_(call) {}
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run() {
        if (submitted_) vk_.DeviceWaitIdle(device_.handle()); // after a wait that took too long
        if (fence_ != VK_NULL_HANDLE) vk_.DestroyFence(device_.handle(), fence_, nullptr);
        if (descriptors_ != VK_NULL_HANDLE) vk_.DestroyDescriptorPool(device_.handle(), descriptors_, nullptr);
        if (pool_ != VK_NULL_HANDLE) vk_.DestroyCommandPool(device_.handle(), pool_, nullptr);
    }

    Status run() {
        if (Status fits = check(); !fits) return fits;
        if (Status filled = fillBuffers(); !filled) return filled;
        if (Status bound = bind(); !bound) return bound;
        if (Status recorded = record(); !recorded) return recorded;
        if (Status done = submit(); !done) return done;
        for (size_t i = 0; i < buffers_.size(); ++i)
            if (const auto* out = std::get_if<ShaderOutput>(&call_.bindings[i]))
                std::memcpy(out->bytes.data(), buffers_[i].bytes().data(), out->bytes.size());
        return {};
    }

  private:
    Status check() const;
    Status fillBuffers();
    Status bind();
    Status record();
    Status submit();

    const VulkanDevice& device_;
    const VulkanFunctions& vk_;
    const ShaderProgram& program_;
    const ShaderCall& call_;
    std::vector<DeviceBuffer> buffers_;
    VkDescriptorPool descriptors_ = VK_NULL_HANDLE;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    VkFence fence_ = VK_NULL_HANDLE;
    bool submitted_ = false;
};

/// Whether the call has the shader's bindings, each in its direction, and its push constants.
Status Run::check() const {
    const ShaderInterface& shader = program_.interface();
    bool fits = call_.bindings.size() == shader.bindings.size() && call_.push.size() == shader.pushBytes;
    for (size_t i = 0; fits && i < call_.bindings.size(); ++i) {
        const bool output = std::holds_alternative<ShaderOutput>(call_.bindings[i]);
        fits = shader.bindings[i].writes == output && shader.bindings[i].reads != output;
    }
    if (fits) return {};
    return Error{ErrorKind::Internal,
                 "A shader was called in a wrong way",
                 {"The bindings or constants of %1 are others", std::string(call_.shader)},
                 "Report this as a bug"};
}

Status Run::fillBuffers() {
    for (const ShaderBinding& binding : call_.bindings) {
        const auto* input = std::get_if<ShaderInput>(&binding);
        const size_t size = input != nullptr ? input->bytes.size() : std::get<ShaderOutput>(binding).bytes.size();
        Result<DeviceBuffer> buffer = DeviceBuffer::create(device_, size);
        if (!buffer) return buffer.error();
        if (input != nullptr)
            std::memcpy(buffer->bytes().data(), input->bytes.data(), size);
        else
            std::memset(buffer->bytes().data(), kUnwritten, size);
        buffers_.push_back(std::move(buffer).value());
    }
    return {};
}

Status Run::bind() {
    const uint32_t count = static_cast<uint32_t>(buffers_.size());
    const VkDescriptorPoolSize size{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .descriptorCount = count};
    const VkDescriptorPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                          .pNext = nullptr,
                                          .flags = 0,
                                          .maxSets = 1,
                                          .poolSizeCount = 1,
                                          .pPoolSizes = &size};
    if (Status made = checked(vk_.CreateDescriptorPool(device_.handle(), &pool, nullptr, &descriptors_),
                              "vkCreateDescriptorPool");
        !made)
        return made;
    const VkDescriptorSetLayout layout = program_.setLayout();
    const VkDescriptorSetAllocateInfo allocation{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                 .pNext = nullptr,
                                                 .descriptorPool = descriptors_,
                                                 .descriptorSetCount = 1,
                                                 .pSetLayouts = &layout};
    if (Status made =
            checked(vk_.AllocateDescriptorSets(device_.handle(), &allocation, &set_), "vkAllocateDescriptorSets");
        !made)
        return made;
    std::vector<VkDescriptorBufferInfo> whole;
    for (const DeviceBuffer& buffer : buffers_) whole.push_back({buffer.handle(), 0, VK_WHOLE_SIZE});
    std::vector<VkWriteDescriptorSet> writes;
    for (uint32_t number = 0; number < count; ++number)
        writes.push_back({.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                          .pNext = nullptr,
                          .dstSet = set_,
                          .dstBinding = number,
                          .dstArrayElement = 0,
                          .descriptorCount = 1,
                          .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                          .pImageInfo = nullptr,
                          .pBufferInfo = &whole[number],
                          .pTexelBufferView = nullptr});
    vk_.UpdateDescriptorSets(device_.handle(), count, writes.data(), 0, nullptr);
    return {};
}

Status Run::record() {
    const VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                       .pNext = nullptr,
                                       .flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT,
                                       .queueFamilyIndex = device_.queueFamily()};
    if (Status made = checked(vk_.CreateCommandPool(device_.handle(), &pool, nullptr, &pool_), "vkCreateCommandPool");
        !made)
        return made;
    const VkCommandBufferAllocateInfo allocation{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                                 .pNext = nullptr,
                                                 .commandPool = pool_,
                                                 .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                                 .commandBufferCount = 1};
    if (Status made =
            checked(vk_.AllocateCommandBuffers(device_.handle(), &allocation, &commands_), "vkAllocateCommandBuffers");
        !made)
        return made;
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                         .pNext = nullptr,
                                         .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
                                         .pInheritanceInfo = nullptr};
    if (Status begun = checked(vk_.BeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer"); !begun) return begun;
    vk_.CmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, program_.pipeline());
    vk_.CmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, program_.layout(), 0, 1, &set_, 0, nullptr);
    if (!call_.push.empty())
        vk_.CmdPushConstants(commands_, program_.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                             static_cast<uint32_t>(call_.push.size()), call_.push.data());
    vk_.CmdDispatch(commands_, call_.groups[0], call_.groups[1], call_.groups[2]);
    const VkMemoryBarrier toHost{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .pNext = nullptr,
                                 .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                 .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vk_.CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &toHost,
                           0, nullptr, 0, nullptr);
    return checked(vk_.EndCommandBuffer(commands_), "vkEndCommandBuffer");
}

Status Run::submit() {
    const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .pNext = nullptr, .flags = 0};
    if (Status made = checked(vk_.CreateFence(device_.handle(), &fence, nullptr, &fence_), "vkCreateFence"); !made)
        return made;
    VkSubmitInfo work{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
    work.commandBufferCount = 1;
    work.pCommandBuffers = &commands_;
    if (Status sent = checked(vk_.QueueSubmit(device_.queue(), 1, &work, fence_), "vkQueueSubmit"); !sent) return sent;
    submitted_ = true;
    Status done = checked(vk_.WaitForFences(device_.handle(), 1, &fence_, VK_TRUE, kLongestWait), "vkWaitForFences");
    submitted_ = !done.ok();
    return done;
}

} // namespace

Status runShader(VulkanDevice& device, const ShaderCall& call) {
    Result<const ShaderProgram*> program = device.program(call.shader, call.specialisation);
    if (!program) return program.error();
    return Run(device, **program, call).run();
}

} // namespace coterie::gpu
