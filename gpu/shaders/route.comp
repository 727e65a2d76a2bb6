// SPDX-License-Identifier: Apache-2.0
// Chooses the experts of each token from the router's logits, and their weights, by the rule at RouterShape in
// engine/model/model_shape.h; weights are without the router's scale. Of equal scores the expert with the smaller number
// is the better one. The scalar model is gpu/models/layer_steps.h.
//
// Orders: the sum of a softmax over all experts has expert e in lane e % 128, which adds in rising order; then lanes
// are added as sums.glsl says. Sums over the chosen experts go from the first to the last. x of the dispatch: tokens.
#version 460
#extension GL_GOOGLE_include_directive : require
#ifdef SUBGROUP_SHUFFLES
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
#include "interface.h"

const uint kLanes = 128;
layout(local_size_x = 128) in;
layout(constant_id = 0) const uint kExperts = 1;
layout(constant_id = 1) const uint kChosen = 1;
layout(constant_id = 2) const uint kSigmoid = 0;    // 1: p = sigmoid(logit), 0: softmax
layout(constant_id = 3) const uint kNormalised = 0; // 1: weights are divided by their sum
layout(constant_id = 4) const uint kBias = 0;       // 1: a selection bias is added to p
layout(constant_id = 5) const uint kLogitBias = 0;  // 1: a bias is added to the logits first
layout(binding = 0, std430) readonly buffer Logits { float logits[]; };
layout(binding = 1, std430) readonly buffer Bias { float bias[]; };
layout(binding = 2, std430) readonly buffer LogitBias { float logitBias[]; };
layout(binding = 3, std430) writeonly buffer Experts { uint expertOf[]; };  // [tokens, chosen]
layout(binding = 4, std430) writeonly buffer Weights { float weightOf[]; }; // [tokens, chosen]
layout(push_constant, std430) uniform Push { RoutePush push; };

#include "elementary.glsl"
#include "sums.glsl"

/// A place in the list of an expert that can't be chosen any more.
const uint kNoExpert = 0xffffffffu;

shared float logitOf[kExperts];
shared float scoreOf[kExperts];
shared bool taken[kExperts]; // chosen already, or of a group that is set aside
shared float bestScore[kLanes];
shared uint bestExpert[kLanes];
shared uint chosen[kChosen];

/// Whether experts are ranked by p and not by their logits: a float's sigmoid saturates above 16.6, and ties would then
/// change the choice.
bool ranksByShare() { return kBias != 0 || push.groups > 1; }

float highestLogit() {
    float highest = logitOf[0];
    for (uint e = 1; e < kExperts; ++e) highest = max(highest, logitOf[e]);
    return highest;
}

/// e^(logit - highest)
float shareOf(float logit, float highest) {
    precise float distance = logit - highest;
    return exponential(distance);
}

/// The sum of a softmax over all experts; all lanes call it.
float sumOfShares(uint lane, float highest) {
    float sum = 0.0;
    for (uint e = lane; e < kExperts; e += kLanes) {
        precise float next = sum + shareOf(logitOf[e], highest);
        sum = next;
    }
    return sumOverLanes(sum, kLanes);
}

void fillScores(uint lane, float highest, float sum) {
    const float inverse = reciprocal(sum);
    for (uint e = lane; e < kExperts; e += kLanes) {
        precise float share = shareOf(logitOf[e], highest) * inverse;
        const float p = kSigmoid != 0 ? sigmoid(logitOf[e]) : share;
        precise float biased = kBias != 0 ? p + bias[push.biasOffset + e] : p;
        scoreOf[e] = biased;
    }
}

/// The sum of a group's two highest scores.
float scoreOfGroup(uint group) {
    const uint each = kExperts / push.groups, begin = group * each;
    float best = scoreOf[begin], second = 0.0;
    for (uint i = 1; i < each; ++i) {
        const float score = scoreOf[begin + i];
        second = i == 1 ? min(best, score) : max(second, min(best, score));
        best = max(best, score);
    }
    precise float sum = each > 1 ? best + second : best;
    return sum;
}

/// The first one of equal groups is the better one.
void setGroupsAside(uint lane) {
    const uint each = kExperts / push.groups;
    for (uint group = lane; group < push.groups; group += kLanes) {
        const float score = scoreOfGroup(group);
        uint better = 0;
        for (uint other = 0; other < push.groups; ++other) {
            const float others = scoreOfGroup(other);
            better += others > score || others == score && other < group ? 1u : 0u;
        }
        for (uint i = 0; i < each; ++i) taken[group * each + i] = better >= push.groupsUsed;
    }
}

bool isBetter(float score, uint expert, float other, uint otherExpert) {
    if (otherExpert == kNoExpert || expert == kNoExpert) return otherExpert == kNoExpert && expert != kNoExpert;
    return score > other || score == other && expert < otherExpert;
}

/// Chooses the best expert of those that are left; all lanes call it.
void chooseNext(uint lane, uint rank) {
    uint best = kNoExpert;
    for (uint e = lane; e < kExperts; e += kLanes)
        if (!taken[e] && (best == kNoExpert || scoreOf[e] > scoreOf[best])) best = e;
    bestExpert[lane] = best;
    bestScore[lane] = best == kNoExpert ? 0.0 : scoreOf[best];
    barrier();
    for (uint distance = kLanes / 2; distance > 0; distance /= 2) {
        const bool takes = lane < distance && isBetter(bestScore[lane + distance], bestExpert[lane + distance],
                                                       bestScore[lane], bestExpert[lane]);
        if (takes) {
            bestScore[lane] = bestScore[lane + distance];
            bestExpert[lane] = bestExpert[lane + distance];
        }
        barrier();
    }
    if (lane == 0) {
        chosen[rank] = bestExpert[0];
        taken[bestExpert[0]] = true;
    }
    barrier();
}

/// Once the experts are chosen, a bias does not affect their order: the highest logit comes first.
void sortChosen() {
    for (uint i = 1; i < kChosen; ++i) {
        const uint expert = chosen[i];
        uint at = i;
        for (; at > 0 && isBetter(logitOf[expert], expert, logitOf[chosen[at - 1]], chosen[at - 1]); --at)
            chosen[at] = chosen[at - 1];
        chosen[at] = expert;
    }
}

float weightOfChosen(uint rank, float highest) {
    const float logit = logitOf[chosen[rank]];
    return kSigmoid != 0 ? sigmoid(logit) : shareOf(logit, highest);
}

/// sumOfAll: that of a softmax over all experts, used if weights are not normalised.
void writeChosen(uint token, float sumOfAll, float highest) {
    float sum = 0.0;
    for (uint rank = 0; rank < kChosen; ++rank) {
        precise float next = sum + weightOfChosen(rank, highest);
        sum = next;
    }
    float inverse = 1.0;
    if (kSigmoid != 0 && kNormalised != 0)
        inverse = reciprocal(max(sum, 1.0 / 16384.0)); // the least divisor, as engine/decoder/router.cpp has it
    else if (kSigmoid == 0)
        inverse = reciprocal(kNormalised != 0 ? sum : sumOfAll);
    for (uint rank = 0; rank < kChosen; ++rank) {
        precise float weight = weightOfChosen(rank, highest) * inverse;
        expertOf[token * kChosen + rank] = chosen[rank];
        weightOf[token * kChosen + rank] = weight;
    }
}

void main() {
    const uint token = gl_WorkGroupID.x, lane = laneNumber();
    for (uint e = lane; e < kExperts; e += kLanes) {
        precise float logit = logits[token * kExperts + e];
        if (kLogitBias != 0) logit = logit + logitBias[e];
        logitOf[e] = logit;
        scoreOf[e] = logit;
        taken[e] = false;
    }
    barrier();
    const float highest = highestLogit();
    const float sum = kSigmoid == 0 ? sumOfShares(lane, highest) : 0.0;
    if (ranksByShare()) {
        fillScores(lane, highest, kSigmoid == 0 ? sum : 1.0);
        barrier();
        if (push.groups > 1) setGroupsAside(lane);
        barrier();
    }
    for (uint rank = 0; rank < kChosen; ++rank) chooseNext(lane, rank);
    if (lane != 0) return;
    if (ranksByShare()) sortChosen();
    writeChosen(token, sum, highest);
}
