// SPDX-License-Identifier: Apache-2.0
// The place of each weight in a model's file: found by name, with shape and format checked. Inside decoder/, and for
// backends.
#pragma once

#include "experts/expert_source.h"
#include "model/model_shape.h"
#include "model/tensor_list.h"

#include <span>
#include <vector>

namespace coterie::engine {

// Pointers into the header that was searched; null if the family or the file has no such tensor.
#define COTERIE_FIELD(member, ...) const gguf::Tensor* member = nullptr;
struct LayerTensors {
    COTERIE_LAYER_TENSORS(COTERIE_FIELD)
};
/// With a tied head, head is the embedding.
struct ModelTensors {
    COTERIE_MODEL_TENSORS(COTERIE_FIELD)
    std::vector<LayerTensors> layers;
};
#undef COTERIE_FIELD

/// A tensor's name without the numbers in it: "attn_q.weight" for "blk.3.attn_q.weight", "v.blk.ln1.bias" for
/// "v.blk.3.ln1.bias".
std::string tensorKind(std::string_view name);
/// Whether some family that this program knows has such a tensor.
bool isKnownTensorKind(std::string_view kind);

/// Refuses a missing tensor, a wrong shape, a format without kernels, and any tensor that the family does not know:
/// without it the model would answer wrongly. Tensors of draft layers are left out.
Result<ModelTensors> findTensors(const ModelShape& shape, const gguf::Header& header);

/// The tensors that are needed to compute experts apart from their layers: their matrices and biases.
ModelTensors expertTensors(const ModelTensors& tensors);

/// The layers as the expert store gets them: gate, up and down of each, one slot holding all three. A dense layer has
/// one expert. canArrangeDown is set if the layer's experts can leave out neurons of their down matrix once that is
/// regrouped (kernels/regroup.h).
std::vector<ExpertLayer> expertLayers(const ModelShape& shape, const ModelTensors& tensors);

/// Bytes of the longest row of the down matrices that can be regrouped; 0 if none can.
uint64_t longestRegroupedRow(std::span<const ExpertLayer> layers);

} // namespace coterie::engine
