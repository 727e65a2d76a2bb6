// SPDX-License-Identifier: Apache-2.0
// Which experts a token goes to, and with what weights. Inside decoder/ only.
#pragma once

#include "decoder/model_shape.h"
#include "decoder/options.h"

#include <cstdint>
#include <span>

namespace coterie::engine {

struct Choice {
    int32_t expert = 0;
    float weight = 0;
};

/// logits: [experts] -> experts of out, the best first, equal ones by number.
void rankExperts(std::span<const float> logits, std::span<Choice> out);
/// Adds what ApproximateRouting::preferCached gives experts that are there. there: [experts] not 0 where it is in
/// memory, or arriving.
void liftPresent(std::span<float> logits, float preferCached, std::span<const uint8_t> there);
/// logits: [experts] -> by how much each is above what it takes to be among the `chosen` highest, in standard
/// deviations of all: the farther above, the less it matters that they still change a little. Not a number where one of
/// them is none, or all are equal. scratch: [experts].
void leadsOf(std::span<float> logits, size_t chosen, std::span<float> scratch);
/// logits: [experts] -> out: [expertsPerToken], the best first, equal ones by number. Ranked by raw logits: a float's
/// sigmoid saturates above 16.6, and ties would then change the choice.
void chooseExperts(const ModelShape& shape, std::span<const float> logits, std::span<Choice> out);
struct BentChoice {
    size_t experts = 0;   ///< that are chosen, at least one: the first ones of out, by true logits
    bool changed = false; ///< others than without bending, or fewer
};
/// The same, bent as `routing` says, there as above. Weights are true ones, normalised over those chosen where the
/// family does that. Where nothing is changed the same bits as above.
BentChoice chooseExperts(const ModelShape& shape, std::span<const float> logits, const ApproximateRouting& routing,
                         std::span<const uint8_t> there, std::span<Choice> out);

} // namespace coterie::engine
