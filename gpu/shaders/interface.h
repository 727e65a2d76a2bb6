// SPDX-License-Identifier: Apache-2.0
// Push constants of the shaders, shared by GLSL and C++: each struct is read by the shaders that its comment names.
// Members are uint, int or float, and a struct has at most 128 bytes, which every device accepts.
#ifdef __cplusplus
#pragma once
#include <cstdint>
namespace coterie::gpu {
using uint = uint32_t;
#define COTERIE_PUSH_SIZE(name, bytes) static_assert(sizeof(name) == (bytes))
#else
#define COTERIE_PUSH_SIZE(name, bytes)
#endif

// --- products ---

/// An offset that says: there is no matrix. Outputs of a vector whose expert has it stay as they are.
const uint kNoMatrix = 0xffffffffu;

/// prepare_bytes.comp. x: [vectors, columns] floats.
struct PreparePush {
    uint columns;     ///< a multiple of 32
    uint vectors;     ///< number of vectors
    uint inputStride; ///< floats from vector to vector
    uint outStride;   ///< 32-bit words from prepared vector to prepared vector: preparedBytes() / 4 or more
};
COTERIE_PUSH_SIZE(PreparePush, 16);

/// product.comp. The output vector v is the product of a matrix with the input vector v / vectorsPerInput.
struct ProductPush {
    uint rows;            ///< values of an output vector: rows of the matrix, or the length of the list of rows
    uint columns;         ///< columns of the matrix, whole blocks of its format
    uint vectors;         ///< output vectors: tokens, or pairs of a token and one of its experts
    uint vectorsPerInput; ///< output vectors that read the same input vector
    uint inputStride;     ///< 32-bit words from input vector to input vector; a multiple of 4 in integer formats
    uint outStride;       ///< floats from output vector to output vector
    uint outOffset;       ///< floats in front of the first output vector
    uint matrixOffset;    ///< bytes in front of the first row, in each expert's place with experts: a multiple of 16,
                          ///< and any number of rows
    uint biasOffset;      ///< floats in front of the bias, or of the first expert's bias
    uint biasStride;      ///< floats from one expert's bias to the next one's
};
COTERIE_PUSH_SIZE(ProductPush, 40);

/// expand_row.comp. out: [vectors, columns].
struct ExpandPush {
    uint columns;      ///< whole blocks of the format
    uint vectors;      ///< length of the list of rows
    uint outStride;    ///< floats from output vector to output vector
    uint matrixOffset; ///< bytes in front of row 0: a multiple of 16, and any number of rows
};
COTERIE_PUSH_SIZE(ExpandPush, 16);

/// neuron_sum.comp. out: [vectors, columns], activations: [vectors, neurons].
struct NeuronSumPush {
    uint neurons;      ///< rows of the matrix
    uint columns;      ///< columns of the matrix, whole blocks of its format
    uint vectors;      ///< output vectors: tokens, or pairs of a token and one of its experts
    uint inputStride;  ///< floats from a vector's activations to the next one's
    uint outStride;    ///< floats from output vector to output vector
    uint matrixOffset; ///< as in ProductPush
};
COTERIE_PUSH_SIZE(NeuronSumPush, 24);

/// neurons.comp. The output vector v has the neurons of the input vector v / vectorsPerInput.
struct NeuronsPush {
    uint neurons;         ///< values of an output vector: half of the rows of the matrix
    uint columns;         ///< columns of the matrix, whole blocks of its format
    uint vectorsPerInput; ///< output vectors that read the same input vector
    uint inputStride;     ///< 32-bit words from input vector to input vector; a multiple of 4 in integer formats
    uint outStride;       ///< 32-bit words from output vector to output vector
    uint countsOffset;    ///< words in front of the first vector's counts
    uint countsStride;    ///< words from one vector's counts to the next one's: one for each 32 neurons, or more
};
COTERIE_PUSH_SIZE(NeuronsPush, 28);

/// group_counts.comp.
struct GroupCountsPush {
    uint rows;         ///< rows of a layer
    uint groups;       ///< counts of a row
    uint rowStride;    ///< words from row to row
    uint layerStride;  ///< words from layer to layer
    uint countsOffset; ///< words in front of the first layer's counts
    uint outOffset;    ///< words in front of the first layer's sums
    uint outStride;    ///< words from one layer's sums to the next one's
};
COTERIE_PUSH_SIZE(GroupCountsPush, 28);

// --- steps of a layer between its products ---

/// norm.comp. x, out: [vectors, width].
struct NormPush {
    uint width;
    uint weightOffset;  ///< floats in front of the weights, which are [width]
    float inverseWidth; ///< 1 / width, as the host's processor divides
    float epsilon;
    uint rows;           ///< rows that are added to a vector first
    float scale;         ///< factor of all their weights
    uint preparedStride; ///< 32-bit words from prepared vector to prepared vector: preparedBytes() / 4 or more
    uint routerRows;     ///< with ROUTES: rows of the router
};
COTERIE_PUSH_SIZE(NormPush, 32);

/// The values that change from one token or chunk to the next. They are a buffer and no push constants, so that
/// commands that are recorded once compute every token.
struct Step {
    uint position; ///< the first token's
};
COTERIE_PUSH_SIZE(Step, 4);

/// heads.comp. rows: [tokens, rowStride], each row with queries [heads, headDim], keys and values [kvHeads, headDim]
/// one after the other. Queries: [tokens, heads, headDim].
struct HeadsPush {
    uint heads;
    uint kvHeads;
    uint headDim;            ///< whole blocks of the cache's format, and an even number
    uint rowStride;          ///< floats from row to row
    uint dimensions;         ///< values of a head that are rotated, an even number
    uint capacity;           ///< positions that the layer has room for: position p lies at p % capacity
    uint keysOffset;         ///< bytes in front of the layer's keys, a multiple of 2
    uint valuesOffset;       ///< bytes in front of its values, a multiple of 2
    float inverseQueryWidth; ///< 1 / values that a norm of queries takes together, as the host's processor divides
    float inverseKeyWidth;   ///< the same for keys
    float epsilon;           ///< added to the mean of squares, in both norms
};
COTERIE_PUSH_SIZE(HeadsPush, 44);

/// attention.comp, for some tokens, and attention_blocks.comp, for one. queries: [tokens, heads, headDim].
struct AttentionPush {
    uint heads;
    uint group;        ///< query heads that share a KV head
    uint headDim;      ///< whole blocks of the format
    uint mostBlocks;   ///< attention_blocks.comp: blocks of a head for which its output has room
    uint window;       ///< a token sees positions less than this far back; 0: all
    uint capacity;     ///< as in HeadsPush
    uint keysOffset;   ///< bytes in front of the layer's keys, a multiple of 2
    uint valuesOffset; ///< bytes in front of its values
    uint sinksOffset;  ///< floats in front of the sinks, which are [heads]
    float scale;       ///< factor of the scores: 1 / sqrt(headDim)
};
COTERIE_PUSH_SIZE(AttentionPush, 40);

/// attention_sum.comp. partials: [heads, mostBlocks, headDim + 2], out: [heads, headDim].
struct AttentionSumPush {
    uint heads;
    uint headDim;        ///< to prepare the row: a multiple of 32
    uint mostBlocks;     ///< as in AttentionPush
    uint window;         ///< as in AttentionPush
    uint sinksOffset;    ///< floats in front of the sinks, which are [heads]
    uint preparedStride; ///< 32-bit words of the prepared row: preparedBytes() / 4 or more
};
COTERIE_PUSH_SIZE(AttentionSumPush, 24);

/// route.comp. logits: [tokens, experts].
struct RoutePush {
    uint groups;     ///< equal groups of experts; 1: none
    uint groupsUsed; ///< groups whose experts can be chosen
    uint biasOffset; ///< floats in front of the selection bias, which is [experts]
};
COTERIE_PUSH_SIZE(RoutePush, 12);

/// activate.comp. out: [rows, neurons]. Gates and ups may lie in one buffer.
struct ActivatePush {
    uint neurons;        ///< to prepare the rows: a multiple of 32
    uint inputStride;    ///< floats from a row's gates to the next one's, and from ups to ups
    uint upOffset;       ///< floats in front of the first row's ups
    uint preparedStride; ///< as in NormPush
};
COTERIE_PUSH_SIZE(ActivatePush, 16);

/// weighted_sum.comp. x, out: [tokens, width].
struct WeightedSumPush {
    uint width;
    uint rows;   ///< rows of a token
    float scale; ///< factor of all weights
};
COTERIE_PUSH_SIZE(WeightedSumPush, 12);

#ifdef __cplusplus
} // namespace coterie::gpu
#endif
