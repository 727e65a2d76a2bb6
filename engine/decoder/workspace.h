// SPDX-License-Identifier: Apache-2.0
// Every array that a chunk of tokens needs on its way through the layers, in one block of memory. Its size depends only
// on the shape, the chunk and the threads, never on the prompt. Inside decoder/ only.
//
// A chunk of a long prompt may have more tokens than the others. Then most of its work is done in parts, which use the
// same arrays one after the other; only what has to be there for the whole chunk gets larger arrays, in memory that the
// caller lends from lengthen() to shorten().
#pragma once

#include "base/memory.h"
#include "decoder/compute.h"
#include "decoder/memory_plan.h"
#include "model/model_shape.h"
#include "model/sizes.h"

#include <array>
#include <span>

namespace coterie::engine {

/// Number of positions whose logits are held at a time.
inline constexpr int64_t kHeadBatch = 4;

/// How many router evaluations are made together for guesses: for layers at several distances, or for tokens of a
/// chunk.
inline constexpr int64_t kGuessQuestions = 16;

struct WorkspaceRequest {
    int64_t chunk = 1;   ///< tokens of a chunk, or of a part of a longer one
    int64_t context = 1; ///< tokens
    int threads = 1;
    uint64_t regroupedRow = 0; ///< as in MemoryPlan
    FeedForwardForms forms{};  ///< as in MemoryPlan
    bool expertsOnly = false;  ///< arrays that computing experts doesn't need are left out
};

/// n is the number of tokens of a chunk, or of a part of a longer one, whose number of tokens is m. A row is one token
/// at one of its experts; a dense layer has one expert.
struct Workspace {
    float* x = nullptr;            // [m, width] the residual stream
    float* normed = nullptr;       // [m, width]
    float* blockOut = nullptr;     // [n, width] output of the mixer or the feed-forward part, which is added to x; [m,
                                   // width] if the experts' sum is normed before
    float* query = nullptr;        // [n, heads, headDim]
    float* queryGates = nullptr;   // [n, heads, 2, headDim] if attention has gates: a head's query, then its gate
    float* key = nullptr;          // [n, kvHeads, headDim]
    float* value = nullptr;        // [n, kvHeads, headDim]
    float* attended = nullptr;     // [n, mixedWidth] what a mixer gives: weighted values
    float* cosSin = nullptr;       // [m, rotation.dimensions / 2, 2]
    float* windowCosSin = nullptr; // [m, windowRotation.dimensions / 2, 2]
    float* tileQueries = nullptr;  // [threads, mostTileQueries, headDim] queries of a KV head's tokens, side by side
    float* scores = nullptr;       // [threads, mostTileQueries, kKeyBlock]
    PartialSoftmax* softmaxTotals = nullptr; // [threads, mostTileQueries]
    PartialSoftmax* parts = nullptr; // the larger of [threads, mostTileQueries] and [blocks of the context, heads]
    float* partValues = nullptr;     // [as parts, headDim] weighted values of each part
    FormArrays prepared{};           // [n, the largest of width, mixedWidth and layerEmbedding] as prepared, and room
                                     // for [m, width]

    // Layers with a state, with the names of DeltaRuleShape and ShortConvolutionShape.
    float* channels = nullptr;   // [n, channels] the convolution's input; short convolution: [n, 3, channels]
    float* convolved = nullptr;  // [n, channels] its output; delta rule: queries, keys, values
    float* outputGate = nullptr; // [n, valueHeads, size]
    float* gates = nullptr;      // [n, 2 valueHeads] as projected
    float* betas = nullptr;      // [n, valueHeads]
    float* decays = nullptr;     // [n, valueHeads]

    // Per-layer embeddings (layer_embeddings.h), of layerEmbedding values in each layer.
    float* layerInputs = nullptr; // [n, layers, layerEmbedding]
    float* layerRow = nullptr;    // [threads, layers, layerEmbedding] a row of the table
    float* layerGates = nullptr;  // [n, layerEmbedding]

    // As large as the layer with the most rows x neurons needs, rows of n tokens. The shared expert uses them after the
    // others.
    float* gate = nullptr;             // [rows, neurons]
    float* up = nullptr;               // [rows, neurons]
    float* down = nullptr;             // [rows of m tokens, width]
    std::byte* preparedDown = nullptr; // [rows, neurons] as prepared, in the larger form that a matrix takes
    int32_t* activeRows = nullptr;     // [rows, neurons] neurons that fired
    float* activeScales = nullptr;     // [rows, neurons] the values of these neurons
    std::byte* regrouping = nullptr;   // [kSliceRows or all of them, regroupedRow] a slice as it was
    std::byte* restored = nullptr;     // [threads, kBandRows * regroupedRow] a chunk as it was

    FormArrays gathered{};                // [rows, width] as prepared, in the order of experts; unused forms are empty
    float* routerInput = nullptr;         // [m, width] if the router has a norm of its own
    float* routerLogits = nullptr;        // [m, experts]
    float* guessInputs = nullptr;         // [kGuessQuestions, width] inputs for the routers of later layers
    FormArrays guessPrepared{};           // [kGuessQuestions, width] as prepared
    float* guessLogits = nullptr;         // [kGuessQuestions, experts]
    float* sharedWeights = nullptr;       // [n] weights of the shared expert
    float* logits = nullptr;              // [kHeadBatch, vocabulary]
    float* reduced = nullptr;             // [headPredictorRank]
    std::byte* preparedReduced = nullptr; // [headPredictorRank] as prepared

    static SaturatingBytes bytesNeeded(const ModelShape& shape, const WorkspaceRequest& request);
    /// Bytes that lengthen() takes.
    static SaturatingBytes longBytesNeeded(const ModelShape& shape, const WorkspaceRequest& request, int64_t tokens);
    static Result<Workspace> create(const ModelShape& shape, const WorkspaceRequest& request);

    /// Makes room for chunks of so many tokens, until shorten(). What the arrays of whole chunks held is lost. memory:
    /// longBytesNeeded(), from any address on. shape, request: those of create().
    void lengthen(const ModelShape& shape, const WorkspaceRequest& request, int64_t tokens,
                  std::span<std::byte> memory);
    void shorten(const ModelShape& shape, const WorkspaceRequest& request);

    Buffer buffer;
};

} // namespace coterie::engine
