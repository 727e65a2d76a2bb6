// SPDX-License-Identifier: Apache-2.0
// Which experts a token goes to, and with what weights. Inside decoder/ only.
#pragma once

#include "decoder/model_shape.h"

#include <span>

namespace coterie::engine {

struct Choice {
    int32_t expert = 0;
    float weight = 0;
};

/// logits: [experts] -> out: [expertsPerToken], the best first, equal ones by number. Ranked by raw logits: a float's
/// sigmoid saturates above 16.6, and ties would then change the choice.
void chooseExperts(const ModelShape& shape, std::span<const float> logits, std::span<Choice> out);

} // namespace coterie::engine
