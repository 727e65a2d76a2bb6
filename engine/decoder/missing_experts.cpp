// SPDX-License-Identifier: Apache-2.0
// See missing_experts.h.
#include "decoder/missing_experts.h"

#include "base/guard.h"
#include "decoder/packing.h"
#include "decoder/store_opening.h"

#include <algorithm>
#include <utility>

namespace coterie::engine {

MissingExperts::MissingExperts(const BackendOptions& options)
    : pool_(options.threads), compute_(options.kernels, pool_, counters_, options.shortcuts), choices_(options.experts),
      packedPath_(options.packedPath), heat_(options.heat) {}

Status MissingExperts::prepare(const ModelShape& shape, const MemoryPlan& plan) {
    shape_ = shape;
    plan_ = plan;
    Result<Workspace> workspace = Workspace::create(shape_, {.chunk = plan_.chunk,
                                                             .context = plan_.context,
                                                             .threads = std::max(plan_.threads, pool_.threads()),
                                                             .regroupedRow = plan_.regroupedRow,
                                                             .forms = plan_.forms,
                                                             .expertsOnly = true});
    if (!workspace) return workspace.error();
    workspace_ = std::move(workspace).value();
    scratchBytes_ = workspace_.buffer.size();
    return {};
}

Status MissingExperts::upload(const ModelFile& file) {
    const Result<ModelTensors> tensors = findTensors(shape_, file.header());
    if (!tensors) return tensors.error();
    Result<ResidentWeights> weights =
        ResidentWeights::load(file, expertTensors(tensors.value()), false, compute_.kernels, pool_, {});
    if (!weights) return weights.error();
    weights_ = std::move(weights).value();
    residentBytes_ = weights_.bytes();
    std::vector<ExpertLayer> layers = expertLayers(shape_, tensors.value());
    const bool regroups = compute_.shortcuts.sparsity;
    if (regroups) regroupAsRead(shape_, layers, [this] { return workspace_.regrouping; });
    Result<std::unique_ptr<ExpertStore>> store =
        openExpertStore(file, std::move(layers), regroups ? packedPath_ : "", plan_, choices_, heat_);
    if (!store) return store.error();
    store_ = std::move(store).value();
    experts_.emplace(shape_, compute_, workspace_, *store_, weights_.layers, plan_, choices_.prefetch);
    sharedStore_ = store_.get();
    return {};
}

Result<ExpertOutputs> MissingExperts::compute(const ExpertStop& stop) {
    if (Status status = guarded([&] { return run(stop); }); !status) {
        experts_->endPass();
        return status.error();
    }
    return ExpertOutputs{.rows = workspace_.down,
                         .hit = [this](size_t job) { return experts_->hit(job); },
                         .active = [this](int64_t row) { return experts_->activeNeurons(row); },
                         .waitSeconds = experts_->waitSeconds()};
}

Status MissingExperts::run(const ExpertStop& stop) {
    if (Status status = experts_->begin(stop.layer, stop.jobs, stop.tokens); !status) return status;
    PreparedInputs input(workspace_.prepared);
    input.set(stop.inputs, shape_.width, stop.tokens);
    return experts_->run(input, stop.tokenOfRow);
}

void MissingExperts::fillWhileIdle() {
    if (store_ && choices_.prefetch) store_->fillWhileIdle();
}

void MissingExperts::limitSlots(uint64_t slots) {
    if (ExpertStore* store = sharedStore_.load()) store->limitSlots(slots);
}

void MissingExperts::expertStates(std::span<uint8_t> states) const {
    if (const ExpertStore* store = sharedStore_.load()) store->states(states);
}

ExpertHeat MissingExperts::expertHeat() const {
    const ExpertStore* store = sharedStore_.load();
    return store == nullptr ? ExpertHeat() : store->heat();
}

BackendTelemetry MissingExperts::telemetry() const {
    BackendTelemetry t;
    if (const ExpertStore* store = sharedStore_.load()) {
        t.counts = store->counts();
        t.slots = store->slotUse();
    }
    counters_.addTo(t.counts);
    t.residentBytes = residentBytes_;
    t.scratchBytes = scratchBytes_;
    return t;
}

} // namespace coterie::engine
