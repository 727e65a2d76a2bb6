// SPDX-License-Identifier: Apache-2.0
// A causal convolution of a chunk, with the rows before it that a layer remembers. Inside decoder/ only.
#pragma once

#include "base/rounding.h"
#include "decoder/compute.h"

#include <algorithm>

namespace coterie::engine {

/// The last rows of a convolution's input, the oldest first: [rows, channels].
struct LayerHistory {
    const float* before = nullptr; ///< rows before the chunk; null: all 0; may be `after` itself
    float* after = nullptr;        ///< gets the last rows of the chunk, or of both if the chunk has fewer
    int64_t rows = 0;              ///< taps - 1
    int64_t channels = 0;
};

/// Channels that one thread passes through all tokens together.
inline constexpr int64_t kChannelBlock = 256;

/// input: [tokens, stride], of which the first history.channels values count -> out: [tokens, channels]. Calls
/// finish(begin, end) for each block of channels once its outputs are there.
template <typename Finish>
void convolveWithHistory(const Compute& compute, const LayerHistory& history, const float* taps, const float* input,
                         int64_t stride, int64_t tokens, float* out, const Finish& finish) {
    const int64_t channels = history.channels, rows = history.rows;
    const auto block = [&](int64_t begin, int64_t end) {
        const auto row = [&](int64_t r) { return history.after + r * channels; };
        for (int64_t r = 0; r < rows; ++r)
            if (history.before == nullptr)
                std::fill(row(r) + begin, row(r) + end, 0.0f);
            else if (history.before != history.after)
                std::copy(history.before + r * channels + begin, history.before + r * channels + end, row(r) + begin);
        compute.kernels.causalConvolution({.taps = taps,
                                           .history = history.after,
                                           .input = input,
                                           .inputStride = stride,
                                           .tokens = tokens,
                                           .firstChannel = begin,
                                           .endChannel = end,
                                           .channels = channels,
                                           .tapCount = rows + 1,
                                           .out = out});
        for (int64_t r = 0; r < rows; ++r) { // the last rows of history and input together
            const float* from = r + tokens < rows ? row(r + tokens) : input + (r + tokens - rows) * stride;
            std::copy(from + begin, from + end, row(r) + begin);
        }
        finish(begin, end);
    };
    const int64_t blocks = ceilDiv(channels, kChannelBlock);
    const auto work = static_cast<uint64_t>(channels * tokens * (rows + 1)) * sizeof(float);
    compute.forEach(blocks, work < kWorthSharing ? blocks : 1, [&](int64_t first, int64_t last, int) {
        for (int64_t i = first; i < last; ++i) block(i * kChannelBlock, std::min(channels, (i + 1) * kChannelBlock));
    });
}

} // namespace coterie::engine
