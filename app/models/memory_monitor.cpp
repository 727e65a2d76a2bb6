// SPDX-License-Identifier: Apache-2.0
// Divides the system's figures about memory among the parts of the memory bar.
#include "models/memory_monitor.h"

#include "base/memory.h"

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

constexpr int kMemoryIntervalMs = 250;
constexpr double kVisible = 1 << 20; // bytes; sizes are shown in MiB, and a bar of 1,000 pixels shows more bytes in one

double bytesBeyond(uint64_t whole, uint64_t part) { return whole > part ? static_cast<double>(whole - part) : 0.0; }

bool alike(double a, double b) { return std::abs(a - b) < kVisible; }

} // namespace

/// The engine's figures are compared exactly, because they only change when it works.
bool MemoryMonitor::Figures::looksLike(const Figures& shown) const {
    return weights == shown.weights && cache == shown.cache && cacheLimit == shown.cacheLimit &&
           keyValue == shown.keyValue && states == shown.states && card == shown.card && total == shown.total &&
           budget == shown.budget && scarce == shown.scarce && dense == shown.dense && alike(app, shown.app) &&
           alike(other, shown.other) && alike(free, shown.free);
}

MemoryMonitor::MemoryMonitor(EngineWorker* worker, QObject* parent) : QObject(parent), worker_(worker) {
    timer_.setInterval(kMemoryIntervalMs);
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
    const engine::SlotUse& slots = telemetry.slots;
    const uint64_t weights = telemetry.residentBytes + telemetry.embeddingRowBytes;
    const uint64_t engineBytes = weights + slots.bytesHeld + telemetry.keyValueBytes + telemetry.stateBytes;
    const Figures now{
        .weights = static_cast<double>(weights),
        .cache = static_cast<double>(slots.bytesHeld),
        .cacheLimit = static_cast<double>(slots.bytesMost),
        .keyValue = static_cast<double>(telemetry.keyValueBytes),
        .states = static_cast<double>(telemetry.stateBytes),
        .card = static_cast<double>(telemetry.device.total()),
        .app = bytesBeyond(reading.resident, engineBytes),
        .other = bytesBeyond(reading.total, std::max(reading.resident, engineBytes) + reading.available),
        .free = static_cast<double>(reading.available),
        .total = static_cast<double>(reading.total),
        .budget = static_cast<double>(telemetry.plan.budget),
        .scarce = slots.usable < telemetry.plan.slots,
        .dense = telemetry.plan.dense,
    };
    if (now.looksLike(shown_)) return;
    shown_ = now;
    Q_EMIT changed();
}

} // namespace coterie::app
