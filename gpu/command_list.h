// SPDX-License-Identifier: Apache-2.0
// Records dispatches and copies one after the other, submits them together, and waits for them. Each sees what those
// before it wrote, also in earlier submissions, and afterwards the host sees all. Those that share nothing that is
// written may run side by side. It belongs to a device, which must outlive it.
//
//     commands->begin();
//     commands->dispatch({.shader = "activate", .bindings = {&gates, &ups, &out, &counts}, ...});
//     commands->end();
//     commands->run(); // as often as is wanted
#pragma once

#include "access_tracker.h"

#include "base/result.h"
#include "vulkan_functions.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace coterie::gpu {

class DeviceBuffer;
class ShaderProgram;
class VulkanDevice;

struct Dispatch {
    std::string_view shader;                   ///< name of an embedded shader
    std::vector<uint32_t> specialisation;      ///< constant_id 0, 1, 2, ...
    std::vector<const DeviceBuffer*> bindings; ///< binding 0, 1, 2, ... as the shader has them
    std::span<const std::byte> push;           ///< the push constants
    std::array<uint32_t, 3> groups{1, 1, 1};
    const DeviceBuffer* counts = nullptr; ///< if it is there, three words of it are the groups when the list runs
    uint64_t countsOffset = 0;            ///< bytes in front of the words, a multiple of 4
};

class CommandList {
  public:
    /// mostDispatches: between begin() and end().
    static engine::Result<std::unique_ptr<CommandList>> create(VulkanDevice& device, uint32_t mostDispatches);
    /// Waits a second for what still runs, if a run() took too long. If that does not end, the device is abandoned.
    ~CommandList();
    CommandList(const CommandList&) = delete;
    CommandList& operator=(const CommandList&) = delete;

    /// Forgets what was recorded before.
    engine::Status begin();
    /// Internal: the dispatch does not fit its shader, or there are too many. The buffers are used by run(); the push
    /// constants are copied.
    engine::Status dispatch(const Dispatch& dispatch);
    /// Copies bytes from one place to another; both ranges lie in their buffers, and do not overlap.
    void copy(const DeviceBuffer& from, uint64_t fromOffset, const DeviceBuffer& to, uint64_t toOffset, uint64_t bytes);
    /// Ends the recording.
    engine::Status end();
    /// Submits what was recorded, and waits for it. DeviceLost also if the device does not end within its
    /// longestWait(): it is not used again then.
    engine::Status run();

  private:
    CommandList(VulkanDevice& device, uint32_t mostDispatches);
    engine::Status allocate();
    engine::Result<VkDescriptorSet> bind(const ShaderProgram& program, const Dispatch& dispatch);
    void waitIfNeeded(std::span<const Access> accesses);
    void barrier(bool hostReads);

    VulkanDevice& device_;
    const VulkanFunctions& vk_;
    VkDescriptorPool descriptors_ = VK_NULL_HANDLE;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    VkFence fence_ = VK_NULL_HANDLE;
    const uint32_t mostDispatches_;
    uint32_t dispatches_ = 0;
    AccessTracker tracker_;
    bool submitted_ = false;
};

} // namespace coterie::gpu
