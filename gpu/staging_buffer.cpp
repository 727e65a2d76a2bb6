// SPDX-License-Identifier: Apache-2.0
#include "staging_buffer.h"

#include <utility>

namespace coterie::gpu {

using engine::Result;
using engine::Status;

Status StagingBuffer::allocate() {
    Result<std::unique_ptr<CommandList>> commands = CommandList::create(device_, 1); // it only copies
    if (!commands) return commands.error();
    Result<DeviceBuffer> buffer = DeviceBuffer::create(device_, kMostBytes, HostAccess::Stages);
    if (!buffer) return buffer.error();
    commands_ = std::move(commands).value();
    buffer_ = std::move(buffer).value();
    return {};
}

Status StagingBuffer::fill(const DeviceBuffer& to, uint64_t offset, uint64_t bytes, const Write& write) {
    const auto size = static_cast<size_t>(bytes);
    if (!to.bytes().empty()) return write(to.bytes().subspan(static_cast<size_t>(offset), size));
    if (!buffer_)
        if (Status made = allocate(); !made) return made;
    if (Status written = write(buffer_->bytes().first(size)); !written) return written;
    if (Status begun = commands_->begin(); !begun) return begun;
    commands_->copy(*buffer_, 0, to, offset, bytes);
    if (Status ended = commands_->end(); !ended) return ended;
    return commands_->run();
}

} // namespace coterie::gpu
