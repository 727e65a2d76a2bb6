// SPDX-License-Identifier: Apache-2.0
// The decoder that a session computes with, and the change to another device when its own is lost. It knows nothing of
// tokens: prompt_cache.h has the new device read what the lost one had read.
//
// Threads: telemetry(), plan(), deviceName() and limitSlots() may be called from any at any time, also during a change;
// everything else comes from the engine's thread.
#pragma once

#include "decoder/decoder.h"

#include <functional>
#include <memory>
#include <mutex>
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

    /// Null after a change that failed, until replace() succeeds.
    Decoder* decoder() { return decoder_.get(); }
    /// Destroys the decoder and opens the next one. What was counted so far stays counted. An error leaves no decoder;
    /// a later call tries again.
    Status replace();
    void fillWhileIdle();
    HeadAgreement headAgreement() const { return decoder_ ? decoder_->headAgreement() : HeadAgreement{}; }
    /// Sentences for the user on changes since the last call.
    std::vector<Sentence> takeNotes() { return std::exchange(notes_, {}); }

    DeviceTelemetry telemetry() const;
    MemoryPlan plan() const;
    std::string deviceName() const;
    void limitSlots(uint64_t slots);
    /// As Decoder::expertStates(); leaves `states` as they are while a device takes another one's place.
    void expertStates(std::span<uint8_t> states) const;

  private:
    const Opener openNext_;
    std::vector<Sentence> notes_;
    std::string lostName_;
    mutable std::mutex mutex_; // guards all below against other threads; the engine's thread alone changes them
    std::unique_ptr<Decoder> decoder_;
    MemoryPlan plan_;
    DeviceTelemetry counted_; // by decoders before this one
};

} // namespace coterie::engine
