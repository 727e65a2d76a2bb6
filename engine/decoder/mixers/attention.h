// SPDX-License-Identifier: Apache-2.0
// Grouped-query attention over the KV cache, with RoPE, and with a sliding window, biases and norms if the family has
// them. Inside decoder/ only.
#pragma once

#include "decoder/compute.h"
#include "decoder/kv_cache.h"
#include "decoder/mixers/attention_tile.h"
#include "decoder/workspace.h"
#include "model/weights.h"

namespace coterie::engine {

class Attention {
  public:
    Attention(const ModelShape& shape, const Compute& compute, KvCache& cache, Workspace& workspace)
        : shape_(shape), compute_(compute), cache_(cache), workspace_(workspace) {}

    /// Computes workspace.blockOut from `input`, the normed residual stream, for the tokens at
    /// [position, position + input.batch()), the first of which has the index `first` in its chunk. Writes their keys
    /// and values into the cache.
    void run(int64_t layer, const LayerWeights& weights, int64_t position, int64_t first, PreparedInputs& input);

  private:
    const AttentionShape& shapeOf(int64_t layer) const { return shape_.layer[static_cast<size_t>(layer)].attention; }
    void project(int64_t layer, const LayerWeights& weights, int64_t position, PreparedInputs& input);
    void output(const AttentionShape& shape, const LayerWeights& weights, PreparedInputs& input);
    uint64_t bytesSeen(int64_t layer, int64_t position, int64_t tokens) const;
    void finishToken(int64_t layer, const LayerWeights& weights, int64_t position, int64_t token);
    void storeToken(int64_t layer, const LayerWeights& weights, int64_t position, int64_t token);
    const float* gatesOf(const AttentionShape& shape, int64_t token, int64_t head) const;
    void gateToken(const AttentionShape& shape, int64_t token);
    void normHeads(const AttentionShape& shape, const float* weight, float* heads, int64_t count) const;
    void rotateHeads(const AttentionShape& shape, int64_t token, float* heads, int64_t count) const;
    AttentionTile tile(int64_t layer, int64_t kvHead, int64_t position, int64_t tokens, int thread) const;
    void attendOne(int64_t layer, const LayerWeights& weights, int64_t position);
    void attendMany(int64_t layer, const LayerWeights& weights, int64_t position, int64_t tokens);
    void attendTile(AttentionTile tile, int64_t token, const LayerWeights& weights, int thread);

    const ModelShape& shape_;
    const Compute& compute_;
    KvCache& cache_;
    Workspace& workspace_;
    int64_t first_ = 0; // index in the chunk of the first token that runs
};

} // namespace coterie::engine
