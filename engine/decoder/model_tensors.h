// SPDX-License-Identifier: Apache-2.0
// Where each weight of a model lies in its file: found by name, shape and format checked. Inside decoder/ only.
#pragma once

#include "decoder/model_shape.h"
#include "experts/expert_source.h"

#include <vector>

namespace coterie::engine {

/// Pointers into the header that was searched; nothing where a family or a file has no such tensor.
struct LayerTensors {
    const gguf::Tensor* attentionNorm = nullptr; // [width]
    const gguf::Tensor *query = nullptr, *key = nullptr, *value = nullptr,
                       *output = nullptr; // [heads * headDim | kvHeads * headDim, width]
    const gguf::Tensor *queryBias = nullptr, *keyBias = nullptr, *valueBias = nullptr, *outputBias = nullptr;
    const gguf::Tensor *queryNorm = nullptr, *keyNorm = nullptr;        // [headDim], or the whole projection
    const gguf::Tensor* sinks = nullptr;                                // [heads]
    const gguf::Tensor* feedForwardNorm = nullptr;                      // [width]
    const gguf::Tensor *router = nullptr, *routerBias = nullptr;        // [experts, width], [experts]
    const gguf::Tensor *gate = nullptr, *up = nullptr, *down = nullptr; // dense, or all experts of the layer
    const gguf::Tensor *gateBias = nullptr, *upBias = nullptr, *downBias = nullptr; // [experts or 1, rows]
    const gguf::Tensor *sharedGate = nullptr, *sharedUp = nullptr, *sharedDown = nullptr;
    const gguf::Tensor* sharedRouter = nullptr; // [width]
};

struct ModelTensors {
    const gguf::Tensor* embedding = nullptr;     // [vocabulary, width]
    const gguf::Tensor* outputNorm = nullptr;    // [width]
    const gguf::Tensor* head = nullptr;          // [vocabulary, width]; the embedding where tied
    const gguf::Tensor* ropeFactors = nullptr;   // [ropeDimensions / 2]
    const gguf::Tensor* headPredictor = nullptr; // [rank * (width + vocabulary)]
    std::vector<LayerTensors> layers;
};

/// A tensor's name without the numbers in it: "attn_q.weight" of "blk.3.attn_q.weight", "v.blk.ln1.bias" of
/// "v.blk.3.ln1.bias".
std::string tensorKind(std::string_view name);
/// Whether some family that this program knows has such a tensor.
bool isKnownTensorKind(std::string_view kind);

/// Refuses a missing tensor, a wrong shape, a format without kernels, and any tensor that the family doesn't know:
/// without it the model would answer wrongly.
Result<ModelTensors> findTensors(const ModelShape& shape, const gguf::Header& header);

/// The layers as the expert store gets them: gate, up and down of each, one slot holding all three. A dense layer has
/// one expert. canArrangeDown is set if the layer's experts can leave out neurons of their down matrix once that is
/// regrouped (kernels/regroup.h).
std::vector<ExpertLayer> expertLayers(const ModelShape& shape, const ModelTensors& tensors);

} // namespace coterie::engine
