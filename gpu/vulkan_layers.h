// SPDX-License-Identifier: Apache-2.0
// The dispatches of a forward pass: which shaders run in which order over which buffers. It computes what CpuLayers and
// the routed experts compute on the CPU (engine/decoder), with all experts in the device's buffers. A backend calls it
// chunk by chunk (vulkan_backend.cpp).
//
// Buffers of activations come in pairs where a value is updated: a shader reads one and writes the other.
#pragma once

#include "command_list.h"
#include "device_weights.h"

#include "decoder/device.h"
#include "decoder/kv_layout.h"
#include "decoder/memory_plan.h"
#include "decoder/rope_table.h"
#include "decoder/trace.h"

#include <deque>
#include <memory>
#include <optional>
#include <span>

namespace coterie::gpu {

/// Options of a product.
struct ProductOptions {
    const DeviceBuffer* bias = nullptr;
    bool experts = false;         ///< the matrix of each output vector is that of its expert
    uint32_t vectorsPerInput = 1; ///< output vectors that read the same input
};

class VulkanLayers {
  public:
    explicit VulkanLayers(VulkanDevice& device) : device_(device) {}

    /// Allocates the KV cache and the activations of a chunk.
    engine::Status allocate(const engine::ModelShape& shape, const engine::MemoryPlan& plan);
    engine::Status load(const engine::ModelFile& file, const engine::ModelTensors& tensors,
                        const engine::KernelTable& kernels, const DeviceWeights::Progress& progress);

    /// The next run() begins with the embeddings of these tokens, which follow the first `position` ones.
    engine::Status embed(std::span<const engine::TokenId> tokens, int64_t position);
    /// Computes layers in one submission, and waits for them.
    engine::Status run(engine::LayerRange layers);
    /// Computes the logits of the chunk's tokens [first, first + count), at most kHeadTokens. They are valid until the
    /// next call: [count, vocabulary].
    engine::Result<std::span<const float>> head(int64_t first, int64_t count);
    static constexpr int64_t kHeadTokens = 8;

    /// The expert number `rank` of a token in a layer of the last run(), the best first.
    engine::ExpertUse use(int64_t layer, int64_t token, int64_t rank) const;

    const engine::ModelShape& shape() const { return shape_; }
    int64_t tokens() const { return tokens_; }
    const engine::KvLayout& cache() const { return layout_; }
    uint64_t residentBytes() const { return weights_ ? weights_->residentBytes() : 0; }
    uint64_t expertBytes() const { return weights_ ? weights_->expertBytes() : 0; }
    uint64_t scratchBytes() const { return scratchBytes_; }

  private:
    struct Buffers {
        const DeviceBuffer *tokens = nullptr, *cosSin = nullptr;        // [tokens], [tokens, ropeDimensions]
        const DeviceBuffer *x = nullptr, *next = nullptr;               // [tokens, width] the residual stream
        const DeviceBuffer *normed = nullptr, *prepared = nullptr;      // [tokens, width]; inputs of products
        const DeviceBuffer *query = nullptr, *otherQuery = nullptr;     // [tokens, queryWidth]
        const DeviceBuffer *key = nullptr, *otherKey = nullptr;         // [tokens, keyWidth]
        const DeviceBuffer *value = nullptr, *attended = nullptr;       // [tokens, keyWidth], [tokens, queryWidth]
        const DeviceBuffer* attentionOut = nullptr;                     // [tokens, width]
        const DeviceBuffer* logits = nullptr;                           // [tokens, experts] the router's
        const DeviceBuffer *experts = nullptr, *shares = nullptr;       // [tokens, chosen]
        const DeviceBuffer *gate = nullptr, *up = nullptr;              // [rows, neurons]
        const DeviceBuffer *neurons = nullptr, *active = nullptr;       // [rows, neurons], [rows]
        const DeviceBuffer *down = nullptr, *sharedLogit = nullptr;     // [rows, width], [tokens]
        const DeviceBuffer *headInput = nullptr, *headLogits = nullptr; // [kHeadTokens, ...]
        const DeviceBuffer* reports = nullptr; // [layers, kReportParts, reportStride_] what use() tells
        const DeviceBuffer* ignored = nullptr; // an output that a shader has and does not write
    };
    engine::Status allocateBuffers();
    engine::Result<const DeviceBuffer*> allocateBuffer(uint64_t bytes, HostAccess access);
    engine::Status finish();
    void add(const Dispatch& dispatch);
    template <typename Push>
    void add(std::string_view shader, std::vector<uint32_t> specialisation, std::vector<const DeviceBuffer*> bindings,
             const Push& push, std::array<uint32_t, 3> groups);
    std::string variant(std::string_view shader) const;
    const DeviceBuffer& prepare(const DeviceBuffer& input, uint32_t columns, uint32_t vectors);
    void multiply(const DeviceMatrix& matrix, const DeviceBuffer& input, uint32_t vectors, const DeviceBuffer& out,
                  const ProductOptions& options = {});
    void norm(const DeviceBuffer& x, const DeviceBuffer* weight, uint32_t vectors, uint32_t width,
              const DeviceBuffer& out);
    void addAndNorm(const DeviceBuffer* weight);
    void compute(int64_t layer);
    void attend(int64_t layer);
    void finishHeads(const DeviceLayerWeights& weights, bool rotates);
    void normHeads(const DeviceBuffer* weight, uint32_t heads, const DeviceBuffer*& from, const DeviceBuffer*& to);
    void rotate(uint32_t heads, const DeviceBuffer*& from, const DeviceBuffer*& to);
    void keep(const DeviceBuffer& rows, int64_t layer, uint64_t offset);
    void overCache(int64_t layer, const DeviceLayerWeights& weights);
    void route(int64_t layer, const DeviceBuffer& input);
    void runExperts(int64_t layer);
    void activate(uint32_t rows, uint32_t neurons);
    void projectDown(const DeviceMatrix& down, uint32_t rows, const ProductOptions& options);
    void addRows(uint32_t rows, float scale, const DeviceBuffer* weights, uint32_t kind);
    void runShared(int64_t layer);
    void report(int64_t layer);
    uint64_t reportPlace(int64_t layer, int64_t part) const;
    bool countsNeurons() const { return shape_.architecture->activation == engine::Activation::ReGlu; }
    const engine::FeedForwardShape& feedForward(int64_t layer) const {
        return shape_.layer[static_cast<size_t>(layer)].feedForward;
    }
    uint32_t count() const { return static_cast<uint32_t>(tokens_); }

    VulkanDevice& device_;
    engine::ModelShape shape_;
    engine::MemoryPlan plan_;
    engine::KvLayout layout_;
    std::optional<engine::RopeTable> rope_;
    std::optional<DeviceWeights> weights_;
    std::deque<DeviceBuffer> owned_;         // their addresses stay
    std::vector<const DeviceBuffer*> cache_; // [layers] keys, then values
    Buffers b_;
    std::unique_ptr<CommandList> commands_;
    engine::Status recorded_;                    // the first error since the list was begun
    const DeviceBuffer* preparedFrom_ = nullptr; // the buffer whose values b_.prepared has
    uint64_t scratchBytes_ = 0;
    int64_t position_ = 0, tokens_ = 0;
    bool embedded_ = false;     // the list begins with the chunk's embeddings
    uint32_t reportStride_ = 0; // words of one part of a layer in b_.reports
    static constexpr int64_t kReportParts = 3;
};

} // namespace coterie::gpu
