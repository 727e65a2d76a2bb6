// SPDX-License-Identifier: Apache-2.0
// How the expert store does right now: differences of its counters over about the last second. Knows no clock; whoever
// samples says when.
#pragma once

#include "session/session.h"

#include <deque>

namespace coterie::app {

/// Of the experts asked for, the share that came from memory, 0..1; -1: none was asked for. What was read on a guess
/// and then asked for came from disk.
double shareFromMemory(uint64_t asked, uint64_t fromDisk);

/// Over the window. Where nothing was asked of the store there is no share, and the rest is 0.
struct ExpertRates {
    double fromMemory = -1;    ///< shareFromMemory()
    double bytesPerSecond = 0; ///< from disk
    double waitShare = 0;      ///< of the time, 0..1: what was spent waiting for reads
    bool working = false;      ///< a counter moved
    bool operator==(const ExpertRates& other) const = default;
};

class ExpertWindow {
  public:
    /// Samples come in order. Counters that went back are another model's: the window begins anew.
    void add(double seconds, const engine::ExpertTelemetry& counted);
    void clear() { samples_.clear(); }
    ExpertRates rates() const;

  private:
    struct Sample {
        double seconds;
        engine::ExpertTelemetry counted;
    };
    std::deque<Sample> samples_; ///< the oldest is the last one from before the window
};

} // namespace coterie::app
