// SPDX-License-Identifier: Apache-2.0
// See second_backend.h.
#include "fakes/second_backend.h"

#include "model/model_tensors.h"

#include <array>
#include <cstring>
#include <span>

using namespace coterie::engine;

namespace coterie::test {
namespace {

/// The bytes of an expert's three matrices, each on a cache line of its own.
std::array<uint64_t, 3> sizesOf(const ExpertLayer& layer) {
    return {layer.gate.bytes, layer.up.bytes, layer.down.bytes};
}
uint64_t padded(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

} // namespace

SecondBackend::SecondBackend(SecondBackendScript& script, const BackendOptions& options)
    : script_(script), compute_(options.kernels, pool_, counters_, options.shortcuts),
      layers_(compute_, options.headAgreement) {}

Status SecondBackend::upload(const ModelFile& file, const std::function<bool(uint64_t, uint64_t)>& progress) {
    const Result<ModelTensors> tensors = findTensors(layers_.shape(), file.header());
    if (!tensors) return tensors.error();
    if (Status status = layers_.load(file, tensors.value(), progress, false); !status) return status;
    if (Status status = readExperts(file, expertLayers(layers_.shape(), tensors.value())); !status) return status;
    routing_.emplace(layers_.shape(), compute_, layers_.workspace(), layers_.plan().chunk);
    const int64_t rows = layers_.plan().chunk * layers_.shape().mostChosenExperts();
    feedForward_.emplace(layers_.shape(), compute_, layers_.workspace(), rows, rows);
    return {};
}

Status SecondBackend::readExperts(const ModelFile& file, const std::vector<ExpertLayer>& layers) {
    uint64_t bytes = 0;
    for (size_t l = 0; l < layers.size(); ++l) {
        elsewhere_.emplace_back();
        held_.emplace_back(static_cast<size_t>(layers[l].experts));
        for (int e = 0; e < layers[l].experts; ++e) {
            elsewhere_[l].push_back(!script_.holds(static_cast<int>(l), e));
            for (const uint64_t size : sizesOf(layers[l])) bytes += elsewhere_[l].back() ? 0 : padded(size);
        }
    }
    Result<Buffer> buffer = Buffer::allocate(bytes, "The experts have no room");
    if (!buffer) return buffer.error();
    memory_ = std::move(buffer).value();
    expertBytes_ = bytes;
    std::byte* next = memory_.data();
    for (size_t l = 0; l < layers.size(); ++l)
        for (size_t e = 0; e < elsewhere_[l].size(); ++e) {
            if (elsewhere_[l][e]) continue;
            std::array<const std::byte*, 3> at{};
            size_t part = 0;
            for (const auto* matrix : {&layers[l].gate, &layers[l].up, &layers[l].down}) {
                const std::span<std::byte> to(next, static_cast<size_t>(matrix->bytes));
                if (Status status = file.read(*matrix->tensor, matrix->offsetOf(e), to); !status) return status;
                at[part++] = next;
                next += padded(matrix->bytes);
            }
            held_[l][e] = {.gate = at[0], .up = at[1], .down = at[2], .downArranged = false};
        }
    return {};
}

Status SecondBackend::begin(const Chunk& chunk) {
    trace_ = chunk.trace;
    return layers_.begin(chunk);
}

Result<LayerRun> SecondBackend::run(LayerRange layers) {
    range_ = layers;
    reports_.clear();
    uses_.clear();
    return advance();
}

Result<LayerRun> SecondBackend::resume(const ExpertOutputs& outputs) {
    reports_.clear();
    uses_.clear();
    std::memcpy(layers_.workspace().down, outputs.rows,
                static_cast<size_t>(routing_->firstRows() * layers_.shape().width) * sizeof(float));
    if (Status status = finishLayer(&outputs); !status) return status.error();
    return advance();
}

Result<LayerRun> SecondBackend::advance() {
    while (range_.first < range_.end) {
        startLayer();
        script_.missingRows += routing_->firstRows();
        if (routing_->firstRows() != 0)
            return LayerRun{.stop = ExpertStop{.layer = static_cast<int>(range_.first),
                                               .tokens = layers_.tokens(),
                                               .jobs = routing_->jobs().first(routing_->firstJobs()),
                                               .tokenOfRow = routing_->tokenOfRow().first(
                                                   static_cast<size_t>(routing_->firstRows())),
                                               .inputs = layers_.workspace().normed},
                            .reports = reports_};
        if (Status status = finishLayer(nullptr); !status) return status.error();
    }
    return LayerRun{.reports = reports_};
}

void SecondBackend::startLayer() {
    const auto layer = static_cast<size_t>(range_.first);
    const LayerWeights& weights = layers_.weights()[layer];
    if (layers_.routesFirst(range_.first)) {
        PreparedInputs residual = layers_.residual();
        routing_->choose(range_.first, weights, residual, {});
    }
    input_.emplace(layers_.mix(range_.first));
    if (!layers_.routesFirst(range_.first)) {
        std::optional<PreparedInputs> own = layers_.ownRouterInput(range_.first);
        routing_->choose(range_.first, weights, own ? *own : *input_, {});
    }
    routing_->deal(elsewhere_[layer]);
    computeOwn(weights);
}

void SecondBackend::computeOwn(const LayerWeights& weights) {
    rows_.gather(compute_, layers_.workspace(), weights, *input_, routing_->tokenOfRow());
    work_.clear();
    for (const ExpertJob& job : routing_->jobs().subspan(routing_->firstJobs())) {
        const ExpertParts& parts = held_[static_cast<size_t>(job.layer)][static_cast<size_t>(job.expert)];
        work_.push_back(feedForwardJob(layers_.shape(), weights, job, parts));
        rows_.giveTo(work_.back());
        script_.ownRows += job.rows;
    }
    const auto layer = static_cast<size_t>(range_.first);
    if (!work_.empty()) feedForward_->run(work_, layers_.shape().layer[layer].feedForward.width);
}

Status SecondBackend::finishLayer(const ExpertOutputs* outputs) {
    routing_->combine();
    const int64_t layer = range_.first++;
    if (trace_) {
        const auto here = [this](int64_t row) { return row >= routing_->firstRows(); };
        reports_.push_back(routing_->report(
            [&](size_t job) { return job >= routing_->firstJobs() || outputs->hit(job); },
            [&](int64_t row) {
                return here(row) ? static_cast<int32_t>(feedForward_->active(row)) : outputs->active(row);
            },
            outputs == nullptr ? 0 : outputs->waitSeconds));
        uses_.emplace_back(reports_.back().uses.begin(), reports_.back().uses.end());
        reports_.back().uses = uses_.back(); // its memory stays where it is when uses_ grows
    }
    return layers_.finish(layer);
}

void SecondBackend::expertStates(std::span<uint8_t> states) const {
    size_t at = 0;
    for (const std::vector<uint8_t>& layer : elsewhere_)
        for (const uint8_t elsewhere : layer) {
            if (elsewhere == 0 && at < states.size()) states[at] = static_cast<uint8_t>(ExpertState::OnDevice);
            ++at;
        }
}

BackendTelemetry SecondBackend::telemetry() const {
    BackendTelemetry t;
    t.residentBytes = layers_.residentBytes();
    t.scratchBytes = layers_.scratchBytes();
    t.keyValueBytes = layers_.keyValueBytes();
    t.stateBytes = layers_.stateBytes();
    t.slots.bytesHeld = t.slots.bytesMost = expertBytes_;
    counters_.addTo(t.counts);
    t.counts += layers_.rowCounts();
    t.embeddingRowBytes = layers_.embeddingRowBytes();
    return t;
}

} // namespace coterie::test
