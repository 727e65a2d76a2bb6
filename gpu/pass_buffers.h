// SPDX-License-Identifier: Apache-2.0
// The buffers between the dispatches of a pass, and the KV cache. They come in pairs where a value is updated: a shader
// reads one and writes the other.
#pragma once

#include "device_buffer.h"

#include "decoder/kv_layout.h"
#include "decoder/memory_plan.h"
#include "model/model_shape.h"

#include <deque>
#include <vector>

namespace coterie::gpu {

/// Tokens whose logits are computed together.
constexpr int64_t kHeadTokens = 8;

struct PassBuffers {
    // The host writes these before it submits.
    const DeviceBuffer *tokens = nullptr, *cosSin = nullptr; // [tokens], [tokens, ropeDimensions]
    const DeviceBuffer* step = nullptr;                      // a Step
    const DeviceBuffer* blockGroups = nullptr;               // [layers, 3] groups of attention_blocks for one token

    const DeviceBuffer *x = nullptr, *next = nullptr;               // [tokens, width] the residual stream
    const DeviceBuffer *normed = nullptr, *prepared = nullptr;      // [tokens, width]; a product's input as bytes
    const DeviceBuffer* queryKeyValue = nullptr;                    // [tokens, queryWidth + 2 keyWidth]
    const DeviceBuffer *query = nullptr, *attended = nullptr;       // [tokens, queryWidth]
    const DeviceBuffer* blocks = nullptr;                           // [heads, mostBlocks, headDim + 2] of one token
    const DeviceBuffer* attentionOut = nullptr;                     // [tokens, width]
    const DeviceBuffer* logits = nullptr;                           // [tokens, experts] the router's
    const DeviceBuffer *experts = nullptr, *shares = nullptr;       // [tokens, chosen]
    const DeviceBuffer* gateUp = nullptr;                           // [rows, 2 neurons]
    const DeviceBuffer* neurons = nullptr;                          // [rows, neurons], or those as bytes
    const DeviceBuffer *active = nullptr, *down = nullptr;          // [rows], [rows, width]
    const DeviceBuffer* upsRead = nullptr;                          // [layers or tokens, chosen, neuronGroups]
    const DeviceBuffer* sharedGateUp = nullptr;                     // [tokens, 2 neurons]
    const DeviceBuffer* sharedNeurons = nullptr;                    // [tokens, neurons], or those as bytes
    const DeviceBuffer* sharedLogit = nullptr;                      // [tokens]
    const DeviceBuffer *headInput = nullptr, *headLogits = nullptr; // [kHeadTokens, ...]
    const DeviceBuffer* reports = nullptr;  // [layers, kReportParts, reportStride]: experts, shares, active neurons
    const DeviceBuffer* ignored = nullptr;  // an output that a shader has and does not write
    std::vector<const DeviceBuffer*> cache; // [layers] keys, then values

    std::deque<DeviceBuffer> owned; // their addresses stay
    uint64_t scratchBytes = 0;      // without the cache
    uint32_t reportStride = 0;      // words
    uint32_t neuronGroups = 0;      // groups of kNeuronGroup neurons that a row has at most
    static constexpr int64_t kReportParts = 3;

    /// Unsupported: the context needs a larger buffer than the device can have.
    engine::Status allocate(const VulkanDevice& device, const engine::ModelShape& shape, const engine::MemoryPlan& plan,
                            const engine::KvLayout& layout);
    /// Place of the first word of one part of a layer in `reports`.
    uint64_t reportPlace(int64_t layer, int64_t part) const {
        return static_cast<uint64_t>(layer * kReportParts + part) * reportStride;
    }

  private:
    struct Row;
    static std::vector<Row> rowsFor(const engine::ModelShape& shape, const engine::MemoryPlan& plan,
                                    uint32_t mostBlocks);
    engine::Status add(const VulkanDevice& device, const DeviceBuffer*& to, uint64_t words, HostAccess access);
};

/// Blocks of attention that the token at this position has in a layer.
uint32_t attentionBlocks(int64_t position, int64_t window);
/// The most that any token has.
uint32_t mostAttentionBlocks(int64_t context, int64_t window);

} // namespace coterie::gpu
