// SPDX-License-Identifier: Apache-2.0
// Matrix products of quantised formats with AVX2 and AVX-VNNI, which adds four products at once, in 32 bits.
// avx2_products.h describes the rest.
#include "kernels/avx2_table.h"
#include "kernels/cpuid.h"

#if defined(_MSC_VER)
#define COTERIE_DOT
#define COTERIE_DOT_INLINE __forceinline
#else
#define COTERIE_DOT __attribute__((target("avx2,fma,f16c,avxvnni")))
#define COTERIE_DOT_INLINE COTERIE_DOT __attribute__((always_inline)) inline
#endif
#include "kernels/avx2_products.h"

namespace coterie::engine {
namespace {

/// Like PairDot in avx2_quants.cpp. Bytes of weights are never negative in any format.
struct VnniDot {
    static constexpr StepKind kind(TensorType type) {
        return {hasMinimum(type), false, stepsOf32(type), quantOffset(type), 0};
    }
    /// Size of a tile: 2 x 3 sums and as many products leave registers for weights and x.
    static constexpr int kPanels = 2;
    static constexpr int tokens(const StepKind&) { return 3; }

    COTERIE_DOT_INLINE static __m256i products(__m256i bytes, __m256i x) {
        return _mm256_dpbusd_avx_epi32(_mm256_setzero_si256(), bytes, x);
    }

    /// Sums of products begin with minus the sum that the offset adds.
    template <StepKind kind>
    COTERIE_DOT_INLINE static __m256i offsets(__m256i x) {
        const __m256i each = _mm256_set1_epi8(static_cast<char>(kind.offset));
        return _mm256_sub_epi32(_mm256_setzero_si256(), products(each, x));
    }
    template <StepKind>
    COTERIE_DOT_INLINE static __m256i rowProducts(__m256i bytes, __m256i x, __m256i begin) {
        return _mm256_dpbusd_avx_epi32(begin, bytes, x);
    }

    template <StepKind kind, int panels, int tokens>
    COTERIE_DOT_INLINE static void stepProducts(const std::byte* const (&quants)[panels], const std::byte* x,
                                                const int32_t* terms, const ManyArguments& a,
                                                __m256i (&out)[panels][tokens]) {
        constexpr bool none = kind.offset == 0;
        for (int t = 0; t < tokens; ++t)
            for (int p = 0; p < panels; ++p)
                out[p][t] = none ? _mm256_setzero_si256() : _mm256_set1_epi32(terms[t * a.termStride]);
        for (int i = 0; i < widthOf(kind); ++i) {
            __m256i q[panels];
            for (int p = 0; p < panels; ++p) q[p] = inRegister(loadBytes32(quants[p] + 32 * i));
            for (int t = 0; t < tokens; ++t) {
                const __m256i four =
                    _mm256_set1_epi32(loadAs<int32_t>(x + static_cast<size_t>(t) * a.tokenStride + 4 * i));
                for (int p = 0; p < panels; ++p) out[p][t] = _mm256_dpbusd_avx_epi32(out[p][t], q[p], four);
            }
        }
    }
};

} // namespace

bool avx2VnniRunsHere() {
    constexpr uint32_t avxVnni = 1u << 4; // leaf 7.1, eax
    return avx2RunsHere() && cpuid(7).eax >= 1 && (cpuid(7, 1).eax & avxVnni) != 0;
}

void avx2VnniMultiplyQuants(TensorType type, const TileArguments& a, int64_t rows, int64_t batch) {
    multiplyQuants<VnniDot>(type, a, rows, batch);
}
void avx2VnniMultiplySomeQuants(TensorType type, const TileArguments& a, const int32_t* rows, int64_t count) {
    multiplySomeQuants<VnniDot>(type, a, rows, count);
}

} // namespace coterie::engine
