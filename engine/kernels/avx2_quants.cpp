// SPDX-License-Identifier: Apache-2.0
// Matrix products of quantised formats with AVX2. avx2_products.h describes them.
#include "kernels/avx2_table.h"

#define COTERIE_DOT COTERIE_AVX2
#define COTERIE_DOT_INLINE COTERIE_AVX2_INLINE
#include "kernels/avx2_products.h"

namespace coterie::engine {
namespace {

/// Whether bytes of weights are signed. Two products are added in 16 bits, which needs bytes below 128. Formats whose
/// bytes would be larger multiply q itself, which is at most quantOffset away from 0.
constexpr bool takesSigned(TensorType type) { return formatOf(type).largestByte > 127; }
constexpr int largestMagnitude(TensorType type) {
    return takesSigned(type) ? quantOffset(type) : formatOf(type).largestByte;
}

/// Products of bytes that are never negative with signed ones, two of which are added in 16 bits. If bytes of weights
/// are signed, their signs move over to x: two products are at most 2 * 128 * 127 = 32512.
struct PairDot {
    static constexpr StepKind kind(TensorType type) {
        const int steps = stepsOf32(type);
        int addable = kQuantRegisters / steps;
        while (addable * 2 * 127 * largestMagnitude(type) > 32767) addable /= 2;
        return {hasMinimum(type), takesSigned(type), steps, takesSigned(type) ? 0 : quantOffset(type), addable};
    }
    /// Size of a tile. A larger one would not fit 16 registers.
    static constexpr int kPanels = 1;
    static constexpr int tokens(const StepKind& kind) { return kind.addable == widthOf(kind) ? 6 : 4; }

    COTERIE_AVX2_INLINE static __m256i wide(__m256i pairs) { return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)); }
    /// bytes * x, four products in each lane.
    COTERIE_AVX2_INLINE static __m256i products(__m256i bytes, __m256i x) {
        return wide(_mm256_maddubs_epi16(bytes, x));
    }
    template <StepKind kind>
    COTERIE_AVX2_INLINE static __m256i pairsOf(__m256i bytes, __m256i x) {
        if constexpr (kind.signedBytes) return _mm256_maddubs_epi16(_mm256_abs_epi8(bytes), _mm256_sign_epi8(x, bytes));
        return _mm256_maddubs_epi16(bytes, x);
    }

    /// The sum that the offset of 32 bytes of weights adds to their products with x.
    template <StepKind kind>
    COTERIE_AVX2_INLINE static __m256i offsets(__m256i x) {
        return _mm256_maddubs_epi16(_mm256_set1_epi8(static_cast<char>(kind.offset)), x);
    }
    /// q * x, four products in each lane.
    template <StepKind kind>
    COTERIE_AVX2_INLINE static __m256i rowProducts(__m256i bytes, __m256i x, __m256i tooMuch) {
        const __m256i pairs = pairsOf<kind>(bytes, x);
        return wide(kind.offset == 0 ? pairs : _mm256_sub_epi16(pairs, tooMuch));
    }

    /// Adds the products of register i of a step to `pairs`. They stay in registers: GCC would rather add all of them
    /// at the end.
    template <StepKind kind, bool first, int panels, int tokens>
    COTERIE_AVX2_INLINE static void addPairs(const std::byte* const (&quants)[panels], const std::byte* x, int i,
                                             const ManyArguments& a, __m256i (&pairs)[panels][tokens]) {
        __m256i q[panels];
        for (int p = 0; p < panels; ++p) q[p] = inRegister(loadBytes32(quants[p] + 32 * i));
        for (int t = 0; t < tokens; ++t) {
            const __m256i four = _mm256_set1_epi32(loadAs<int32_t>(x + static_cast<size_t>(t) * a.tokenStride + 4 * i));
            for (int p = 0; p < panels; ++p) {
                const __m256i more = pairsOf<kind>(q[p], four);
                pairs[p][t] = inRegister(first ? more : _mm256_add_epi16(pairs[p][t], more));
            }
        }
    }

    /// Computes q . x of a step for each row and token, one row in each lane. terms: the first token's.
    template <StepKind kind, int panels, int tokens>
    COTERIE_AVX2_INLINE static void stepProducts(const std::byte* const (&quants)[panels], const std::byte* x,
                                                 const int32_t* terms, const ManyArguments& a,
                                                 __m256i (&out)[panels][tokens]) {
        constexpr int together = kind.addable;
        for (int g = 0; g < widthOf(kind); g += together) {
            __m256i pairs[panels][tokens];
            addPairs<kind, true>(quants, x, g, a, pairs);
            for (int i = 1; i < together; ++i) addPairs<kind, false>(quants, x, g + i, a, pairs);
            for (int p = 0; p < panels; ++p)
                for (int t = 0; t < tokens; ++t) {
                    const __m256i sums = wide(pairs[p][t]);
                    out[p][t] = g == 0 ? sums : inRegister(_mm256_add_epi32(out[p][t], sums));
                }
        }
        if constexpr (kind.offset != 0)
            for (int t = 0; t < tokens; ++t)
                for (int p = 0; p < panels; ++p)
                    out[p][t] = _mm256_add_epi32(out[p][t], _mm256_set1_epi32(terms[t * a.termStride]));
    }
};

} // namespace

void avx2MultiplyQuants(TensorType type, const TileArguments& a, int64_t rows, int64_t batch) {
    multiplyQuants<PairDot>(type, a, rows, batch);
}
void avx2MultiplySomeQuants(TensorType type, const TileArguments& a, const int32_t* rows, int64_t count) {
    multiplySomeQuants<PairDot>(type, a, rows, count);
}

} // namespace coterie::engine
