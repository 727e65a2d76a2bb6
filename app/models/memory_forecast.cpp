// SPDX-License-Identifier: Apache-2.0
// Looks run one at a time; a look gives up when a newer one is requested.
#include "models/memory_forecast.h"

#include "base/memory.h"

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

uint64_t difference(uint64_t whole, uint64_t part) { return whole > part ? whole - part : 0; }

/// Returns the bytes that the process would hold if the open model were closed; 0 if none is open, which means the
/// system's figure. The result is at least what was held before the model was opened, because not all of its scratch
/// memory need be in use.
uint64_t heldBesides(const EngineWorker& worker, uint64_t resident) {
    const std::optional<engine::Telemetry> open = worker.telemetry();
    if (!open) return 0;
    const uint64_t model = open->residentBytes + open->embeddingRowBytes + open->keyValueBytes + open->stateBytes +
                           open->scratchBytes + open->slots.bytesHeld;
    return std::max(worker.heldBefore(), difference(resident, model));
}

} // namespace

MemoryForecast::MemoryForecast(ModelInspector inspect, EngineWorker* worker, ModelController* models, QObject* parent)
    : QObject(parent), inspect_(std::move(inspect)), worker_(worker), models_(models) {
    soon_.setSingleShot(true);
    soon_.setInterval(0);
    connect(&soon_, &QTimer::timeout, this, &MemoryForecast::look);
    const auto lookSoon = [this] {
        if (enabled_) soon_.start();
    };
    connect(models_, &ModelController::optionsChanged, this, lookSoon);
    connect(models_, &ModelController::stateChanged, this, lookSoon);
}

MemoryForecast::~MemoryForecast() {
    ++wanted_;
    thread_.finish();
}

void MemoryForecast::setEnabled(bool enabled) {
    if (enabled == enabled_) return;
    enabled_ = enabled;
    if (enabled) {
        look();
    } else {
        soon_.stop();
        ++wanted_;
    }
    Q_EMIT enabledChanged();
}

double MemoryForecast::budget() const { return bytes(shown_.memory == 0 ? info_.memory.budget : shown_.memory); }

double MemoryForecast::leastGibi() const {
    constexpr double kGibi = 1024.0 * 1024 * 1024, kHundredths = 100;
    return std::ceil(least() / kGibi * kHundredths) / kHundredths;
}

double MemoryForecast::machine() const { return bytes(engine::readMemory().total); }

int MemoryForecast::tokenExperts() const { return static_cast<int>(info_.layers * info_.expertsPerToken); }

void MemoryForecast::clear(State state) {
    shown_ = {};
    info_ = {};
    least_ = 0;
    error_ = {};
    state_ = state;
    Q_EMIT changed();
}

void MemoryForecast::look() {
    if (models_->state() == ModelController::Opening) return; // the memory that it takes is still changing
    const quint64 number = ++wanted_;
    engine::OpenOptions options = models_->openOptions();
    if (!inspect_ || options.path.empty()) return clear(NoModel);
    const engine::MemoryReading memory = engine::readMemory();
    options.held = heldBesides(*worker_, memory.resident);
    reachable_ = bytes(memory.available > 0 ? memory.available + memory.resident : 0);
    if (options.path != shown_.path) clear(Looking);
    thread_.push([this, number, options] {
        const auto goOn = [this, number] { return number == wanted_; };
        if (!goOn()) return;
        if (const auto outlook = lookAhead(inspect_, options, goOn))
            toGui_.push([this, number, options, outlook = *outlook] {
                if (number == wanted_) show(options, outlook);
            });
    });
}

void MemoryForecast::show(const engine::OpenOptions& options, const MemoryOutlook& outlook) {
    shown_ = options;
    info_ = outlook.info;
    least_ = outlook.leastBudget;
    error_ = outlook.error ? ErrorInfo(*outlook.error) : ErrorInfo();
    state_ = outlook.error ? Failed : outlook.fits ? Fits : TooLittle;
    Q_EMIT changed();
}

} // namespace coterie::app
