// SPDX-License-Identifier: Apache-2.0
// Cosines and sines of rotary position embedding (arXiv:2104.09864) for the positions of a chunk. Inside decoder/ only.
#pragma once

#include "decoder/model_shape.h"

#include <span>
#include <vector>

namespace coterie::engine {

class RopeTable {
  public:
    RopeTable() = default;
    /// fileFactors: rope_freqs.weight, divisors beside the shape's own; or empty.
    RopeTable(const ModelShape& shape, std::span<const float> fileFactors);
    /// out: [ropeDimensions / 2, 2].
    void fill(int64_t position, float* out) const;

  private:
    std::vector<double> frequencies_; // [ropeDimensions / 2], radians a position
    double scale_ = 1;
};

} // namespace coterie::engine
