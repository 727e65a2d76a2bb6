// SPDX-License-Identifier: Apache-2.0
// Eviction by expected next use. The worth of a layer's experts is computed when the layer begins, so that victim() is
// one scan.
#include "experts/expected_use.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coterie::engine {

namespace {

constexpr double kMemory = 0.97; // memory of the moving average, per token
// One use leaves this much after 750 tokens. No expert is worth less, and averages below it become 0: numbers that
// shrink for ever become denormal, which is slow.
constexpr double kLeastWorth = 1e-12;
constexpr double kAverageWeight = 0.35 * 0.35 * 0.35 * 0.35; // the weight of a moment with alike = 0.35

} // namespace

ExpectedUse::ExpectedUse(const EvictionShape& shape)
    : residents_(shape), history_(shape.expertsOfLayer), averages_(residents_.index().experts()),
      seen_(residents_.index().layers()), worth_(residents_.index().experts(), kLeastWorth),
      way_(residents_.index().layers() + 1), layerOf_(shape.slots, static_cast<uint32_t>(residents_.index().layers())),
      worthOf_(shape.slots, kLeastWorth) {
    const size_t layers = residents_.index().layers();
    for (size_t steps = 0; steps <= layers; ++steps)
        steps_.push_back(std::exp2(-static_cast<double>(steps) / static_cast<double>(std::max<size_t>(layers, 1))));
    way_.back() = std::numeric_limits<double>::infinity();
    if (layers > 0) layerIsNow(layers - 1);
    size_t largest = 0;
    for (size_t layer = 0; layer < layers; ++layer) largest = std::max(largest, residents_.index().expertsOf(layer));
    votes_.resize(largest);
}

void ExpectedUse::layerIsNow(size_t now) {
    const size_t layers = residents_.index().layers();
    for (size_t layer = 0; layer < layers; ++layer)
        way_[layer] = steps_[layer > now ? layer - now : layers - now + layer];
}

void ExpectedUse::layerReached(int layer, std::span<const ExpertDemand> demands, int64_t tokens) {
    if (tokens <= 0) return;
    const size_t now = static_cast<size_t>(layer);
    average(now, demands, tokens);
    history_.add(now, tokens == 1 ? demands : std::span<const ExpertDemand>());
    foresee(now);
    for (size_t i = residents_.index().first(now); i < residents_.index().first(now + 1); ++i)
        if (const int32_t slot = residents_.slotOf(i); slot != ResidentExperts::kNone)
            worthOf_[static_cast<size_t>(slot)] = worth_[i];
    layerIsNow(now);
}

void ExpectedUse::average(size_t layer, std::span<const ExpertDemand> demands, int64_t tokens) {
    const auto n = static_cast<double>(tokens);
    const double kept = tokens == 1 ? kMemory : std::pow(kMemory, n);
    seen_[layer] = kept * seen_[layer] + (1.0 - kept);
    for (size_t i = residents_.index().first(layer); i < residents_.index().first(layer + 1); ++i)
        averages_[i] = averages_[i] < kLeastWorth ? 0.0 : kept * averages_[i];
    for (const ExpertDemand& demand : demands)
        averages_[residents_.index().number(static_cast<int>(layer), demand.expert)] +=
            (1.0 - kept) * static_cast<double>(demand.tokens) / n;
}

/// Sets the worth of the layer's experts.
void ExpectedUse::foresee(size_t layer) {
    const size_t first = residents_.index().first(layer), experts = residents_.index().expertsOf(layer);
    const auto [recalled, rest] = history_.recall(layer, {votes_.data(), experts});
    const double others = static_cast<double>(rest) + kAverageWeight, seen = seen_[layer];
    const double scale = 1.0 / (static_cast<double>(recalled) + others), twice = 2.0 * others;
    const float* const votes = votes_.data();
    const double* const averages = averages_.data() + first;
    double* const worth = worth_.data() + first;
    for (size_t e = 0; e < experts; ++e) { // 2p / (1 + p), with p = average / seen
        const double v = static_cast<double>(votes[e]) + twice * averages[e] / (seen + averages[e]);
        worth[e] = std::max(scale * v, kLeastWorth);
    }
}

void ExpectedUse::filled(uint32_t slot, int layer, int expert) {
    const size_t number = residents_.index().number(layer, expert);
    residents_.fill(slot, number);
    layerOf_[slot] = static_cast<uint32_t>(layer);
    worthOf_[slot] = worth_[number];
}

void ExpectedUse::emptied(uint32_t slot) {
    residents_.empty(slot);
    layerOf_[slot] = static_cast<uint32_t>(residents_.index().layers());
}

std::optional<uint32_t> ExpectedUse::victim(std::span<const uint8_t> held) const {
    const double* const way = way_.data();
    double least = std::numeric_limits<double>::infinity();
    std::optional<uint32_t> found;
    for (uint32_t slot = 0; slot < layerOf_.size(); ++slot) {
        const double worth = way[layerOf_[slot]] * worthOf_[slot];
        if (worth >= least || held[slot] != 0) continue;
        least = worth;
        found = slot;
    }
    return found;
}

double ExpectedUse::expectedWait(int layer, int expert) const {
    return -std::log2(way_[static_cast<size_t>(layer)] * worth_[residents_.index().number(layer, expert)]);
}

} // namespace coterie::engine
