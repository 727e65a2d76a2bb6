// SPDX-License-Identifier: Apache-2.0
// See expert_layer.h. Each row's answer is kept apart, and all are added up in the order of ranks at the end, so
// neither hits and misses nor the order of arrival changes a bit.
#include "decoder/expert_layer.h"

#include <algorithm>
#include <cstring>

namespace coterie::engine {

ExpertLayers::ExpertLayers(const ModelShape& shape, const Compute& compute, Workspace& workspace, ExpertStore& store,
                           std::span<const LayerWeights> layers, int64_t tokens, bool prefetch)
    : shape_(shape), compute_(compute), workspace_(workspace), store_(store),
      feedForward_(shape, compute, workspace, tokens * shape.mostChosenExperts()),
      guesses_(shape, compute, workspace, store, layers), prefetch_(prefetch) {
    const size_t rows = static_cast<size_t>(tokens * shape.mostChosenExperts());
    const size_t experts = static_cast<size_t>(shape.mostStoredExperts());
    choices_.resize(rows);
    rowOf_.resize(rows);
    tokenOf_.resize(rows);
    nextRow_.resize(experts);
    wanted_.resize(experts);
    demands_.reserve(experts);
    states_.resize(experts);
    cached_.resize(experts);
    scores_.resize(experts);
    const size_t groups = compute.shortcuts.grouping ? experts : rows;
    hits_ = std::make_unique<bool[]>(groups);
    for (std::vector<size_t>* list : {&pinned_, &ready_}) list->reserve(groups);
    groups_.reserve(groups);
    jobs_.reserve(groups);
    experts_.reserve(groups);
}

Status ExpertLayers::route(int64_t layer, const LayerWeights& weights, PreparedInputs& input) {
    layer_ = static_cast<int>(layer);
    tokens_ = input.batch();
    chosen_ = shapeOfLayer().chosenExperts();
    waitedBefore_ = store_.statistics().waitSeconds;
    if (shapeOfLayer().isDense())
        std::fill_n(choices_.begin(), tokens_, Choice{.expert = 0, .weight = 1});
    else
        askRouter(weights, input);
    beginLayer();
    if (compute_.shortcuts.grouping)
        groupByExpert(tokens_);
    else
        groupByToken(tokens_);
    requested_ = 0;
    return prefetch_ ? requestMore() : Status();
}

void ExpertLayers::askRouter(const LayerWeights& weights, PreparedInputs& input) {
    const size_t experts = static_cast<size_t>(shapeOfLayer().experts);
    multiply(compute_, {weights.router, input.form(compute_, weights.router.type), tokens_, workspace_.routerLogits,
                        shapeOfLayer().experts});
    compute_.counters.choices.fetch_add(static_cast<uint64_t>(tokens_), std::memory_order_relaxed);
    for (size_t t = 0; t < static_cast<size_t>(tokens_); ++t) {
        const std::span<float> logits(workspace_.routerLogits + t * experts, experts);
        for (size_t e = 0; weights.routerBias != nullptr && e < experts; ++e) logits[e] += weights.routerBias[e];
        choose(static_cast<int64_t>(t), logits, weights.selectionBias);
    }
}

void ExpertLayers::choose(int64_t token, std::span<const float> logits, const float* selectionBias) {
    const RouterShape& router = shapeOfLayer().router;
    const auto chosen = static_cast<size_t>(shapeOfLayer().expertsPerToken);
    const std::span<const float> scores = selectionScores(router, logits, selectionBias, scores_);
    const std::span<Choice> out = std::span(choices_).subspan(static_cast<size_t>(token) * chosen, chosen);
    if (routing_.exact()) {
        chooseExperts(router, logits, scores, out);
        return;
    }
    for (size_t e = 0; routing_.preferCached != 0 && e < logits.size(); ++e)
        cached_[e] = store_.state(layer_, static_cast<int>(e)) != ExpertState::OnDisk;
    const ApproximateChoice choice = chooseExperts(router, logits, scores, routing_, cached_, out);
    chosen_ = static_cast<int64_t>(choice.experts);
    compute_.counters.choicesChanged.fetch_add(choice.changed ? 1 : 0, std::memory_order_relaxed);
}

/// Announces what is needed, before anything is evicted for it.
void ExpertLayers::beginLayer() {
    std::fill(wanted_.begin(), wanted_.end(), 0);
    for (size_t i = 0; i < static_cast<size_t>(tokens_ * chosen_); ++i)
        ++wanted_[static_cast<size_t>(choices_[i].expert)];
    demands_.clear();
    for (size_t e = 0; e < wanted_.size(); ++e)
        if (wanted_[e] > 0) demands_.push_back({static_cast<int>(e), wanted_[e]});
    guesses_.check(layer_, wanted_);
    pass_ = store_.beginLayer(layer_, demands_, tokens_);
}

/// Experts in memory come first: they are pinned before a miss could push them out, and computed while reads run.
void ExpertLayers::groupByExpert(int64_t tokens) {
    const size_t rows = static_cast<size_t>(tokens * chosen_);
    for (const ExpertDemand& demand : demands_)
        states_[static_cast<size_t>(demand.expert)] = store_.state(layer_, demand.expert);
    groups_.clear();
    for (const ExpertState state : {ExpertState::InMemory, ExpertState::Arriving, ExpertState::OnDisk})
        for (const ExpertDemand& demand : demands_)
            if (states_[static_cast<size_t>(demand.expert)] == state)
                groups_.push_back({.expert = static_cast<int32_t>(demand.expert), .rows = demand.tokens});
    int64_t first = 0;
    for (Group& group : groups_) {
        group.firstRow = first;
        nextRow_[static_cast<size_t>(group.expert)] = first;
        first += group.rows;
    }
    for (size_t i = 0; i < rows; ++i) {
        rowOf_[i] = nextRow_[static_cast<size_t>(choices_[i].expert)]++;
        tokenOf_[static_cast<size_t>(rowOf_[i])] = static_cast<int64_t>(i) / chosen_;
    }
}

void ExpertLayers::groupByToken(int64_t tokens) {
    const int64_t rows = tokens * chosen_;
    groups_.clear();
    for (int64_t i = 0; i < rows; ++i) {
        const size_t pair = static_cast<size_t>(i);
        groups_.push_back({.expert = choices_[pair].expert, .firstRow = i, .rows = 1});
        rowOf_[pair] = i;
        tokenOf_[pair] = i / chosen_;
    }
}

Status ExpertLayers::requestMore() {
    experts_.clear();
    const size_t first = requested_;
    while (requested_ < groups_.size() && pinned_.size() < store_.usableSlots()) {
        experts_.push_back(groups_[requested_].expert);
        pinned_.push_back(requested_++);
    }
    if (experts_.empty()) return {};
    if (Status status = pass_.request(experts_, {hits_.get(), experts_.size()}); !status) {
        pinned_.resize(pinned_.size() - experts_.size());
        return status;
    }
    for (size_t i = 0; i < experts_.size(); ++i) groups_[first + i].hit = hits_[i];
    return {};
}

Status ExpertLayers::run(const LayerWeights& weights, PreparedInputs& input) {
    gather(input, weights);
    if (!prefetch_)
        if (Status status = requestMore(); !status) return status;
    while (!pinned_.empty()) {
        if (Status status = takeReady(weights); !status) return status;
        feedForward_.run(jobs_, shapeOfLayer().width);
        releaseReady();
        if (Status status = requestMore(); !status) return status;
    }
    pass_.end();
    waited_ = store_.statistics().waitSeconds - waitedBefore_;
    combine(tokens_);
    return {};
}

/// Moves groups whose experts have arrived from pinned_ to ready_; waits for the first one if none has. While more
/// experts need a slot, only half of the groups are taken, so that reads go on meanwhile. Without prefetch it waits for
/// all and takes all.
Status ExpertLayers::takeReady(const LayerWeights& weights) {
    jobs_.clear();
    const bool more = requested_ < groups_.size();
    const size_t most = prefetch_ && more ? std::max<size_t>(1, pinned_.size() / 2) : pinned_.size();
    const bool none = std::none_of(pinned_.begin(), pinned_.end(),
                                   [this](size_t group) { return pass_.arrived(groups_[group].expert); });
    for (size_t i = 0; i < pinned_.size() && ready_.size() < most;) {
        const Group& group = groups_[pinned_[i]];
        const bool awaited = !prefetch_ || (none && ready_.empty());
        if (!awaited && !pass_.arrived(group.expert)) {
            ++i;
            continue;
        }
        const Result<ExpertParts> parts = pass_.wait(group.expert);
        if (!parts) return parts.error();
        jobs_.push_back(job(weights, group, parts.value()));
        ready_.push_back(pinned_[i]);
        pinned_.erase(pinned_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return {};
}

void ExpertLayers::releaseReady() {
    experts_.clear();
    for (const size_t group : ready_) experts_.push_back(groups_[group].expert);
    ready_.clear();
    pass_.release(experts_);
}

void ExpertLayers::endPass() {
    pass_.end();
    pinned_.clear();
    ready_.clear();
}

/// Puts the prepared inputs into the order of rows. The experts of a single token all read the same one, and the rows
/// of a dense layer are the tokens in their order.
void ExpertLayers::gather(PreparedInputs& input, const LayerWeights& weights) {
    gateForm_ = input.form(compute_, weights.gate.type);
    upForm_ = input.form(compute_, weights.up.type);
    if (tokens_ == 1 || shapeOfLayer().isDense()) return;
    const bool alike = gateForm_.data == upForm_.data;
    const auto copy = [&](const PreparedInputs::Form& from, std::byte* to) {
        compute_.forEachToken(tokens_ * chosen_, [&](int64_t row) {
            const std::byte* source = from.data + static_cast<size_t>(tokenOf_[static_cast<size_t>(row)]) * from.stride;
            std::memcpy(to + static_cast<size_t>(row) * from.stride, source, from.stride);
        });
        return PreparedInputs::Form{to, from.stride};
    };
    gateForm_ = copy(gateForm_, workspace_.gathered[placeOf(vectorForm(weights.gate.type))]);
    upForm_ = alike ? gateForm_ : copy(upForm_, workspace_.gathered[placeOf(vectorForm(weights.up.type))]);
}

FeedForwardJob ExpertLayers::job(const LayerWeights& weights, const Group& group, const ExpertParts& parts) const {
    FeedForwardJob job{.gate = weights.gate,
                       .up = weights.up,
                       .down = weights.down,
                       .downRegrouped = parts.downArranged,
                       .gateInput = gateForm_,
                       .upInput = upForm_,
                       .firstRow = group.firstRow,
                       .rows = group.rows};
    job.gate.data = parts.gate;
    job.up.data = parts.up;
    job.down.data = parts.down;
    const auto biasOf = [&group](const float* biases, int64_t n) {
        return biases == nullptr ? nullptr : biases + group.expert * n;
    };
    job.gateBias = biasOf(weights.gateBias, shapeOfLayer().width);
    job.upBias = biasOf(weights.upBias, shapeOfLayer().width);
    job.downBias = biasOf(weights.downBias, shape_.width);
    if (tokens_ == 1) return job;
    job.gateInput.data += static_cast<size_t>(group.firstRow) * gateForm_.stride;
    job.upInput.data += static_cast<size_t>(group.firstRow) * upForm_.stride;
    return job;
}

void ExpertLayers::combine(int64_t tokens) {
    const int64_t chosen = chosen_, width = shape_.width;
    const float scale = shapeOfLayer().router.scale;
    compute_.forEachToken(tokens, [&](int64_t t) {
        float* x = workspace_.x + t * width;
        for (int64_t k = 0; k < chosen; ++k) {
            const size_t pair = static_cast<size_t>(t * chosen + k);
            const float weight = scale * choices_[pair].weight;
            const float* from = workspace_.down + rowOf_[pair] * width;
            for (int64_t i = 0; i < width; ++i) x[i] += weight * from[i];
        }
    });
}

void ExpertLayers::report(TraceSink& trace, int64_t position) const {
    const size_t chosen = static_cast<size_t>(chosen_);
    std::vector<ExpertUse> uses(chosen);
    for (int64_t t = 0; t < tokens_; ++t) {
        for (size_t k = 0; k < chosen; ++k) {
            const size_t pair = static_cast<size_t>(t) * chosen + k;
            const auto group = std::find_if(groups_.begin(), groups_.end(), [row = rowOf_[pair]](const Group& g) {
                return g.firstRow <= row && row < g.firstRow + g.rows;
            });
            uses[k] = {choices_[pair].expert, choices_[pair].weight, group->hit,
                       static_cast<int32_t>(feedForward_.active(rowOf_[pair]))};
        }
        trace.layerDone(position + t, layer_, uses, waited_ / static_cast<double>(tokens_));
    }
}

} // namespace coterie::engine
