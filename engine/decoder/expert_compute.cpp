// SPDX-License-Identifier: Apache-2.0
// See expert_compute.h. Each row is computed on its own, so neither hits and misses nor the order of arrival changes a
// bit.
#include "decoder/expert_compute.h"

#include <algorithm>

namespace coterie::engine {

ExpertCompute::ExpertCompute(const ModelShape& shape, const Compute& compute, Workspace& workspace, ExpertStore& store,
                             std::span<const LayerWeights> layers, const MemoryPlan& plan, bool prefetch)
    : shape_(shape), compute_(compute), workspace_(workspace), store_(store), layers_(layers),
      feedForward_(shape, compute, workspace, plan.chunk * shape.mostChosenExperts(),
                   plan.longChunk * shape.mostChosenExperts()),
      prefetch_(prefetch), tokensAtOnce_(plan.chunk) {
    const size_t rows = static_cast<size_t>(plan.longChunk * shape.mostChosenExperts());
    const size_t experts = static_cast<size_t>(shape.mostStoredExperts());
    wanted_.resize(experts);
    demands_.reserve(experts);
    states_.resize(experts);
    const size_t jobs = compute.shortcuts.grouping ? experts : rows;
    hits_ = std::make_unique<bool[]>(jobs);
    for (std::vector<size_t>* list : {&order_, &pinned_, &ready_}) list->reserve(jobs);
    jobs_.reserve(jobs);
    hit_.reserve(jobs);
    work_.reserve(jobs);
    batch_.reserve(jobs);
    batchTokens_.reserve(static_cast<size_t>(tokensAtOnce_ * shape.mostChosenExperts()));
    experts_.reserve(jobs);
}

Status ExpertCompute::begin(int layer, std::span<const ExpertJob> jobs, int64_t tokens) {
    const StepScope step = compute_.measure(Step::Store);
    layer_ = layer;
    waitedBefore_ = store_.counts().waitSeconds;
    jobs_.assign(jobs.begin(), jobs.end());
    hit_.assign(jobs.size(), false);
    announce(tokens);
    sortByState();
    requested_ = 0;
    return prefetch_ ? requestMore() : Status();
}

/// Announces the experts that are needed, before anything is evicted for them.
void ExpertCompute::announce(int64_t tokens) {
    std::fill(wanted_.begin(), wanted_.end(), 0);
    for (const ExpertJob& named : jobs_) wanted_[static_cast<size_t>(named.expert)] += named.rows;
    demands_.clear();
    for (size_t e = 0; e < wanted_.size(); ++e)
        if (wanted_[e] > 0) demands_.push_back({static_cast<int>(e), wanted_[e]});
    pass_ = store_.beginLayer(layer_, demands_, tokens);
}

/// Experts in memory come first: they are pinned before a miss could push them out, and computed while reads run. Among
/// those that have to be read, the ones that most rows need come first: the more there is to compute, the more reads it
/// hides. Rows that are not grouped by expert stay in their order.
void ExpertCompute::sortByState() {
    for (const ExpertDemand& demand : demands_)
        states_[static_cast<size_t>(demand.expert)] = store_.state(layer_, demand.expert);
    order_.clear();
    if (!compute_.shortcuts.grouping) {
        for (size_t i = 0; i < jobs_.size(); ++i) order_.push_back(i);
        return;
    }
    for (const ExpertState state : {ExpertState::InMemory, ExpertState::Arriving, ExpertState::OnDisk})
        for (size_t i = 0; i < jobs_.size(); ++i)
            if (states_[static_cast<size_t>(jobs_[i].expert)] == state) order_.push_back(i);
    const auto onDisk = std::find_if(order_.begin(), order_.end(), [this](size_t index) {
        return states_[static_cast<size_t>(jobs_[index].expert)] == ExpertState::OnDisk;
    });
    std::sort(onDisk, order_.end(), [this](size_t a, size_t b) {
        return jobs_[a].rows != jobs_[b].rows ? jobs_[a].rows > jobs_[b].rows : a < b;
    });
}

Status ExpertCompute::requestMore() {
    experts_.clear();
    const size_t first = requested_;
    while (requested_ < order_.size() && pinned_.size() < store_.usableSlots(layer_)) {
        experts_.push_back(jobs_[order_[requested_]].expert);
        pinned_.push_back(order_[requested_++]);
    }
    if (experts_.empty()) return {};
    if (Status status = pass_.request(experts_, {hits_.get(), experts_.size()}); !status) {
        pinned_.resize(pinned_.size() - experts_.size());
        return status;
    }
    for (size_t i = 0; i < experts_.size(); ++i) hit_[order_[first + i]] = hits_[i];
    return {};
}

Status ExpertCompute::run(PreparedInputs& input, std::span<const int64_t> tokenOfRow) {
    if (!prefetch_)
        if (Status status = requestMore(); !status) return status;
    while (!pinned_.empty()) {
        if (Status status = takeReady(); !status) return status;
        if (Status status = computeReady(input, tokenOfRow); !status) return status;
        const StepScope step = compute_.measure(Step::Store);
        releaseReady();
        if (Status status = requestMore(); !status) return status;
    }
    pass_.end();
    waited_ = store_.counts().waitSeconds - waitedBefore_;
    return {};
}

/// Moves jobs whose experts have arrived from pinned_ to ready_; if there are none, waits for the first. While more
/// experts need a slot, only half of the jobs are moved, so that reads continue meanwhile. Without prefetch there are
/// no such reads: this waits for all experts and moves all jobs.
Status ExpertCompute::takeReady() {
    work_.clear();
    const bool more = requested_ < order_.size();
    const size_t most = prefetch_ && more ? std::max<size_t>(1, pinned_.size() / 2) : pinned_.size();
    const bool none = std::none_of(pinned_.begin(), pinned_.end(),
                                   [this](size_t index) { return pass_.arrived(jobs_[index].expert); });
    for (size_t i = 0; i < pinned_.size() && ready_.size() < most;) {
        const ExpertJob& named = jobs_[pinned_[i]];
        const bool awaited = !prefetch_ || (none && ready_.empty());
        if (!awaited && !pass_.arrived(named.expert)) {
            ++i;
            continue;
        }
        const Result<ExpertParts> parts = wait(named.expert);
        if (!parts) return parts.error();
        work_.push_back(feedForwardJob(shape_, layers_[static_cast<size_t>(layer_)], named, parts.value()));
        ready_.push_back(pinned_[i]);
        pinned_.erase(pinned_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return {};
}

Result<ExpertParts> ExpertCompute::wait(int expert) {
    const StepScope step = compute_.measure(Step::Disk);
    return pass_.wait(expert);
}

/// Computes the ready jobs, as many rows at a time as the workspace has room for: a job with more is cut. A layer whose
/// tokens use fewer experts than those of others may have more neurons in each row, so it has room for fewer rows.
Status ExpertCompute::computeReady(PreparedInputs& input, std::span<const int64_t> tokenOfRow) {
    const LayerWeights& weights = layers_[static_cast<size_t>(layer_)];
    const FeedForwardShape& shape = shape_.layer[static_cast<size_t>(layer_)].feedForward;
    const auto rowsAtOnce = static_cast<size_t>(tokensAtOnce_ * shape.chosenExperts());
    int64_t done = 0; // rows of work_[next]
    for (size_t next = 0; next < work_.size();) {
        if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) return stopped();
        batch_.clear();
        batchTokens_.clear();
        while (next < work_.size() && batchTokens_.size() < rowsAtOnce) {
            FeedForwardJob job = work_[next];
            job.firstRow = static_cast<int64_t>(batchTokens_.size());
            job.outputRow += done;
            job.rows = std::min(job.rows - done, static_cast<int64_t>(rowsAtOnce) - job.firstRow);
            const auto tokens = tokenOfRow.subspan(static_cast<size_t>(job.outputRow), static_cast<size_t>(job.rows));
            batchTokens_.insert(batchTokens_.end(), tokens.begin(), tokens.end());
            batch_.push_back(job);
            done += job.rows;
            if (done < work_[next].rows) continue;
            ++next;
            done = 0;
        }
        const StepScope step = compute_.measure(Step::Gate);
        inputs_.gather(compute_, workspace_, weights, input, batchTokens_);
        for (FeedForwardJob& job : batch_) inputs_.giveTo(job);
        feedForward_.run(batch_, shape.width);
    }
    return {};
}

void ExpertCompute::releaseReady() {
    experts_.clear();
    for (const size_t index : ready_) experts_.push_back(jobs_[index].expert);
    ready_.clear();
    pass_.release(experts_);
}

void ExpertCompute::endPass() {
    pass_.end();
    pinned_.clear();
    ready_.clear();
}

} // namespace coterie::engine
