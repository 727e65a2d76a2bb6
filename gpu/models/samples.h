// SPDX-License-Identifier: Apache-2.0
// Data on which shaders are compared with their models: the same in each run. For the self-test and tests.
#pragma once

#include "products.h"

#include <random>
#include <vector>

namespace coterie::gpu {

class Samples {
  public:
    explicit Samples(uint32_t seed) : engine_(seed) {}
    uint32_t bits() { return static_cast<uint32_t>(engine_()); }
    /// One of 2^24 values in [-1, 1).
    float unit() { return static_cast<float>(static_cast<int32_t>(bits() >> 7) - (1 << 24)) * 0x1p-24f; }
    std::vector<float> units(size_t count);
    /// Blocks of 32 values that lie half way between two bytes of the prepared block, or one or two last places beside
    /// it: they show a quotient that is off by one last place. count: whole blocks.
    std::vector<float> ties(size_t count);
    /// A matrix of random bits. Its factors are halves with magnitudes in [2^-9, 2), so that sums stay normal numbers.
    std::vector<std::byte> weights(engine::TensorType type, size_t rows, size_t columns);

  private:
    std::mt19937 engine_;
};

/// x: [vectors, columns] as the model prepares them for a format, `stride` words from vector to vector.
struct PreparedInputs {
    std::vector<uint32_t> words;
    uint32_t stride = 0;

    PreparedInputs(engine::TensorType type, std::span<const float> x, size_t columns);
};

/// A matrix and inputs of a format. call() has spans into it.
struct ProductSample {
    engine::TensorType type;
    uint32_t rows, columns, vectors;
    std::vector<std::byte> weights;
    PreparedInputs inputs;

    ProductSample(engine::TensorType format, uint32_t rowCount, uint32_t columnCount, uint32_t vectorCount,
                  uint32_t seed);
    ProductCall call() const;
    size_t outputs() const { return size_t{rows} * vectors; }
};

} // namespace coterie::gpu
