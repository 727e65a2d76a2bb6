// SPDX-License-Identifier: Apache-2.0
// The way in which the CPU and devices are measured alike: the same matrices, the same number of runs, the best time of
// a few. Who computes is the caller's (cpu_rates.cpp, gpu/device_measure.cpp).
#pragma once

#include "base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace coterie::engine {

/// Columns of all matrices, and their most rows: those of a model of eight billion weights.
inline constexpr int64_t kRateColumns = 4096, kMostRateRows = 4096;
/// Most products of one run.
inline constexpr int64_t kMostRateProducts = 1024;
/// Bytes of weights through which a measurement goes, so that no cache holds them: those of the largest processors
/// reach 100 MiB.
inline constexpr uint64_t kRateBytes = uint64_t{128} << 20;

class Stopwatch {
  public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start_ = Clock::now();
};

/// Seconds that `products` products with matrices of `rows` rows take together, one after the other.
using TimedProducts = std::function<Result<double>(int64_t rows, int64_t products)>;

struct RateCosts {
    double perProduct = 0, perRun = 0; ///< seconds that are no part of the rate
};

struct RatedProducts {
    uint64_t bytesOfRow = 1;         ///< bytes of a matrix's row in the format
    int64_t vectors = 1;             ///< vectors that each matrix is multiplied with
    uint64_t mostBytes = kRateBytes; ///< room for a matrix
};

/// Bytes of weights a second, each vector's counted by itself. It begins with a small matrix and goes on until a run is
/// long enough to be measured, so that a slow processor takes no longer than a fast one: some 0.1 s.
Result<double> measureRate(const TimedProducts& run, const RateCosts& costs, const RatedProducts& of);

/// Writes bytes that are tame weights in every format: no product of them is infinite, and none is slow because it is
/// tiny. size: an even number.
void fillWithWeights(std::span<std::byte> bytes);

/// The place of the next matrix in a buffer that a measurement goes through, again from the front at its end. A
/// multiple of 64, since caches have lines of so many bytes.
class NextMatrix {
  public:
    explicit NextMatrix(uint64_t bufferBytes) : buffer_(bufferBytes) {}
    uint64_t take(uint64_t bytes);

  private:
    const uint64_t buffer_;
    uint64_t next_ = 0;
};

} // namespace coterie::engine
