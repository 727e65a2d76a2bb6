// SPDX-License-Identifier: Apache-2.0
// Divides the system's figures about memory among the parts of the memory bar.
#include "memory_monitor.h"

#include "base/memory.h"

#include <algorithm>

namespace coterie::app {
namespace {

constexpr int kIntervalMs = 250;

double difference(uint64_t whole, uint64_t part) { return whole > part ? static_cast<double>(whole - part) : 0.0; }

/// Returns the bytes that slots may hold at most: those in use, and free slots as if each held the largest expert.
uint64_t limitOf(const engine::ExpertTelemetry& experts) {
    const uint64_t free = experts.slots - std::min(experts.slots, experts.slotsUsed);
    return std::min(experts.bytesHeld + free * experts.slotBytes, experts.slots * experts.slotBytes);
}

} // namespace

MemoryMonitor::MemoryMonitor(EngineWorker* worker, QObject* parent) : QObject(parent), worker_(worker) {
    timer_.setInterval(kIntervalMs);
    connect(&timer_, &QTimer::timeout, this, &MemoryMonitor::measure);
}

void MemoryMonitor::setEnabled(bool enabled) {
    if (enabled == timer_.isActive()) return;
    if (enabled) {
        timer_.start();
        measure();
    } else {
        timer_.stop();
    }
    Q_EMIT enabledChanged();
}

void MemoryMonitor::measure() {
    const engine::Telemetry telemetry = worker_->telemetry().value_or(engine::Telemetry{});
    const engine::MemoryReading reading = engine::readMemory();
    const engine::ExpertTelemetry& experts = telemetry.experts;
    const uint64_t engineBytes = telemetry.residentBytes + experts.bytesHeld + telemetry.keyValueBytes;
    weights_ = static_cast<double>(telemetry.residentBytes);
    cache_ = static_cast<double>(experts.bytesHeld);
    cacheLimit_ = static_cast<double>(limitOf(experts));
    scarce_ = experts.slots < telemetry.plan.slots;
    dense_ = telemetry.plan.dense;
    keyValue_ = static_cast<double>(telemetry.keyValueBytes);
    app_ = difference(reading.resident, engineBytes);
    free_ = static_cast<double>(reading.available);
    total_ = static_cast<double>(reading.total);
    other_ = difference(reading.total, std::max(reading.resident, engineBytes) + reading.available);
    budget_ = static_cast<double>(telemetry.plan.budget);
    Q_EMIT changed();
}

} // namespace coterie::app
