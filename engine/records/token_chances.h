// SPDX-License-Identifier: Apache-2.0
// Computes how likely a token was to the model, from the logits that it was drawn from.
#pragma once

#include "records/token_record.h"

#include <cstdint>
#include <span>

namespace coterie::engine {

/// Sets probability, entropy and alternatives of `record`, whose id is in the vocabulary. logits: [vocabulary], all
/// computed; NaN and minus infinity count as impossible, and impossible tokens are no alternatives. Of equal logits the
/// smaller id ranks higher. Sets nothing if no logit is a number. Time: one exponential per logit, and
/// n log(alternatives) comparisons at worst.
void setChances(std::span<const float> logits, int64_t alternatives, TokenRecord& record);

} // namespace coterie::engine
