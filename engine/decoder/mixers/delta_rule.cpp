// SPDX-License-Identifier: Apache-2.0
// See delta_rule.h. The functions are in the order of a pass.
#include "decoder/mixers/delta_rule.h"

#include "decoder/mixers/history.h"

#include <algorithm>
#include <cmath>

namespace coterie::engine {

void DeltaRule::run(int64_t layer, const LayerWeights& weights, int64_t first, PreparedInputs& input) {
    const DeltaRuleShape& shape = shapeOf(layer);
    const LayerState state = memory_.state(layer, first != 0);
    const int64_t n = input.batch();
    project(shape, weights, input);
    passThrough(shape, weights, state, n);
    const StepScope step = compute_.measure(Step::Output);
    input.set(workspace_.attended, shape.valueWidth(), n);
    multiply(compute_, {weights.stateOutput, input.form(compute_, weights.stateOutput.type), n, workspace_.blockOut,
                        shape_.width});
}

/// Passes the tokens through the layer's state.
void DeltaRule::passThrough(const DeltaRuleShape& shape, const LayerWeights& weights, const LayerState& state,
                            int64_t tokens) {
    const StepScope step = compute_.measure(Step::State);
    convolve(shape, weights, state, tokens);
    compute_.forEachToken(tokens, [&](int64_t t) { finishToken(shape, weights, t); });
    compute_.forEach(shape.valueHeads, 1, [&](int64_t begin, int64_t end, int) {
        for (int64_t head = begin; head < end; ++head) update(shape, weights, state, head, tokens);
    });
}

void DeltaRule::project(const DeltaRuleShape& shape, const LayerWeights& weights, PreparedInputs& input) {
    const StepScope step = compute_.measure(Step::Projections);
    const int64_t n = input.batch(), gates = 2 * shape.valueHeads;
    const auto product = [&](const Matrix& matrix, float* out, int64_t stride) {
        return Product{matrix, input.form(compute_, matrix.type), n, out, stride};
    };
    const Product channels = product(weights.stateInput, workspace_.channels, shape.channels());
    const Product outputGate = product(weights.stateGate, workspace_.outputGate, shape.valueWidth());
    if (shape.grouped) {
        multiplyAll(compute_, std::array{channels, outputGate, product(weights.stateGates, workspace_.gates, gates)});
        return;
    }
    multiplyAll(compute_, std::array{channels, outputGate, product(weights.stateBeta, workspace_.gates, gates),
                                     product(weights.stateAlpha, workspace_.gates + shape.valueHeads, gates)});
}

/// workspace.channels -> workspace.convolved, with a SiLU.
void DeltaRule::convolve(const DeltaRuleShape& shape, const LayerWeights& weights, const LayerState& state,
                         int64_t tokens) {
    const int64_t channels = shape.channels(), states = shape.valueHeads * shape.stateValues();
    const LayerHistory history{.before = state.before == nullptr ? nullptr : state.before + states,
                               .after = state.after + states,
                               .rows = shape.taps - 1,
                               .channels = channels};
    convolveWithHistory(compute_, history, weights.stateTaps, workspace_.channels, channels, tokens,
                        workspace_.convolved, [&](int64_t begin, int64_t end) {
                            for (int64_t t = 0; t < tokens; ++t) {
                                float* row = workspace_.convolved + t * channels + begin;
                                compute_.kernels.silu(row, end - begin, row);
                            }
                        });
}

/// Norms one token's queries and keys, and turns its gates into betas and decays.
void DeltaRule::finishToken(const DeltaRuleShape& shape, const LayerWeights& weights, int64_t token) {
    const int64_t d = shape.size, heads = shape.valueHeads;
    float* row = workspace_.convolved + token * shape.channels();
    const float queryScale = 1 / std::sqrt(static_cast<float>(d));
    for (int64_t head = 0; head < 2 * shape.keyHeads; ++head)
        compute_.kernels.l2Norm(row + head * d, d, shape_.normEpsilon, head < shape.keyHeads ? queryScale : 1,
                                row + head * d);
    const float* gates = workspace_.gates + token * 2 * heads;
    float* betas = workspace_.betas + token * heads;
    float* decays = workspace_.decays + token * heads;
    const int64_t shared = heads / shape.keyHeads; // value heads of a key head
    for (int64_t head = 0; head < heads; ++head) {
        // Grouped: for each key head its betas, then its alphas.
        const int64_t beta = shape.grouped ? head / shared * 2 * shared + head % shared : head;
        const int64_t alpha = beta + (shape.grouped ? shared : heads);
        betas[head] = 1 / (1 + std::exp(-gates[beta]));
        decays[head] = gates[alpha] + weights.timeStepBias[head];
    }
    compute_.kernels.softplus(decays, heads, decays);
    for (int64_t head = 0; head < heads; ++head) decays[head] = std::exp(weights.stateDecay[head] * decays[head]);
}

/// Passes all tokens through one value head's state, then norms and gates its outputs.
void DeltaRule::update(const DeltaRuleShape& shape, const LayerWeights& weights, const LayerState& state, int64_t head,
                       int64_t tokens) {
    const int64_t d = shape.size, channels = shape.channels(), keyHead = shape.keyHeadOf(head);
    float* after = state.after + head * shape.stateValues();
    if (state.before == nullptr)
        std::fill_n(after, shape.stateValues(), 0.0f);
    else if (state.before != state.after)
        std::copy_n(state.before + head * shape.stateValues(), shape.stateValues(), after);
    const float* row = workspace_.convolved;
    float* out = workspace_.attended + head * d;
    compute_.kernels.deltaRule({.queries = row + keyHead * d,
                                .keys = row + (shape.keyHeads + keyHead) * d,
                                .values = row + (2 * shape.keyHeads + head) * d,
                                .queryStride = channels,
                                .keyStride = channels,
                                .valueStride = channels,
                                .decay = workspace_.decays + head,
                                .beta = workspace_.betas + head,
                                .gateStride = shape.valueHeads,
                                .tokens = tokens,
                                .size = d,
                                .out = out,
                                .outStride = shape.valueWidth()},
                               after);
    for (int64_t t = 0; t < tokens; ++t) {
        float* to = out + t * shape.valueWidth();
        compute_.kernels.rmsNorm(to, weights.stateNorm, d, shape_.normEpsilon, to);
        compute_.kernels.swiGlu(workspace_.outputGate + t * shape.valueWidth() + head * d, to, d, to);
    }
}

} // namespace coterie::engine
