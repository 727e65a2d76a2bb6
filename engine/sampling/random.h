// SPDX-License-Identifier: Apache-2.0
// SplitMix64, the random numbers of the sampler, which are the same on every platform. Not for secrets.
#pragma once

#include <cstdint>

namespace coterie::engine {

/// SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014), with the constants
/// of Vigna's public-domain version. Passes BigCrush; a state of one word suffices for one number per token.
class SplitMix64 {
  public:
    explicit SplitMix64(uint64_t seed) : state_(seed) {}

    uint64_t next() {
        state_ += 0x9E3779B97F4A7C15u;
        uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    /// Returns a number in [0, 1), made of the upper 53 bits, as many as a double holds.
    double nextUnit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  private:
    uint64_t state_;
};

/// A seed that differs from call to call and from run to run.
uint64_t freshSeed();

} // namespace coterie::engine
