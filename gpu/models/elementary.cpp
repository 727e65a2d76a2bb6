// SPDX-License-Identifier: Apache-2.0
#include "elementary.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace coterie::gpu {
namespace {

constexpr float kRoundingShift = 0x1.8p23f; ///< beside it a float's last place is 1
constexpr float kLog2OfE = 0x1.715476p+0f;
constexpr float kLn2High = 0x1.62e4p-1f; ///< 15 bits of ln(2)
constexpr float kLn2Low = 0x1.7f7d1cp-20f;
constexpr float kSmallestPower = -86, kLargestPower = 64;

constexpr int kReciprocalSteps = 4, kRootSteps = 3;
constexpr uint32_t kReciprocalGuess = 0x7ef311c7u, kRootGuess = 0x5f3759dfu;

} // namespace

float reciprocal(float x) {
    float r = std::bit_cast<float>(kReciprocalGuess - std::bit_cast<uint32_t>(x));
    for (int step = 0; step < kReciprocalSteps; ++step) {
        const float error = 1 - x * r;
        r += r * error;
    }
    return r;
}

float inverseRoot(float x) {
    const float half = x / 2;
    float r = std::bit_cast<float>(kRootGuess - std::bit_cast<uint32_t>(x) / 2);
    for (int step = 0; step < kRootSteps; ++step) {
        const float share = half * (r * r);
        r *= 1.5f - share;
    }
    return r;
}

float exponential(float x) {
    if (std::isnan(x)) return x;
    if (x < kSmallestPower) return 0;
    if (x > kLargestPower) x = kLargestPower;
    const float shifted = x * kLog2OfE + kRoundingShift;
    const float k = shifted - kRoundingShift;
    const float r = x - k * kLn2High - k * kLn2Low;
    constexpr std::array<float, 8> taylor{1.0f / 5040, 1.0f / 720, 1.0f / 120, 1.0f / 24, 1.0f / 6, 0.5f, 1, 1};
    float sum = 0;
    for (const float term : taylor) sum = sum * r + term;
    return std::ldexp(sum, static_cast<int>(k));
}

float sigmoid(float x) { return reciprocal(1 + exponential(-x)); }

} // namespace coterie::gpu
