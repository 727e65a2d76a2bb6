// SPDX-License-Identifier: Apache-2.0
// The resident weights: everything but the experts and dense feed-forward matrices, in one block of memory, as the
// kernels want them. Inside decoder/ only.
#pragma once

#include "base/memory.h"
#include "base/threads.h"
#include "decoder/model_tensors.h"
#include "decoder/sizes.h"
#include "gguf/model_file.h"
#include "kernels/kernels.h"

#include <functional>
#include <unordered_map>
#include <vector>

namespace coterie::engine {

/// Vectors are floats whatever the file says; nothing where the model has none.
struct LayerWeights {
    const float* attentionNorm = nullptr; // [width]
    Matrix query, key, value, output;
    const float *queryBias = nullptr, *keyBias = nullptr, *valueBias = nullptr, *outputBias = nullptr;
    const float *queryNorm = nullptr, *keyNorm = nullptr;
    const float* sinks = nullptr;           // [heads]
    const float* feedForwardNorm = nullptr; // [width]
    Matrix router;                          // [experts, width]; without data in a dense model
    const float* routerBias = nullptr;      // [experts]
    Matrix gate, up, down;                  // without data: the expert store has it
    const float *gateBias = nullptr, *upBias = nullptr, *downBias = nullptr; // [experts or 1, rows]
    Matrix sharedGate, sharedUp, sharedDown;                                 // without data where no expert is shared
    Matrix sharedRouter;                                                     // [1, width]
};

class ResidentWeights {
  public:
    using Progress = std::function<bool(uint64_t done, uint64_t total)>;

    static SaturatingBytes bytesNeeded(const ModelTensors& tensors, bool keepEmbedding);
    /// Reads them on the pool's threads. Cancelled where `progress` returns false.
    static Result<ResidentWeights> load(const ModelFile& file, const ModelTensors& tensors, bool keepEmbedding,
                                        const KernelTable& kernels, ThreadPool& pool, const Progress& progress);

    std::vector<LayerWeights> layers;
    Matrix embedding; // without data where it is not kept
    Matrix head;
    Matrix predictorReduce, predictorExpand; // [rank, width], [vocabulary, rank]; without data where there is none
    const float* outputNorm = nullptr;
    std::vector<float> ropeFactors; // [ropeDimensions / 2] or empty
    uint64_t bytes() const { return buffer_.size(); }

  private:
    const float* vector(const gguf::Tensor* tensor) const;
    Matrix matrix(const gguf::Tensor* tensor) const;
    void splitPredictor(const gguf::Tensor* tensor);
    void assemble(const ModelTensors& tensors);

    Buffer buffer_;
    std::unordered_map<const gguf::Tensor*, uint64_t> offsets_; // in the buffer
};

} // namespace coterie::engine
