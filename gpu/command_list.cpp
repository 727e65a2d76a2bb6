// SPDX-License-Identifier: Apache-2.0
#include "command_list.h"

#include "device_buffer.h"
#include "shader_program.h"

#include <string>

namespace coterie::gpu {

using engine::Error;
using engine::ErrorKind;
using engine::Result;
using engine::Status;

namespace {

constexpr uint64_t kLastWait = 1'000'000'000; ///< nanoseconds, after run() has waited in vain

Error badDispatch(const engine::Sentence& why) {
    return {ErrorKind::Internal, "A shader was called in a wrong way", why, "Report this as a bug"};
}

/// The accesses of its bindings. Its counts are left out: the host writes them, between two runs.
std::vector<Access> accessesOf(const ShaderProgram& program, const Dispatch& dispatch) {
    std::vector<Access> accesses;
    for (size_t i = 0; i < dispatch.bindings.size(); ++i)
        accesses.push_back({.buffer = dispatch.bindings[i], .writes = program.interface().bindings[i].writes});
    return accesses;
}

} // namespace

Result<std::unique_ptr<CommandList>> CommandList::create(VulkanDevice& device, uint32_t mostDispatches) {
    std::unique_ptr<CommandList> list(new CommandList(device, mostDispatches));
    if (Status made = list->allocate(); !made) return made.error();
    return list;
}

CommandList::CommandList(VulkanDevice& device, uint32_t mostDispatches)
    : device_(device), vk_(device.functions()), mostDispatches_(mostDispatches) {}

CommandList::~CommandList() {
    if (submitted_) {
        if (vk_.WaitForFences(device_.handle(), 1, &fence_, VK_TRUE, kLastWait) == VK_TIMEOUT)
            device_.abandon();
        else
            vk_.DeviceWaitIdle(device_.handle());
    }
    if (device_.isAbandoned()) return;
    if (fence_ != VK_NULL_HANDLE) vk_.DestroyFence(device_.handle(), fence_, nullptr);
    if (descriptors_ != VK_NULL_HANDLE) vk_.DestroyDescriptorPool(device_.handle(), descriptors_, nullptr);
    if (pool_ != VK_NULL_HANDLE) vk_.DestroyCommandPool(device_.handle(), pool_, nullptr);
}

Status CommandList::allocate() {
    const VkDescriptorPoolSize size{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                    .descriptorCount = mostDispatches_ * kMostBindings};
    VkDescriptorPoolCreateInfo sets{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    sets.maxSets = mostDispatches_;
    sets.poolSizeCount = 1;
    sets.pPoolSizes = &size;
    if (Status made = checked(vk_.CreateDescriptorPool(device_.handle(), &sets, nullptr, &descriptors_),
                              "vkCreateDescriptorPool");
        !made)
        return made;
    VkCommandPoolCreateInfo pool{.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.flags = VK_COMMAND_POOL_CREATE_TRANSIENT_BIT;
    pool.queueFamilyIndex = device_.queueFamily();
    if (Status made = checked(vk_.CreateCommandPool(device_.handle(), &pool, nullptr, &pool_), "vkCreateCommandPool");
        !made)
        return made;
    VkCommandBufferAllocateInfo buffer{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    buffer.commandPool = pool_;
    buffer.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    buffer.commandBufferCount = 1;
    if (Status made =
            checked(vk_.AllocateCommandBuffers(device_.handle(), &buffer, &commands_), "vkAllocateCommandBuffers");
        !made)
        return made;
    const VkFenceCreateInfo fence{.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .pNext = nullptr, .flags = 0};
    return checked(vk_.CreateFence(device_.handle(), &fence, nullptr, &fence_), "vkCreateFence");
}

Status CommandList::begin() {
    dispatches_ = 0;
    tracker_.clear();
    if (Status done = checked(vk_.ResetCommandPool(device_.handle(), pool_, 0), "vkResetCommandPool"); !done)
        return done;
    if (Status done = checked(vk_.ResetDescriptorPool(device_.handle(), descriptors_, 0), "vkResetDescriptorPool");
        !done)
        return done;
    const VkCommandBufferBeginInfo begin{.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    return checked(vk_.BeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer");
}

Result<VkDescriptorSet> CommandList::bind(const ShaderProgram& program, const Dispatch& dispatch) {
    const VkDescriptorSetLayout layout = program.setLayout();
    VkDescriptorSetAllocateInfo allocation{.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    allocation.descriptorPool = descriptors_;
    allocation.descriptorSetCount = 1;
    allocation.pSetLayouts = &layout;
    VkDescriptorSet set = VK_NULL_HANDLE;
    if (Status made =
            checked(vk_.AllocateDescriptorSets(device_.handle(), &allocation, &set), "vkAllocateDescriptorSets");
        !made)
        return made.error();
    std::array<VkDescriptorBufferInfo, kMostBindings> whole{};
    std::array<VkWriteDescriptorSet, kMostBindings> writes{};
    const auto count = static_cast<uint32_t>(dispatch.bindings.size());
    for (uint32_t number = 0; number < count; ++number) {
        whole[number] = {dispatch.bindings[number]->handle(), 0, VK_WHOLE_SIZE};
        writes[number] = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                          .pNext = nullptr,
                          .dstSet = set,
                          .dstBinding = number,
                          .dstArrayElement = 0,
                          .descriptorCount = 1,
                          .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                          .pImageInfo = nullptr,
                          .pBufferInfo = &whole[number],
                          .pTexelBufferView = nullptr};
    }
    vk_.UpdateDescriptorSets(device_.handle(), count, writes.data(), 0, nullptr);
    return set;
}

/// The commands behind it, also those of the next submission, see what was written before it; the host too, if it
/// reads.
void CommandList::barrier(bool hostReads) {
    constexpr VkAccessFlags kWritten = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    constexpr VkPipelineStageFlags kStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkMemoryBarrier memory{.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    memory.srcAccessMask = kWritten;
    memory.dstAccessMask =
        kWritten | VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT | (hostReads ? VK_ACCESS_HOST_READ_BIT : 0);
    vk_.CmdPipelineBarrier(commands_, kStages, kStages | (hostReads ? VK_PIPELINE_STAGE_HOST_BIT : 0), 0, 1, &memory, 0,
                           nullptr, 0, nullptr);
}

void CommandList::waitIfNeeded(std::span<const Access> accesses) {
    if (tracker_.add(accesses)) barrier(false);
}

void CommandList::copy(const DeviceBuffer& from, uint64_t fromOffset, const DeviceBuffer& to, uint64_t toOffset,
                       uint64_t bytes) {
    waitIfNeeded(std::array{
        Access{.buffer = &from, .writes = false, .begin = fromOffset, .end = fromOffset + bytes},
        Access{.buffer = &to, .writes = true, .begin = toOffset, .end = toOffset + bytes},
    });
    const VkBufferCopy range{.srcOffset = fromOffset, .dstOffset = toOffset, .size = bytes};
    vk_.CmdCopyBuffer(commands_, from.handle(), to.handle(), 1, &range);
}

Status CommandList::dispatch(const Dispatch& dispatch) {
    Result<const ShaderProgram*> found = device_.program(dispatch.shader, dispatch.specialisation);
    if (!found) return found.error();
    const ShaderProgram& program = **found;
    if (dispatch.bindings.size() != program.interface().bindings.size() ||
        dispatch.push.size() != program.interface().pushBytes)
        return badDispatch({"The bindings or constants of %1 are others", std::string(dispatch.shader)});
    if (dispatches_ == mostDispatches_)
        return badDispatch({"There is no room for %1 in the list", std::string(dispatch.shader)});
    Result<VkDescriptorSet> set = bind(program, dispatch);
    if (!set) return set.error();
    ++dispatches_;
    waitIfNeeded(accessesOf(program, dispatch));
    vk_.CmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, program.pipeline());
    vk_.CmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, program.layout(), 0, 1, &*set, 0, nullptr);
    if (!dispatch.push.empty())
        vk_.CmdPushConstants(commands_, program.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                             static_cast<uint32_t>(dispatch.push.size()), dispatch.push.data());
    if (dispatch.counts != nullptr)
        vk_.CmdDispatchIndirect(commands_, dispatch.counts->handle(), dispatch.countsOffset);
    else
        vk_.CmdDispatch(commands_, dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]);
    return {};
}

Status CommandList::end() {
    barrier(true);
    return checked(vk_.EndCommandBuffer(commands_), "vkEndCommandBuffer");
}

Status CommandList::run() {
    if (Status reset = checked(vk_.ResetFences(device_.handle(), 1, &fence_), "vkResetFences"); !reset) return reset;
    VkSubmitInfo work{.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO};
    work.commandBufferCount = 1;
    work.pCommandBuffers = &commands_;
    if (Status sent = checked(vk_.QueueSubmit(device_.queue(), 1, &work, fence_), "vkQueueSubmit"); !sent) return sent;
    submitted_ = true;
    Status done =
        checked(vk_.WaitForFences(device_.handle(), 1, &fence_, VK_TRUE, device_.longestWait()), "vkWaitForFences");
    submitted_ = !done.ok();
    return done;
}

} // namespace coterie::gpu
