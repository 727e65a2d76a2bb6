// SPDX-License-Identifier: Apache-2.0
// Statistics over the tokens of a trace: how often each expert was used, how evenly, how many different ones, which
// ones together, and how many reads another budget would have cost. Pure functions and plain values: any thread.
//
//     ExpertUsage usage(info.expertsOfLayer);
//     for (const TracedToken& token : log.last(100)) usage.add(token);
//     const double gini = giniIndex(usage.uses(3)); // layer 3
#pragma once

#include "base/result.h"
#include "experts/expert_index.h"
#include "records/trace_log.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace coterie::engine {

/// Number of experts of each layer of a trace, as far as its tokens tell: shape().experts, and 1 for a layer in which
/// every token used expert 0 alone with weight 1, which is a dense one. [shape().layers]
std::vector<int64_t> expertsOfLayers(const TraceShape& shape, std::span<const TracedToken> tokens);

/// How often a run of tokens used each expert.
class ExpertUsage {
  public:
    ExpertUsage() = default;
    /// expertsOfLayer: [layers], as ModelInfo has it; a dense layer counts as one expert.
    explicit ExpertUsage(std::vector<int64_t> expertsOfLayer);

    /// Counts a token. Layers and experts that the model does not have are left out.
    void add(const TracedToken& token);
    /// Adds the counts of another run of the same model.
    void add(const ExpertUsage& other);

    const std::vector<int64_t>& expertsOfLayer() const { return expertsOfLayer_; }
    uint64_t tokens() const { return tokens_; }
    /// Number of tokens that used each expert of the layer. [experts of the layer]
    std::span<const uint64_t> uses(int layer) const;
    uint64_t usesOf(int layer, int expert) const { return uses(layer)[static_cast<size_t>(expert)]; }
    /// Number of these uses for which the expert was not in memory.
    uint64_t missesOf(int layer, int expert) const;
    /// Sum of the router's weights of these uses.
    double weightOf(int layer, int expert) const;
    /// The largest number of uses of any expert. A dense layer, which every token uses, counts only if all are dense.
    uint64_t mostUses() const;
    uint64_t requests() const { return requests_; } ///< uses of all experts
    uint64_t misses() const { return missed_; }
    double waitSeconds() const { return waitSeconds_; } ///< time that layers waited for reads
    double seconds() const { return seconds_; }         ///< time that computing the tokens took
    uint64_t activeNeurons() const { return activeNeurons_; }

  private:
    std::vector<int64_t> expertsOfLayer_;
    ExpertIndex index_;
    std::vector<uint64_t> uses_, misses_; // numbered by index_
    std::vector<double> weights_;         // likewise
    uint64_t tokens_ = 0, requests_ = 0, missed_ = 0, activeNeurons_ = 0;
    double waitSeconds_ = 0, seconds_ = 0;
};

/// The Gini index of the counts: 0 if all are alike, 1 - 1/n if one of n has all. 0 if there are none.
/// Formula: sum((2 i - n - 1) x_i) / (n sum(x)), x sorted, i from 1.
double giniIndex(std::span<const uint64_t> uses);
/// The entropy of the counts' shares in bits: log2(n) if all n are alike, 0 if one has all or there are none.
double entropyBits(std::span<const uint64_t> uses);

/// Share of all experts (of layers that have more than one) that were used at least once, after each token. [tokens]
std::vector<double> coverage(std::span<const TracedToken> tokens, std::span<const int64_t> expertsOfLayer);
/// The same if each layer chose its experts at random, all with the same chance: 1 - (1 - k/n)^t, the mean over
/// experts. k is the mean number of experts that the layer's tokens used. [tokens]
std::vector<double> uniformCoverage(std::span<const TracedToken> tokens, std::span<const int64_t> expertsOfLayer);

/// Two experts of a layer that were used for the same tokens.
struct ExpertPair {
    int layer = 0, first = 0, second = 0; ///< first < second
    uint64_t together = 0;                ///< tokens that used both
    /// How many times as often as if the two were independent: together * tokens / (uses of first * uses of second).
    double lift = 0;
};
/// Returns the pairs that go together most often beyond chance, by together - expected, the largest first; at most
/// `most`.
std::vector<ExpertPair> expertPairs(std::span<const TracedToken> tokens, std::span<const int64_t> expertsOfLayer,
                                    size_t most);

/// Five numbers of a distribution, as a box plot draws them. Quartiles by linear interpolation between ranks.
struct Spread {
    double least = 0, lowerQuartile = 0, median = 0, upperQuartile = 0, most = 0;
    bool operator==(const Spread&) const = default;
};
std::optional<Spread> spreadOf(std::vector<double> values); ///< nothing if there are no values
/// For each layer, the spread over tokens of the share of active neurons in the experts that ran: active neurons /
/// (experts used * shape.neurons). Nothing for a layer whose experts have no ReLU: every count is 0. [layers]
std::vector<std::optional<Spread>> activeShares(std::span<const TracedToken> tokens, const TraceShape& shape);

/// Hits that a store of this many slots would have had for these tokens, from an empty store on.
struct BudgetPoint {
    uint64_t slots = 0;
    double hitRate = 0;      ///< with the eviction policy that the program uses
    double bestPossible = 0; ///< Belady's bound
};
/// Replays the trace (experts/replay.h) for each number of slots. Numbers that are too small to hold a token's experts
/// of one layer are left out. BadInput if there are no tokens.
Result<std::vector<BudgetPoint>> replayBudgets(std::span<const TracedToken> tokens, std::span<const uint64_t> slots);

/// Difference of two runs for each expert: its share of the second run's uses in its layer minus that of the first,
/// -1..1; 0 in a layer that one of them did not use. The runs are of one model; empty if they are not. [sum of
/// expertsOfLayer]
std::vector<double> usageDifference(const ExpertUsage& first, const ExpertUsage& second);

} // namespace coterie::engine
