// SPDX-License-Identifier: Apache-2.0
// Every array that a chunk of tokens needs on its way through the layers, in one block of memory. Its size depends on
// the shape, the chunk and the threads alone, never on the prompt. Inside decoder/ only.
#pragma once

#include "base/memory.h"
#include "decoder/model_shape.h"
#include "decoder/sizes.h"

#include <array>

namespace coterie::engine {

/// Positions whose logits are held at a time.
inline constexpr int64_t kHeadBatch = 4;

/// Threads that read experts.
inline constexpr int kReadThreads = 4;

/// More than any kernel table's prepared form of `columns` values takes.
constexpr Size preparedBound(int64_t columns) {
    return alignedSize(Size(static_cast<uint64_t>(columns)) * sizeof(float)) + kLineBytes;
}

struct WorkspaceRequest {
    int64_t chunk = 1;   ///< tokens
    int64_t context = 1; ///< tokens
    int threads = 1;
    uint64_t regroupedRow = 0; ///< as in MemoryPlan
};

/// n is the chunk; a row is one token in a dense model, one token at one of its experts else.
struct Workspace {
    float* x = nullptr;                   // [n, width] the residual stream
    float* normed = nullptr;              // [n, width]
    float* block = nullptr;               // [n, width] what attention adds
    float* query = nullptr;               // [n, heads, headDim]
    float* key = nullptr;                 // [n, kvHeads, headDim]
    float* value = nullptr;               // [n, kvHeads, headDim]
    float* mixed = nullptr;               // [n, heads, headDim] what attention read
    float* cosSin = nullptr;              // [n, ropeDimensions / 2, 2]
    float* tileQueries = nullptr;         // [threads, mostTileQueries, headDim] of a KV head's tokens, side by side
    float* scores = nullptr;              // [threads, mostTileQueries, kKeyBlock]
    SoftmaxPart* wholes = nullptr;        // [threads, mostTileQueries]
    SoftmaxPart* parts = nullptr;         // the more of [threads, mostTileQueries] and [blocks of the context, heads]
    float* partValues = nullptr;          // as many, [headDim] each
    std::array<std::byte*, 3> prepared{}; // [n, preparedBound(widest of width and heads * headDim)], a format each

    // The shared expert uses them after the others: [n, sharedFeedForward] where that is more.
    float* gate = nullptr;             // [rows, feedForward]
    float* up = nullptr;               // [rows, feedForward]
    float* down = nullptr;             // [rows, width]
    std::byte* preparedDown = nullptr; // [rows, preparedBound(feedForward)]
    int32_t* activeRows = nullptr;     // [rows, feedForward] neurons that fired
    float* activeScales = nullptr;     // [rows, feedForward] and how much
    std::byte* regrouping = nullptr;   // [kReadThreads, sliceRows * regroupedRow] a slice as it was
    std::byte* restored = nullptr;     // [threads, chunkRows * regroupedRow] a chunk as it was

    std::array<std::byte*, 2> gathered{}; // [rows, preparedBound(width)] inputs in the order of experts
    float* routerLogits = nullptr;        // [n, experts]
    float* sharedWeights = nullptr;       // [n] of the shared expert
    float* logits = nullptr;              // [kHeadBatch, vocabulary]
    float* reduced = nullptr;             // [headPredictorRank]
    std::byte* preparedReduced = nullptr; // preparedBound(headPredictorRank)

    static Size bytesNeeded(const ModelShape& shape, const WorkspaceRequest& request);
    static Result<Workspace> create(const ModelShape& shape, const WorkspaceRequest& request);

    Buffer buffer;
};

} // namespace coterie::engine
