// SPDX-License-Identifier: Apache-2.0
// See expert_routing.h. Each row keeps its own output until all are added up in the order of ranks, so neither the
// place nor the order in which experts are computed changes a bit.
#include "decoder/expert_routing.h"

#include <algorithm>

namespace coterie::engine {

ExpertRouting::ExpertRouting(const ModelShape& shape, const Compute& compute, Workspace& workspace, int64_t tokens)
    : shape_(shape), compute_(compute), workspace_(workspace) {
    const size_t rows = static_cast<size_t>(tokens * shape.mostChosenExperts());
    const size_t experts = static_cast<size_t>(shape.mostStoredExperts());
    choices_.resize(rows);
    rowOf_.resize(rows);
    tokenOf_.resize(rows);
    wanted_.resize(experts);
    nextRow_.resize(experts);
    scores_.resize(experts);
    jobs_.reserve(compute.shortcuts.grouping ? experts : rows);
}

void ExpertRouting::choose(int64_t layer, const LayerWeights& weights, PreparedInputs& input,
                           std::span<const uint8_t> cached) {
    const StepScope step = compute_.measure(Step::Router);
    layer_ = static_cast<int>(layer);
    tokens_ = input.batch();
    chosen_ = shapeOfLayer().chosenExperts();
    choicesChanged_ = 0;
    expertScales_ = weights.expertScales;
    if (shapeOfLayer().isDense()) {
        std::fill_n(choices_.begin(), tokens_, Choice{.expert = 0, .weight = 1});
        return;
    }
    const size_t experts = static_cast<size_t>(shapeOfLayer().experts);
    multiply(compute_, {weights.router, input.form(compute_, weights.router.type), tokens_, workspace_.routerLogits,
                        shapeOfLayer().experts});
    for (size_t t = 0; t < static_cast<size_t>(tokens_); ++t) {
        const std::span<float> logits(workspace_.routerLogits + t * experts, experts);
        const float scale = shapeOfLayer().router.logitScale;
        for (size_t e = 0; scale != 1 && e < experts; ++e) logits[e] *= scale;
        for (size_t e = 0; weights.routerBias != nullptr && e < experts; ++e) logits[e] += weights.routerBias[e];
        chooseFor(t, logits, weights.selectionBias, cached);
    }
}

void ExpertRouting::chooseFor(size_t token, std::span<const float> logits, const float* selectionBias,
                              std::span<const uint8_t> cached) {
    const RouterShape& router = shapeOfLayer().router;
    const auto chosen = static_cast<size_t>(shapeOfLayer().expertsPerToken);
    const std::span<const float> scores = selectionScores(router, logits, selectionBias, scores_);
    const std::span<Choice> out = std::span(choices_).subspan(token * chosen, chosen);
    if (approximate_.exact()) {
        chooseExperts(router, logits, scores, out);
        return;
    }
    const ApproximateChoice choice = chooseExperts(router, logits, scores, approximate_, cached, out);
    chosen_ = static_cast<int64_t>(choice.experts);
    choicesChanged_ += choice.changed ? 1 : 0;
}

void ExpertRouting::deal(std::span<const uint8_t> first) {
    std::fill(wanted_.begin(), wanted_.end(), 0);
    for (size_t i = 0; i < static_cast<size_t>(tokens_ * chosen_); ++i)
        ++wanted_[static_cast<size_t>(choices_[i].expert)];
    jobs_.clear();
    rows_ = 0;
    for (const bool isFirst : {true, false}) {
        if (compute_.shortcuts.grouping)
            dealGroups(first, isFirst);
        else
            dealPairs(first, isFirst);
        if (!isFirst) break;
        firstJobs_ = jobs_.size();
        firstRows_ = rows_;
    }
    if (!compute_.shortcuts.grouping) return;
    for (size_t i = 0; i < static_cast<size_t>(rows_); ++i) {
        rowOf_[i] = nextRow_[static_cast<size_t>(choices_[i].expert)]++;
        tokenOf_[static_cast<size_t>(rowOf_[i])] = static_cast<int64_t>(i) / chosen_;
    }
}

void ExpertRouting::dealGroups(std::span<const uint8_t> first, bool isFirst) {
    for (size_t e = 0; e < wanted_.size(); ++e) {
        if (wanted_[e] == 0 || (e < first.size() && first[e] != 0) != isFirst) continue;
        jobs_.push_back({.layer = layer_, .expert = static_cast<int32_t>(e), .firstRow = rows_, .rows = wanted_[e]});
        nextRow_[e] = rows_;
        rows_ += wanted_[e];
    }
}

void ExpertRouting::dealPairs(std::span<const uint8_t> first, bool isFirst) {
    for (size_t i = 0; i < static_cast<size_t>(tokens_ * chosen_); ++i) {
        const auto e = static_cast<size_t>(choices_[i].expert);
        if ((e < first.size() && first[e] != 0) != isFirst) continue;
        jobs_.push_back({.layer = layer_, .expert = choices_[i].expert, .firstRow = rows_, .rows = 1});
        rowOf_[i] = rows_;
        tokenOf_[static_cast<size_t>(rows_++)] = static_cast<int64_t>(i) / chosen_;
    }
}

void ExpertRouting::combine() {
    const int64_t chosen = chosen_, width = shape_.width;
    const float scale = shapeOfLayer().router.scale;
    const bool apart = shape_.layer[static_cast<size_t>(layer_)].outputNorms; // the sum is normed before it is added
    compute_.forEachToken(tokens_, [&](int64_t t) {
        float* x = (apart ? workspace_.blockOut : workspace_.x) + t * width;
        if (apart) std::fill_n(x, width, 0.0f);
        for (int64_t k = 0; k < chosen; ++k) {
            const size_t pair = static_cast<size_t>(t * chosen + k);
            float weight = scale * choices_[pair].weight;
            if (expertScales_ != nullptr) weight *= expertScales_[choices_[pair].expert];
            const float* from = workspace_.down + rowOf_[pair] * width;
            for (int64_t i = 0; i < width; ++i) x[i] += weight * from[i];
        }
    });
}

/// Finds the row's job: the jobs are in the order of their rows, without gaps.
size_t ExpertRouting::jobOf(int64_t row) const {
    const auto after = std::upper_bound(jobs_.begin(), jobs_.end(), row,
                                        [](int64_t r, const ExpertJob& job) { return r < job.firstRow; });
    return static_cast<size_t>(after - jobs_.begin()) - 1;
}

} // namespace coterie::engine
