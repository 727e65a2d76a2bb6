// SPDX-License-Identifier: Apache-2.0
// See expert_guess.h.
#include "decoder/expert_guess.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace coterie::engine {
namespace {

/// How far a layer looks: far enough for a read to be done in time, and near, where more comes true. Two routers a
/// layer are what this costs.
constexpr int kAhead[] = {1, 4};
constexpr size_t kLooks = std::size(kAhead);
constexpr int kFurthest = kAhead[kLooks - 1];
/// A guess costs a slot and may be in the way of what is needed for one small read; right, it saves a wait.
constexpr double kWorthReading = 0.4;
/// How fast the shares follow: over about 30 guesses.
constexpr double kForgetting = 1.0 / 32;

} // namespace

ExpertGuesses::ExpertGuesses(const ModelShape& shape, const Compute& compute, Workspace& workspace, ExpertStore& store,
                             std::span<const LayerWeights> layers)
    : shape_(shape), compute_(compute.kernels, compute.pool, counters_, compute.shortcuts), workspace_(workspace),
      store_(store), layers_(layers) {
    const size_t ranks = static_cast<size_t>(shape.expertsPerToken);
    comesTrue_.assign(kLooks * ranks, 0.5);
    made_.assign(layers.size() * kLooks * ranks, -1);
    choices_.resize(ranks);
    there_.resize(static_cast<size_t>(shape.experts));
    tokens_.reserve(kGuessTokens);
    votes_.resize(static_cast<size_t>(shape.experts));
    byVotes_.resize(static_cast<size_t>(shape.experts));
    guesses_.reserve(std::max(kFurthest * ranks + static_cast<size_t>(shape.experts), layers.size()));
}

void ExpertGuesses::make(int layer, int64_t tokens) {
    const ExpertStoreStatistics now = store_.statistics();
    if (now.slotsUsed == layers_.size() * static_cast<size_t>(shape_.storedExperts())) return; // nothing is on disk
    guesses_.clear();
    if (shape_.experts == 0) return expectNextLayers(layer, now.waitSeconds);
    const int layers = static_cast<int>(layers_.size());
    tokens_.clear();
    const int64_t looked = std::min<int64_t>(tokens, kGuessTokens);
    for (int64_t i = 0; i < looked; ++i) tokens_.push_back(tokens * (i + 1) / looked - 1);
    if (tokens == 1) {
        // Behind the last layer comes the next token's first one.
        for (size_t look = 0; look < kLooks; ++look)
            if (kAhead[look] < layers) guessFor((layer + kAhead[look]) % layers, look);
        collect(layer);
    } else if (layer + 1 < layers) {
        guessForMany(layer + 1, tokens_.size());
    }
    store_.expect(guesses_);
}

/// As far ahead as it takes that nothing is waited for, and no farther: what is read too early takes the place of a
/// layer that would have stayed until its turn, so that as good as every layer is read for every token. One layer
/// farther after each wait, one less after a round without: a round then takes little more than the longer of its
/// computing and of reading what doesn't fit.
void ExpertGuesses::expectNextLayers(int layer, double waitSeconds) {
    const int layers = static_cast<int>(layers_.size());
    if (waitSeconds > waitSeconds_) {
        ahead_ = std::min(ahead_ + 1, layers - 1);
        sinceWait_ = 0;
    } else if (++sinceWait_ >= layers) {
        ahead_ = std::max(ahead_ - 1, 1);
        sinceWait_ = 0;
    }
    waitSeconds_ = waitSeconds;
    for (int i = 1; i < layers; ++i) {
        const int next = (layer + i) % layers; // behind the last layer comes the next pass
        if (i <= ahead_ || store_.state(next, 0) == ExpertState::Arriving) guesses_.push_back({next, 0});
    }
    store_.expect(guesses_);
}

/// What the layer's router says of workspace.x as it is -> logits().
void ExpertGuesses::route(int layer, std::span<const int64_t> tokens) {
    const LayerWeights& weights = layers_[static_cast<size_t>(layer)];
    const bool normed = shape_.architecture->routerInput == RouterInput::NormedAttentionOutput;
    for (size_t i = 0; i < tokens.size(); ++i) {
        const float* x = workspace_.x + tokens[i] * shape_.width;
        float* to = workspace_.guessInputs + static_cast<int64_t>(i) * shape_.width;
        if (normed)
            compute_.kernels.rmsNorm(x, weights.feedForwardNorm, shape_.width, shape_.normEpsilon, to);
        else
            std::copy_n(x, shape_.width, to);
    }
    PreparedInputs input({workspace_.guessPrepared, workspace_.guessPrepared}); // one form is asked for
    const auto count = static_cast<int64_t>(tokens.size());
    input.set(workspace_.guessInputs, shape_.width, count);
    multiply(compute_, {weights.router, input.form(compute_, weights.router.type), count, workspace_.guessLogits,
                        shape_.experts});
    if (weights.routerBias == nullptr) return;
    for (int64_t i = 0; i < count * shape_.experts; ++i)
        workspace_.guessLogits[i] += weights.routerBias[i % shape_.experts];
}

std::span<const float> ExpertGuesses::logits(size_t token) const {
    const size_t experts = static_cast<size_t>(shape_.experts);
    return {workspace_.guessLogits + token * experts, experts};
}

/// One token's.
void ExpertGuesses::guessFor(int layer, size_t look) {
    route(layer, tokens_);
    for (size_t e = 0; preferCached_ != 0 && e < there_.size(); ++e)
        there_[e] = store_.state(layer, static_cast<int>(e)) != ExpertState::OnDisk;
    rankPreferring(logits(0), preferCached_, there_, choices_);
    int32_t* made = madeFor(layer, look);
    for (size_t rank = 0; rank < choices_.size(); ++rank) {
        const int32_t expert = choices_[rank].expert;
        made[rank] = store_.state(layer, expert) == ExpertState::InMemory ? -1 : expert;
    }
}

/// Of each layer to come the guesses made last, the next layer's first.
void ExpertGuesses::collect(int layer) {
    const int layers = static_cast<int>(layers_.size());
    size_t look = 0;
    for (int ahead = 1; ahead <= std::min(kFurthest, layers - 1); ++ahead) {
        if (ahead > kAhead[look]) ++look;
        const int next = (layer + ahead) % layers;
        const int32_t* made = madeFor(next, look);
        for (size_t rank = 0; rank < choices_.size(); ++rank)
            if (made[rank] >= 0 && comesTrue_[look * choices_.size() + rank] >= kWorthReading)
                guesses_.push_back({next, made[rank]});
    }
}

/// A chunk wants most experts of each layer: those first that most of its tokens want.
void ExpertGuesses::guessForMany(int layer, size_t tokens) {
    route(layer, tokens_);
    std::fill(votes_.begin(), votes_.end(), 0);
    for (size_t token = 0; token < tokens; ++token) {
        rankExperts(logits(token), choices_);
        for (const Choice& choice : choices_) ++votes_[static_cast<size_t>(choice.expert)];
    }
    std::iota(byVotes_.begin(), byVotes_.end(), 0);
    const auto votes = [this](int32_t expert) { return votes_[static_cast<size_t>(expert)]; };
    std::sort(byVotes_.begin(), byVotes_.end(),
              [&votes](int32_t a, int32_t b) { return votes(a) != votes(b) ? votes(a) > votes(b) : a < b; });
    for (const int32_t expert : byVotes_)
        if (votes(expert) > 0 && store_.state(layer, expert) != ExpertState::InMemory)
            guesses_.push_back({layer, expert});
}

void ExpertGuesses::check(int layer, std::span<const int64_t> wanted) {
    int32_t* made = made_.data() + static_cast<size_t>(layer) * comesTrue_.size();
    for (size_t i = 0; i < comesTrue_.size(); ++i) {
        if (made[i] < 0) continue;
        const double came = wanted[static_cast<size_t>(made[i])] > 0 ? 1 : 0;
        comesTrue_[i] += kForgetting * (came - comesTrue_[i]);
        made[i] = -1;
    }
}

} // namespace coterie::engine
