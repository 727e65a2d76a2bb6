// SPDX-License-Identifier: Apache-2.0
// See quantised_values.h. Blocks are read back with BlockOracle, which shares nothing with the engine's kernels.
#include "support/quantised_values.h"

#include "support/quant_oracle.h"

#include <algorithm>
#include <bit>
#include <span>

namespace coterie::test {
namespace {

using engine::TensorType;

/// Returns the nearest number with `mantissaBits` after the leading one and exponents from `least` up; ties to even.
double rounded(double value, int mantissaBits, int least) {
    if (value == 0) return 0;
    const int exponent = std::max(std::ilogb(value), least) - mantissaBits;
    return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}

uint16_t halfBits(double value) {
    value = rounded(value, 10, -14);
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::abs(value);
    if (magnitude < 0x1p-14) return static_cast<uint16_t>(sign | static_cast<uint16_t>(magnitude * 0x1p24));
    const int exponent = std::ilogb(magnitude);
    const auto mantissa = static_cast<uint16_t>(std::ldexp(magnitude, 10 - exponent) - 1024);
    return static_cast<uint16_t>(sign | ((exponent + 15) << 10) | mantissa);
}

template <typename T>
void append(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string storeFloats(TensorType type, std::vector<double>& values) {
    std::string bytes;
    for (double& value : values) {
        if (type == TensorType::F16) {
            append(bytes, halfBits(value));
            value = rounded(value, 10, -14);
        } else if (type == TensorType::BF16) {
            value = rounded(value, 7, -126);
            append(bytes, static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16));
        } else {
            value = static_cast<float>(value);
            append(bytes, static_cast<float>(value));
        }
    }
    return bytes;
}

double deviationOf(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value * value;
    return std::sqrt(sum / static_cast<double>(values.size()));
}

/// Reads the values of a block.
void readBlock(TensorType type, const std::vector<uint8_t>& block, std::span<double> values) {
    const BlockOracle oracle(type, block.data());
    for (size_t i = 0; i < values.size(); ++i) values[i] = oracle.at(static_cast<int>(i)).value();
}

/// Chooses the factors of a block of random bytes so that its values lie around 0 with this deviation, and gives the
/// values. A value is exactly a factor times what BlockOracle reads with a factor of 1, so each is read only once.
void scaleBlock(TensorType type, std::vector<uint8_t>& block, double deviation, std::span<double> values) {
    if (type == TensorType::MXFP4) {
        constexpr double ofLevels = 2.9; // deviation of the sixteen numbers that four bits can mean
        block[0] = static_cast<uint8_t>(127 + std::lround(std::log2(deviation / ofLevels)));
        return readBlock(type, block, values);
    }
    const size_t factors = factorCount(type);
    for (size_t number = 0; number < factors; ++number) setFactor(type, block.data(), number, halfBits(1));
    std::vector<OracleWeight> weights(values.size());
    const BlockOracle oracle(type, block.data());
    double products = 0, minima = 0;
    for (size_t i = 0; i < values.size(); ++i) {
        weights[i] = oracle.at(static_cast<int>(i));
        products += weights[i].product;
        minima += weights[i].minimum;
    }
    const double ratio = minima == 0 ? 0 : products / minima; // minima that cancel the products' mean
    for (size_t i = 0; i < values.size(); ++i) values[i] = weights[i].product - ratio * weights[i].minimum;
    const double scale = deviation / std::max(deviationOf(values), 1e-3);
    const double ofMinima = scale * ratio;
    setFactor(type, block.data(), 0, halfBits(scale));
    if (factors > 1) setFactor(type, block.data(), 1, halfBits(ofMinima));
    const double storedScale = rounded(scale, 10, -14), storedOfMinima = rounded(ofMinima, 10, -14);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = storedScale * weights[i].product - storedOfMinima * weights[i].minimum;
}

std::string storeBlocks(TensorType type, std::vector<double>& values, Random& random) {
    const engine::TypeTraits traits = engine::traits(type);
    const double deviation = deviationOf(values);
    std::string bytes;
    std::vector<uint8_t> block(traits.blockBytes);
    for (size_t begin = 0; begin + traits.blockElements <= values.size(); begin += traits.blockElements) {
        for (uint8_t& byte : block) byte = static_cast<uint8_t>(random.bits());
        scaleBlock(type, block, deviation, std::span(values).subspan(begin, traits.blockElements));
        bytes.append(reinterpret_cast<const char*>(block.data()), block.size());
    }
    return bytes;
}

} // namespace

std::string storeValues(TensorType type, std::vector<double>& values, Random& random) {
    return engine::traits(type).blockElements == 1 ? storeFloats(type, values) : storeBlocks(type, values, random);
}

} // namespace coterie::test
