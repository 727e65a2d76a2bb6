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

// --- steps of a layer between its products ---

/// norm.comp. x, out: [vectors, width].
struct NormPush {
    uint width;
    uint weightOffset;  ///< floats in front of the weights, which are [width]
    float inverseWidth; ///< 1 / width, as the host's processor divides
    float epsilon;
};
COTERIE_PUSH_SIZE(NormPush, 16);

/// rope.comp. heads, out: [tokens, heads, headDim].
struct RopePush {
    uint heads;
    uint headDim;
    uint dimensions; ///< values of a head that are rotated, an even number
};
COTERIE_PUSH_SIZE(RopePush, 12);

/// keep_rows.comp. rows: [tokens, heads, headDim], keys or values.
struct KeepPush {
    uint heads;    ///< KV heads
    uint headDim;  ///< whole blocks of the format, and an even number
    uint position; ///< the first token's
    uint capacity; ///< positions that the layer has room for: position p lies at p % capacity
    uint offset;   ///< 16-bit words in front of the layer's keys or values
};
COTERIE_PUSH_SIZE(KeepPush, 20);

/// attention.comp. queries, out: [tokens, heads, headDim].
struct AttentionPush {
    uint heads;
    uint group;        ///< query heads that share a KV head
    uint headDim;      ///< whole blocks of the format
    uint position;     ///< the first token's
    uint window;       ///< a token sees positions less than this far back; 0: all
    uint capacity;     ///< as in KeepPush
    uint keysOffset;   ///< bytes in front of the layer's keys, a multiple of 2
    uint valuesOffset; ///< bytes in front of its values
    uint sinksOffset;  ///< floats in front of the sinks, which are [heads]
    float scale;       ///< factor of the scores: 1 / sqrt(headDim)
};
COTERIE_PUSH_SIZE(AttentionPush, 40);

/// route.comp. logits: [tokens, experts].
struct RoutePush {
    uint groups;     ///< equal groups of experts; 1: none
    uint groupsUsed; ///< groups whose experts can be chosen
    uint biasOffset; ///< floats in front of the selection bias, which is [experts]
};
COTERIE_PUSH_SIZE(RoutePush, 12);

/// activate.comp. gates, ups, out: [rows, neurons].
struct ActivatePush {
    uint neurons;
};
COTERIE_PUSH_SIZE(ActivatePush, 4);

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
