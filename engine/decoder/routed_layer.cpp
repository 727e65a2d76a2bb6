// SPDX-License-Identifier: Apache-2.0
// See routed_layer.h.
#include "decoder/routed_layer.h"

namespace coterie::engine {

RoutedLayer::RoutedLayer(const ModelShape& shape, const Compute& compute, Workspace& workspace, ExpertStore& store,
                         std::span<const LayerWeights> layers, const MemoryPlan& plan, bool prefetch)
    : shape_(shape), store_(store), routing_(shape, compute, workspace, plan.longChunk),
      experts_(shape, compute, workspace, store, layers, plan, prefetch),
      guesses_(shape, compute, workspace, store, layers), prefetch_(prefetch),
      cached_(static_cast<size_t>(shape.mostStoredExperts())) {}

void RoutedLayer::setRouting(const ApproximateRouting& routing) {
    prefersCached_ = routing.preferCached != 0;
    routing_.setRouting(routing);
    guesses_.setRouting(routing);
}

Status RoutedLayer::route(int64_t layer, const LayerWeights& weights, PreparedInputs& input) {
    layer_ = static_cast<int>(layer);
    tokens_ = input.batch();
    const auto experts = static_cast<size_t>(shape_.layer[static_cast<size_t>(layer)].feedForward.storedExperts());
    for (size_t e = 0; prefersCached_ && e < experts; ++e)
        cached_[e] = store_.state(layer_, static_cast<int>(e)) != ExpertState::OnDisk;
    routing_.choose(layer, weights, input, cached_);
    routing_.deal({});
    guesses_.check(layer_, routing_.wanted());
    return experts_.begin(layer_, routing_.jobs(), tokens_);
}

Status RoutedLayer::run(PreparedInputs& input) {
    if (Status status = experts_.run(input, routing_.tokenOfRow()); !status) return status;
    routing_.combine();
    return {};
}

LayerReport RoutedLayer::report() {
    return routing_.report([this](size_t job) { return experts_.hit(job); },
                           [this](int64_t row) { return experts_.activeNeurons(row); }, experts_.waitSeconds());
}

} // namespace coterie::engine
