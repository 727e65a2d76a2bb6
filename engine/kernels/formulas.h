// SPDX-License-Identifier: Apache-2.0
// Constants and scalar steps of formulas that several tables share, so that the tables cannot drift apart. Inside
// kernels/ only.
#pragma once

#include "kernels/kernels.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace coterie::engine {

constexpr uint32_t kMagnitudeBits = 0x7fffffffu; ///< removes a float's sign
constexpr uint32_t kInfinityBits = 0x7f800000u;  ///< infinity; larger magnitudes are NaN
constexpr uint32_t kQuietNanBits = 0x7fc00000u;

// Vectorised e^x = 2^k e^r: k is x log2(e) rounded to a whole number, r = x - k ln(2), |r| <= ln(2) / 2 = 0.3466. e^r
// is its Taylor series up to r^7: the remaining terms are below 0.3466^8 / 8! * 1.05 = 5.5e-9 of 1. With the rounding
// of eight steps the relative error stays below 2^-23 where the result is a normal number.
constexpr float kLog2OfE = 0x1.715476p+0f;
constexpr float kLn2High = 0x1.62e4p-1f; ///< 15 bits of ln(2), so that products with k are exact
constexpr float kLn2Low = 0x1.7f7d1cp-20f;
constexpr int kExpTerms = 8;
constexpr float kExpTaylor[kExpTerms] = {1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24,
                                         1.0f / 6,    1.0f / 2,   1.0f,       1.0f};
/// Above the first e^x is infinity, below the second it rounds to 0.
constexpr float kExpLargest = 89.0f;
constexpr float kExpSmallest = -104.0f;

/// tanh(x) rounds to 1 from here on: 1 - tanh(9.02) is 2^-25, half of the last place below 1.
constexpr float kTanhIsOne = 9.02f;

/// The softmax of no terms.
constexpr PartialSoftmax kEmptySoftmax = {-std::numeric_limits<float>::infinity(), 0.0f};

/// The tanh form of GELU is x / (1 + e^-u), with u = 2 sqrt(2 / pi) (x + kGeluCube x^3): (1 + tanh(u / 2)) / 2 is the
/// sigmoid of u. This form keeps its relative precision where tanh is near -1.
constexpr float kGeluScale = 1.5957691216f; ///< 2 sqrt(2 / pi)
constexpr float kGeluCube = 0.044715f;

/// The factor of rmsNorm, from the sum of the squares.
inline float rmsScale(double squares, int64_t n, float epsilon) {
    return static_cast<float>(1.0 / std::sqrt(squares / static_cast<double>(n) + static_cast<double>(epsilon)));
}

/// KernelTable::groupedRmsNorm, given the table's rmsNorm.
template <decltype(KernelTable::rmsNorm) norm>
void groupedRmsNormBy(const float* x, const float* weight, int64_t weightStride, int64_t groups, int64_t n,
                      float epsilon, float* out) {
    for (int64_t g = 0; g < groups; ++g)
        norm(x + g * n, weight != nullptr ? weight + g * weightStride : nullptr, n, epsilon, out + g * n);
}

/// The factor of l2Norm, from the sum of the squares.
inline float l2Scale(double squares, float epsilon, float scale) {
    const double length = std::sqrt(squares), least = static_cast<double>(epsilon);
    return static_cast<float>(static_cast<double>(scale) / (length < least ? least : length));
}

} // namespace coterie::engine
