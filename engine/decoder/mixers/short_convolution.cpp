// SPDX-License-Identifier: Apache-2.0
// See short_convolution.h.
#include "decoder/mixers/short_convolution.h"

#include "decoder/mixers/history.h"

namespace coterie::engine {

void ShortConvolution::run(int64_t layer, const LayerWeights& weights, int64_t first, PreparedInputs& input) {
    const int64_t n = input.batch();
    project(layer, weights, input);
    convolve(layer, weights, first, n);
    const StepScope step = compute_.measure(Step::Output);
    input.set(workspace_.attended, shapeOf(layer).channels, n);
    multiply(compute_, {weights.convolutionOutput, input.form(compute_, weights.convolutionOutput.type), n,
                        workspace_.blockOut, shape_.width});
}

/// Makes b, c and x of each token, which are a row of workspace.channels, and replaces b by b x.
void ShortConvolution::project(int64_t layer, const LayerWeights& weights, PreparedInputs& input) {
    const StepScope step = compute_.measure(Step::Projections);
    const int64_t n = input.batch(), channels = shapeOf(layer).channels, stride = 3 * channels;
    multiply(compute_, {weights.convolutionInput, input.form(compute_, weights.convolutionInput.type), n,
                        workspace_.channels, stride});
    compute_.forEachToken(n, [&](int64_t t) {
        float* b = workspace_.channels + t * stride;
        const float* x = b + 2 * channels;
        for (int64_t i = 0; i < channels; ++i) b[i] *= x[i];
    });
}

/// workspace.channels -> workspace.attended, which is c times the convolution of b x.
void ShortConvolution::convolve(int64_t layer, const LayerWeights& weights, int64_t first, int64_t tokens) {
    const StepScope step = compute_.measure(Step::State);
    Workspace& w = workspace_;
    const ShortConvolutionShape& shape = shapeOf(layer);
    const LayerState state = memory_.state(layer, first != 0);
    const int64_t channels = shape.channels, stride = 3 * channels;
    const LayerHistory history{
        .before = state.before, .after = state.after, .rows = shape.taps - 1, .channels = channels};
    convolveWithHistory(compute_, history, weights.convolutionTaps, w.channels, stride, tokens, w.convolved,
                        [&](int64_t begin, int64_t end) {
                            for (int64_t t = 0; t < tokens; ++t) {
                                const float* c = w.channels + t * stride + channels;
                                for (int64_t i = begin; i < end; ++i)
                                    w.attended[t * channels + i] = c[i] * w.convolved[t * channels + i];
                            }
                        });
}

} // namespace coterie::engine
