// SPDX-License-Identifier: Apache-2.0
// A model on a device: its weights, its KV cache, and the passes of its chunks. A prompt's chunk is recorded layer by
// layer. The pass of one token, with its logits, is recorded once and submitted again for each token. A backend calls
// it chunk by chunk (vulkan_backend.cpp).
#pragma once

#include "pass_recorder.h"

#include "decoder/device.h"
#include "decoder/rope_table.h"
#include "decoder/trace.h"

#include <memory>
#include <optional>
#include <span>

namespace coterie::gpu {

class VulkanLayers {
  public:
    explicit VulkanLayers(VulkanDevice& device) : context_{.device = device} {}

    /// Allocates the KV cache and the activations of a chunk.
    engine::Status allocate(const engine::ModelShape& shape, const engine::MemoryPlan& plan);
    engine::Status load(const engine::ModelFile& file, const engine::ModelTensors& tensors,
                        const engine::KernelTable& kernels, const DeviceWeights::Progress& progress);

    /// Makes the pipelines that chunks of several tokens need, which would otherwise be made for the first of them.
    engine::Status makeProgramsOfChunks();

    /// The next run() begins with the embeddings of these tokens, which follow the first `position` ones.
    engine::Status embed(std::span<const engine::TokenId> tokens, int64_t position);
    /// Computes layers in one submission, and waits for them. One token has all layers in one run.
    engine::Status run(engine::LayerRange layers);
    /// Computes the logits of the chunk's tokens [first, first + count), at most kHeadTokens. They are valid until the
    /// next call: [count, vocabulary].
    engine::Result<std::span<const float>> head(int64_t first, int64_t count);

    /// The expert number `rank` of a token in a layer of the last run(), the best first. Its numbers are those that the
    /// device wrote, whatever they are.
    engine::ExpertUse use(int64_t layer, int64_t token, int64_t rank) const;

    const engine::ModelShape& shape() const { return context_.shape; }
    int64_t tokens() const { return tokens_; }
    const engine::KvLayout& cache() const { return context_.cache; }
    uint64_t residentBytes() const { return context_.weights.residentBytes(); }
    uint64_t expertBytes() const { return context_.weights.expertBytes(); }
    uint64_t scratchBytes() const { return context_.buffers.scratchBytes; }
    /// Bytes of weights that were read since the model was loaded, except those of bytesOfNeuron().
    uint64_t weightBytes() const { return weightBytes_; }
    /// Bytes of weights that a layer reads for each open neuron of an expert alone.
    uint64_t bytesOfNeuron(int64_t layer) const { return PassRecorder(context_, 1).bytesOfNeuron(layer); }

  private:
    engine::Status recordToken();

    PassContext context_;
    std::optional<engine::RopeTable> rope_;
    std::unique_ptr<CommandList> chunkList_, tokenList_;
    std::optional<PassRecorder> chunk_; // the pass of a chunk of several tokens
    int64_t tokens_ = 0;
    uint64_t weightBytes_ = 0, weightBytesOfToken_ = 0;
};

} // namespace coterie::gpu
