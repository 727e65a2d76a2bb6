// SPDX-License-Identifier: Apache-2.0
// Kernels for x86-64 with AVX2, FMA and F16C (Intel since 2013, AMD since 2015). Layouts are drawn in blocks.h.
//
// Only functions marked COTERIE_AVX2 are compiled for that instruction set, not the whole file: inline functions of
// headers then keep the code for the lowest CPU, whichever copy the linker picks. Loads and stores are unaligned ones.
//
// The table is in avx2_table.h. A second one, for processors with AVX-VNNI (Intel since Alder Lake, AMD since Zen 5),
// differs only in the products of quantised formats; avx2_quants.cpp and avx2_vnni.cpp have these products.
//
// A product of a row and a token in a float format is summed in one register of eight lanes in every tile, so the bits
// do not depend on how rows, tokens and threads share the work.
#include "kernels/added_rows.h"
#include "kernels/avx2_table.h"
#include "kernels/avx2_unpack.h"
#include "kernels/blocks.h"
#include "kernels/cpuid.h"
#include "kernels/formulas.h"
#include "kernels/tiles.h"

#include <cassert>

namespace coterie::engine {
namespace {

// --- Pieces

/// Eight weights of a float format.
template <TensorType type>
COTERIE_AVX2 inline __m256 loadWeights(const std::byte* p) {
    if constexpr (type == TensorType::F32)
        return _mm256_loadu_ps(reinterpret_cast<const float*>(p));
    else if constexpr (type == TensorType::F16)
        return _mm256_cvtph_ps(loadBytes16(p));
    else
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(loadBytes16(p)), 16));
}

/// The first n weights of a float format and zeros behind them; all eight from n = 8 on.
template <TensorType type>
COTERIE_AVX2 inline __m256 loadFirstWeights(const std::byte* p, int64_t n) {
    if (n >= kLanes) return loadWeights<type>(p);
    std::byte padded[kLanes * sizeof(float)] = {};
    std::memcpy(padded, p, static_cast<size_t>(n * kBlockBytes<type>));
    return loadWeights<type>(padded);
}

// --- Products of float formats, in tiles of rows x tokens

/// Products of float formats. x: [columns]; nothing past it is read.
template <TensorType type, int rows, int tokens, bool prefetch>
COTERIE_AVX2 void floatTile(const TileArguments& a) {
    __m256 sums[rows][tokens];
    for (int r = 0; r < rows; ++r)
        for (int t = 0; t < tokens; ++t) sums[r][t] = _mm256_setzero_ps();
    int64_t i = 0;
    for (; i + kLanes <= a.columns; i += kLanes) {
        if constexpr (prefetch) prefetchNextTile<rows, kLanes * kBlockBytes<type>>(a, i / kLanes);
        __m256 w[rows];
        for (int r = 0; r < rows; ++r) w[r] = loadWeights<type>(a.w + r * a.rowStride + i * kBlockBytes<type>);
        for (int t = 0; t < tokens; ++t) {
            const __m256 x = _mm256_loadu_ps(reinterpret_cast<const float*>(a.x + t * a.tokenStride) + i);
            for (int r = 0; r < rows; ++r) sums[r][t] = _mm256_fmadd_ps(w[r], x, sums[r][t]);
        }
    }
    if (const int64_t rest = a.columns - i; rest > 0) {
        for (int r = 0; r < rows; ++r) {
            const __m256 w = loadFirstWeights<type>(a.w + r * a.rowStride + i * kBlockBytes<type>, rest);
            for (int t = 0; t < tokens; ++t) {
                const float* x = reinterpret_cast<const float*>(a.x + t * a.tokenStride) + i;
                sums[r][t] = _mm256_fmadd_ps(w, loadFirst(x, rest), sums[r][t]);
            }
        }
    }
    storeSums(sums, a);
}

template <TensorType type>
constexpr Tiles kFloatTiles = {floatTile<type, kStripRows, 1, true>, floatTile<type, 1, 1, false>,
                               floatTile<type, kTileRows, kTileTokens, true>, floatTile<type, 1, kTileTokens, false>};

const Tiles& tilesOf(TensorType type) {
    return *withFloatFormat(type, []<TensorType known>() { return &kFloatTiles<known>; });
}

void multiplyFloats(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, size_t preparedStride,
                    int64_t batch, float* out, int64_t outStride) {
    multiplyInTiles(tilesOf(w.type), w, rowBegin, rowEnd, prepared, preparedStride, batch, out, outStride);
}

/// KernelTable::multiply, given the function for quantised formats.
template <void (*multiplyQuants)(TensorType, const TileArguments&, int64_t, int64_t)>
void multiply(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, size_t preparedStride,
              int64_t batch, float* out, int64_t outStride) {
    if (!isIntegerFormat(w.type))
        return multiplyFloats(w, rowBegin, rowEnd, prepared, preparedStride, batch, out, outStride);
    multiplyQuants(w.type, tileArguments(w, rowBegin, prepared, preparedStride, out, outStride), rowEnd - rowBegin,
                   batch);
}

/// KernelTable::multiplySome, given the function for quantised formats.
template <void (*multiplySomeQuants)(TensorType, const TileArguments&, const int32_t*, int64_t)>
void multiplySome(const Matrix& w, const int32_t* rows, int64_t count, const std::byte* prepared, float* out) {
    if (!isIntegerFormat(w.type)) return multiplyRuns(multiplyFloats, w, rows, count, prepared, out);
    multiplySomeQuants(w.type, tileArguments(w, 0, prepared, 0, out, 0), rows, count);
}

// --- Preparing vectors

COTERIE_AVX2 inline uint32_t largestLane(__m256i v) {
    const __m128i four = _mm_max_epu32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    const __m128i two = _mm_max_epu32(four, _mm_shuffle_epi32(four, 0x4e));
    return static_cast<uint32_t>(_mm_cvtsi128_si32(_mm_max_epu32(two, _mm_shuffle_epi32(two, 0xb1))));
}

/// Gives the bits of the scalar version.
COTERIE_AVX2 float quantiseBlock(const float* x, std::byte* q) {
    const __m256i magnitude = _mm256_set1_epi32(static_cast<int>(kMagnitudeBits));
    __m256i largestBits = _mm256_setzero_si256();
    for (int i = 0; i < kBlockValues; i += kLanes)
        largestBits = _mm256_max_epu32(largestBits, _mm256_and_si256(loadBytes32(x + i), magnitude));
    const uint32_t bits = largestLane(largestBits);
    const float largest = std::bit_cast<float>(bits);
    const bool finite = bits < kInfinityBits;
    if (!finite || largest < kQuantisedSmallest) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(q), _mm256_setzero_si256());
        return finite ? 0.0f : std::bit_cast<float>(kQuietNanBits);
    }
    const __m256 inverse = _mm256_set1_ps(kQuantisedLargest / largest);
    __m256i rounded[4];
    for (int i = 0; i < 4; ++i)
        rounded[i] = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(x + i * kLanes), inverse));
    const __m256i packed =
        _mm256_packs_epi16(_mm256_packs_epi32(rounded[0], rounded[1]), _mm256_packs_epi32(rounded[2], rounded[3]));
    // Packing works within halves of the register, which leaves quadruples of bytes in the order 0 2 4 6 1 3 5 7.
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(q), _mm256_permutevar8x32_epi32(packed, order));
    return largest / kQuantisedLargest;
}

// --- Rows as floats

/// 32 values of a row without their scale, and the scale in every lane (1 for float formats).
struct Values {
    __m256 eights[4];
    __m256 scale;
};

/// Widening from memory saves the shuffles that would bring a register's quarters down.
COTERIE_AVX2 inline __m128i loadBytes8(const std::byte* p) {
    return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p));
}
COTERIE_AVX2 inline __m256 floatsFromInt8(__m128i bytes) { return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)); }

COTERIE_AVX2 inline void spreadInt8(__m256i q, __m256 (&eights)[4]) {
    const __m128i low = _mm256_castsi256_si128(q);
    const __m128i high = _mm256_extracti128_si256(q, 1);
    eights[0] = floatsFromInt8(low);
    eights[1] = floatsFromInt8(_mm_srli_si128(low, 8));
    eights[2] = floatsFromInt8(high);
    eights[3] = floatsFromInt8(_mm_srli_si128(high, 8));
}

/// at: where the 32 values begin.
template <TensorType type>
COTERIE_AVX2 inline Values loadValues(const std::byte* at) {
    Values v;
    if constexpr (type == TensorType::Q8_0) {
        v.scale = blockScale(at);
        for (int g = 0; g < 4; ++g) v.eights[g] = floatsFromInt8(loadBytes8(at + kScaleBytes + g * kLanes));
    } else if constexpr (type == TensorType::Q4_0) {
        v.scale = blockScale(at);
        spreadInt8(blockQuants<TensorType::Q4_0>(reinterpret_cast<const uint8_t*>(at)), v.eights);
    } else {
        v.scale = _mm256_set1_ps(1.0f);
        for (int i = 0; i < 4; ++i) v.eights[i] = loadWeights<type>(at + i * kLanes * kBlockBytes<type>);
    }
    return v;
}

template <TensorType type>
COTERIE_AVX2 void expandRowAs(const std::byte* row, int64_t columns, float* out) {
    int64_t i = 0;
    for (; i + kBlockValues <= columns; i += kBlockValues) {
        const Values v = loadValues<type>(row + i / kBlockValues * kBytesOf32<type>);
        for (int g = 0; g < 4; ++g) _mm256_storeu_ps(out + i + g * kLanes, _mm256_mul_ps(v.scale, v.eights[g]));
    }
    if constexpr (!isIntegerFormat(type)) {
        for (; i < columns; i += kLanes) {
            const __m256 value = loadFirstWeights<type>(row + i * kBlockBytes<type>, columns - i);
            storeFirst(out + i, columns - i, value);
        }
    }
}

/// Formats that loadValues() knows; the plain version computes the others.
constexpr bool hasValues(TensorType type) {
    return !isIntegerFormat(type) || type == TensorType::Q8_0 || type == TensorType::Q4_0;
}

/// Adds `count` rows to out[begin, end): each piece of `out` is loaded and stored once for all of them. It fetches the
/// same columns of the next rows meanwhile.
template <TensorType type, int count>
COTERIE_AVX2 void addRows(const std::byte* const* rows, const std::byte* const* nextRows, const float* scales,
                          int64_t begin, int64_t end, float* out) {
    int64_t i = begin;
    for (; i + kBlockValues <= end; i += kBlockValues) {
        const int64_t offset = i / kBlockValues * kBytesOf32<type>;
        for (int k = 0; k < count; ++k) _mm_prefetch(reinterpret_cast<const char*>(nextRows[k] + offset), _MM_HINT_T0);
        __m256 sums[4];
        for (int g = 0; g < 4; ++g) sums[g] = _mm256_loadu_ps(out + i + g * kLanes);
        for (int k = 0; k < count; ++k) {
            const Values v = loadValues<type>(rows[k] + offset);
            const __m256 factor = _mm256_mul_ps(_mm256_set1_ps(scales[k]), v.scale);
            for (int g = 0; g < 4; ++g) sums[g] = _mm256_fmadd_ps(factor, v.eights[g], sums[g]);
        }
        for (int g = 0; g < 4; ++g) _mm256_storeu_ps(out + i + g * kLanes, sums[g]);
    }
    if constexpr (!isIntegerFormat(type)) {
        for (; i < end; i += kLanes) {
            __m256 sum = loadFirst(out + i, end - i);
            for (int k = 0; k < count; ++k) {
                const __m256 value = loadFirstWeights<type>(rows[k] + i * kBlockBytes<type>, end - i);
                sum = _mm256_fmadd_ps(_mm256_set1_ps(scales[k]), value, sum);
            }
            storeFirst(out + i, end - i, sum);
        }
    }
}

// --- Rows of the KV cache

COTERIE_AVX2 void storeHalves(const float* x, int64_t n, std::byte* out) {
    int64_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i * kScaleBytes), halves);
    }
    scalarCompressRow(TensorType::F16, x + i, n - i, out + i * kScaleBytes);
}

} // namespace

bool avx2RunsHere() {
    constexpr uint32_t fma = 1u << 12, avx = 1u << 28, f16c = 1u << 29; // leaf 1, ecx
    constexpr uint32_t avx2 = 1u << 5;                                  // leaf 7, ebx
    constexpr uint32_t needed = fma | kLeaf1Osxsave | avx | f16c;
    return (cpuid(1).ecx & needed) == needed && (enabledStates() & kStatesOfAvx) == kStatesOfAvx &&
           (cpuid(7).ebx & avx2);
}

void avx2Multiply(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, size_t preparedStride,
                  int64_t batch, float* out, int64_t outStride) {
    multiply<avx2MultiplyQuants>(w, rowBegin, rowEnd, prepared, preparedStride, batch, out, outStride);
}

void avx2MultiplySome(const Matrix& w, const int32_t* rows, int64_t count, const std::byte* prepared, float* out) {
    multiplySome<avx2MultiplySomeQuants>(w, rows, count, prepared, out);
}

void avx2Prepare(TensorType type, const float* x, int64_t columns, std::byte* out) {
    if (!isIntegerFormat(type)) {
        scalarPrepare(type, x, columns, out);
        return;
    }
    float* scales = reinterpret_cast<float*>(out);
    std::byte* quants = out + preparedQuantsOffset(columns);
    const int64_t blocks = columns / kBlockValues;
    for (int64_t b = 0; b < blocks; ++b) scales[b] = quantiseBlock(x + b * kBlockValues, quants + b * kBlockValues);
    std::byte* scalesEnd = out + blocks * static_cast<int64_t>(sizeof(float));
    std::memset(scalesEnd, 0, static_cast<size_t>(quants - scalesEnd));
    std::memset(quants + columns, 0, static_cast<size_t>(roundUp(columns, kLineBytes) - columns));
}

void avx2ExpandRow(TensorType type, const std::byte* row, int64_t columns, float* out) {
    if (!hasValues(type)) return scalarExpandRow(type, row, columns, out);
    withFormat<hasValues>(type, [&]<TensorType known>() { expandRowAs<known>(row, columns, out); });
}

void avx2AddScaledRows(const Matrix& w, const int32_t* rows, const float* scales, int64_t count, int64_t columnBegin,
                       int64_t columnEnd, float* out) {
    if (!hasValues(w.type)) return scalarAddScaledRows(w, rows, scales, count, columnBegin, columnEnd, out);
    const RowAdder add = withFormat<hasValues>(w.type, []<TensorType known>() -> RowAdder {
        return {addRows<known, kAddedTogether>, addRows<known, 1>};
    });
    addScaledRowsBy(add, w, rows, scales, count, columnBegin, columnEnd, out);
}

void avx2CompressRow(TensorType type, const float* x, int64_t n, std::byte* out) {
    if (type == TensorType::F16) return storeHalves(x, n, out);
    assert(type == TensorType::Q8_0);
    for (; n > 0; n -= kBlockValues, x += kBlockValues, out += kBytesOf32<TensorType::Q8_0>) {
        const uint16_t scale = halfFromFloat(quantiseBlock(x, out + kScaleBytes));
        std::memcpy(out, &scale, sizeof scale);
    }
}

constinit const KernelTable kAvx2Kernels = avx2Table();
constinit const KernelTable kAvx2VnniKernels = [] {
    KernelTable table = basedOn(avx2Table(), "avx2vnni", avx2VnniRunsHere);
    table.multiply = multiply<avx2VnniMultiplyQuants>;
    table.multiplySome = multiplySome<avx2VnniMultiplySomeQuants>;
    return table;
}();

} // namespace coterie::engine
