// SPDX-License-Identifier: Apache-2.0
// Eviction by expected next use: an expert of a layer comes up when its layer does, and then the sooner the sooner it
// came after moments like this one. What it is not: an order of age, which fails where layers come round in a circle.
#pragma once

#include "experts/resident_experts.h"
#include "experts/routing_history.h"

namespace coterie::engine {

/// An expert is worth 2^-w, where w is how many passes through the model it is expected to wait. The one that is worth
/// least goes; of equals, the lower slot. With L layers of which `now` was the last to be reached
///     2^-w = 2^-(((layer - now - 1) mod L + 1) / L) v
/// which is the way to its layer, and v for being passed over there: the mean of 2^-rounds, 1 where it is used at once.
/// That mean is over moments of the past (routing_history.h), each weighed by alike^4:
/// - of those that are most like now, by the rounds after which the expert was used then;
/// - of all others, and of one more that is 0.35 alike, as if each token used it with probability p, which makes
///   2p / (1 + p). p is the share of recent tokens that used it, a moving average that remembers 0.97 a token. A pass
///   of n tokens moves an average p with memory a to a^n p + (1 - a^n) share; what is left of the 0 that it began with
///   is taken out, so that layers are alike from the first token on.
/// After a chunk, of which nobody tells what its last token used, all moments are less like now.
///
/// Kin of nearest-neighbour language models and of the match models of compressors, which foretell text as this does
/// routing. A pass costs 50 microseconds with 32 layers x 64 experts x 8, 90 with 48 x 128 x 8 (one core of an EPYC).
/// The constants are the best over 40 talks with the guide, others than those of README.md; hits differ by less than
/// half a point with any of them a quarter larger or smaller.
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
    std::vector<double> averages_; // [experts] p before the 0 is taken out
    std::vector<double> seen_;     // [layers] what the average of an expert that is always used would be
    std::vector<float> votes_;     // [experts of the largest layer] what history recalls
    std::vector<double> worth_;    // [experts] v
    std::vector<double> steps_;    // [layers + 1] 2^-(so many of L)
    std::vector<double> way_;      // [layers + 1] 2^-(the way to the layer); of the one more, for empty slots, endless
    // What victim() looks at, side by side: the same as by expert, but without a jump for each slot.
    std::vector<uint32_t> layerOf_; // [slots] layers() where it is empty
    std::vector<double> worthOf_;   // [slots]
};

} // namespace coterie::engine
