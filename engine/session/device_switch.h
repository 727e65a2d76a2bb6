// SPDX-License-Identifier: Apache-2.0
// The decoder that a session computes with, and the change to another device when its own is lost. It knows nothing of
// tokens: prompt_cache.h has the new device read what the lost one had read.
//
// Threads: telemetry(), plan(), deviceName() and limitSlots() may be called from any thread at any time, also during a
// change; the engine's thread makes all other calls.
#pragma once

#include "base/mutex.h"
#include "decoder/decoder.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coterie::engine {

/// A decoder whose model is loaded, and the plan that it was loaded with.
struct OpenedDecoder {
    std::unique_ptr<Decoder> decoder;
    MemoryPlan plan;
};

class DeviceSwitch {
  public:
    /// Opens the decoder that takes the place of a lost one, which is destroyed before.
    using Opener = std::function<Result<OpenedDecoder>()>;

    DeviceSwitch(OpenedDecoder opened, Opener openNext);

    /// Returns null after a change that failed, until replace() succeeds. The engine's thread alone calls this, and it
    /// alone changes the decoder, so it needs no lock.
    Decoder* decoder() const COTERIE_UNCHECKED { return decoder_.get(); }
    /// Destroys the decoder and opens the next one. The counts so far are kept. After an error there is no decoder; a
    /// later call tries again.
    Status replace();
    void fillWhileIdle();
    HeadAgreement headAgreement() const { return decoder() ? decoder()->headAgreement() : HeadAgreement{}; }
    ExpertHeat expertHeat() const { return decoder() ? decoder()->expertHeat() : ExpertHeat{}; }
    /// Returns sentences for the user about changes since the last call.
    std::vector<Sentence> takeNotes() { return std::exchange(notes_, {}); }

    DeviceTelemetry telemetry() const;
    MemoryPlan plan() const;
    std::string deviceName() const;
    void limitSlots(uint64_t slots);
    /// Like Decoder::expertStates(). Leaves `states` unchanged while one device replaces another.
    void expertStates(std::span<uint8_t> states) const;

  private:
    const Opener openNext_;
    std::vector<Sentence> notes_;
    std::string lostName_;
    mutable Mutex mutex_; // only the engine's thread changes what it guards
    std::unique_ptr<Decoder> decoder_ COTERIE_GUARDED_BY(mutex_);
    MemoryPlan plan_ COTERIE_GUARDED_BY(mutex_);
    Counts counted_ COTERIE_GUARDED_BY(mutex_); // counts of the decoders before this one
};

} // namespace coterie::engine
