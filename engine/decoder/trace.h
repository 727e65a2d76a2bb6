// SPDX-License-Identifier: Apache-2.0
// The trace: what each token made each layer's experts do. It knows nothing of who computes or who keeps it.
#pragma once

#include <cstdint>
#include <span>

namespace coterie::engine {

/// One expert that a token used in one layer.
struct ExpertUse {
    int32_t expert = 0;
    float weight = 0;
    bool hit = false;          ///< it was in memory, or arriving, when the layer asked for it
    int32_t activeNeurons = 0; ///< gates above 0; 0 if the activation is not ReGLU
};

/// Receives each layer of each token while it is computed, on the engine's thread. Without a sink nothing is collected.
class TraceSink {
  public:
    virtual ~TraceSink() = default;
    /// uses: the best expert first; all of the model's expertsPerToken if routing is exact. waitSeconds: the wait for
    /// reads, which the tokens of a chunk share evenly. Dense layers are not reported.
    virtual void layerDone(int64_t position, int layer, std::span<const ExpertUse> uses, double waitSeconds) = 0;
    /// headRows: how many rows of the head were computed; 0 if no logits were asked for.
    virtual void tokenDone(int64_t position, int64_t headRows) = 0;
};

} // namespace coterie::engine
