// SPDX-License-Identifier: Apache-2.0
// Reads the engine's counters; expert_rates.cpp computes rates from them.
#include "models/expert_monitor.h"

#include <algorithm>

namespace coterie::app {
namespace {

constexpr int kExpertIntervalMs = 250; // the panel shows words and rates over a second: nobody reads them faster

} // namespace

ExpertMonitor::ExpertMonitor(EngineWorker* worker, QObject* parent) : QObject(parent), worker_(worker) {
    timer_.setInterval(kExpertIntervalMs);
    connect(&timer_, &QTimer::timeout, this, &ExpertMonitor::sampleNow);
}

void ExpertMonitor::setEnabled(bool enabled) {
    if (enabled == timer_.isActive()) return;
    if (enabled) {
        window_.clear(); // old samples do not describe the present
        clock_.start();
        timer_.start();
        sampleNow();
    } else {
        timer_.stop();
    }
    Q_EMIT enabledChanged();
}

ExpertMonitor::Place ExpertMonitor::placeOf(const engine::Telemetry& telemetry) {
    const quint64 experts = telemetry.plan.totalExperts;
    if (telemetry.slots.usable < experts) return FromDisk;
    return telemetry.slots.used < experts ? RoomForAll : AllKept;
}

ExpertMonitor::Shown ExpertMonitor::shown() const {
    return {.place = place_,
            .dense = dense_,
            .rates = rates_,
            .fastest = fastest_,
            .kept = kept(),
            .room = room(),
            .experts = experts(),
            .wholeFromMemory = wholeFromMemory(),
            .wholeBytes = wholeBytes(),
            .wholeWait = wholeWait()};
}

void ExpertMonitor::sampleNow() { sample(static_cast<double>(clock_.nsecsElapsed()) * 1e-9); }

void ExpertMonitor::sample(double seconds) {
    const std::optional<engine::Telemetry> telemetry = worker_->telemetry();
    const Shown before = shown();
    if (!telemetry || telemetry->counts.bytesRead < counted_.bytesRead) fastest_ = 0;
    if (telemetry) {
        counted_ = telemetry->counts;
        slots_ = telemetry->slots;
        experts_ = telemetry->plan.totalExperts;
        dense_ = telemetry->plan.dense;
        place_ = placeOf(*telemetry);
        window_.add(seconds, counted_);
    } else {
        counted_ = {};
        slots_ = {};
        experts_ = 0;
        dense_ = false;
        place_ = NoModel;
        window_.clear();
    }
    rates_ = window_.rates();
    fastest_ = std::max(fastest_, rates_.bytesPerSecond);
    // Nothing is computed and drawn again while the store is idle.
    if (before != shown()) Q_EMIT changed();
}

} // namespace coterie::app
