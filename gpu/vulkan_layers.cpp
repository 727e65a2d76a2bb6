// SPDX-License-Identifier: Apache-2.0
// See vulkan_layers.h. The functions are in the order of a pass.
#include "vulkan_layers.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace coterie::gpu {

using engine::FeedForwardShape;
using engine::Result;
using engine::Status;

namespace {

constexpr uint32_t kMostOfLayer = 24; ///< dispatches of a layer
constexpr uint32_t kMostBesides = 8;  ///< dispatches of a pass beside its layers

/// The value at this index of a buffer, as the device wrote it.
template <typename T>
T valueAt(const DeviceBuffer& buffer, uint64_t index) {
    T value;
    std::memcpy(&value, buffer.bytes().data() + index * sizeof(T), sizeof(T));
    return value;
}

template <typename T>
void write(const DeviceBuffer& buffer, const T& value, uint64_t index = 0) {
    std::memcpy(buffer.bytes().data() + index * sizeof(T), &value, sizeof(T));
}

} // namespace

Status VulkanLayers::allocate(const engine::ModelShape& shape, const engine::MemoryPlan& plan) {
    context_.shape = shape;
    context_.context = plan.context;
    context_.cache = engine::KvLayout(shape, plan.keyValueFormat, plan.context, plan.chunk);
    const auto layers = static_cast<uint32_t>(shape.layers);
    for (auto& [list, ofLayers] : {std::pair(&chunkList_, 1u), std::pair(&tokenList_, layers)}) {
        Result<std::unique_ptr<CommandList>> made =
            CommandList::create(context_.device, ofLayers * kMostOfLayer + kMostBesides);
        if (!made) return made.error();
        *list = std::move(made).value();
    }
    return context_.buffers.allocate(context_.device, shape, plan, context_.cache);
}

Status VulkanLayers::load(const engine::ModelFile& file, const engine::ModelTensors& tensors,
                          const engine::KernelTable& kernels, const DeviceWeights::Progress& progress) {
    Result<DeviceWeights> weights = DeviceWeights::load(context_.device, file, tensors, kernels, progress);
    if (!weights) return weights.error();
    context_.weights = std::move(weights).value();
    const std::vector<float>& factors = context_.weights.hostRopeFactors();
    Result<engine::RopeTable> rope =
        engine::RopeTable::create(context_.shape.rotation, factors.empty() ? nullptr : factors.data());
    if (!rope) return rope.error();
    rope_ = std::move(rope).value();
    return recordToken();
}

/// Records the pass of one token, with its logits.
Status VulkanLayers::recordToken() {
    if (Status begun = tokenList_->begin(); !begun) return begun;
    PassRecorder token(context_, 1);
    token.recordInto(*tokenList_);
    token.embed();
    for (int64_t layer = 0; layer < context_.shape.layers; ++layer) token.layer(layer);
    token.head(0, 1);
    if (!token.status()) return token.status();
    weightBytesOfToken_ = token.takeWeightBytes();
    return tokenList_->end();
}

/// Records a chunk that is never run.
Status VulkanLayers::makeProgramsOfChunks() {
    constexpr int64_t kTokens = 2; // the fewest
    PassRecorder chunk(context_, kTokens);
    for (int64_t layer = 0; layer < context_.shape.layers; ++layer) {
        if (Status begun = chunkList_->begin(); !begun) return begun;
        chunk.recordInto(*chunkList_);
        chunk.layer(layer);
    }
    if (Status begun = chunkList_->begin(); !begun) return begun;
    chunk.head(0, 1);
    return chunk.status();
}

Status VulkanLayers::embed(std::span<const engine::TokenId> tokens, int64_t position) {
    const engine::ModelShape& shape = context_.shape;
    const PassBuffers& b = context_.buffers;
    tokens_ = static_cast<int64_t>(tokens.size());
    std::memcpy(b.tokens->bytes().data(), tokens.data(), tokens.size_bytes());
    for (int64_t t = 0; t < tokens_; ++t)
        rope_->fill(position + t, reinterpret_cast<float*>(b.cosSin->bytes().data()) + t * shape.rotation.dimensions);
    write(*b.step, Step{static_cast<uint32_t>(position)});
    if (tokens_ == 1) {
        for (int64_t layer = 0; layer < shape.layers; ++layer)
            write(*b.blockGroups,
                  std::array{static_cast<uint32_t>(shape.layer[static_cast<size_t>(layer)].attention.heads),
                             attentionBlocks(position, context_.cache.layer(layer).window), 1u},
                  static_cast<uint64_t>(layer));
        return {};
    }
    chunk_.emplace(context_, tokens_);
    if (Status begun = chunkList_->begin(); !begun) return begun;
    chunk_->recordInto(*chunkList_);
    chunk_->embed();
    return chunk_->status();
}

Status VulkanLayers::run(engine::LayerRange layers) {
    if (tokens_ == 1) {
        weightBytes_ += weightBytesOfToken_;
        return tokenList_->run();
    }
    if (layers.first != 0)
        if (Status begun = chunkList_->begin(); !begun) return begun;
    for (int64_t layer = layers.first; layer < layers.end; ++layer) chunk_->layer(layer);
    if (!chunk_->status()) return chunk_->status();
    weightBytes_ += chunk_->takeWeightBytes();
    if (Status ended = chunkList_->end(); !ended) return ended;
    return chunkList_->run();
}

engine::ExpertUse VulkanLayers::use(int64_t layer, int64_t token, int64_t rank) const {
    const FeedForwardShape& shape = context_.shape.layer[static_cast<size_t>(layer)].feedForward;
    const PassBuffers& b = context_.buffers;
    const auto row = static_cast<uint64_t>(token * shape.chosenExperts() + rank);
    engine::ExpertUse use{.expert = 0, .weight = 1, .hit = true, .activeNeurons = 0};
    if (!shape.isDense()) {
        use.expert = valueAt<int32_t>(*b.reports, b.reportPlace(layer, 0) + row);
        use.weight = valueAt<float>(*b.reports, b.reportPlace(layer, 1) + row);
    }
    if (context_.shape.activation == engine::Activation::ReGlu)
        use.activeNeurons = valueAt<int32_t>(*b.reports, b.reportPlace(layer, 2) + row);
    return use;
}

Result<std::span<const float>> VulkanLayers::head(int64_t first, int64_t count) {
    if (tokens_ > 1) {
        if (Status begun = chunkList_->begin(); !begun) return begun.error();
        chunk_->head(first, count);
        if (!chunk_->status()) return chunk_->status().error();
        weightBytes_ += chunk_->takeWeightBytes();
        if (Status ended = chunkList_->end(); !ended) return ended.error();
        if (Status done = chunkList_->run(); !done) return done.error();
    }
    return std::span(reinterpret_cast<const float*>(context_.buffers.headLogits->bytes().data()),
                     static_cast<size_t>(count * context_.shape.vocabulary));
}

} // namespace coterie::gpu
