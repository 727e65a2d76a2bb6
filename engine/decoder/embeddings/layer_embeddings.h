// SPDX-License-Identifier: Apache-2.0
// Embeddings of a token by layer (Gemma 4 E2B and E4B). A token has a row of them in a table that stays on disk. With e
// values in each of n layers, width D, and x0 the scaled embedding with which the residual stream begins:
//
//   g = (rms(projection . x0 / sqrt(D), norm) + row * sqrt(e)) / sqrt(2)        [n, e] rms and norm for each layer
//   after a layer's feed-forward part:  x = x + rms(output . (gelu(gate . x) * g of the layer), outputNorm)
//
// Inside decoder/ only.
#pragma once

#include "decoder/compute.h"
#include "decoder/embeddings/row_store.h"
#include "decoder/workspace.h"
#include "model/weights.h"

#include <memory>
#include <span>

namespace coterie::engine {

class LayerEmbeddings {
  public:
    /// All references outlive this object. weights: the model's.
    LayerEmbeddings(const ModelShape& shape, const Compute& compute, Workspace& workspace, const ModelWeights& weights,
                    std::unique_ptr<RowStore> rows)
        : shape_(shape), compute_(compute), workspace_(workspace), weights_(weights), rows_(std::move(rows)) {}

    /// Has the tokens' rows read, which goes on while the first layer is computed. tokens are valid until
    /// finishInputs().
    void request(std::span<const TokenId> tokens);
    /// Projects the residual stream as it is before the first layer.
    void project();
    /// Waits for the rows and completes g of all layers. Call it once for a chunk, before run(). Io if a read failed.
    Status finishInputs();
    /// Writes what the layer adds, before its norm, to workspace.blockOut.
    void run(int64_t layer, const LayerWeights& weights);

    // Any thread:
    Counts counts() const { return rows_->counts(); }
    uint64_t bytesHeld() const { return rows_->bytesHeld(); }

  private:
    int64_t rowValues() const { return shape_.layers * shape_.layerEmbedding; }
    int64_t count() const { return static_cast<int64_t>(tokens_.size()); }
    Status waitForRows();
    void finishToken(int64_t token, int thread);

    const ModelShape& shape_;
    const Compute& compute_;
    Workspace& workspace_;
    const ModelWeights& weights_;
    const std::unique_ptr<RowStore> rows_;
    std::span<const TokenId> tokens_; // the chunk's
};

} // namespace coterie::engine
