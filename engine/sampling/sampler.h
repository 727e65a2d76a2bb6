// SPDX-License-Identifier: Apache-2.0
// Draws a token from logits: penalties, then temperature, top-k, top-p and min-p, then a draw. The same seed and logits
// give the same tokens on every platform (the random numbers are SplitMix64's, see sampler.cpp; no std distribution).
#pragma once

#include "base/result.h"
#include "gguf/token_id.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace coterie::engine {

/// The defaults are those that most model cards suggest for chat. Temperature 0 is greedy: it uses only the penalties.
struct SamplingOptions {
    float temperature = 0.8f;
    int topK = 40; ///< 0: off
    float topP =
        0.95f; ///< 1: off; keeps the fewest best tokens that hold this share of those that top-k left; at least one
    float minP = 0.05f; ///< 0: off; share of the best token's probability
    float repetitionPenalty =
        1.0f; ///< 1: off; divides positive logits, multiplies negative ones (CTRL, arXiv:1909.05858)
    float presencePenalty = 0.0f;  ///< subtracted once from each token that has appeared
    float frequencyPenalty = 0.0f; ///< subtracted for each appearance
    int penaltyWindow = 64;        ///< how many of the last tokens count
    std::optional<uint64_t> seed;  ///< nothing: a new one each time
};

/// Returns BadInput with the option that is out of range.
Status checkSamplingOptions(const SamplingOptions& options);

/// Returns how many of the highest logits a draw uses, or nothing if all of them count.
std::optional<int64_t> logitsThatCount(const SamplingOptions& options);

/// Draws the tokens of one conversation. Not thread-safe.
class Sampler {
  public:
    /// `options` have passed checkSamplingOptions().
    Sampler(const SamplingOptions& options, int64_t vocabulary);
    ~Sampler();
    Sampler(Sampler&&) noexcept;
    Sampler& operator=(Sampler&&) noexcept;

    uint64_t seed() const; ///< the seed in use
    /// Counts a token for the penalties (prompt tokens too). Ids outside the vocabulary are ignored.
    void accept(TokenId token);
    /// logits: [vocabulary]. Minus infinity never wins, and NaN counts as minus infinity. The smaller of two ids with
    /// equal logits ranks higher. Returns -1 if no logit is left. Does not accept() the token.
    TokenId pick(std::span<const float> logits);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace coterie::engine
