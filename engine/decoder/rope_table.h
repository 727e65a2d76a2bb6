// SPDX-License-Identifier: Apache-2.0
// Cosines and sines of rotary position embedding (arXiv:2104.09864) for the positions of a chunk. Inside decoder/, and
// for backends.
#pragma once

#include "model/model_shape.h"

#include <vector>

namespace coterie::engine {

class RopeTable {
  public:
    /// fileFactors: [dimensions / 2] rope_freqs.weight, divisors in addition to the rotation's own, or null. BadInput
    /// if one of them is not above 0.
    static Result<RopeTable> create(const Rotation& rotation, const float* fileFactors);
    /// out: [dimensions / 2, 2], a cosine and a sine each.
    void fill(int64_t position, float* out) const;

  private:
    std::vector<double> frequencies_; // [dimensions / 2], radians per position
    double scale_ = 1;
};

} // namespace coterie::engine
