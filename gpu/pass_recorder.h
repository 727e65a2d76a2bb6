// SPDX-License-Identifier: Apache-2.0
// Records a forward pass: which shaders run in which order over which buffers. It computes what CpuLayers and the
// routed experts compute on the CPU (engine/decoder), with all experts in the device's buffers.
//
// Nothing that is recorded depends on the tokens or their position: those lie in buffers. So a list with the pass of
// one token computes every token.
//
// A layer, as dispatches; those on one line do not wait for each other:
//
//     norm                       of the residual stream, to which it first adds what the layer before left; with the
//                                router, if that reads the layer's input
//     queries, keys and values   | route, if it does
//     heads
//     attention_blocks           (one token; several have `attention` instead of this and the next)
//     attention_sum
//     output
//     norm                       after adding attention's output; with the router, if that reads the result
//     route                      if it does
//     neurons                    gates, ups and their activation (two formats: a product for each, then activate)
//     down
//
// Behind the last layer the head follows, and the counts of the neurons that were computed.
#pragma once

#include "command_list.h"
#include "device_weights.h"
#include "pass_buffers.h"
#include "shaders/interface.h"

#include <set>
#include <string>
#include <utility>

namespace coterie::gpu {

/// A model with its buffers, which all of its passes share. It outlives their recorders.
struct PassContext {
    VulkanDevice& device;
    engine::ModelShape shape{};
    int64_t context = 0; ///< most tokens
    engine::KvLayout cache{};
    DeviceWeights weights{};
    PassBuffers buffers{};
};

class PassRecorder {
  public:
    /// tokens: of the chunk.
    PassRecorder(const PassContext& context, int64_t tokens);

    /// The commands from now on go into this list, which was begun.
    void recordInto(CommandList& list) { list_ = &list; }
    void embed();
    /// The layers are recorded in order, in one list or in several.
    void layer(int64_t layer);
    /// The logits of the chunk's tokens [first, first + count), at most kHeadTokens, after the last layer.
    void head(int64_t first, int64_t count);
    /// The first error since it was made.
    const engine::Status& status() const { return status_; }
    /// Bytes of weights that the commands recorded since the last call read, each vector by itself. Rows that are read
    /// for open neurons alone are not among them: see bytesOfNeuron().
    uint64_t takeWeightBytes() { return std::exchange(weightBytes_, 0); }
    /// Bytes of weights that a layer reads for each open neuron of an expert alone.
    uint64_t bytesOfNeuron(int64_t layer) const;

  private:
    /// Rows that the next norm adds to the residual stream.
    struct Rows {
        const DeviceBuffer* rows = nullptr; // null: none
        uint32_t count = 1;                 // rows of a token
        uint32_t weights = 0;               // kind of the weights, as in row_sums.glsl
        const DeviceBuffer* weightOf = nullptr;
        float scale = 1;
    };
    /// The router whose logits a norm computes, too.
    struct Router {
        const DeviceMatrix* matrix = nullptr; // null: none
        bool readsNormed = false;
    };
    struct ProductOptions {
        bool experts = false;         // the matrix of each output vector is that of its expert
        uint32_t vectorsPerInput = 1; // output vectors that read the same input
        uint32_t outStride = 0;       // floats from output vector to output vector; 0: the matrix's rows
    };

    /// The neurons of some vectors of a layer.
    struct Neurons {
        const std::vector<DeviceProduct>& gateUp;
        uint32_t width = 0;
        bool experts = false;
        uint32_t vectors = 1, vectorsPerInput = 1;
        bool prepares = false; // a product that takes bytes follows
        const DeviceBuffer* out = nullptr;
        const DeviceBuffer* gateUpOut = nullptr; // for gates and ups of two formats
        const DeviceBuffer* counts = nullptr;    // null: every up is read
        uint32_t countsOffset = 0;
    };

    void add(const Dispatch& dispatch);
    template <typename Push>
    void add(std::string_view shader, std::vector<uint32_t> specialisation, std::vector<const DeviceBuffer*> bindings,
             const Push& push, std::array<uint32_t, 3> groups);
    void copy(const DeviceBuffer& from, uint64_t fromOffset, const DeviceBuffer& to, uint64_t toOffset, uint64_t bytes);
    std::string variant(std::string_view shader) const;
    const DeviceBuffer& prepare(const DeviceBuffer& input, uint32_t columns, uint32_t vectors);
    void multiply(const DeviceProduct& product, const DeviceBuffer& input, uint32_t vectors, const DeviceBuffer& out,
                  const ProductOptions& options);
    void multiply(const std::vector<DeviceProduct>& products, const DeviceBuffer& input, uint32_t vectors,
                  const DeviceBuffer& out, const ProductOptions& options);
    void norm(const DeviceBuffer& x, uint32_t vectors, const DeviceBuffer* weight, bool prepares, const Router& router);
    void addPending();
    void attend(int64_t layer);
    void finishHeads(int64_t layer, uint32_t row);
    AttentionPush attentionOf(int64_t layer) const;
    void overCache(int64_t layer, const DeviceLayerWeights& weights);
    void overCacheInBlocks(int64_t layer, const DeviceLayerWeights& weights, bool prepares);
    bool hasRouter(int64_t layer, bool readsLayerInput) const;
    bool joinsRouter(int64_t layer, bool readsLayerInput) const;
    void route(int64_t layer, const DeviceBuffer& input);
    void runExperts(int64_t layer);
    void computeNeurons(const Neurons& neurons, const DeviceBuffer& input);
    void activate(const Neurons& neurons, const DeviceBuffer& input);
    uint32_t countsPlace(int64_t layer) const;
    void projectDown(int64_t layer, uint32_t rows);
    void startShared(int64_t layer);
    void runShared(int64_t layer);
    void report(int64_t layer);
    void reportOpen(int64_t first, int64_t end);
    void reportOpenOfToken();
    bool countsUps(int64_t layer) const;
    bool isStoredByNeuron(int64_t layer) const { return !feedForward(layer).isDense() && shape_.transposedDown; }
    const DeviceLayerWeights& weightsOf(int64_t layer) const {
        return context_.weights.layers[static_cast<size_t>(layer)];
    }
    const engine::FeedForwardShape& feedForward(int64_t layer) const {
        return shape_.layer[static_cast<size_t>(layer)].feedForward;
    }
    const engine::AttentionShape& attention(int64_t layer) const {
        return shape_.layer[static_cast<size_t>(layer)].attention;
    }

    const PassContext& context_;
    const engine::ModelShape& shape_;
    const PassBuffers& b_;
    const uint32_t tokens_;
    CommandList* list_ = nullptr;
    engine::Status status_;
    uint64_t weightBytes_ = 0;
    const DeviceBuffer *x_, *next_; // the residual stream, and where its next state goes
    Rows pending_;
    const DeviceBuffer* preparedFrom_ = nullptr; // the buffer whose values b_.prepared has
    std::set<const DeviceBuffer*> areBytes_;     // the buffers whose vectors are bytes already
};

} // namespace coterie::gpu
