// SPDX-License-Identifier: Apache-2.0
// The decoder: tokens in, logits out, on any backend. It owns what every device shares: it checks requests, cuts them
// into chunks, watches for a cancel, reports progress, knows the position, counts, and reports the trace. It does not
// draw tokens (session/generation.h does).
//
//     Decoder decoder(createCpuBackend({.kernels = table, .threads = 4}));
//     decoder.prepare(shape, plan); decoder.upload(*file, {});
//     decoder.forward({.tokens = prompt, .onLogits = [&](int64_t, std::span<const float> logits) { ... }});
//
// Threads: one at a time; any thread may use telemetry(), expertStates(), limitSlots() and a request's cancel flag.
// After an error in forward() the decoder still works, with position() at the last whole chunk, except after
// DeviceLost.
#pragma once

#include "decoder/device.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace coterie::engine {

struct ForwardRequest {
    std::span<const TokenId> tokens; ///< tokens that follow those in the KV cache; any number
    LogitsWanted wanted = LogitsWanted::Last;
    std::function<void(int64_t index, std::span<const float> logits)>
        onLogits{}; ///< index within tokens; the span is valid during the call; rows not computed are minus infinity
    HeadRows head = HeadRows::All;
    std::span<const TokenId> keptRows{};       ///< rows that are computed in any case
    int64_t bestRows = 1;                      ///< number of the highest logits that should be among the predicted rows
    const std::atomic<bool>* cancel = nullptr; ///< checked between layers
    /// Reports how many tokens are done: a chunk counts by the share of its layers that are done, and fully once it is
    /// in the KV cache. The number grows from call to call; the last one is tokens.size().
    std::function<void(int64_t done)> onProgress{};
    TraceSink* trace = nullptr;
    /// Numbers of tokens of the sequence, rising, after which a copy of the states of recurrent layers is kept for a
    /// later rewind(), and stays until the next one that stays. Those that lie beyond these tokens or before them are
    /// ignored.
    std::span<const int64_t> keepAt{};
    ApproximateRouting routing{}; ///< used if the request has one token; ignored if it has several
};

/// The result of a request, besides its logits.
struct ForwardResult {
    uint64_t choicesChanged = 0; ///< choices of experts that approximate routing changed
};

class MissingExperts;

class Decoder {
  public:
    /// host: options for computing in main memory the experts that the backend does not have; unused if it has all.
    explicit Decoder(std::unique_ptr<Backend> backend, const std::optional<BackendOptions>& host = std::nullopt);
    ~Decoder();

    std::string deviceName() const { return backend_->name(); }
    DeviceAbilities abilities() const { return abilities_; }

    Status prepare(const ModelShape& shape, const MemoryPlan& plan);
    /// `progress(done, total)` in bytes; returns false to cancel. `file` must outlive the decoder.
    Status upload(const ModelFile& file, const std::function<bool(uint64_t done, uint64_t total)>& progress);

    /// ContextFull if the tokens don't fit (nothing was done); BadInput for a token outside the vocabulary; Io if a
    /// read failed; Cancelled leaves position() at the last whole chunk; after DeviceLost the decoder is of no use.
    Result<ForwardResult> forward(const ForwardRequest& request);
    /// Call it while no request is running: until the next one, experts that have room in memory are read.
    void fillWhileIdle();
    /// Number of tokens in the KV cache.
    int64_t position() const { return position_.load(std::memory_order_relaxed); }
    /// Like Backend's functions of these names.
    void keepState(bool stays) { backend_->keepState(stays); }
    int64_t rewind(int64_t position);

    /// The counts are those since upload().
    DeviceTelemetry telemetry() const;
    /// Sets how many expert slots may be used from now on. Call it after upload().
    void limitSlots(uint64_t slots);
    /// Writes the state of each expert, like ExpertStore::states(), with OnDevice for the experts on the device.
    void expertStates(std::span<uint8_t> states) const;
    /// Returns the measurements of the predictor derived from the head, made on states of requests for predicted rows.
    /// Do not call it while forward() runs.
    HeadAgreement headAgreement() const { return backend_->headAgreement(); }
    /// Like Backend::expertHeat().
    ExpertHeat expertHeat() const;

  private:
    Status check(const ForwardRequest& request) const;
    Result<ForwardResult> runChunks(const ForwardRequest& request);
    int64_t chunkOf(const ForwardRequest& request, int64_t done);
    Status runChunk(const ForwardRequest& request, int64_t first, int64_t tokens);
    Status runLayers(const ForwardRequest& request, int64_t first, const Chunk& chunk);
    Status runRange(LayerRange layers, const ForwardRequest& request, const Chunk& chunk);
    Result<int64_t> runHead(const ForwardRequest& request, int64_t first, int64_t wanted);
    static void report(TraceSink& trace, const LayerReport& layer, const Chunk& chunk);

    const std::unique_ptr<Backend> backend_;
    const DeviceAbilities abilities_;
    const std::unique_ptr<MissingExperts> missing_; // null if the backend has all experts
    ModelShape shape_;
    bool hasStates_ = false; // some layer is recurrent
    MemoryPlan plan_;
    std::atomic<uint64_t> headRows_{0}, headRowsPossible_{0}, choices_{0}, choicesChanged_{0};
    std::atomic<int64_t> position_{0};
};

} // namespace coterie::engine
