// SPDX-License-Identifier: Apache-2.0
// See decoder.h.
#include "decoder/decoder.h"

#include "base/guard.h"
#include "decoder/missing_experts.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace coterie::engine {
namespace {

/// Returns the number of tokens of the chunk whose logits are needed.
int64_t logitsWanted(const ForwardRequest& request, int64_t tokens, bool lastChunk) {
    if (!request.onLogits || request.wanted == LogitsWanted::None) return 0;
    if (request.wanted == LogitsWanted::All) return tokens;
    return lastChunk ? 1 : 0;
}

void add(std::atomic<uint64_t>& counter, int64_t n) {
    counter.fetch_add(static_cast<uint64_t>(n), std::memory_order_relaxed);
}

} // namespace

Decoder::Decoder(std::unique_ptr<Backend> backend, const std::optional<BackendOptions>& host)
    : backend_(std::move(backend)), abilities_(backend_->abilities()),
      missing_(abilities_.allExperts || !host ? nullptr : std::make_unique<MissingExperts>(*host)) {}

Decoder::~Decoder() = default;

Status Decoder::prepare(const ModelShape& shape, const MemoryPlan& plan) {
    return guarded(
        [&]() -> Status {
            shape_ = shape;
            hasStates_ = shape.countOf([](const LayerShape& layer) { return layer.hasState(); }) != 0;
            plan_ = plan;
            if (Status status = missing_ ? missing_->prepare(shape, plan) : Status(); !status) return status;
            return backend_->prepare(shape, plan);
        },
        "The model can't be prepared");
}

Status Decoder::upload(const ModelFile& file, const std::function<bool(uint64_t done, uint64_t total)>& progress) {
    return guarded(
        [&]() -> Status {
            if (Status status = missing_ ? missing_->upload(file) : Status(); !status) return status;
            return backend_->upload(file, progress);
        },
        "The model can't be loaded");
}

Result<ForwardResult> Decoder::forward(const ForwardRequest& request) {
    return guarded([&] { return runChunks(request); }, "The model can't go on");
}

int64_t Decoder::rewind(int64_t position) {
    if (position < position_) position_ = backend_->rewind(std::max<int64_t>(0, position));
    return position_;
}

void Decoder::fillWhileIdle() {
    backend_->fillWhileIdle();
    if (missing_) missing_->fillWhileIdle();
}

void Decoder::limitSlots(uint64_t slots) {
    if (missing_)
        missing_->limitSlots(slots);
    else
        backend_->limitSlots(slots);
}

void Decoder::expertStates(std::span<uint8_t> states) const {
    if (missing_) missing_->expertStates(states);
    backend_->expertStates(states);
}

ExpertHeat Decoder::expertHeat() const { return missing_ ? missing_->expertHeat() : backend_->expertHeat(); }

DeviceTelemetry Decoder::telemetry() const {
    DeviceTelemetry t{backend_->telemetry(), {}, position_};
    if (missing_ || !plan_.device.name.empty())
        t.device = {.residentBytes = t.residentBytes,
                    .keyValueBytes = t.keyValueBytes,
                    .stateBytes = t.stateBytes,
                    .scratchBytes = t.scratchBytes,
                    .expertBytes = t.slots.bytesHeld};
    if (missing_) {
        const Counts ofDevice = t.counts;
        static_cast<BackendTelemetry&>(t) = missing_->telemetry();
        t.counts += ofDevice;
    } else if (!plan_.device.name.empty()) {
        t.residentBytes = t.keyValueBytes = t.stateBytes = t.scratchBytes = 0;
        t.slots.bytesHeld = t.slots.bytesMost = 0;
    }
    t.counts += {.headRows = headRows_,
                 .headRowsPossible = headRowsPossible_,
                 .choices = choices_,
                 .choicesChanged = choicesChanged_};
    return t;
}

Status Decoder::check(const ForwardRequest& request) const {
    const int64_t asked = static_cast<int64_t>(request.tokens.size());
    if (asked > plan_.context - position_)
        return Error{ErrorKind::ContextFull,
                     "The conversation doesn't fit into the context",
                     {"It would have %1 tokens, and the context holds %2", position_ + asked, plan_.context},
                     "Start a new chat, or choose a longer context"};
    for (const TokenId token : request.tokens)
        if (token < 0 || token >= shape_.vocabulary)
            return Error{ErrorKind::BadInput,
                         {"There is no token %1", token},
                         {"The vocabulary has %1", shape_.vocabulary},
                         "Use tokens of this model's tokenizer"};
    return {};
}

Result<ForwardResult> Decoder::runChunks(const ForwardRequest& request) {
    if (Status status = check(request); !status) return status.error();
    const uint64_t changedBefore = choicesChanged_;
    const int64_t total = static_cast<int64_t>(request.tokens.size());
    for (int64_t done = 0; done < total;) {
        const int64_t n = chunkOf(request, done);
        if (Status status = runChunk(request, done, n); !status) return status.error();
        done += n;
        if (hasStates_ && std::ranges::find(request.keepAt, position()) != request.keepAt.end()) keepState(true);
        if (request.onProgress) request.onProgress(done);
    }
    return ForwardResult{.choicesChanged = choicesChanged_ - changedBefore};
}

/// Returns the number of tokens of the next chunk. A chunk ends where a copy of the states is kept.
int64_t Decoder::chunkOf(const ForwardRequest& request, int64_t done) {
    int64_t tokens = static_cast<int64_t>(request.tokens.size()) - done;
    for (const int64_t position : request.keepAt)
        if (hasStates_ && position > position_) tokens = std::min(tokens, position - position_);
    return std::min(tokens, abilities_.longChunks ? backend_->makeRoom(tokens) : plan_.chunk);
}

/// The request's tokens [first, first + tokens).
Status Decoder::runChunk(const ForwardRequest& request, int64_t first, int64_t tokens) {
    Chunk chunk{.tokens = request.tokens.subspan(static_cast<size_t>(first), static_cast<size_t>(tokens)),
                .position = position_,
                .trace = request.trace != nullptr && abilities_.trace,
                .cancel = request.cancel};
    if (request.tokens.size() == 1 && abilities_.approximateRouting) chunk.routing = request.routing;
    const auto start = std::chrono::steady_clock::now();
    if (Status status = backend_->begin(chunk); !status) return status;
    if (Status status = runLayers(request, first, chunk); !status) return status;
    const int64_t wanted = logitsWanted(request, tokens, first + tokens == static_cast<int64_t>(request.tokens.size()));
    const Result<int64_t> rows = runHead(request, first, wanted);
    if (!rows) return rows.error();
    backend_->commit();
    position_ = position_ + tokens; // at once: a trace may throw
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    for (int64_t t = 0; request.trace != nullptr && t < tokens; ++t)
        request.trace->tokenDone(chunk.position + t, t < tokens - wanted ? 0 : rows.value(),
                                 taken.count() / static_cast<double>(tokens));
    return {};
}

Status Decoder::runLayers(const ForwardRequest& request, int64_t first, const Chunk& chunk) {
    const int64_t n = static_cast<int64_t>(chunk.tokens.size());
    const int64_t atOnce =
        n == 1 && abilities_.tokenAtOnce ? shape_.layers : std::max<int64_t>(1, abilities_.layersAtOnce);
    int64_t reported = 0; // tokens of the n that were reported last
    for (LayerRange layers; layers.first < shape_.layers; layers.first = layers.end) {
        if (request.cancel != nullptr && request.cancel->load(std::memory_order_relaxed)) return stopped();
        layers.end = std::min(shape_.layers, layers.first + atOnce);
        if (Status status = runRange(layers, request, chunk); !status) return status;
        for (int64_t layer = layers.first; layer < layers.end; ++layer)
            if (!shape_.layer[static_cast<size_t>(layer)].feedForward.isDense()) add(choices_, n);
        const int64_t share = n * layers.end / shape_.layers;
        if (!request.onProgress || share == reported || share == n) continue; // runChunks() reports a whole chunk
        reported = share;
        request.onProgress(first + share);
    }
    return {};
}

/// Runs the layers and gives the backend the outputs that it can't compute: each stop is one layer's missing experts.
Status Decoder::runRange(LayerRange layers, const ForwardRequest& request, const Chunk& chunk) {
    Result<LayerRun> run = backend_->run(layers);
    while (run) {
        choicesChanged_.fetch_add(run->choicesChanged, std::memory_order_relaxed);
        if (chunk.trace)
            for (const LayerReport& layer : run->reports) report(*request.trace, layer, chunk);
        if (!run->stop) return {};
        if (!missing_)
            return Error{ErrorKind::Internal, "The device asks for experts", "It was said to hold all of them",
                         "Report this as a bug"};
        const Result<ExpertOutputs> outputs = missing_->compute(*run->stop);
        if (!outputs) return outputs.error();
        run = backend_->resume(*outputs);
    }
    return run.error();
}

void Decoder::report(TraceSink& trace, const LayerReport& layer, const Chunk& chunk) {
    const size_t tokens = chunk.tokens.size(), chosen = static_cast<size_t>(layer.chosen);
    for (size_t t = 0; t < tokens; ++t)
        trace.layerDone(chunk.position + static_cast<int64_t>(t), layer.layer, layer.uses.subspan(t * chosen, chosen),
                        layer.waitSeconds / static_cast<double>(tokens));
}

/// Computes the logits of a chunk's last `wanted` tokens. `first`: the chunk's place in the request. Returns how many
/// rows of the head were computed for each of them.
Result<int64_t> Decoder::runHead(const ForwardRequest& request, int64_t first, int64_t wanted) {
    const bool predicted = request.head == HeadRows::Predicted && abilities_.predictedHead;
    int64_t rows = 0; // rows per token
    if (wanted != 0 || predicted) {
        HeadRequest head{.wanted = wanted, .keptRows = request.keptRows, .bestRows = request.bestRows};
        if (predicted && wanted <= 1) head.rows = HeadRows::Predicted;
        head.learn = predicted && request.wanted == LogitsWanted::Last;
        head.onLogits = [&](int64_t token, std::span<const float> logits) { request.onLogits(first + token, logits); };
        const Result<int64_t> computed = backend_->head(head);
        if (!computed) return computed.error();
        rows = computed.value();
    }
    add(headRows_, wanted * rows);
    add(headRowsPossible_, wanted * shape_.vocabulary);
    return rows;
}

} // namespace coterie::engine
