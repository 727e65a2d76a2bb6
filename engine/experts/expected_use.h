// SPDX-License-Identifier: Apache-2.0
// Eviction by expected next use. An expert can be used only when its layer comes, and then the sooner, the sooner it
// was used after moments in the past that were like this one. This is not an order by age, which fails here because
// layers come round in a circle.
#pragma once

#include "experts/resident_experts.h"
#include "experts/routing_history.h"

namespace coterie::engine {

/// An expert has the worth 2^-w, where w is the number of passes through the model that it is expected to wait. The
/// expert with the least worth is evicted; of equals, the one in the lower slot. With L layers, of which `now` is the
/// latest,
///     2^-w = 2^-(((layer - now - 1) mod L + 1) / L) v
/// The first factor is the way to the expert's layer. v is the mean of 2^-rounds, where rounds counts how often the
/// layer comes without using the expert: v is 1 if the expert is used at once.
///
/// The mean is taken over moments of the past (routing_history.h), each with the weight alike^4:
/// - the moments that are most like now count the rounds after which the expert was used then;
/// - all other moments, and one more with alike = 0.35, count as if each token used the expert with probability p. That
///   gives 2p / (1 + p). p is the share of recent tokens that used it: a moving average with memory a = 0.97 per token.
///   A pass of n tokens changes it from p to a^n p + (1 - a^n) share. The average starts at 0; that start is divided
///   out, so that layers compare well from the first token on.
/// For a chunk of several tokens it is not known what the last one used, so afterwards all moments are less like now.
///
/// Example: 4 layers, now = 1. An expert of layer 2 that was used at once in all similar moments has the worth
/// 2^-(1/4) = 0.84; one of layer 1 (the whole way round) that every second pass used has 2^-(4/4) * 0.67 = 0.33.
///
/// Nearest-neighbour language models and the match models of compressors predict text in the same way. A pass costs 50
/// microseconds with 32 layers x 64 experts x 8, 90 with 48 x 128 x 8 (one core of an EPYC). The constants are the best
/// over 40 conversations with the guide, none of which is among those of tests/bench/RESULTS.md. With any of them a
/// quarter larger or smaller, the hits change by less than half a point.
class ExpectedUse final : public EvictionPolicy {
  public:
    explicit ExpectedUse(const EvictionShape& shape);

    void layerReached(int layer, std::span<const ExpertDemand> demands, int64_t tokens) override;
    void filled(uint32_t slot, int layer, int expert) override;
    void emptied(uint32_t slot) override;
    std::optional<uint32_t> victim(std::span<const uint8_t> held) const override;
    double expectedWait(int layer, int expert) const override;

  private:
    void layerIsNow(size_t layer);
    void average(size_t layer, std::span<const ExpertDemand> demands, int64_t tokens);
    void foresee(size_t layer);

    ResidentExperts residents_;
    RoutingHistory history_;
    std::vector<double> averages_; // [experts] p before its start at 0 is divided out
    std::vector<double> seen_;     // [layers] the average that an expert would have that is always used
    std::vector<float> votes_;     // [experts of the largest layer] from RoutingHistory::recall()
    std::vector<double> worth_;    // [experts] v
    std::vector<double> steps_;    // [layers + 1] 2^-(i / L)
    std::vector<double> way_;      // [layers + 1] 2^-(the way to the layer); the last one is infinite, for empty slots
    // Copies by slot, side by side, so that victim() is one scan.
    std::vector<uint32_t> layerOf_; // [slots] layers() if the slot is empty
    std::vector<double> worthOf_;   // [slots]
};

} // namespace coterie::engine
