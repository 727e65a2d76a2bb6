// SPDX-License-Identifier: Apache-2.0
// The ranges that checkSamplingOptions() allows: far beyond useful values, and far from overflow.
#pragma once

namespace coterie::engine {

struct SamplingLimits {
    static constexpr float kTemperature = 100, kPenalty = 100, kLeastRepetition = 1e-3f;
    static constexpr int kPenaltyWindow = 1 << 20; ///< more than any context; bounds what one option may allocate
};

} // namespace coterie::engine
