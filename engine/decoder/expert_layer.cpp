// SPDX-License-Identifier: Apache-2.0
// See expert_layer.h.
#include "decoder/expert_layer.h"

namespace coterie::engine {

ExpertLayers::ExpertLayers(const ModelShape& shape, const Compute& compute, Workspace& workspace, ExpertStore& store,
                           std::span<const LayerWeights> layers, int64_t tokens, bool prefetch)
    : shape_(shape), store_(store), routing_(shape, compute, workspace, tokens),
      host_(shape, compute, workspace, store, layers, tokens, prefetch),
      guesses_(shape, compute, workspace, store, layers), prefetch_(prefetch),
      cached_(static_cast<size_t>(shape.mostStoredExperts())) {}

void ExpertLayers::setRouting(const ApproximateRouting& routing) {
    prefersCached_ = routing.preferCached != 0;
    routing_.setRouting(routing);
    guesses_.setRouting(routing);
}

Status ExpertLayers::route(int64_t layer, const LayerWeights& weights, PreparedInputs& input) {
    layer_ = static_cast<int>(layer);
    tokens_ = input.batch();
    const auto experts = static_cast<size_t>(shape_.layer[static_cast<size_t>(layer)].feedForward.storedExperts());
    for (size_t e = 0; prefersCached_ && e < experts; ++e)
        cached_[e] = store_.state(layer_, static_cast<int>(e)) != ExpertState::OnDisk;
    routing_.choose(layer, weights, input, cached_);
    routing_.deal({});
    guesses_.check(layer_, routing_.wanted());
    return host_.begin(layer_, routing_.jobs(), tokens_);
}

Status ExpertLayers::run(PreparedInputs& input) {
    if (Status status = host_.run(input, routing_.tokenOfRow()); !status) return status;
    routing_.combine();
    return {};
}

LayerReport ExpertLayers::report() {
    return routing_.report([this](size_t job) { return host_.hit(job); },
                           [this](int64_t row) { return host_.activeNeurons(row); }, host_.waitSeconds());
}

} // namespace coterie::engine
