// SPDX-License-Identifier: Apache-2.0
// A plain decoder in float64, written for clarity, with which the engine's forward pass is compared. It shares no code
// with the engine and takes weights as doubles. It is slow, runs one token at a time and keeps everything.
#pragma once

#include <cstdint>
#include <vector>

namespace coterie::test {

/// A matrix, row after row: values[row * columns + column].
struct OracleMatrix {
    std::vector<double> values;
    bool eightBitInputs = false; ///< inputs are rounded in blocks of 32, as the engine does for integer formats

    bool empty() const { return values.empty(); }
};

enum class OracleActivation { SwiGlu, ReGlu, ClampedSwiGlu, GeGlu };
/// How keys and values are rounded when they are stored.
enum class OracleCache { Exact, Half, EightBits };

/// Chooses by weight + selectionBias: p = softmax or sigmoid of the router's logits. A weight is p, divided by the sum
/// of p (at least 2^-14) if normalised, times the scale.
struct OracleRouter {
    bool sigmoid = false;
    bool normalised = true;
    double scale = 1;
    int64_t groups = 1, groupsUsed = 1; // only experts of the best groups; a group scores by its two best experts
};

/// A layer by the gated delta rule, if it has value heads: for each of them a state S [size, size], a row for each
/// value of the key. For a token's q, k and v, each q and k of length 1:
///   S = decay S;  S = S + k (beta (v - S^T k))^T;  o = S^T q / sqrt(size)
struct OracleDelta {
    int64_t keyHeads = 0, valueHeads = 0, size = 0, taps = 0;
    bool grouped = false;            // value head j uses key head j / (valueHeads / keyHeads), else j % keyHeads
    OracleMatrix input;              // [2 keyHeads + valueHeads heads of size, width]: q, k, v before the convolution
    OracleMatrix gate;               // [valueHeads * size, width]
    OracleMatrix beta, alpha;        // [valueHeads, width]
    OracleMatrix output;             // [width, valueHeads * size]
    std::vector<double> tapWeights;  // [channels, taps], the newest last
    std::vector<double> decay, bias; // [valueHeads]: decay is below 0
    std::vector<double> norm;        // [size]
};

/// A short convolution, if it has taps: output . (c convolution(b x)), where b, c and x are thirds of input . h.
struct OracleConvolution {
    int64_t taps = 0;
    OracleMatrix input, output;     // [3 * width, width], [width, width]
    std::vector<double> tapWeights; // [width, taps], the newest last
};

/// Biases and norms may be empty.
struct OracleLayer {
    int64_t experts = 0;                                           // 0: a dense layer; [experts] is then [1] below
    int64_t feedForward = 0;                                       // neurons of each expert
    std::vector<double> attentionNorm, feedForwardNorm;            // [width]
    std::vector<double> mixerOutputNorm, feedForwardOutputNorm;    // [width], applied before adding
    OracleMatrix query, key, value;                                // [heads * headDim | kvHeads * headDim, width]
    OracleMatrix output;                                           // [width, heads * headDim]
    std::vector<double> queryBias, keyBias, valueBias, outputBias; // as many as rows
    std::vector<double> queryNorm, keyNorm;                        // [headDim], or the whole projection
    std::vector<double> sinks;                                     // [heads]
    OracleMatrix router;                                           // [experts, width]
    std::vector<double> routerBias;                                // [experts]
    std::vector<double> selectionBias;                             // [experts]
    std::vector<double> routerNorm; // [width]; if not empty, the router reads norm(x, it) / sqrt(width), and the shared
                                    // expert is a dense part with norms of its own:
    std::vector<double> expertsNorm, expertsOutputNorm, denseOutputNorm; // [width]
    std::vector<double> expertScales;                                    // [experts]
    OracleMatrix gate, up;                                               // [experts, feedForward, width]
    OracleMatrix down;                                                   // [experts, width, feedForward]
    std::vector<double> gateBias, upBias;                                // [experts, feedForward]
    std::vector<double> downBias;                                        // [experts, width]
    OracleMatrix sharedGate, sharedUp;                                   // [sharedFeedForward, width]
    OracleMatrix sharedDown;                                             // [width, sharedFeedForward]
    OracleMatrix sharedRouter;                                           // [1, width]; empty: its weight is 1
    bool rope = true;
    int64_t headDim = 0, kvHeads = 0, ropeDimensions = 0; // 0: the model's
    int64_t keysOf = -1;      // the earlier layer whose keys and values it uses; below 0: it has its own
    bool normsValues = false; // each head of the values, without weights. An empty value matrix: the keys' projection
    double outputScale = 1;   // factor of the residual stream at the layer's end
    OracleMatrix ownGate;     // [layerEmbedding, width], in models with embeddings by layer
    OracleMatrix ownOutput;   // [width, layerEmbedding]
    std::vector<double> ownNorm; // [width]
    double ropeTheta = 0;        // 0: the model's, with its factors; else without them
    int64_t window = 0;          // 0: no window
    bool gated = false;          // each head's rows in query: those of q, then as many of a gate on its output
    OracleDelta delta{};         // in place of attention
    OracleConvolution convolution{};
};

struct OracleModel {
    int64_t width = 0, heads = 0, kvHeads = 0, headDim = 0, expertsPerToken = 0, vocabulary = 0;
    int64_t ropeDimensions = 0; // the first values of each head rotate
    bool ropeInHalves = false;  // pairs are (i, i + n/2), else (2i, 2i+1)
    OracleActivation activation = OracleActivation::SwiGlu;
    bool routesFirst = false; // router reads the layer's raw input
    OracleRouter router;
    double ropeTheta = 10000, epsilon = 1e-5;
    double scoreScale = 0;             // 0: 1 / sqrt(headDim)
    double scoreCap = 0, logitCap = 0; // s becomes cap tanh(s / cap), if the cap is above 0
    double embeddingScale = 1;
    OracleCache cache = OracleCache::Exact;
    bool downByNeuron = false;       // the file stores down matrices by neuron: their inputs are not rounded
    std::vector<double> ropeFactors; // [ropeDimensions / 2] divisors, or empty
    double ropeStretch = 1;          // every pair turns slower by this factor
    double yarnFactor = 1;           // above 1: YaRN over yarnContext tokens
    double yarnContext = 0;
    std::vector<double> embedding;           // [vocabulary, width]
    OracleMatrix head;                       // [vocabulary, width]
    std::vector<double> outputNorm;          // [width]
    int64_t layerEmbedding = 0;              // values of a token's own embedding in each layer; 0: it has none
    std::vector<double> layerTable;          // [vocabulary, layers, layerEmbedding]
    OracleMatrix layerProjection;            // [layers * layerEmbedding, width]
    std::vector<double> layerProjectionNorm; // [layerEmbedding]
    std::vector<OracleLayer> layers;
};

/// [tokens][layers][chosen]; empty in a dense layer
using OracleChoices = std::vector<std::vector<std::vector<int>>>;

struct OracleRun {
    std::vector<std::vector<double>> logits; // [tokens][vocabulary]
    OracleChoices experts;
    std::vector<std::vector<std::vector<double>>> weights; // [tokens][layers][chosen], in the order of `experts`
    std::vector<std::vector<std::vector<int>>> active;     // the same shape: neurons whose gate is above 0
    /// How far a given choice was from the oracle's own: the least change of router logits by which the worst of the
    /// given experts would have been among the oracle's. p changes by a quarter of its logit's change at most.
    double worstChoice = 0;
};
/// `choices`: experts to use instead of the oracle's own. Rounding may change which of two nearly equal experts a
/// router prefers, and then everything after it differs. So a test gives the engine's choices and checks worstChoice.
OracleRun runOracle(const OracleModel& model, const std::vector<int32_t>& tokens,
                    const OracleChoices* choices = nullptr);

} // namespace coterie::test
