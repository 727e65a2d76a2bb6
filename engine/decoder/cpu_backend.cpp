// SPDX-License-Identifier: Apache-2.0
// See cpu_backend.h. A layer in the order of its steps: route, attention, experts, shared expert.
#include "decoder/cpu_backend.h"

#include "base/guard.h"
#include "base/rounding.h"
#include "decoder/cpu_layers.h"
#include "decoder/packing.h"
#include "decoder/routed_layer.h"
#include "decoder/store_opening.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace coterie::engine {
namespace {

class CpuBackend final : public Backend {
  public:
    explicit CpuBackend(const BackendOptions& options)
        : pool_(options.threads), compute_(options.kernels, pool_, counters_, options.shortcuts, options.steps),
          choices_(options.experts), packedPath_(options.packedPath), heat_(options.heat),
          layers_(compute_, options.headAgreement) {}

    std::string name() const override { return "cpu"; }
    DeviceAbilities abilities() const override { return {.longChunks = true}; }
    Status prepare(const ModelShape& shape, const MemoryPlan& plan) override { return layers_.allocate(shape, plan); }
    Status upload(const ModelFile& file, const std::function<bool(uint64_t done, uint64_t total)>& progress) override;

    int64_t makeRoom(int64_t tokens) override;
    Status begin(const Chunk& chunk) override;
    Result<LayerRun> run(LayerRange layers) override;
    Result<LayerRun> resume(const ExpertOutputs&) override { return LayerRun{}; } // it never stops
    Result<int64_t> head(const HeadRequest& request) override {
        const StepScope step = compute_.measure(Step::Head);
        return layers_.head(request);
    }

    void commit() override { layers_.commit(); }
    void keepState(bool stays) override { layers_.keepState(stays); }
    int64_t rewind(int64_t position) override { return layers_.rewind(position); }
    void fillWhileIdle() override {
        makeRoom(0);
        if (store_ && choices_.prefetch) store_->fillWhileIdle();
    }
    void expertStates(std::span<uint8_t> states) const override {
        if (const ExpertStore* store = sharedStore_.load()) store->states(states);
    }
    BackendTelemetry telemetry() const override;
    void limitSlots(uint64_t slots) override {
        if (ExpertStore* store = sharedStore_.load()) store->limitSlots(slots);
    }
    HeadAgreement headAgreement() const override { return layers_.headAgreement(); }
    ExpertHeat expertHeat() const override {
        const ExpertStore* store = sharedStore_.load();
        return store == nullptr ? ExpertHeat() : store->heat();
    }

  private:
    Status openStore(const ModelFile& file, std::vector<ExpertLayer> layers);
    Status runLayer(int64_t layer);

    ThreadPool pool_;
    Counters counters_;
    const Compute compute_;
    const ExpertStoreChoices choices_;
    const std::string packedPath_;
    const ExpertHeat heat_; // the heat of earlier runs
    CpuLayers layers_;
    std::unique_ptr<ExpertStore> store_;
    std::optional<RoutedLayer> experts_;
    std::atomic<ExpertStore*> sharedStore_{nullptr}; // for other threads
    int64_t roomFor_ = 0;                            // tokens of a long chunk that have room; 0: none
    bool trace_ = false;                             // Chunk::trace
    std::vector<LayerReport> reports_;
};

Status CpuBackend::upload(const ModelFile& file, const std::function<bool(uint64_t done, uint64_t total)>& progress) {
    const Result<ModelTensors> tensors = findTensors(layers_.shape(), file.header());
    if (!tensors) return tensors.error();
    if (Status status = layers_.load(file, tensors.value(), progress, choices_.direct); !status) return status;
    return openStore(file, expertLayers(layers_.shape(), tensors.value()));
}

Status CpuBackend::openStore(const ModelFile& file, std::vector<ExpertLayer> layers) {
    const bool regroups = compute_.shortcuts.sparsity;
    if (regroups) regroupAsRead(layers_.shape(), layers, [this] { return layers_.workspace().regrouping; });
    Result<std::unique_ptr<ExpertStore>> store =
        openExpertStore(file, std::move(layers), regroups ? packedPath_ : "", layers_.plan(), choices_, heat_);
    if (!store) return store.error();
    store_ = std::move(store).value();
    experts_.emplace(layers_.shape(), compute_, layers_.workspace(), *store_, layers_.weights(), layers_.plan(),
                     choices_.prefetch);
    sharedStore_ = store_.get();
    return {};
}

int64_t CpuBackend::makeRoom(int64_t tokens) {
    const MemoryPlan& plan = layers_.plan();
    const int64_t wanted = std::min(tokens, plan.longChunk);
    const bool isLong = experts_ && wanted > plan.chunk;
    if (roomFor_ != 0 && (!isLong || wanted > roomFor_)) {
        layers_.shortenChunk();
        store_->endLoan();
        roomFor_ = 0;
    }
    if (isLong && roomFor_ == 0) {
        // The store lends nothing if others need memory: then the chunk is as long as usual.
        const uint64_t bytes = layers_.longChunkBytes(wanted);
        if (const std::span<std::byte> memory = store_->lend(bytes); !memory.empty()) {
            layers_.lengthenChunk(wanted, memory);
            roomFor_ = wanted;
        }
    }
    return std::min(tokens, std::max(roomFor_, plan.chunk));
}

Status CpuBackend::begin(const Chunk& chunk) {
    if (!experts_)
        return Error{ErrorKind::Internal, "The model is not loaded", "A forward pass came before upload",
                     "Report this as a bug"};
    trace_ = chunk.trace;
    experts_->setRouting(chunk.routing);
    experts_->setCancel(chunk.cancel);
    if (compute_.meter != nullptr) compute_.meter->beginPass();
    const StepScope step = compute_.measure(Step::Embedding);
    return layers_.begin(chunk);
}

Result<LayerRun> CpuBackend::run(LayerRange layers) {
    const StepScope step = compute_.measure(Step::Rest);
    reports_.clear();
    LayerRun run;
    const Status status = guarded([&]() -> Status {
        for (int64_t layer = layers.first; layer < layers.end; ++layer) {
            if (Status done = runLayer(layer); !done) return done;
            run.choicesChanged += experts_->choicesChanged();
            if (trace_) reports_.push_back(experts_->report());
        }
        return {};
    });
    if (!status) {
        experts_->endPass();
        return status.error();
    }
    run.reports = reports_;
    return run;
}

Status CpuBackend::runLayer(int64_t layer) {
    const LayerWeights& weights = layers_.weights()[static_cast<size_t>(layer)];
    if (layers_.routesFirst(layer)) {
        PreparedInputs residual = layers_.residual();
        if (Status status = experts_->route(layer, weights, residual); !status) return status;
    }
    PreparedInputs input = layers_.mix(layer);
    if (!layers_.routesFirst(layer)) {
        std::optional<PreparedInputs> own = layers_.ownRouterInput(layer);
        if (Status status = experts_->route(layer, weights, own ? *own : input); !status) return status;
    }
    {
        const StepScope step = compute_.measure(Step::Guess);
        experts_->guess();
    }
    if (Status status = experts_->run(input); !status) return status;
    return layers_.finish(layer);
}

BackendTelemetry CpuBackend::telemetry() const {
    BackendTelemetry t;
    if (const ExpertStore* store = sharedStore_.load()) {
        t.counts = store->counts();
        t.slots = store->slotUse();
    }
    counters_.addTo(t.counts);
    t.counts += layers_.rowCounts();
    t.embeddingRowBytes = layers_.embeddingRowBytes();
    t.residentBytes = layers_.residentBytes();
    t.scratchBytes = layers_.scratchBytes();
    t.keyValueBytes = layers_.keyValueBytes();
    t.stateBytes = layers_.stateBytes();
    return t;
}

} // namespace

std::unique_ptr<Backend> createCpuBackend(const BackendOptions& options) {
    return std::make_unique<CpuBackend>(options);
}

} // namespace coterie::engine
