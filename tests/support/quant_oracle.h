// SPDX-License-Identifier: Apache-2.0
// Every format's values in double, one at a time and straight from the drawings in ggml's headers. It shares nothing
// with the engine's kernels except the names of the formats and the packed numbers of the codebooks, whose checksums
// tests/kernels/tst_kernel_codebooks.cpp knows. Its switches name every format, so that adding a format to TensorType
// does not compile before it is decoded here.
#pragma once

#include "gguf/tensor_type.h"
#include "kernels/codebooks/numbers.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace coterie::test {

using engine::TensorType;

inline double decodedHalf(uint16_t half) {
    const int exponent = (half >> 10) & 31;
    const int fraction = half & 0x3ff;
    double magnitude = std::ldexp(fraction + (exponent > 0 ? 1024 : 0), (exponent > 0 ? exponent : 1) - 25);
    if (exponent == 31) magnitude = fraction ? std::nan("") : std::numeric_limits<double>::infinity();
    return half & 0x8000 ? -magnitude : magnitude;
}
/// Does the same with a table, because tests that make models call it millions of times.
inline double halfValue(uint16_t half) {
    static const std::vector<double> values = [] {
        std::vector<double> all(65536);
        for (size_t i = 0; i < all.size(); ++i) all[i] = decodedHalf(static_cast<uint16_t>(i));
        return all;
    }();
    return values[half];
}

/// value = product - minimum; formats without minima have 0 there.
struct OracleWeight {
    double product = 0, minimum = 0;
    double value() const { return product - minimum; }
    double magnitude() const { return std::abs(product) + std::abs(minimum); }
};

/// Offsets of a block's factors in half precision.
inline std::vector<int64_t> halvesOf(TensorType type) {
    switch (type) {
    case TensorType::Q4_1:
    case TensorType::Q5_1:
    case TensorType::Q4_K:
    case TensorType::Q5_K:
        return {0, 2};
    case TensorType::Q2_K:
        return {80, 82};
    case TensorType::Q3_K:
        return {108};
    case TensorType::Q6_K:
        return {208};
    case TensorType::F16:
    case TensorType::Q8_0:
    case TensorType::Q4_0:
    case TensorType::Q5_0:
    case TensorType::IQ4_NL:
    case TensorType::IQ4_XS:
    case TensorType::IQ3_S:
    case TensorType::IQ3_XXS:
    case TensorType::IQ2_S:
    case TensorType::IQ2_XS:
    case TensorType::IQ2_XXS:
    case TensorType::IQ1_S:
        return {0};
    case TensorType::F32:
    case TensorType::BF16:
    case TensorType::MXFP4:
    case TensorType::IQ1_M: // has a half, but its nibbles lie apart
        return {};
    }
    std::abort();
}

/// How many factors in half precision a block has.
inline size_t factorCount(TensorType type) { return type == TensorType::IQ1_M ? 1 : halvesOf(type).size(); }

/// Writes factor `number` of a block.
inline void setFactor(TensorType type, void* block, size_t number, uint16_t half) {
    auto* bytes = static_cast<uint8_t*>(block);
    if (type == TensorType::IQ1_M) {
        for (int nibble = 0; nibble < 4; ++nibble) {
            uint8_t& byte = bytes[49 + 2 * nibble];
            byte = static_cast<uint8_t>((byte & 15) | (half >> (4 * nibble) & 15) << 4);
        }
        return;
    }
    const auto at = static_cast<size_t>(halvesOf(type)[number]);
    bytes[at] = static_cast<uint8_t>(half);
    bytes[at + 1] = static_cast<uint8_t>(half >> 8);
}

/// Value i of a codebook's entry, which holds `bits` bits for each value.
inline int codebookValue(const int (&levels)[8], uint16_t packed, int bits, int i) {
    return levels[packed >> (bits * i) & ((1 << bits) - 1)];
}
inline int iq3sValue(int entry, int i) {
    return codebookValue({1, 3, 5, 7, 9, 11, 13, 15}, engine::kPackedIq3S[entry], 3, i);
}
inline int iq3xxsValue(int entry, int i) {
    return codebookValue({4, 12, 20, 28, 36, 44, 52, 62}, engine::kPackedIq3Xxs[entry], 3, i);
}
inline int iq2Value(uint16_t packed, int i) { return codebookValue({8, 25, 43}, packed, 2, i); }
inline int iq1Value(int entry, int i) { return codebookValue({-1, 0, 1}, engine::kPackedIq1[entry], 2, i); }

/// Value i of one block.
class BlockOracle {
  public:
    BlockOracle(TensorType type, const uint8_t* bytes) : type_(type), bytes_(bytes) {}

    OracleWeight at(int i) const {
        switch (type_) {
        case TensorType::F32: {
            float value;
            std::memcpy(&value, bytes_, 4);
            return {value, 0};
        }
        case TensorType::F16:
            return {half(0), 0};
        case TensorType::BF16: {
            const uint32_t wide = static_cast<uint32_t>(word(0)) << 16;
            float value;
            std::memcpy(&value, &wide, 4);
            return {value, 0};
        }
        case TensorType::Q8_0:
            return {half(0) * static_cast<int8_t>(bytes_[2 + i]), 0};
        case TensorType::Q4_0:
            return {half(0) * (bits(16, i % 16 * 8 + i / 16 * 4, 4) - 8), 0};
        case TensorType::Q4_1:
            return {half(0) * bits(32, i % 16 * 8 + i / 16 * 4, 4), -half(2)};
        case TensorType::Q5_0:
            return {half(0) * (bits(48, i % 16 * 8 + i / 16 * 4, 4) + 16 * bits(16, i, 1) - 16), 0};
        case TensorType::Q5_1:
            return {half(0) * (bits(64, i % 16 * 8 + i / 16 * 4, 4) + 16 * bits(32, i, 1)), -half(2)};
        case TensorType::IQ4_NL:
            return {half(0) * uneven(bits(16, i % 16 * 8 + i / 16 * 4, 4)), 0};
        case TensorType::MXFP4:
            return {std::ldexp(fp4(bits(8, i % 16 * 8 + i / 16 * 4, 4)), bytes_[0] - 127), 0};
        case TensorType::Q2_K:
        case TensorType::Q3_K:
        case TensorType::Q4_K:
        case TensorType::Q5_K:
        case TensorType::Q6_K:
        case TensorType::IQ4_XS:
            return atSuper(i, i / 32);
        case TensorType::IQ3_S:
        case TensorType::IQ3_XXS:
        case TensorType::IQ2_S:
        case TensorType::IQ2_XS:
        case TensorType::IQ2_XXS:
            return {signedEntry(i), 0};
        case TensorType::IQ1_S:
        case TensorType::IQ1_M:
            return {shiftedEntry(i), 0};
        }
        std::abort();
    }

  private:
    /// IQ3_* and IQ2_*. Formulas as the published descriptions of the formats give them, in fractions.
    double signedEntry(int i) const {
        const int part = i / 32, four = i / 4, eight = i / 8;
        switch (type_) {
        case TensorType::IQ3_S: {
            const int entry = bytes_[2 + four] + 256 * bits(8 * 66, four, 1);
            return half(0) * (1 + 2 * bits(8 * 106, 4 * part, 4)) * iq3sValue(entry, i % 4) * sign(bits(8 * 74, i, 1));
        }
        case TensorType::IQ3_XXS: {
            const uint32_t rest = wide(66 + 4 * part);
            return half(0) * (0.5 + (rest >> 28)) / 2 * iq3xxsValue(bytes_[2 + four], i % 4) * seventh(rest, i);
        }
        case TensorType::IQ2_S: {
            const int entry = bytes_[2 + eight] + 256 * bits(8 * 66, 2 * eight, 2);
            const double scale = half(0) * (0.5 + bits(8 * 74, 4 * (i / 16), 4)) / 4;
            return scale * iq2Value(engine::kPackedIq2S[entry], i % 8) * sign(bits(8 * 34, i, 1));
        }
        case TensorType::IQ2_XS: {
            const int entry = word(2 + 2 * eight) % 512, signs = word(2 + 2 * eight) / 512;
            const double scale = half(0) * (0.5 + bits(8 * 66, 4 * (i / 16), 4)) / 4;
            return scale * iq2Value(engine::kPackedIq2Xs[entry], i % 8) * ofSeven(signs, i % 8);
        }
        default: { // IQ2_XXS: at() sends no other format here
            const uint32_t rest = wide(6 + 8 * part);
            const int entry = bytes_[2 + 8 * part + eight % 4];
            return half(0) * (0.5 + (rest >> 28)) / 4 * iq2Value(engine::kPackedIq2Xxs[entry], i % 8) *
                   seventh(rest, i);
        }
        }
    }

    /// IQ1_*.
    double shiftedEntry(int i) const {
        const int part = i / 32, eight = i / 8;
        if (type_ == TensorType::IQ1_S) {
            const int rest = word(34 + 2 * part);
            const int entry = bytes_[2 + eight] + 256 * (rest >> (3 * (eight % 4)) & 7);
            return half(0) * (1 + 2 * (rest >> 12 & 7)) * (iq1Value(entry, i % 8) + (rest >> 15 ? -0.125 : 0.125));
        }
        uint16_t factor = 0;
        for (int k = 0; k < 4; ++k) factor = static_cast<uint16_t>(factor | word(48 + 2 * k) >> 12 << (4 * k));
        const int nibble = bits(8 * 32, 4 * eight, 4), sixteen = i / 16;
        const int scale = 1 + 2 * (word(48 + 2 * (sixteen / 4)) >> (3 * (sixteen % 4)) & 7);
        return halfValue(factor) * scale *
               (iq1Value(bytes_[eight] + 256 * (nibble & 7), i % 8) + (nibble & 8 ? -0.125 : 0.125));
    }

    static int sign(int bit) { return bit != 0 ? -1 : 1; }
    /// The sign of weight j of eight, of which `signs` has seven. An even number is negative.
    static int ofSeven(int signs, int j) {
        return sign(j < 7 ? signs >> j & 1 : std::popcount(static_cast<unsigned>(signs)) % 2);
    }
    /// The sign of weight i, whose sub-block has four times seven signs in the low bits of a word.
    static int seventh(uint32_t word, int i) {
        return ofSeven(static_cast<int>(word >> (7 * (i % 32 / 8)) & 127), i % 8);
    }

    /// part: number of the sub-block, of eight.
    OracleWeight atSuper(int i, int part) const {
        const int k = i % 32, quarter = part % 4, upperHalf = part / 4;
        switch (type_) {
        case TensorType::Q2_K: {
            const int q = bits(128 + 256 * upperHalf, 8 * k + 2 * quarter, 2);
            return {half(80) * (bytes_[i / 16] % 16) * q, half(82) * (bytes_[i / 16] / 16)};
        }
        case TensorType::Q3_K: {
            const int q = bits(256 + 256 * upperHalf, 8 * k + 2 * quarter, 2) + 4 * bits(0, 8 * k + part, 1) - 4;
            const int j = i / 16;
            const int scale = bits(768, 8 * (j % 8) + 4 * (j / 8), 4) + 16 * bits(832, 8 * (j % 4) + 2 * (j / 4), 2);
            return {half(108) * (scale - 32) * q, 0};
        }
        case TensorType::Q4_K:
            return withPairs(part, bits(128, 256 * (part / 2) + 8 * k + 4 * (part % 2), 4));
        case TensorType::Q5_K:
            return withPairs(part,
                             bits(384, 256 * (part / 2) + 8 * k + 4 * (part % 2), 4) + 16 * bits(128, 8 * k + part, 1));
        case TensorType::Q6_K: {
            const int low = bits(512 * upperHalf, 256 * (part % 2) + 8 * k + 4 * (quarter / 2), 4);
            const int high = bits(1024 + 256 * upperHalf, 8 * k + 2 * quarter, 2);
            return {half(208) * static_cast<int8_t>(bytes_[192 + i / 16]) * (low + 16 * high - 32), 0};
        }
        case TensorType::IQ4_XS: {
            const int scale = bits(32, 4 * part, 4) + 16 * bits(16, 2 * part, 2) - 32;
            return {half(0) * scale * uneven(bits(64 + 128 * part, k % 16 * 8 + k / 16 * 4, 4)), 0};
        }
        default:
            std::abort(); // at() sends no other format here
        }
    }

    /// Q4_K, Q5_K: eight scales and eight minima of six bits in the twelve bytes from 4 on.
    OracleWeight withPairs(int part, int q) const {
        int scale = bits(32, 8 * part, 6), minimum = bits(64, 8 * part, 6);
        if (part >= 4) {
            const int j = part - 4;
            scale = bits(96, 8 * j, 4) + 16 * bits(32, 8 * j + 6, 2);
            minimum = bits(96, 8 * j + 4, 4) + 16 * bits(64, 8 * j + 6, 2);
        }
        return {half(0) * scale * q, half(2) * minimum};
    }

    uint16_t word(int at) const { return static_cast<uint16_t>(bytes_[at] | bytes_[at + 1] << 8); }
    uint32_t wide(int at) const { return word(at) | static_cast<uint32_t>(word(at + 2)) << 16; }
    double half(int at) const { return halfValue(word(at)); }
    /// `count` bits from bit `begin + at` of the block on, within one byte.
    int bits(int begin, int at, int count) const {
        const int bit = begin + at;
        return bytes_[bit / 8] >> (bit % 8) & ((1 << count) - 1);
    }
    static int uneven(int level) {
        constexpr int levels[] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
        return levels[level];
    }
    /// A float of one sign bit, two exponent bits (bias 1), one fraction bit.
    static double fp4(int bits) {
        const int exponent = bits >> 1 & 3, fraction = bits & 1;
        const double magnitude = exponent ? std::ldexp(2 + fraction, exponent - 2) : fraction * 0.5;
        return bits & 8 ? -magnitude : magnitude;
    }

    TensorType type_;
    const uint8_t* bytes_;
};

} // namespace coterie::test
