// SPDX-License-Identifier: Apache-2.0
// See short_convolution.h.
#include "decoder/mixers/short_convolution.h"

#include "decoder/mixers/history.h"

namespace coterie::engine {

void ShortConvolution::run(int64_t layer, const LayerWeights& weights, int64_t first, PreparedInputs& input) {
    Workspace& w = workspace_;
    const ShortConvolutionShape& shape = shape_.layer[static_cast<size_t>(layer)].shortConvolution;
    const LayerState state = memory_.state(layer, first != 0);
    const int64_t n = input.batch(), channels = shape.channels, stride = 3 * channels; // b, c and x of a token
    multiply(compute_,
             {weights.convolutionInput, input.form(compute_, weights.convolutionInput.type), n, w.channels, stride});
    compute_.forEachToken(n, [&](int64_t t) {
        float* b = w.channels + t * stride;
        const float* x = b + 2 * channels;
        for (int64_t i = 0; i < channels; ++i) b[i] *= x[i];
    });
    const LayerHistory history{
        .before = state.before, .after = state.after, .rows = shape.taps - 1, .channels = channels};
    convolveWithHistory(compute_, history, weights.convolutionTaps, w.channels, stride, n, w.convolved,
                        [&](int64_t begin, int64_t end) {
                            for (int64_t t = 0; t < n; ++t) {
                                const float* c = w.channels + t * stride + channels;
                                for (int64_t i = begin; i < end; ++i)
                                    w.attended[t * channels + i] = c[i] * w.convolved[t * channels + i];
                            }
                        });
    input.set(w.attended, channels, n);
    multiply(compute_, {weights.convolutionOutput, input.form(compute_, weights.convolutionOutput.type), n, w.blockOut,
                        shape_.width});
}

} // namespace coterie::engine
