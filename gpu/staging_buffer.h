// SPDX-License-Identifier: Apache-2.0
// Fills buffers of a device: at once where the host sees them, else by way of a buffer that both see. It belongs to the
// device, which must outlive it.
#pragma once

#include "command_list.h"
#include "device_buffer.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace coterie::gpu {

class StagingBuffer {
  public:
    explicit StagingBuffer(VulkanDevice& device) : device_(device) {}

    /// Lets `write` write `bytes` bytes, at most kMostBytes, which become those of `to` from `offset` on before it
    /// returns. Errors: those of `write`, and of the device.
    using Write = std::function<engine::Status(std::span<std::byte> bytes)>;
    engine::Status fill(const DeviceBuffer& to, uint64_t offset, uint64_t bytes, const Write& write);

    static constexpr uint64_t kMostBytes = 16 << 20;

  private:
    engine::Status allocate();

    VulkanDevice& device_;
    std::optional<DeviceBuffer> buffer_; // once it is needed
    std::unique_ptr<CommandList> commands_;
};

} // namespace coterie::gpu
