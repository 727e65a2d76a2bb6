// SPDX-License-Identifier: Apache-2.0
// The resident weights: everything except the matrices of experts and of dense feed-forward layers, and tables that
// stay on disk, in one block of memory, as the kernels take them. Inside decoder/, and for backends.
#pragma once

#include "base/memory.h"
#include "base/threads.h"
#include "gguf/model_file.h"
#include "kernels/kernels.h"
#include "model/model_tensors.h"
#include "model/sizes.h"

#include <functional>
#include <unordered_map>
#include <vector>

namespace coterie::engine {

enum class TensorForm { Vector, Matrix, Streamed, OnDisk }; ///< see tensor_list.h

/// How a tensor is held in memory. A pointer is null, and a matrix without data, if the model has no such tensor; a
/// matrix that is streamed or stays on disk has its shape only.
template <TensorForm>
struct Weight {
    using Type = Matrix;
};
template <>
struct Weight<TensorForm::Vector> {
    using Type = const float*;
};

#define COTERIE_FIELD(member, form, ...) Weight<TensorForm::form>::Type member{};
struct LayerWeights {
    COTERIE_LAYER_TENSORS(COTERIE_FIELD)
};
struct ModelWeights {
    COTERIE_MODEL_TENSORS(COTERIE_FIELD)
    std::vector<LayerWeights> layers;
};
#undef COTERIE_FIELD

class ResidentWeights : public ModelWeights {
  public:
    using Progress = std::function<bool(uint64_t done, uint64_t total)>;

    static SaturatingBytes bytesNeeded(const ModelTensors& tensors, bool keepEmbedding);
    /// Reads them on the pool's threads. Cancelled if `progress` returns false. Without keepEmbedding the embedding
    /// has no data, unless it is the head.
    static Result<ResidentWeights> load(const ModelFile& file, const ModelTensors& tensors, bool keepEmbedding,
                                        const KernelTable& kernels, ThreadPool& pool, const Progress& progress);

    Matrix predictorReduce, predictorExpand; // [rank, width], [vocabulary, rank]; headPredictor holds both
    uint64_t bytes() const { return buffer_.size(); }

  private:
    template <TensorForm form>
    typename Weight<form>::Type weight(const gguf::Tensor* tensor) const;
    void splitPredictor();
    void assemble(const ModelTensors& tensors);

    Buffer buffer_;
    std::unordered_map<const gguf::Tensor*, uint64_t> offsets_; // in the buffer
};

} // namespace coterie::engine
