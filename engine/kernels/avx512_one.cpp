// SPDX-License-Identifier: Apache-2.0
// Products of quantised matrices and one token, for AVX-512 with VNNI: 16 rows side by side, or a row alone. The order
// of sums stands in avx512_vnni.cpp.
#include "kernels/avx2_unpack.h"
#include "kernels/avx512_unpack.h"

namespace coterie::engine {
namespace {

// --- 16 rows and one token

/// Columns that are summed in one go, in blocks of 32, and the token's terms for them.
struct Span {
    int64_t begin, end;
    const int32_t* terms;
};

constexpr int64_t oneTokenBlocks = 1024; ///< of a span: the terms' room
constexpr int64_t fetchAhead = 512;      ///< bytes of each row

/// Decoding reads memory that was never in a cache, and the processor's own prefetchers follow 16 short rows badly. So
/// each row is fetched a way ahead, and behind its end goes on 16 rows further: there begins the next panel's row.
struct PanelFetcher {
    const char* first;
    int64_t rowStride, next;

    template <int64_t bytes>
    COTERIE_AVX512_INLINE void step(int64_t offset) {
        constexpr int64_t line = 64;
        for (; next < offset + bytes + fetchAhead; next += line) {
            const char* at = first + next + (next < rowStride ? 0 : (panelRows - 1) * rowStride);
            for (int64_t r = 0; r < panelRows; ++r) _mm_prefetch(at + r * rowStride, _MM_HINT_T0);
        }
    }
};

/// sum + a step of one token. q: [8 / stepsOf32]; x: as many columns.
template <TensorType type>
COTERIE_AVX512_INLINE __m512 addStep(const __m512i* q, __m512 scale, __m512 minimum, const std::byte* x, float xScale,
                                     int32_t term, __m512 sum) {
    const __m512i terms = _mm512_set1_epi32(term);
    __m512i products[2] = {hasMinimum(type) ? _mm512_setzero_si512() : terms, _mm512_setzero_si512()};
    for (int i = 0; i < quantRegisters / stepsOf32(type); ++i)
        products[i % 2] = _mm512_dpbusd_epi32(products[i % 2], q[i], everywhere(x + 4 * i));
    const __m512 product = _mm512_cvtepi32_ps(_mm512_add_epi32(products[0], products[1]));
    sum = _mm512_fmadd_ps(_mm512_mul_ps(scale, _mm512_set1_ps(xScale)), product, sum);
    if constexpr (hasMinimum(type)) sum = _mm512_fnmadd_ps(minimum, _mm512_castsi512_ps(terms), sum);
    return sum;
}

/// `count` rows, at most 16.
template <TensorType type>
COTERIE_AVX512 void panelByOne(const TileArguments& a, int64_t count, const Span& span) {
    constexpr int parts = isSuperFormat(type) ? partsOfSuper : 1;
    constexpr int steps = stepsOf32(type), width = quantRegisters / steps;
    const PanelRows rows(a.w, a.rowStride, count);
    const float* xScales = reinterpret_cast<const float*>(a.x);
    const std::byte* x = a.x + preparedQuantsOffset(a.columns);
    const __mmask16 mask = firstOf16(count);
    PanelFetcher fetcher = {reinterpret_cast<const char*>(a.w), static_cast<int64_t>(a.rowStride),
                            span.begin / parts * quantBytes<type> + fetchAhead};
    __m512 sum = span.begin == 0 ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(mask, a.out);
    const int32_t* terms = span.terms;
    for (int64_t b = span.begin; b < span.end; b += parts) {
        const int64_t offset = b / parts * quantBytes<type>;
        fetcher.step<quantBytes<type>>(offset);
        __m512i q[parts * quantRegisters];
        __m512 scales[parts * steps], minima[parts * steps] = {};
        unpackPanel<type>(rows, offset, {q, scales, minima});
        for (int s = 0; s < parts * steps; ++s)
            sum = addStep<type>(q + s * width, scales[s], minima[s], x + b * blockValues + 4 * s * width,
                                xScales[b + s / steps], *terms++, sum);
    }
    _mm512_mask_storeu_ps(a.out, mask, sum);
}

// --- A row alone

/// Products of 32 weights and x, in eight lanes of which four are 16 columns' each.
template <TensorType type>
COTERIE_AVX512_INLINE __m256i rowProducts(const uint8_t* block, int part, __m256i x) {
    const __m256i none = _mm256_setzero_si256();
    if constexpr (type == TensorType::Q4_0) {
        const __m256i eight = _mm256_dpbusd_epi32(none, _mm256_set1_epi8(q4Zero), x);
        return _mm256_sub_epi32(_mm256_dpbusd_epi32(none, nibblesOf16(block + scaleBytes), x), eight);
    }
    __m256i q;
    if constexpr (isSuperFormat(type))
        q = partQuants<type>(block, part);
    else
        q = blockQuants<type>(block);
    if constexpr (isUnsigned(type)) return _mm256_dpbusd_epi32(none, q, x);
    return _mm256_dpbusd_epi32(none, _mm256_abs_epi8(q), _mm256_sign_epi8(x, q));
}

/// Of eight registers: each one's sums of its lower and upper half, in order.
COTERIE_AVX512_INLINE void sumsOfHalves(const __m256i (&v)[8], __m256i* lower, __m256i* upper) {
    __m256i fours[2];
    for (int i = 0; i < 2; ++i) {
        const __m256i* from = v + 4 * i;
        const __m256i a =
            _mm256_add_epi32(_mm256_unpacklo_epi32(from[0], from[1]), _mm256_unpackhi_epi32(from[0], from[1]));
        const __m256i b =
            _mm256_add_epi32(_mm256_unpacklo_epi32(from[2], from[3]), _mm256_unpackhi_epi32(from[2], from[3]));
        fours[i] = _mm256_add_epi32(_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b));
    }
    *lower = _mm256_permute2x128_si256(fours[0], fours[1], 0x20);
    *upper = _mm256_permute2x128_si256(fours[0], fours[1], 0x31);
}

/// Eight blocks of 32, or the eight parts of a super-block; past the row's last block that one again.
struct EightBlocks {
    const uint8_t* at[8];
    const std::byte* x[8];
};

template <TensorType type>
COTERIE_AVX512_INLINE EightBlocks eightBlocks(const std::byte* row, const std::byte* x, int64_t b, int64_t count) {
    EightBlocks blocks;
    for (int64_t i = 0; i < 8; ++i) {
        const int64_t block = b + (isSuperFormat(type) || i < count ? i : count - 1);
        blocks.at[i] = reinterpret_cast<const uint8_t*>(quantBlock<type>(row, block));
        blocks.x[i] = x + block * blockValues;
    }
    return blocks;
}

COTERIE_AVX512_INLINE __m256 halvesAt(const uint8_t* const (&at)[8], int64_t offset) {
    const auto half = [&](int i) { return loadAs<int16_t>(at[i] + offset); };
    return _mm256_cvtph_ps(_mm_setr_epi16(half(0), half(1), half(2), half(3), half(4), half(5), half(6), half(7)));
}

/// Scales and minima of eight blocks' steps, as unpackPanel() makes them.
template <TensorType type>
COTERIE_AVX512_INLINE void rowFactors(const uint8_t* const (&at)[8], __m256 (&scales)[2], __m256 (&minima)[2]) {
    if constexpr (type == TensorType::MXFP4) {
        const auto factor = [&](int i) { return mxFactor(at[i][0]); };
        scales[0] =
            _mm256_setr_ps(factor(0), factor(1), factor(2), factor(3), factor(4), factor(5), factor(6), factor(7));
    } else if constexpr (!isSuperFormat(type)) {
        scales[0] = halvesAt(at, factorOffset<type>);
        if constexpr (hasMinimum(type))
            minima[0] = _mm256_xor_ps(halvesAt(at, minimumOffset<type>), _mm256_set1_ps(-0.0f));
    } else {
        int32_t factors[2][2][8]; // scales and minima of either half
        for (int p = 0; p < 8; ++p) {
            const Factors f = quantFactors<type>(at[p], p);
            for (int s = 0; s < 2; ++s) {
                factors[0][s][p] = f.scale[s];
                factors[1][s][p] = f.minimum[s];
            }
        }
        const __m256 d = _mm256_set1_ps(quantFactor<type>(at[0]));
        for (int s = 0; s < stepsOf32(type); ++s)
            scales[s] = _mm256_mul_ps(d, _mm256_cvtepi32_ps(loadBytes32(factors[0][s])));
        if constexpr (hasMinimum(type)) {
            const __m256 dMinimum = _mm256_set1_ps(floatFromHalf(loadAs<uint16_t>(at[0] + minimumOffset<type>)));
            for (int s = 0; s < stepsOf32(type); ++s)
                minima[s] = _mm256_mul_ps(dMinimum, _mm256_cvtepi32_ps(loadBytes32(factors[1][s])));
        }
    }
}

/// Whole numbers of eight blocks, for each of their steps.
template <TensorType type>
COTERIE_AVX512_INLINE void sumsOfSteps(const __m256i (&v)[8], __m256 (&sums)[2]) {
    __m256i lower, upper;
    sumsOfHalves(v, &lower, &upper);
    sums[0] = _mm256_cvtepi32_ps(hasHalfSteps(type) ? lower : _mm256_add_epi32(lower, upper));
    sums[1] = _mm256_cvtepi32_ps(upper);
}

/// Eight blocks' numbers, to be added one after the other.
struct EightTerms {
    float scales[2][8], products[2][8], minima[2][8], sumsOfX[2][8];
};

template <TensorType type>
COTERIE_AVX512_INLINE void rowTerms(const EightBlocks& blocks, __m256 xScale, EightTerms& out) {
    __m256i products[8], values[8];
    for (int i = 0; i < 8; ++i) {
        const __m256i x = loadBytes32(blocks.x[i]);
        products[i] = rowProducts<type>(blocks.at[i], i, x);
        if constexpr (hasMinimum(type)) values[i] = _mm256_dpbusd_epi32(_mm256_setzero_si256(), _mm256_set1_epi8(1), x);
    }
    __m256 scales[2], minima[2], sums[2], sumsOfX[2];
    rowFactors<type>(blocks.at, scales, minima);
    sumsOfSteps<type>(products, sums);
    if constexpr (hasMinimum(type)) sumsOfSteps<type>(values, sumsOfX);
    for (int s = 0; s < stepsOf32(type); ++s) {
        _mm256_storeu_ps(out.scales[s], _mm256_mul_ps(scales[s], xScale));
        _mm256_storeu_ps(out.products[s], sums[s]);
        if constexpr (hasMinimum(type)) {
            _mm256_storeu_ps(out.minima[s], minima[s]);
            _mm256_storeu_ps(out.sumsOfX[s], _mm256_mul_ps(xScale, sumsOfX[s]));
        }
    }
}

/// Rows alone lie anywhere: each is fetched as a whole before its first block is awaited.
COTERIE_AVX512_INLINE void fetchRow(const TileArguments& a) {
    constexpr int64_t line = 64, most = 4096; // bytes; the processor follows what is longer
    const int64_t bytes = static_cast<int64_t>(a.rowStride) < most ? static_cast<int64_t>(a.rowStride) : most;
    for (int64_t i = 0; i < bytes; i += line) _mm_prefetch(reinterpret_cast<const char*>(a.w) + i, _MM_HINT_T0);
}

template <TensorType type>
COTERIE_AVX512 void rowByOne(const TileArguments& a) {
    fetchRow(a);
    const float* xScales = reinterpret_cast<const float*>(a.x); // ends in zeros, so that eight may be read
    const std::byte* x = a.x + preparedQuantsOffset(a.columns);
    const int64_t blocks = a.columns / blockValues;
    __m128 sum = _mm_setzero_ps();
    for (int64_t b = 0; b < blocks; b += 8) {
        const int64_t count = blocks - b < 8 ? blocks - b : 8;
        EightTerms terms;
        rowTerms<type>(eightBlocks<type>(a.w, x, b, count), _mm256_loadu_ps(xScales + b), terms);
        for (int64_t i = 0; i < count; ++i)
            for (int s = 0; s < stepsOf32(type); ++s) {
                sum = _mm_fmadd_ss(_mm_load_ss(&terms.scales[s][i]), _mm_load_ss(&terms.products[s][i]), sum);
                if constexpr (hasMinimum(type))
                    sum = _mm_fnmadd_ss(_mm_load_ss(&terms.minima[s][i]), _mm_load_ss(&terms.sumsOfX[s][i]), sum);
            }
    }
    *a.out = _mm_cvtss_f32(sum);
}

// --- All rows

/// One token. A few rows at the end, or alone, would leave a panel's lanes idle.
template <TensorType type>
void multiplyOne(const TileArguments& a, int64_t rows) {
    constexpr int64_t few = 6;
    const int64_t blocks = a.columns / blockValues;
    const int64_t inPanels = rows % panelRows < few ? rows / panelRows * panelRows : rows;
    alignas(64) int32_t terms[oneTokenBlocks * stepsOf32(type)];
    for (int64_t b = 0; b < blocks && inPanels > 0; b += oneTokenBlocks) {
        const Span span = {b, blocks - b < oneTokenBlocks ? blocks : b + oneTokenBlocks, terms};
        tokenTerms<hasMinimum(type), stepsOf32(type)>(a.x, a.columns, span.begin, span.end, quantOffset(type), terms);
        for (int64_t r = 0; r < inPanels; r += panelRows)
            panelByOne<type>(a.fromRow(r), inPanels - r < panelRows ? inPanels - r : panelRows, span);
    }
    for (int64_t r = inPanels; r < rows; ++r) rowByOne<type>(a.fromRow(r));
}

} // namespace

void avx512MultiplyOne(TensorType type, const TileArguments& a, int64_t rows) {
    withQuantisedFormat(type, [&]<TensorType known>() { multiplyOne<known>(a, rows); });
}

} // namespace coterie::engine
