// SPDX-License-Identifier: Apache-2.0
// Random numbers for tests: the same everywhere, unlike the library's distributions.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace coterie::test {

/// splitmix64 (Steele et al. 2014) and Box-Muller.
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
    uint64_t bits() {
        uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform()); }
    std::vector<double> normals(int64_t n, double deviation, double mean = 0) {
        std::vector<double> values(static_cast<size_t>(n));
        for (double& value : values) value = mean + deviation * normal();
        return values;
    }

  private:
    uint64_t state_;
};

} // namespace coterie::test
