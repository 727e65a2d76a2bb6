// SPDX-License-Identifier: Apache-2.0
// From logits to a token: penalties, then temperature, top-k, top-p, min-p, then a draw. Same seed, same logits: same
// tokens, on every platform (the random numbers are SplitMix64's, see sampler.cpp; no std distribution is involved).
#pragma once

#include "base/result.h"
#include "gguf/token_id.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace coterie::engine {

/// Each default does what most model cards suggest for chat; temperature 0 is greedy and ignores all but the penalties.
struct SamplingOptions {
    float temperature = 0.8f;
    int topK = 40;      ///< 0: off
    float topP = 0.95f; ///< 1: off; of what top-k left, the fewest best tokens that hold this share; at least one
    float minP = 0.05f; ///< 0: off; relative to the best
    float repetitionPenalty =
        1.0f; ///< 1: off; divides positive logits, multiplies negative ones (CTRL, arXiv:1909.05858)
    float presencePenalty = 0.0f;  ///< subtracted once from what has appeared
    float frequencyPenalty = 0.0f; ///< subtracted for each appearance
    int penaltyWindow = 64;        ///< tokens looked back
    std::optional<uint64_t> seed;  ///< nothing: a new one each time
};

/// BadInput names the option that is out of range.
Status checkSamplingOptions(const SamplingOptions& options);

/// How many of the highest logits a draw looks at; nothing where all of them count.
std::optional<int64_t> logitsThatCount(const SamplingOptions& options);

/// One conversation's draw. Not thread-safe.
class Sampler {
  public:
    /// `options` have passed checkSamplingOptions().
    Sampler(const SamplingOptions& options, int64_t vocabulary);
    ~Sampler();
    Sampler(Sampler&&) noexcept;
    Sampler& operator=(Sampler&&) noexcept;

    uint64_t seed() const; ///< the one in use
    /// Counts a token for the penalties (prompt tokens too). Ids outside the vocabulary are ignored.
    void accept(TokenId token);
    /// logits: [vocabulary]; minus infinity never wins, and what is not a number counts as minus infinity. Of equal
    /// logits the smaller id ranks higher. -1 where no logit is left. Does not accept() the token by itself.
    TokenId pick(std::span<const float> logits);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace coterie::engine
