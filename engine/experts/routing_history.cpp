// SPDX-License-Identifier: Apache-2.0
// See routing_history.h. Uses are stored twice, as bits: by expert, to find the passes that have experts in common with
// this one, and by pass, to see what came after a moment.
#include "experts/routing_history.h"

#include "base/rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace coterie::engine {

namespace {

constexpr size_t kWordBits = 64;
static_assert(std::has_single_bit(RoutingHistory::kPasses), "lags are differences modulo this");
constexpr float kLeastAlike = 1e-6f; // its fourth power is too small to matter

uint64_t bitOf(size_t place) { return uint64_t{1} << place % kWordBits; }
size_t wordsFor(size_t bits) { return ceilDiv(bits, kWordBits); }

/// Calls visit(place) for each bit that is set, the lowest first.
template <typename Visit>
void forEachBit(std::span<const uint64_t> words, const Visit& visit) {
    for (size_t word = 0; word < words.size(); ++word)
        for (uint64_t bits = words[word]; bits != 0; bits &= bits - 1)
            visit(word * kWordBits + static_cast<size_t>(std::countr_zero(bits)));
}

/// alike^4: a moment with alike = 3/4 has five times the weight of one with 1/2.
float weightOf(float alike) {
    const float square = alike * alike;
    return square * square;
}

} // namespace

RoutingHistory::RoutingHistory(std::span<const int> expertsOfLayer)
    : index_(expertsOfLayer),
      fade_(static_cast<float>(std::exp2(-1.0 / static_cast<double>(std::max<size_t>(expertsOfLayer.size(), 1))))),
      last_(expertsOfLayer.size()) {
    usedAt_.push_back(0);
    size_t largest = 0;
    for (size_t layer = 0; layer < index_.layers(); ++layer) {
        const size_t experts = index_.expertsOf(layer);
        usedAt_.push_back(usedAt_.back() + kPasses * wordsFor(experts));
        largest = std::max(largest, experts);
    }
    passesUsing_.resize(index_.experts() * kWords);
    used_.resize(usedAt_.back());
    counted_.resize(wordsFor(largest));
}

uint64_t* RoutingHistory::passesThatUsed(size_t layer, size_t expert) {
    return passesUsing_.data() + (index_.first(layer) + expert) * kWords;
}

std::span<uint64_t> RoutingHistory::usedBy(size_t layer, size_t pass) {
    const size_t count = wordsFor(index_.expertsOf(layer));
    return {used_.data() + usedAt_[layer] + pass % kPasses * count, count};
}

/// Begins a new pass, which replaces the oldest one.
void RoutingHistory::begin() {
    now_ = (now_ + 1) % kPasses;
    for (size_t layer = 0; layer < index_.layers(); ++layer) {
        const std::span<uint64_t> forgotten = usedBy(layer, now_);
        forEachBit(forgotten, [&](size_t expert) { passesThatUsed(layer, expert)[now_ / kWordBits] &= ~bitOf(now_); });
        std::fill(forgotten.begin(), forgotten.end(), uint64_t{0});
    }
}

void RoutingHistory::add(size_t layer, std::span<const ExpertDemand> used) {
    if (layer <= last_) begin();
    last_ = layer;
    // Numbers that shrink for ever become denormal, which is slow.
    for (float& alike : alike_) alike = alike < kLeastAlike ? 0.0f : alike * fade_;
    const float share = (1.0f - fade_) / static_cast<float>(std::max<size_t>(used.size(), 1));
    for (const ExpertDemand& demand : used) {
        const auto expert = static_cast<size_t>(demand.expert);
        uint64_t* const before = passesThatUsed(layer, expert);
        forEachBit({before, kWords}, [&](size_t pass) { alike_[(now_ - pass) % kPasses] += share; });
        before[now_ / kWordBits] |= bitOf(now_);
        usedBy(layer, now_)[expert / kWordBits] |= bitOf(expert);
    }
}

RoutingHistory::Weights RoutingHistory::recall(size_t layer, std::span<float> votes) {
    constexpr size_t lanes = 8; // independent sums, so that the compiler can use vectors
    std::array<float, lanes> sums{};
    for (size_t lag = 0; lag < kPasses; lag += lanes)
        for (size_t i = 0; i < lanes; ++i) sums[i] += weightOf(alike_[lag + i]);
    float all = 0;
    for (const float sum : sums) all += sum;

    std::fill(votes.begin(), votes.end(), 0.0f);
    Weights weights;
    findMostAlike();
    for (size_t i = 0; i < found_; ++i) {
        const float weight = weightOf(alike_[lags_[i]]);
        weights.recalled += weight;
        vote(layer, lags_[i], weight, votes);
    }
    weights.rest = std::max(0.0f, all - weights.recalled);
    return weights;
}

/// Sorts the most alike lags into lags_. Most of those found at the layer before are still among them, so lags that are
/// less alike than all of these can be skipped.
void RoutingHistory::findMostAlike() {
    float least = found_ < kMostRecalled ? 0.0f : alike_[lags_[0]]; // a lag must be more alike than this
    for (size_t i = 1; i < found_; ++i) least = std::min(least, alike_[lags_[i]]);
    least = std::max(0.0f, std::nextafter(least, -1.0f));
    found_ = 0;
    for (size_t lag = 1; lag < kPasses; ++lag) {
        const float alike = alike_[lag];
        if (alike <= least) continue;
        size_t place = found_ < kMostRecalled ? found_++ : kMostRecalled - 1;
        for (; place > 0 && alike_[lags_[place - 1]] < alike; --place) lags_[place] = lags_[place - 1];
        lags_[place] = lag;
        if (found_ == kMostRecalled) least = alike_[lags_.back()];
    }
}

/// Each expert that the layer has used since then counts once, for its first use.
void RoutingHistory::vote(size_t layer, size_t lag, float weight, std::span<float> votes) {
    const size_t size = wordsFor(votes.size());
    std::fill_n(counted_.begin(), size, uint64_t{0});
    for (size_t round = 0; round < std::min(lag, kMostRounds); ++round, weight /= 2) {
        const std::span<const uint64_t> used = usedBy(layer, now_ + kPasses + 1 - lag + round);
        for (size_t word = 0; word < size; ++word) {
            const uint64_t fresh = used[word] & ~counted_[word];
            counted_[word] |= fresh;
            forEachBit({&fresh, 1}, [&](size_t bit) { votes[word * kWordBits + bit] += weight; });
        }
    }
}

} // namespace coterie::engine
