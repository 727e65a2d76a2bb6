// SPDX-License-Identifier: Apache-2.0
// See rope_table.h. Angles are computed in double: at long positions a float's angle is off by more than the KV cache's
// rounding.
#include "decoder/rope_table.h"

#include <cmath>

namespace coterie::engine {

Result<RopeTable> RopeTable::create(const Rotation& rotation, const float* fileFactors) {
    RopeTable table;
    table.scale_ = rotation.scale;
    const size_t pairs = static_cast<size_t>(rotation.dimensions / 2);
    for (size_t i = 0; i < pairs; ++i) {
        const double exponent = -2.0 * static_cast<double>(i) / static_cast<double>(rotation.dimensions);
        double frequency = std::pow(static_cast<double>(rotation.theta), exponent);
        if (!rotation.factors.empty()) frequency /= rotation.factors[i];
        if (fileFactors != nullptr) {
            if (!std::isfinite(fileFactors[i]) || fileFactors[i] <= 0)
                return Error{ErrorKind::BadInput, "The tensor 'rope_freqs.weight' is wrong",
                             "It holds divisors that are not above 0", "Get the file again from its source"};
            frequency /= static_cast<double>(fileFactors[i]);
        }
        table.frequencies_.push_back(frequency);
    }
    return table;
}

void RopeTable::fill(int64_t position, float* out) const {
    for (size_t i = 0; i < frequencies_.size(); ++i) {
        const double angle = static_cast<double>(position) * frequencies_[i];
        out[2 * i] = static_cast<float>(std::cos(angle) * scale_);
        out[2 * i + 1] = static_cast<float>(std::sin(angle) * scale_);
    }
}

} // namespace coterie::engine
