// SPDX-License-Identifier: Apache-2.0
// Every array that a chunk of tokens needs on its way through the layers, in one block of memory. Its size depends on
// the shape, the chunk and the threads alone, never on the prompt. Inside decoder/ only.
#pragma once

#include "base/memory.h"
#include "decoder/compute.h"
#include "decoder/memory_plan.h"
#include "decoder/model_shape.h"
#include "decoder/sizes.h"

#include <array>

namespace coterie::engine {

/// Positions whose logits are held at a time.
inline constexpr int64_t kHeadBatch = 4;

/// What routers are asked at a time about the wants of layers to come: by how far ahead, or of tokens of a chunk.
inline constexpr int64_t kGuessQuestions = 16;

struct WorkspaceRequest {
    int64_t chunk = 1;   ///< tokens
    int64_t context = 1; ///< tokens
    int threads = 1;
    uint64_t regroupedRow = 0; ///< as in MemoryPlan
    FeedForwardForms forms{};  ///< as in MemoryPlan
};

/// n is the chunk; a row is one token at one of its experts, of which a dense model has one.
struct Workspace {
    float* x = nullptr;               // [n, width] the residual stream
    float* normed = nullptr;          // [n, width]
    float* block = nullptr;           // [n, width] what attention adds
    float* query = nullptr;           // [n, heads, headDim]
    float* key = nullptr;             // [n, kvHeads, headDim]
    float* value = nullptr;           // [n, kvHeads, headDim]
    float* mixed = nullptr;           // [n, heads, headDim] what attention read
    float* cosSin = nullptr;          // [n, ropeDimensions / 2, 2]
    float* tileQueries = nullptr;     // [threads, mostTileQueries, headDim] of a KV head's tokens, side by side
    float* scores = nullptr;          // [threads, mostTileQueries, kKeyBlock]
    PartialSoftmax* wholes = nullptr; // [threads, mostTileQueries]
    PartialSoftmax* parts = nullptr;  // the more of [threads, mostTileQueries] and [blocks of the context, heads]
    float* partValues = nullptr;      // as many, [headDim] each
    FormArrays prepared{};            // [n, the wider of width and heads * headDim] as prepared

    // The shared expert uses them after the others: [n, sharedFeedForward] where that is more.
    float* gate = nullptr;             // [rows, feedForward]
    float* up = nullptr;               // [rows, feedForward]
    float* down = nullptr;             // [rows, width]
    std::byte* preparedDown = nullptr; // [rows, feedForward] as prepared, in the larger form that a matrix takes
    int32_t* activeRows = nullptr;     // [rows, feedForward] neurons that fired
    float* activeScales = nullptr;     // [rows, feedForward] and how much
    std::byte* regrouping = nullptr;   // [kSliceRows or all of them, regroupedRow] a slice as it was
    std::byte* restored = nullptr;     // [threads, kBandRows * regroupedRow] a chunk as it was

    FormArrays gathered{};          // [rows, width] as prepared, in the order of experts; what no matrix takes is empty
    float* routerLogits = nullptr;  // [n, experts]
    float* guessInputs = nullptr;   // [kGuessQuestions, width] what routers of later layers are asked
    FormArrays guessPrepared{};     // [kGuessQuestions, width] as prepared
    float* guessLogits = nullptr;   // [kGuessQuestions, experts]
    float* sharedWeights = nullptr; // [n] of the shared expert
    float* logits = nullptr;        // [kHeadBatch, vocabulary]
    float* reduced = nullptr;       // [headPredictorRank]
    std::byte* preparedReduced = nullptr; // [headPredictorRank] as prepared

    static SaturatingBytes bytesNeeded(const ModelShape& shape, const WorkspaceRequest& request);
    static Result<Workspace> create(const ModelShape& shape, const WorkspaceRequest& request);

    Buffer buffer;
};

} // namespace coterie::engine
