// SPDX-License-Identifier: Apache-2.0
// See skeleton.h. The layout comes first:
//
//     x: | 0 .. lanes-1 | lanes .. 2 lanes-1 | ... | the rest, fewer than lanes |      y alike
//
// Each lane of a register sums every lanes-th product, and the lanes are added at the end. Two registers of sums hide
// half of the latency of a fused product and sum. The rest is loaded with zeros behind it, so nothing past n is read.
//
// In a real kernel each section below lies in a file of its own: scalar.cpp, avx2_<name>.cpp, avx512_<name>.cpp and
// neon_<name>.cpp. A section calls functions of its own instruction set and plain functions, but no std templates: the
// linker may pick the copy of such a template that was compiled for the higher instruction set.
#include "kernels/skeleton.h"

#if defined(__x86_64__) || defined(_M_X64)
#include "kernels/avx512_pieces.h"
#elif defined(__aarch64__) || defined(_M_ARM64)
#include "kernels/neon_pieces.h"
#endif

namespace coterie::engine {
namespace {

// --- The plain version, which is the oracle of the others

float scalarDot(const float* x, const float* y, int64_t n) {
    float sum = 0;
    for (int64_t i = 0; i < n; ++i) sum += x[i] * y[i];
    return sum;
}

#if defined(__x86_64__) || defined(_M_X64)

// --- AVX2

COTERIE_AVX2 float avx2Dot(const float* x, const float* y, int64_t n) {
    __m256 sums[2] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
    for (int64_t i = 0; i < n; i += 2 * kLanes)
        for (int64_t k = 0; k < 2 && i + k * kLanes < n; ++k) {
            const int64_t at = i + k * kLanes;
            sums[k] = _mm256_fmadd_ps(loadFirst(x + at, n - at), loadFirst(y + at, n - at), sums[k]);
        }
    return sumOfLanes(_mm256_add_ps(sums[0], sums[1]));
}

// --- AVX-512

COTERIE_AVX512 float avx512Dot(const float* x, const float* y, int64_t n) {
    __m512 sums[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
    for (int64_t i = 0; i < n; i += 2 * kWideLanes)
        for (int64_t k = 0; k < 2 && i + k * kWideLanes < n; ++k) {
            const int64_t at = i + k * kWideLanes;
            sums[k] = _mm512_fmadd_ps(loadSome(x + at, n - at), loadSome(y + at, n - at), sums[k]);
        }
    return _mm512_reduce_add_ps(_mm512_add_ps(sums[0], sums[1]));
}

#elif defined(__aarch64__) || defined(_M_ARM64)

// --- NEON

float neonDot(const float* x, const float* y, int64_t n) {
    float32x4_t sums[2] = {vdupq_n_f32(0), vdupq_n_f32(0)};
    for (int64_t i = 0; i < n; i += kStep) {
        const Eight a = loadFirst(x + i, n - i), b = loadFirst(y + i, n - i);
        sums[0] = vfmaq_f32(sums[0], a.low, b.low);
        sums[1] = vfmaq_f32(sums[1], a.high, b.high);
    }
    return vaddvq_f32(vaddq_f32(sums[0], sums[1]));
}

#endif

// --- The table. A real kernel is an entry of KernelTable instead; a table that does not replace it inherits it
// (tables.h).

constexpr DotVersion kVersions[] = {
#if defined(__x86_64__) || defined(_M_X64)
    {"avx512vnni", avx512Dot},
    {"avx2", avx2Dot},
#elif defined(__aarch64__) || defined(_M_ARM64)
    {"neon", neonDot},
#endif
    {"scalar", scalarDot},
};

} // namespace

std::span<const DotVersion> dotVersions() { return kVersions; }

} // namespace coterie::engine
