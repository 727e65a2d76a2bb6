// SPDX-License-Identifier: Apache-2.0
// Everything that the CPU computes for a chunk except the routed experts: embedding, attention, shared expert and head,
// with the resident weights, the conversation's memory and the scratch memory that they need. It is not a backend: a
// backend computes the experts between these steps (cpu_backend.cpp). Inside decoder/, and for backends that compute
// with the CPU's kernels.
#pragma once

#include "decoder/compute.h"
#include "decoder/device.h"
#include "decoder/embeddings/layer_embeddings.h"
#include "decoder/feed_forward.h"
#include "decoder/head.h"
#include "decoder/mixers/attention.h"
#include "decoder/mixers/delta_rule.h"
#include "decoder/mixers/short_convolution.h"
#include "decoder/rope_table.h"
#include "decoder/sequence_memory.h"
#include "decoder/workspace.h"
#include "model/weights.h"

#include <atomic>
#include <optional>
#include <vector>

namespace coterie::engine {

class CpuLayers {
  public:
    /// compute outlives this. headAgreement: earlier measurements of this model's derived head predictor.
    CpuLayers(const Compute& compute, const HeadAgreement& headAgreement)
        : compute_(compute), headAgreement_(headAgreement) {}

    Status allocate(const ModelShape& shape, const MemoryPlan& plan);
    /// file outlives this: embedding rows that are not kept, and those by layer, are read from it. direct: the latter
    /// past the page cache.
    Status load(const ModelFile& file, const ModelTensors& tensors, const ResidentWeights::Progress& progress,
                bool direct);

    /// Fills the residual stream with the tokens' embeddings.
    Status begin(const Chunk& chunk);
    int64_t tokens() const { return tokens_; }
    /// Whether the layer's experts are chosen before its attention, from the residual stream.
    bool routesFirst(int64_t layer) const;
    /// Returns the residual stream, [tokens, width], which mix() then changes.
    PreparedInputs residual() const;
    /// Makes room for chunks of so many tokens, more than usual, until shortenChunk(). memory: longChunkBytes().
    void lengthenChunk(int64_t tokens, std::span<std::byte> memory);
    uint64_t longChunkBytes(int64_t tokens) const;
    void shortenChunk();

    /// Mixes the tokens, by attention or as else the layer does it, and adds the output to the residual stream. Returns
    /// the stream normed for the feed-forward part.
    PreparedInputs mix(int64_t layer);
    /// The router's input after mix(), if it has a norm of its own. Use it before the input that mix() returned: they
    /// share their arrays.
    std::optional<PreparedInputs> ownRouterInput(int64_t layer);
    /// Ends the layer after its routed experts, whose arrays it reuses: adds the shared expert's output, the
    /// feed-forward part's if that is normed first, and the layer's own embeddings. Io if rows of embeddings could not
    /// be read; Cancelled if a long chunk was stopped.
    Status finish(int64_t layer);
    /// Like Backend::head().
    int64_t head(const HeadRequest& request);

    // Like Backend's functions of these names.
    void commit() { memory_.commit(); }
    void keepState(bool stays) { memory_.keepState(stays); }
    int64_t rewind(int64_t position) { return memory_.rewind(position); }
    HeadAgreement headAgreement() const {
        return head_ && head_->sketchBytes() != 0 ? head_->agreement() : headAgreement_;
    }

    const ModelShape& shape() const { return shape_; }
    const MemoryPlan& plan() const { return plan_; }
    Workspace& workspace() { return workspace_; }
    const std::vector<LayerWeights>& weights() const { return weights_.layers; }
    // Any thread:
    uint64_t residentBytes() const { return residentBytes_; }
    uint64_t keyValueBytes() const { return memory_.keyValueBytes(); }
    uint64_t stateBytes() const { return memory_.stateBytes(); }
    uint64_t scratchBytes() const { return scratchBytes_; }
    /// Those of reading rows of embeddings by layer.
    Counts rowCounts() const {
        const LayerEmbeddings* embeddings = sharedEmbeddings_.load();
        return embeddings == nullptr ? Counts() : embeddings->counts();
    }
    uint64_t embeddingRowBytes() const {
        const LayerEmbeddings* embeddings = sharedEmbeddings_.load();
        return embeddings == nullptr ? 0 : embeddings->bytesHeld();
    }

  private:
    Status openEmbeddings(const ModelFile& file, const gguf::Tensor& table, bool direct);
    Status addOwnEmbeddings(int64_t layer, const LayerWeights& weights);
    template <typename Body>
    bool forEachPart(const Body& body) const;
    WorkspaceRequest arrays() const;
    void mixPart(int64_t layer, int64_t first, int64_t tokens);
    void norm(const float* x, int64_t tokens, const float* weight, float* out);
    void addAndNorm(const LayerWeights& weights, int64_t first, int64_t tokens);
    void beginDensePart(const LayerWeights& weights);
    void addShared(const LayerShape& layer, const LayerWeights& weights, int64_t first, int64_t tokens);
    void addBlock(const float* outputNorm, float* out, int64_t token);
    void capLogits(std::span<float> logits, bool all) const;
    void learnFromPrompt(int64_t tokens);

    const Compute& compute_;
    const HeadAgreement headAgreement_; // measurements from an earlier run
    ModelShape shape_;
    MemoryPlan plan_;
    SequenceMemory memory_;
    Workspace workspace_;
    const ModelFile* file_ = nullptr;
    const gguf::Tensor* embeddingTensor_ = nullptr;
    ResidentWeights weights_;
    std::optional<RopeTable> rope_, windowRope_; // without windowRotation the second one is empty
    std::vector<std::byte> embeddingRow_;        // for an embedding that is not kept
    std::optional<Attention> attention_;
    std::optional<DeltaRule> deltaRule_;
    std::optional<ShortConvolution> shortConvolution_;
    std::optional<FeedForward> shared_;                             // the shared expert's
    std::optional<LayerEmbeddings> layerEmbeddings_;                // if the model has them
    std::atomic<const LayerEmbeddings*> sharedEmbeddings_{nullptr}; // the same, for other threads
    std::optional<Head> head_;
    const std::atomic<bool>* cancel_ = nullptr;
    int64_t position_ = 0, tokens_ = 0; // the chunk's position and number of tokens; a part has at most plan_.chunk
    std::atomic<uint64_t> residentBytes_{0}, scratchBytes_{0};
};

} // namespace coterie::engine
