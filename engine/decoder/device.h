// SPDX-License-Identifier: Apache-2.0
// The device border: the part of a forward pass that a processor computes. The decoder (decoder.h) is above it and owns
// what all devices share: chunks, cancel, progress, position, checks, counters and the trace. The CPU's backend is
// cpu_backend.h; gpu/ has another.
//
// After prepare() and upload() the decoder has a backend compute one chunk after the other:
//
//     backend.makeRoom(tokens);                   // how many of them the next chunk may have
//     backend.begin(chunk);                       // embedding, room in the KV cache
//     backend.run({0, 12}); backend.run({12, 24}); // every layer once, in order
//     backend.resume(outputs);                    // if run() stopped at experts that the backend does not have
//     backend.head(request);                      // logits of the chunk's last tokens, if any are needed
//     backend.commit();                           // the chunk's tokens belong to the conversation from now on
//
// Contract about bits:
// - On the CPU the same tokens give the same logits to the bit, however a prompt is split into requests and chunks, and
//   whatever the budget, the number of slots and the number of threads are. Another table of kernels may give other
//   bits.
// - A backend whose abilities say sameBits keeps this promise wherever an expert is computed.
// - With any other backend the same placement of experts gives the same bits. The session says of each answer which of
//   the two holds (Exactness).
// - The outputs of a token's experts are added up in the order of their ranks, wherever each was computed.
// - Approximate routing depends on what is in memory and promises none of this.
//
// Threads: one at a time; any thread may call telemetry() and limitSlots(). After an error a backend can continue with
// another begin(), which forgets the unfinished chunk. The exception is DeviceLost: every later call returns it too.
#pragma once

#include "decoder/device_info.h"
#include "decoder/head_agreement.h"
#include "decoder/memory_plan.h"
#include "decoder/options.h"
#include "decoder/step_meter.h"
#include "decoder/telemetry.h"
#include "decoder/trace.h"
#include "experts/expert_store.h"
#include "gguf/model_file.h"
#include "gguf/token_id.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coterie::engine {

/// The options with which a backend is made.
struct BackendOptions {
    const KernelTable& kernels; ///< for what is computed on the CPU
    int threads = 1;
    Shortcuts shortcuts{};
    ExpertStoreChoices experts{};
    std::string packedPath{};      ///< packed file that is read instead of the model's file if it is current; "": none
    HeadAgreement headAgreement{}; ///< result of an earlier headAgreement() for this model
    ExpertHeat heat{};             ///< result of an earlier expertHeat() for this model
    StepMeter* steps = nullptr;    ///< measures what is computed on the CPU; it outlives the backend
};

/// The error of a request that was cancelled.
inline Error stopped() {
    return {ErrorKind::Cancelled, "The answer was stopped", "The user asked for it", "Ask again"};
}

/// A run of tokens that is computed together.
struct Chunk {
    /// At least one, at most MemoryPlan::chunk, or what makeRoom() has returned; valid until the chunk is done
    std::span<const TokenId> tokens;
    int64_t position = 0;         ///< position of the first token: the number of tokens in the KV cache
    ApproximateRouting routing{}; ///< exact if there are several tokens
    bool trace = false;           ///< true: LayerRun::reports is needed
    /// Once it is true, a backend may end a layer early with stopped(). Null: never
    const std::atomic<bool>* cancel = nullptr;
};

/// Layers [first, end).
struct LayerRange {
    int64_t first = 0, end = 0;
};

/// The work of one layer's experts for a chunk.
struct LayerReport {
    int layer = 0;
    int64_t chosen = 0;                   ///< experts per token
    double waitSeconds = 0;               ///< time that the layer waited for reads
    std::span<const ExpertUse> uses = {}; ///< [tokens, chosen], a token's best expert first
};

/// One expert's work for a chunk, described so that any place can do it. A row is one token at one of its experts.
struct ExpertJob {
    int32_t layer = 0, expert = 0;
    int64_t firstRow = 0, rows = 0;
};

/// A layer after its attention and before its experts. The backend does not have some of these experts.
struct ExpertStop {
    int layer = 0;
    int64_t tokens = 0;
    std::span<const ExpertJob> jobs;     ///< jobs of the missing experts; together they cover the rows from 0 on
    std::span<const int64_t> tokenOfRow; ///< [rows]
    const float* inputs = nullptr;       ///< [tokens, width] normed attention output, in main memory
};

/// The outputs of a stop's missing experts. Valid until the next stop.
struct ExpertOutputs {
    const float* rows = nullptr;                ///< [rows, width] in main memory, not yet weighted
    std::function<bool(size_t job)> hit;        ///< like ExpertUse::hit
    std::function<int32_t(int64_t row)> active; ///< like ExpertUse::activeNeurons
    double waitSeconds = 0;                     ///< time that the layer waited for reads
};

struct LayerRun {
    std::optional<ExpertStop> stop{};          ///< nothing: all layers of the range are done. Valid until the next call
    uint64_t choicesChanged = 0;               ///< choices that approximate routing changed, one per token and layer
    std::span<const LayerReport> reports = {}; ///< one for each layer, in order; valid until the next call
};

/// Says which logits of a chunk are computed, and how.
struct HeadRequest {
    int64_t wanted = 0;                  ///< number of the chunk's last tokens whose logits are needed
    HeadRows rows = HeadRows::All;       ///< Predicted only if `wanted` is 0 or 1
    std::span<const TokenId> keptRows{}; ///< rows that are computed in any case
    int64_t bestRows = 1;                ///< number of the highest logits that should be among the predicted rows
    bool learn = false;                  ///< true: a predictor that is not measured yet may use the chunk's states
    /// token: its index in the chunk. The span is valid during the call; rows that were not computed are minus
    /// infinity.
    std::function<void(int64_t token, std::span<const float> logits)> onLogits{};
};

class Backend {
  public:
    virtual ~Backend() = default;
    /// The name that `--device` takes.
    virtual std::string name() const = 0;
    virtual DeviceAbilities abilities() const = 0;

    /// Allocates for a shape and a plan. Both are copied.
    virtual Status prepare(const ModelShape& shape, const MemoryPlan& plan) = 0;
    /// Reads the resident weights. `progress(done, total)` in bytes; returns false to cancel. `file` must outlive the
    /// backend: experts, and embedding rows that are not kept, are read from it.
    virtual Status upload(const ModelFile& file,
                          const std::function<bool(uint64_t done, uint64_t total)>& progress) = 0;

    /// Makes room for a chunk of up to `tokens` tokens, which others must give up, and returns how many tokens it may
    /// have; a later call with fewer gives the room back, as fillWhileIdle() does. Called before begin() if the
    /// abilities say longChunks.
    virtual int64_t makeRoom(int64_t tokens) { return tokens; }
    /// Internal if upload() has not succeeded.
    virtual Status begin(const Chunk& chunk) = 0;
    /// Computes the layers, of which there are as many as the abilities allow.
    virtual Result<LayerRun> run(LayerRange layers) = 0;
    /// Continues after a stop with the outputs of the stop's jobs, up to the end of the range or the next stop.
    virtual Result<LayerRun> resume(const ExpertOutputs& outputs) = 0;
    /// Call it after the last layer. Returns how many rows of the head it computed for each token that has logits.
    virtual Result<int64_t> head(const HeadRequest& request) = 0;

    /// The chunk is done: its tokens belong to the conversation. Without this call the next begin() forgets them.
    virtual void commit() = 0;
    /// Keeps a copy of the states of recurrent layers as they are after the committed tokens (state_copies.h), so that
    /// rewind() can go back to them. stays: it is kept in any case until another one stays. Does nothing if no layer
    /// has a state.
    virtual void keepState(bool /*stays*/) {}
    /// Forgets the tokens after the first `position` ones, and a chunk that was not committed. Returns how many tokens
    /// are kept: fewer, down to 0, if a ring has overwritten what those need, or if there is no copy of the states
    /// after them.
    virtual int64_t rewind(int64_t position) = 0;
    /// Call it while no request is running: until the next begin(), experts that have room in memory are read.
    virtual void fillWhileIdle() = 0;
    /// Its counts are those since upload(), without the head's and the choices'.
    virtual BackendTelemetry telemetry() const = 0;
    /// Sets how many expert slots in main memory may be used from now on, like ExpertStore::limitSlots().
    virtual void limitSlots(uint64_t slots) = 0;
    /// Writes the state of each expert, in the order and form of ExpertStore::states(). A device with memory of its own
    /// writes OnDevice for the experts that it holds and leaves the others unchanged. Any thread, after upload().
    virtual void expertStates(std::span<uint8_t> states) const = 0;
    /// Returns the measurements of the predictor derived from the head. Do not call it while a chunk is computed.
    virtual HeadAgreement headAgreement() const { return {}; }
    /// How often experts in main memory were used, like ExpertStore::heat(); empty if there are none. Any thread.
    virtual ExpertHeat expertHeat() const { return {}; }
};

} // namespace coterie::engine
