// SPDX-License-Identifier: Apache-2.0
// How numbers lie in memory: weight blocks as GGUF files hold them, prepared vectors, and half and bfloat16 in plain
// C++. For kernels/ and the scalar models of the shaders in gpu/. Nothing here needs more than the lowest CPU that the
// program runs on.
//
//   In F32, F16 and BF16 a block is one value. Quantised blocks are drawn in quants.h.
//
//   A vector prepared for quantised formats: x[i] = scale[i / 32] * q[i], |q| <= 127
//     | scale: float [columns / 32] | zeros up to 64 bytes | q: int8 [columns] | zeros up to 64 bytes |
//   A vector prepared for F32, F16, BF16:
//     | x: float [columns] | zeros up to 64 bytes |
#pragma once

#include "base/rounding.h"
#include "kernels/formats.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#if defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace coterie::engine {

constexpr int64_t kScaleBytes = 2;                     ///< bytes of the half in front of a block's values
constexpr int kQ4Zero = quantOffset(TensorType::Q4_0); ///< the nibble that stands for 0

/// The largest magnitude of a byte of q. It is 127 and not 128 because vector code adds two products 128 * q in 16
/// bits.
constexpr float kQuantisedLargest = 127.0f;
/// Blocks of x below this count as zeros: 127 / largest must be finite, and largest / 127 a normal number.
constexpr float kQuantisedSmallest = 0x1p-100f;

/// Offset of the bytes in a vector prepared for an integer format.
constexpr int64_t preparedQuantsOffset(int64_t columns) {
    return roundUp(columns / kBlockValues * static_cast<int64_t>(sizeof(float)), kLineBytes);
}

#if defined(_MSC_VER)
#define COTERIE_INLINE __forceinline
#else
#define COTERIE_INLINE __attribute__((always_inline)) inline
#endif

/// Fetches bytes that will be read soon into the cache; any address is allowed.
COTERIE_INLINE void fetchBytes(const void* from, int64_t bytes) {
    const char* p = static_cast<const char*>(from);
    for (int64_t at = 0; at < bytes; at += kLineBytes) {
#if defined(__GNUC__)
        __builtin_prefetch(p + at);
#elif defined(_M_X64)
        _mm_prefetch(p + at, _MM_HINT_T0);
#else
        (void)p;
#endif
    }
}

/// Reads a value of any plain type from bytes of any alignment.
template <typename T>
T loadAs(const void* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

/// Exact for every half. The factor 2^112 moves the exponent's bias from 15 to 127 and makes subnormals normal.
inline float floatFromHalf(uint16_t half) {
    const uint32_t sign = (half & 0x8000u) << 16;
    const uint32_t magnitude = (half & 0x7fffu) << 13;
    uint32_t bits = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
    if (magnitude >= 0x0f800000u) bits |= 0x7f800000u; // infinity and NaN
    return std::bit_cast<float>(bits | sign);
}

/// Rounds to the nearest, ties to even. NaN stays NaN (quiet, with the upper bits of its payload), as in F16C and on
/// ARM.
inline uint16_t halfFromFloat(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const uint32_t sign = (bits >> 16) & 0x8000u;
    const uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
    if (magnitude >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u); // 65520, half way past the largest
    if (magnitude < 0x38800000u) { // below 2^-14: beside 0.5 a float's last place is 2^-24, the smallest half
        const float rounded = std::bit_cast<float>(magnitude) + 0.5f;
        return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(rounded) - 0x3f000000u));
    }
    const uint32_t rebiased = magnitude - (112u << 23);
    return static_cast<uint16_t>(sign | ((rebiased + 0xfffu + ((rebiased >> 13) & 1u)) >> 13));
}

inline float floatFromBfloat(uint16_t bfloat) { return std::bit_cast<float>(static_cast<uint32_t>(bfloat) << 16); }

} // namespace coterie::engine
