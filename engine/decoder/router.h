// SPDX-License-Identifier: Apache-2.0
// Chooses the experts that a token uses, and their weights, by the rule at RouterShape in model_shape.h. Inside
// decoder/ only.
//
//     const auto scores = selectionScores(router, logits, bias, scratch);
//     chooseExperts(router, logits, scores, choices);
#pragma once

#include "decoder/options.h"
#include "model/model_shape.h"

#include <cstdint>
#include <span>

namespace coterie::engine {

/// weight: without the router's scale.
struct Choice {
    int32_t expert = 0;
    float weight = 0;
};

/// Returns the numbers by which experts are ranked, [experts]. Without a bias and groups these are the logits
/// themselves: a float's sigmoid saturates above 16.6, and ties would then change the choice. Otherwise scratch,
/// [experts], filled with p + bias, and with minus infinity for experts outside the best groups. bias: [experts] or
/// null.
std::span<const float> selectionScores(const RouterShape& router, std::span<const float> logits, const float* bias,
                                       std::span<float> scratch);
/// Fills out with the experts of the highest scores, the best first; equal ones in the order of their numbers.
void rankExperts(std::span<const float> scores, std::span<Choice> out);
/// Adds the bonus of ApproximateRouting::preferCached to the scores of cached experts. cached: [experts], not 0 if the
/// expert is in memory or arriving.
void addCachedBonus(std::span<float> scores, float preferCached, std::span<const uint8_t> cached);
/// Replaces each score by its distance from the limit above which an expert is chosen, in standard deviations of all
/// scores that are not minus infinity: the larger it is, the less likely a small change of the scores changes the
/// choice. NaN if one of them is NaN or infinite, or if all are equal. scratch: [experts].
void selectionMargins(std::span<float> scores, size_t chosen, std::span<float> scratch);

/// Fills out, [expertsPerToken], with the experts of the highest scores and their weights. They are in the order of
/// their logits, the highest first; equal ones in the order of their numbers.
void chooseExperts(const RouterShape& router, std::span<const float> logits, std::span<const float> scores,
                   std::span<Choice> out);

struct ApproximateChoice {
    size_t experts = 0;   ///< chosen experts, at least one: the first ones of out
    bool changed = false; ///< other experts than exact routing chooses, or fewer
};
/// The same under approximate routing. The weights come from the true logits, normalised over the chosen experts if the
/// family does that. If nothing changes, the result has the same bits as above. cached: as above.
ApproximateChoice chooseExperts(const RouterShape& router, std::span<const float> logits, std::span<const float> scores,
                                const ApproximateRouting& routing, std::span<const uint8_t> cached,
                                std::span<Choice> out);

} // namespace coterie::engine
