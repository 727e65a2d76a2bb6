// SPDX-License-Identifier: Apache-2.0
// Cosines and sines of rotary position embedding (arXiv:2104.09864) for the positions of a chunk. Inside decoder/, and
// for backends.
#pragma once

#include "model/model_shape.h"

#include <vector>

namespace coterie::engine {

class RopeTable {
  public:
    /// fileFactors: [ropeDimensions / 2] rope_freqs.weight, divisors in addition to the shape's own, or null. BadInput
    /// if one of them is not above 0.
    static Result<RopeTable> create(const ModelShape& shape, const float* fileFactors);
    /// out: [ropeDimensions / 2, 2], a cosine and a sine each.
    void fill(int64_t position, float* out) const;

  private:
    std::vector<double> frequencies_; // [ropeDimensions / 2], radians per position
    double scale_ = 1;
};

} // namespace coterie::engine
