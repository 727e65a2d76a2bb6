// SPDX-License-Identifier: Apache-2.0
// Current rates of the expert store: differences of its counters over about the last second. This code reads no clock;
// the caller gives the time of each sample.
#pragma once

#include "session/session.h"

#include <deque>

namespace coterie::app {

/// Returns the share of the requested experts that came from memory, 0..1, or -1 if none was requested. An expert that
/// was prefetched and then requested counts as read from disk.
double shareFromMemory(uint64_t asked, uint64_t fromDisk);

/// Rates over the window. If no expert was requested, fromMemory is -1; if there is no measurement, the others are 0.
struct ExpertRates {
    double fromMemory = -1;    ///< shareFromMemory()
    double bytesPerSecond = 0; ///< read from disk
    double waitShare = 0;      ///< share of the time spent waiting for reads, 0..1
    bool working = false;      ///< a counter changed
    bool operator==(const ExpertRates& other) const = default;
};

class ExpertWindow {
  public:
    /// Adds a sample; samples come in order of time. If a counter has decreased, it belongs to another model, and the
    /// window starts again.
    void add(double seconds, const engine::Counts& counted);
    void clear() { samples_.clear(); }
    ExpertRates rates() const;

  private:
    struct Sample {
        double seconds;
        engine::Counts counted;
    };
    std::deque<Sample> samples_; ///< the oldest is the last sample from before the window
};

} // namespace coterie::app
