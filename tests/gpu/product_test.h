// SPDX-License-Identifier: Apache-2.0
// Helpers of the tests that run shaders for matrices on a device and compare them with their models.
#pragma once

#include "product_runs.h"
#include "same_bits.h"
#include "samples.h"
#include "test_device.h"

#include <QTest>

#include <bit>
#include <span>
#include <vector>

namespace coterie::test {

using namespace coterie::engine;
namespace gpu = coterie::gpu;

inline constexpr uint32_t kUnwritten = 0xcdcdcdcd; ///< four bytes of an output before a shader runs

/// Runs the shader and returns what it wrote, or a vector of no values after an error.
inline std::vector<float> written(const gpu::ProductCall& call, const gpu::ProductTuning& tuning, size_t outputs) {
    std::vector<float> out(outputs);
    if (const Status done = runProduct(testDevice(), call, tuning, out); !done) {
        qWarning("%s", done.error().line().c_str());
        return {};
    }
    return out;
}

/// Returns what the model says. An output that nothing writes has the bytes that runShader() fills in.
inline std::vector<float> expected(const gpu::ProductCall& call, size_t outputs) {
    std::vector<float> out(outputs, std::bit_cast<float>(kUnwritten));
    product(call, out);
    return out;
}

inline bool agrees(const gpu::ProductCall& call, const gpu::ProductTuning& tuning, size_t outputs) {
    const std::vector<float> out = written(call, tuning, outputs);
    if (out.empty()) return false;
    const std::string shader = gpu::productName(call.weights.type, tuning, testDevice().abilities());
    const Status same = gpu::sameBits(shader, out, expected(call, outputs));
    if (!same) qWarning("%s", same.error().line().c_str());
    return same.ok();
}

inline uint32_t wholeBlocks(TensorType type, uint32_t columns) {
    const uint32_t block = traits(type).blockElements;
    return (columns + block - 1) / block * block;
}

inline void addFormatRows(std::span<const TensorType> types) {
    QTest::addColumn<int>("format");
    for (const TensorType type : types) QTest::newRow(traits(type).name) << static_cast<int>(type);
}

} // namespace coterie::test
