// SPDX-License-Identifier: Apache-2.0
// See device_switch.h.
#include "session/device_switch.h"

#include <utility>

namespace coterie::engine {
DeviceSwitch::DeviceSwitch(OpenedDecoder opened, Opener openNext)
    : openNext_(std::move(openNext)), decoder_(std::move(opened.decoder)), plan_(std::move(opened.plan)) {}

Status DeviceSwitch::replace() {
    std::unique_ptr<Decoder> lost;
    if (decoder()) {
        lostName_ = decoder()->deviceName();
        const MutexLock lock(mutex_);
        counted_ += decoder_->telemetry().counts;
        lost = std::move(decoder_);
    }
    lost.reset(); // its memory is free when the next one is planned
    Result<OpenedDecoder> next = openNext_();
    if (!next) return next.error();
    notes_.emplace_back("The device %1 stopped working. The device %2 is used instead.", lostName_,
                        next->decoder->deviceName());
    const MutexLock lock(mutex_);
    decoder_ = std::move(next->decoder);
    plan_ = std::move(next->plan);
    return {};
}

void DeviceSwitch::fillWhileIdle() {
    if (decoder()) decoder()->fillWhileIdle();
}

DeviceTelemetry DeviceSwitch::telemetry() const {
    const MutexLock lock(mutex_);
    DeviceTelemetry t;
    if (decoder_) t = decoder_->telemetry();
    t.counts += counted_;
    return t;
}

MemoryPlan DeviceSwitch::plan() const {
    const MutexLock lock(mutex_);
    return plan_;
}

std::string DeviceSwitch::deviceName() const {
    const MutexLock lock(mutex_);
    return decoder_ ? decoder_->deviceName() : std::string();
}

void DeviceSwitch::expertStates(std::span<uint8_t> states) const {
    const MutexLock lock(mutex_);
    if (decoder_) decoder_->expertStates(states);
}

void DeviceSwitch::limitSlots(uint64_t slots) {
    const MutexLock lock(mutex_);
    if (decoder_) decoder_->limitSlots(slots);
}

} // namespace coterie::engine
