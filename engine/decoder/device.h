// SPDX-License-Identifier: Apache-2.0
// The device border: what a processor offers so that a session can run a model on it. The CPU's is cpu_device.h; gpu/
// brings another. Three verbs: prepare (allocate for a shape and a plan), upload (resident weights), forward (tokens
// in, logits out).
//
// One thread at a time, but telemetry() and a cancel flag may be used from any. After an error in forward() the device
// goes on working, with position() at the last whole chunk.
#pragma once

#include "decoder/head_agreement.h"
#include "decoder/memory_plan.h"
#include "decoder/options.h"
#include "decoder/trace.h"
#include "experts/expert_store.h"
#include "gguf/model_file.h"
#include "gguf/token_id.h"

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace coterie::engine {

struct ForwardRequest {
    std::span<const TokenId> tokens; ///< they follow the ones already in the KV cache; any number, chunked inside
    LogitsWanted wanted = LogitsWanted::Last;
    std::function<void(int64_t index, std::span<const float> logits)>
        onLogits{}; ///< index within tokens; the span lives for the call; minus infinity for rows not computed
    HeadRows head = HeadRows::All;
    std::span<const TokenId> keptRows{};       ///< computed in any case
    int64_t bestRows = 1;                      ///< so many of the highest logits shall be among those predicted
    const std::atomic<bool>* cancel = nullptr; ///< looked at between layers
    /// How far the request is, in tokens: a chunk's count by the share of its layers that are done, and all of them
    /// once it is in the KV cache. Grows from call to call; the last one says tokens.size().
    std::function<void(int64_t done)> onProgress{};
    TraceSink* trace = nullptr;
    ApproximateRouting routing{}; ///< of a request for one token; for several it is not looked at
};

/// Counted since upload.
struct DeviceTelemetry {
    ExpertStoreStatistics experts;
    uint64_t residentBytes = 0, keyValueBytes = 0; ///< in memory: what is read or written so far
    uint64_t scratchBytes = 0;                     ///< taken from the system; in memory once the longest chunk came
    uint64_t weightBytesRead = 0;                  ///< what kernels had to read
    uint64_t activeNeurons = 0, neurons = 0;       ///< of ReGLU experts that ran
    uint64_t headRows = 0, headRowsPossible = 0;
    uint64_t choices = 0;        ///< of experts, one a token and layer that has some
    uint64_t choicesChanged = 0; ///< of these, to others or to fewer by approximate routing
    int64_t position = 0;
};

class Device {
  public:
    virtual ~Device() = default;
    virtual std::string name() const = 0;
    virtual Status prepare(const ModelShape& shape, const MemoryPlan& plan) = 0;
    /// `progress(done, total)` in bytes; returns false to cancel. `file` must outlive the device: experts, and
    /// embedding rows that are not kept, are read from it.
    virtual Status upload(const ModelFile& file,
                          const std::function<bool(uint64_t done, uint64_t total)>& progress) = 0;
    /// ContextFull where the tokens don't fit (nothing was done); BadInput for a token outside the vocabulary; Io where
    /// a read failed; Cancelled leaves position() at the last whole chunk.
    virtual Status forward(const ForwardRequest& request) = 0;
    /// No request is at hand: until the next one, experts that have room in memory are read.
    virtual void rest() = 0;
    /// Tokens in the KV cache.
    virtual int64_t position() const = 0;
    /// Forgets what follows the first `position` tokens; returns how many are kept: fewer, down to 0, where a ring has
    /// overwritten what those would need.
    virtual int64_t rewind(int64_t position) = 0;
    virtual DeviceTelemetry telemetry() const = 0;
    /// Expert slots that may be used from now on, as ExpertStore::limitSlots(); any thread, between upload and the end.
    virtual void limitSlots(uint64_t slots) = 0;
    /// Of the predictor derived from the head, which is measured on states of requests for predicted rows. Not while
    /// forward() runs.
    virtual HeadAgreement headAgreement() const { return {}; }
};

} // namespace coterie::engine
