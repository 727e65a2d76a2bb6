// SPDX-License-Identifier: Apache-2.0
// A plain decoder in float64, written for clarity: what the engine's forward pass is compared with. Shares no code with
// the engine; weights are given as doubles. Slow, one token at a time, keeps everything.
#pragma once

#include <cstdint>
#include <vector>

namespace coterie::test {

/// Row after row: values[row * columns + column].
struct OracleMatrix {
    std::vector<double> values;
    bool eightBitInputs = false; ///< inputs are rounded in blocks of 32, as the engine does for integer formats

    bool empty() const { return values.empty(); }
};

enum class OracleActivation { SwiGlu, ReGlu, ClampedSwiGlu };
/// What keys and values are rounded to when they are kept.
enum class OracleCache { Exact, Half, EightBits };

/// experts: or 1 in a dense layer. Biases and norms may be empty.
struct OracleLayer {
    std::vector<double> attentionNorm, feedForwardNorm;            // [width]
    OracleMatrix query, key, value;                                // [heads * headDim | kvHeads * headDim, width]
    OracleMatrix output;                                           // [width, heads * headDim]
    std::vector<double> queryBias, keyBias, valueBias, outputBias; // as many as rows
    std::vector<double> queryNorm, keyNorm;                        // [headDim], or the whole projection
    std::vector<double> sinks;                                     // [heads]
    OracleMatrix router;                                           // [experts, width]
    std::vector<double> routerBias;                                // [experts]
    OracleMatrix gate, up;                                         // [experts, feedForward, width]
    OracleMatrix down;                                             // [experts, width, feedForward]
    std::vector<double> gateBias, upBias;                          // [experts, feedForward]
    std::vector<double> downBias;                                  // [experts, width]
    OracleMatrix sharedGate, sharedUp;                             // [sharedFeedForward, width]
    OracleMatrix sharedDown;                                       // [width, sharedFeedForward]
    OracleMatrix sharedRouter;                                     // [1, width]
    bool rope = true;
    int64_t window = 0; // 0: all
};

struct OracleModel {
    int64_t width = 0, heads = 0, kvHeads = 0, headDim = 0, feedForward = 0, experts = 0, expertsPerToken = 0,
            vocabulary = 0;
    bool ropeInHalves = false; // (i, i + n/2) rotate, else (2i, 2i+1)
    OracleActivation activation = OracleActivation::SwiGlu;
    bool routesFirst = false; // router reads the layer's raw input
    bool sigmoid = false;     // router's gating, else softmax
    bool normalised = true;   // weights of the chosen divided by their sum
    double ropeTheta = 10000, epsilon = 1e-5;
    OracleCache cache = OracleCache::Exact;
    bool downByNeuron = false;       // the file keeps down matrices by neuron: their inputs stay as they are
    std::vector<double> ropeFactors; // [headDim / 2] divisors, or empty
    double yarnFactor = 1;           // above 1: YaRN over yarnContext tokens
    double yarnContext = 0;
    std::vector<double> embedding;  // [vocabulary, width]
    OracleMatrix head;              // [vocabulary, width]
    std::vector<double> outputNorm; // [width]
    std::vector<OracleLayer> layers;
};

/// [tokens][layers][chosen, best first]
using OracleChoices = std::vector<std::vector<std::vector<int>>>;

struct OracleRun {
    std::vector<std::vector<double>> logits; // [tokens][vocabulary]
    OracleChoices experts;
    double worstChoice =
        0; ///< how far below the last expert that the oracle would choose a given choice's router logit was
};
/// `choices`: experts to use instead of the oracle's own. Rounding may change which of two nearly equal experts a
/// router prefers, and everything after differs then: a test gives the engine's choices and looks at worstChoice.
OracleRun runOracle(const OracleModel& model, const std::vector<int32_t>& tokens,
                    const OracleChoices* choices = nullptr);

} // namespace coterie::test
