// SPDX-License-Identifier: Apache-2.0
#include "pass_buffers.h"

#include "shader_names.h"
#include "shaders/interface.h"

#include <algorithm>
#include <utility>

namespace coterie::gpu {

using engine::LayerShape;
using engine::Result;
using engine::Status;

namespace {

constexpr int64_t kBlockPositions = 64; ///< those of attention_blocks.comp

uint32_t u32(int64_t value) { return static_cast<uint32_t>(value); }

} // namespace

uint32_t attentionBlocks(int64_t position, int64_t window) {
    const int64_t first = window == 0 ? 0 : std::max<int64_t>(0, position + 1 - window);
    return u32(position / kBlockPositions - first / kBlockPositions + 1);
}

uint32_t mostAttentionBlocks(int64_t context, int64_t window) {
    const int64_t all = (context + kBlockPositions - 1) / kBlockPositions;
    return u32(window == 0 ? all : std::min(all, (window + kBlockPositions - 1) / kBlockPositions + 1));
}

struct PassBuffers::Row {
    const DeviceBuffer* PassBuffers::*buffer;
    uint64_t words;
    HostAccess access = HostAccess::None;
};

/// All buffers but the cache.
std::vector<PassBuffers::Row> PassBuffers::rowsFor(const engine::ModelShape& shape, const engine::MemoryPlan& plan,
                                                   uint32_t mostBlocks) {
    const uint32_t n = u32(plan.chunk), width = u32(shape.width), queryWidth = u32(shape.mixedWidth());
    const auto most = [&shape](const auto& number) {
        return static_cast<uint64_t>(
            shape.largest([&number](const LayerShape& each) { return number(each.attention); }));
    };
    const uint64_t projected =
        most([](const engine::AttentionShape& each) { return each.queryWidth() + 2 * each.keyWidth(); });
    const uint64_t headRows = most([](const engine::AttentionShape& each) { return each.heads * (each.headDim + 2); });
    const uint32_t rows = n * u32(shape.mostChosenExperts());
    const uint32_t inner = u32(shape.largest([](const LayerShape& each) { return each.feedForward.width; }));
    const uint32_t shared = u32(shape.widestSharedExpert());
    // An output of neurons.comp, which writes floats or bytes.
    const auto neurons = [](uint64_t rowCount, uint32_t each) {
        return each == 0 ? 0 : rowCount * std::max(each, preparedWords(each));
    };
    // All layers have counts of one token, one layer has those of several tokens.
    const bool counts = shape.activation == engine::Activation::ReGlu;
    const uint64_t countRows = std::max<uint64_t>(rows, static_cast<uint64_t>(shape.layers) * rows / n);
    const uint64_t prepared =
        std::max({uint64_t{n} * preparedWords(std::max({width, queryWidth, shared})),
                  uint64_t{rows} * preparedWords(inner), uint64_t{kHeadTokens} * preparedWords(width)});
    return {
        {&PassBuffers::tokens, n, HostAccess::Writes},
        {&PassBuffers::cosSin, uint64_t{n} * u32(shape.rotation.dimensions), HostAccess::Writes},
        {&PassBuffers::step, sizeof(Step) / sizeof(uint32_t), HostAccess::Writes},
        {&PassBuffers::blockGroups, static_cast<uint64_t>(shape.layers) * 3, HostAccess::Writes},
        {&PassBuffers::x, uint64_t{n} * width},
        {&PassBuffers::next, uint64_t{n} * width},
        {&PassBuffers::normed, uint64_t{n} * width},
        {&PassBuffers::prepared, prepared},
        {&PassBuffers::queryKeyValue, n * projected},
        {&PassBuffers::query, uint64_t{n} * queryWidth},
        {&PassBuffers::attended, uint64_t{n} * queryWidth},
        {&PassBuffers::blocks, headRows * mostBlocks},
        {&PassBuffers::attentionOut, uint64_t{n} * width},
        {&PassBuffers::logits, uint64_t{n} * u32(shape.mostStoredExperts())},
        {&PassBuffers::experts, rows},
        {&PassBuffers::shares, rows},
        {&PassBuffers::gateUp, uint64_t{rows} * 2 * inner},
        {&PassBuffers::neurons, neurons(rows, inner)},
        {&PassBuffers::active, rows},
        {&PassBuffers::down, uint64_t{rows} * width},
        {&PassBuffers::upsRead, counts ? countRows * groupsFor(inner, kNeuronGroup) : 0},
        {&PassBuffers::sharedGateUp, uint64_t{n} * 2 * shared},
        {&PassBuffers::sharedNeurons, neurons(n, shared)},
        {&PassBuffers::sharedLogit, n},
        {&PassBuffers::headInput, kHeadTokens * uint64_t{width}},
        {&PassBuffers::headLogits, kHeadTokens * static_cast<uint64_t>(shape.vocabulary), HostAccess::Reads},
        {&PassBuffers::reports, static_cast<uint64_t>(shape.layers) * kReportParts * rows, HostAccess::Reads},
        {&PassBuffers::ignored, 4},
    };
}

Status PassBuffers::add(const VulkanDevice& device, const DeviceBuffer*& to, uint64_t words, HostAccess access) {
    const uint64_t bytes = words * sizeof(uint32_t);
    if (bytes > std::min<uint64_t>(device.abilities().largestBufferRange, UINT32_MAX))
        return engine::Error{engine::ErrorKind::Unsupported, "This model can't run on the graphics processor",
                             "The context needs a larger buffer than it can have",
                             "Choose a shorter context, or compute on the CPU"};
    Result<DeviceBuffer> buffer = DeviceBuffer::create(device, std::max<uint64_t>((bytes + 15) / 16 * 16, 16), access);
    if (!buffer) return buffer.error();
    to = &owned.emplace_back(std::move(buffer).value());
    return {};
}

Status PassBuffers::allocate(const VulkanDevice& device, const engine::ModelShape& shape,
                             const engine::MemoryPlan& plan, const engine::KvLayout& layout) {
    uint32_t mostBlocks = 0;
    for (int64_t layer = 0; layer < shape.layers; ++layer)
        mostBlocks = std::max(mostBlocks, mostAttentionBlocks(plan.context, layout.layer(layer).window));
    reportStride = u32(plan.chunk * shape.mostChosenExperts());
    neuronGroups =
        groupsFor(u32(shape.largest([](const LayerShape& each) { return each.feedForward.width; })), kNeuronGroup);
    for (const Row& row : rowsFor(shape, plan, mostBlocks)) {
        if (Status added = add(device, this->*row.buffer, row.words, row.access); !added) return added;
        scratchBytes += owned.back().size();
    }
    for (int64_t layer = 0; layer < shape.layers; ++layer) {
        const uint64_t words = layout.layer(layer).keyBytes() * 2 / sizeof(uint32_t);
        if (Status added = add(device, cache.emplace_back(), words, HostAccess::None); !added) return added;
    }
    return {};
}

} // namespace coterie::gpu
