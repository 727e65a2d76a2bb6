// SPDX-License-Identifier: Apache-2.0
// Shares out what the system says about memory among the things that the memory bar shows.
#include "memory_monitor.h"

#include "base/memory.h"

#include <algorithm>

namespace coterie::app {
namespace {

constexpr int kIntervalMs = 250;

double difference(uint64_t whole, uint64_t part) { return whole > part ? static_cast<double>(whole - part) : 0.0; }

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
        sinceLast_.invalidate();
    }
    Q_EMIT enabledChanged();
}

void MemoryMonitor::measureExperts(const engine::ExpertStoreStatistics& experts) {
    const uint64_t asked = experts.hits + experts.misses;
    hitRate_ = asked > 0 ? static_cast<double>(experts.hits) / static_cast<double>(asked) : -1;
    const double seconds = sinceLast_.isValid() ? static_cast<double>(sinceLast_.nsecsElapsed()) * 1e-9 : 0;
    diskRate_ = seconds > 0 ? difference(experts.bytesRead, lastBytesRead_) / seconds : 0;
    lastBytesRead_ = experts.bytesRead;
    sinceLast_.start();
}

void MemoryMonitor::measure() {
    const engine::Telemetry telemetry = worker_->telemetry().value_or(engine::Telemetry{});
    const engine::MemoryReading reading = engine::readMemory();
    const engine::ExpertStoreStatistics& experts = telemetry.device.experts;
    const uint64_t slots = experts.slotsUsed * experts.slotBytes;
    const uint64_t engineBytes = telemetry.device.residentBytes + slots + telemetry.device.keyValueBytes;
    weights_ = static_cast<double>(telemetry.device.residentBytes);
    cache_ = static_cast<double>(slots);
    keyValue_ = static_cast<double>(telemetry.device.keyValueBytes);
    app_ = difference(reading.resident, engineBytes);
    free_ = static_cast<double>(reading.available);
    total_ = static_cast<double>(reading.total);
    other_ = difference(reading.total, std::max(reading.resident, engineBytes) + reading.available);
    budget_ = static_cast<double>(telemetry.plan.budget);
    measureExperts(experts);
    Q_EMIT changed();
}

} // namespace coterie::app
