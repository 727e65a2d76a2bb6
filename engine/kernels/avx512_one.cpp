// SPDX-License-Identifier: Apache-2.0
// Products of quantised matrices and one token, for AVX-512 with VNNI: four rows together, four blocks of 32 columns at
// a time. The order of sums stands in avx512_vnni.cpp.
//
//   Registers of 16 lanes hold a quarter (four lanes) for each of four blocks. What a row's quarter sums up to is
//   gathered from four rows, so that lane 4k + r belongs to block k and row r:
//       row 0  | block 0 | block 1 | block 2 | block 3 |        sums | block 0: rows 0..3 | block 1: rows 0..3 | ..
//       row 1  | ..                                        ->
//   Each block's quarter is then added to the four rows' sums, one block after the other.
#include "kernels/avx2_unpack.h"
#include "kernels/avx512_unpack.h"

namespace coterie::engine {
namespace {

constexpr int quadRows = 4;
constexpr int quadBlocks = 4;
constexpr int64_t mostBlocks = 1024; ///< summed in one go: the token's terms' room
constexpr int64_t fetchedAhead = 2;  ///< quads of rows: reading memory takes about as long as computing them

/// Four rows; where there are fewer, the last one again. `later`: the rows that will come, to be fetched meanwhile.
struct Quad {
    const std::byte* at[quadRows];
    const std::byte* later[quadRows];
};

/// Columns of the token that are summed in one go, and its terms for them (tokenTerms()).
struct Token {
    const float* scales;   // [blocks]
    const std::byte* x;    // [blocks, 32]
    const int32_t* terms;  // [blocks, steps]
    int64_t first, blocks; // of 32 columns
};

/// Four blocks of the token: each one's columns 0..15 in a quarter of `low`, 16..31 in one of `high`.
struct FourBlocks {
    const std::byte* x;
    __m512i low, high;
};

COTERIE_AVX512_INLINE FourBlocks fourBlocks(const std::byte* x) {
    const __m512i first = bytes64(x), second = bytes64(x + 64);
    return {x, _mm512_shuffle_i32x4(first, second, 0x88), _mm512_shuffle_i32x4(first, second, 0xdd)};
}

/// A number of 32 bits for each quarter, in its first lane, else 0; or in all its lanes.
COTERIE_AVX512_INLINE __m512i firstsOfQuarters(const int32_t* four) {
    const __m512i values = _mm512_castsi128_si512(_mm_loadu_si128(reinterpret_cast<const __m128i*>(four)));
    return _mm512_maskz_permutexvar_epi32(0x1111, _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
                                          values);
}
COTERIE_AVX512_INLINE __m512 quartersOf(__m128 four) {
    return _mm512_permutexvar_ps(_mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
                                 _mm512_castps128_ps512(four));
}

// --- A row's products: the lanes of a quarter add up to its block's integer

/// 16 bytes from each of four places.
template <int64_t stride>
COTERIE_AVX512_INLINE __m512i quartersFrom(const std::byte* p) {
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(bytes16(p)), bytes16(p + stride), 1);
    const __m256i high =
        _mm256_inserti128_si256(_mm256_castsi128_si256(bytes16(p + 2 * stride)), bytes16(p + 3 * stride), 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/// 16 where a block's fifth bit is 1; `half` 0 for columns 0..15, 1 for 16..31.
template <TensorType type>
COTERIE_AVX512_INLINE __m512i withFifths(__m512i q, const std::byte* at, int half) {
    uint64_t bits = 0;
    for (int k = 0; k < quadBlocks; ++k) {
        const std::byte* fifths = at + k * quantBytes<type> + nibblesOffset<type> - 4 + 2 * half;
        bits |= uint64_t{loadAs<uint16_t>(fifths)} << (16 * k);
    }
    return _mm512_mask_add_epi8(q, bits, q, _mm512_set1_epi8(16));
}

/// Four blocks of 32; their bytes are raised by quantOffset(), which `terms` take back.
template <TensorType type>
COTERIE_AVX512_INLINE __m512i productsOfBlocks(const std::byte* at, const FourBlocks& x, __m512i terms) {
    __m512i low, high;
    if constexpr (type == TensorType::Q8_0) {
        const __m512i raise = _mm512_set1_epi8(static_cast<char>(0x80));
        low = _mm512_xor_si512(quartersFrom<quantBytes<type>>(at + scaleBytes), raise);
        high = _mm512_xor_si512(quartersFrom<quantBytes<type>>(at + scaleBytes + 16), raise);
    } else {
        const __m512i packed = quartersFrom<quantBytes<type>>(at + nibblesOffset<type>);
        low = bitsOf(packed, 0, 15);
        high = bitsOf(packed, 4, 15);
        if constexpr (type == TensorType::Q5_0 || type == TensorType::Q5_1) {
            low = withFifths<type>(low, at, 0);
            high = withFifths<type>(high, at, 1);
        } else if constexpr (type == TensorType::IQ4_NL || type == TensorType::MXFP4) {
            low = levelsOfNibbles<type>(low);
            high = levelsOfNibbles<type>(high);
        }
    }
    return _mm512_dpbusd_epi32(_mm512_dpbusd_epi32(terms, low, x.low), high, x.high);
}

/// Four parts of a Q4_K block: pairs of parts share 32 bytes, the even ones as low nibbles.
COTERIE_AVX512_INLINE __m512i productsOfPairs(const std::byte* at, int part, const FourBlocks& x) {
    const __m512i packed = bytes64(at + 16 + 16 * part), first = bytes64(x.x), second = bytes64(x.x + 64);
    const __m512i none = _mm512_setzero_si512();
    const __m512i even = _mm512_dpbusd_epi32(none, bitsOf(packed, 0, 15), _mm512_shuffle_i32x4(first, second, 0x44));
    const __m512i odd = _mm512_dpbusd_epi32(none, bitsOf(packed, 4, 15), _mm512_shuffle_i32x4(first, second, 0xee));
    const __m512i sums = _mm512_add_epi32(_mm512_shuffle_i32x4(even, odd, 0x88), _mm512_shuffle_i32x4(even, odd, 0xdd));
    return _mm512_shuffle_i32x4(sums, sums, 0xd8);
}

/// Products of part `part` of a super-block and 32 columns, in eight lanes of which four are 16 columns' each.
template <TensorType type>
COTERIE_AVX512_INLINE __m256i productsOfPart(const std::byte* block, int part, const std::byte* columns) {
    const __m256i x = loadBytes32(columns), none = _mm256_setzero_si256();
    const __m256i q = partQuants<type>(reinterpret_cast<const uint8_t*>(block), part);
    if constexpr (isUnsigned(type)) return _mm256_dpbusd_epi32(none, q, x);
    return _mm256_dpbusd_epi32(none, _mm256_abs_epi8(q), _mm256_sign_epi8(x, q));
}

/// Four parts of a super-block from `part` on, for each step of 32 or 16 columns.
template <TensorType type>
COTERIE_AVX512_INLINE void productsOfParts(const std::byte* at, int part, const FourBlocks& x, __m512i* out) {
    __m512i pairs[2];
    for (int i = 0; i < 2; ++i) {
        const int p = 2 * i;
        pairs[i] = _mm512_inserti64x4(_mm512_castsi256_si512(productsOfPart<type>(at, part + p, x.x + p * blockValues)),
                                      productsOfPart<type>(at, part + p + 1, x.x + (p + 1) * blockValues), 1);
    }
    const __m512i lower = _mm512_shuffle_i32x4(pairs[0], pairs[1], 0x88);
    const __m512i upper = _mm512_shuffle_i32x4(pairs[0], pairs[1], 0xdd);
    if constexpr (hasHalfSteps(type)) {
        out[0] = lower;
        out[1] = upper;
    } else {
        out[0] = _mm512_add_epi32(lower, upper);
    }
}

// --- Factors of four rows and four blocks: lane 4k + r

/// Halves at `offset` of each block.
template <TensorType type>
COTERIE_AVX512_INLINE __m512 halvesOfBlocks(const Quad& quad, int64_t at, int64_t offset) {
    constexpr int64_t middle = 2 * quantBytes<type>, last = quadBlocks * quantBytes<type> - 64;
    constexpr int64_t end = middle < last ? middle : last; // where the second 64 bytes begin
    const auto place = [&](int64_t k) {
        const int64_t byte = k * quantBytes<type> + offset;
        return static_cast<int16_t>(byte < 63 ? byte / 2 : 32 + (byte - end) / 2);
    };
    int16_t places[quadBlocks];
    for (int64_t k = 0; k < quadBlocks; ++k) places[k] = place(k);
    const auto four = [&](int k) {
        return static_cast<int64_t>(static_cast<uint16_t>(places[k]) * uint64_t{0x0001000100010001});
    };
    const __m512i order = _mm512_setr_epi64(four(0), four(1), four(2), four(3), 0, 0, 0, 0);
    __m512i halves = _mm512_setzero_si512();
    for (int r = 0; r < quadRows; ++r) {
        const std::byte* block = quad.at[r] + at;
        const __mmask32 mine = 0x1111u << r;
        const __m512i chosen = _mm512_maskz_permutex2var_epi16(mine, bytes64(block), order, bytes64(block + end));
        halves = _mm512_or_si512(halves, chosen);
    }
    return _mm512_cvtph_ps(_mm512_castsi512_si256(halves));
}

/// Scales and minima of a step, as floats or as integers that `d` has to be multiplied with.
struct StepFactors {
    __m512 scales, minima;
};

/// Eight bytes of each row as four integers: those of blocks 0..3 in the lanes of their quarters.
COTERIE_AVX512_INLINE __m512 floatsOfBytes(const uint32_t (&rows)[quadRows]) {
    const __m128i order = _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows));
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_shuffle_epi8(bytes, order)));
}

/// A half of each row's super-block, in every quarter.
COTERIE_AVX512_INLINE __m512 halvesOfRows(const Quad& quad, int64_t at) {
    const auto half = [&](int r) { return loadAs<int16_t>(quad.at[r] + at); };
    const __m128i halves = _mm_setr_epi16(half(0), half(1), half(2), half(3), 0, 0, 0, 0);
    return _mm512_broadcast_f32x4(_mm_cvtph_ps(halves));
}

/// Q4_K and Q5_K: parts part .. part + 3.
COTERIE_AVX512_INLINE StepFactors sixBitFactors(const Quad& quad, int64_t at, int part) {
    uint32_t scales[quadRows], minima[quadRows];
    for (int r = 0; r < quadRows; ++r) {
        const auto word = [&](int i) { return loadAs<uint32_t>(quad.at[r] + at + 4 + 4 * i); };
        const uint32_t s = word(0), m = word(1), rest = word(2);
        scales[r] = part == 0 ? s & 0x3f3f3f3f : (rest & 0x0f0f0f0f) | (s >> 2 & 0x30303030);
        minima[r] = part == 0 ? m & 0x3f3f3f3f : (rest >> 4 & 0x0f0f0f0f) | (m >> 2 & 0x30303030);
    }
    return {_mm512_mul_ps(halvesOfRows(quad, at), floatsOfBytes(scales)),
            _mm512_mul_ps(halvesOfRows(quad, at + 2), floatsOfBytes(minima))};
}

COTERIE_AVX512_INLINE __m512 timesEachRow(const float* rows, const int32_t* values) {
    return _mm512_mul_ps(_mm512_broadcast_f32x4(_mm_loadu_ps(rows)), _mm512_cvtepi32_ps(bytes64(values)));
}

template <TensorType type>
COTERIE_AVX512_INLINE void factorsOfParts(const Quad& quad, int64_t at, int part, StepFactors* out) {
    alignas(64) int32_t scales[2][16], minima[2][16];
    alignas(16) float d[quadRows], dMinimum[quadRows];
    for (int r = 0; r < quadRows; ++r) {
        const uint8_t* block = reinterpret_cast<const uint8_t*>(quad.at[r] + at);
        d[r] = quantFactor<type>(block);
        if constexpr (hasMinimum(type)) dMinimum[r] = floatFromHalf(loadAs<uint16_t>(block + minimumOffset<type>));
        for (int k = 0; k < quadBlocks; ++k) {
            const Factors factors = quantFactors<type>(block, part + k);
            for (int s = 0; s < stepsOf32(type); ++s) {
                scales[s][4 * k + r] = factors.scale[s];
                minima[s][4 * k + r] = factors.minimum[s];
            }
        }
    }
    for (int s = 0; s < stepsOf32(type); ++s) {
        out[s].scales = timesEachRow(d, scales[s]);
        if constexpr (hasMinimum(type)) out[s].minima = timesEachRow(dMinimum, minima[s]);
    }
}

/// `at`: of the blocks in each row; `part`: the first of four in a super-block.
template <TensorType type>
COTERIE_AVX512_INLINE void stepFactors(const Quad& quad, int64_t at, int part, StepFactors* out) {
    if constexpr (type == TensorType::Q4_K || type == TensorType::Q5_K) {
        out[0] = sixBitFactors(quad, at, part);
    } else if constexpr (isSuperFormat(type)) {
        factorsOfParts<type>(quad, at, part, out);
    } else if constexpr (type == TensorType::MXFP4) {
        alignas(64) float scales[16];
        for (int i = 0; i < 16; ++i)
            scales[i] = mxFactor(std::to_integer<uint8_t>(quad.at[i % 4][at + i / 4 * quantBytes<type>]));
        out[0].scales = _mm512_load_ps(scales);
    } else {
        out[0].scales = halvesOfBlocks<type>(quad, at, factorOffset<type>);
        if constexpr (hasMinimum(type)) // the format adds it
            out[0].minima = _mm512_xor_ps(halvesOfBlocks<type>(quad, at, minimumOffset<type>), _mm512_set1_ps(-0.0f));
    }
}

// --- Four rows

/// Bytes of a row that four blocks take; half a super-block's, roughly.
template <TensorType type>
constexpr int64_t quadBytes = isSuperFormat(type) ? quantBytes<type> / 2 : quadBlocks* quantBytes<type>;

template <TensorType type>
COTERIE_AVX512_INLINE void fetchLater(const Quad& quad, int64_t at) {
    constexpr int64_t line = 64;
    for (const std::byte* row : quad.later)
        for (int64_t i = 0; i < quadBytes<type>; i += line)
            _mm_prefetch(reinterpret_cast<const char*>(row + at + i), _MM_HINT_T0);
}

/// What is added to the sums of four rows: [step], lane 4k + r.
template <int steps>
struct Terms {
    __m512 scales[steps], products[steps], minima[steps];
    const int32_t* token; // [blocks, steps]
};

template <TensorType type, int k>
COTERIE_AVX512_INLINE __m128 addBlock(const Terms<stepsOf32(type)>& terms, __m128 sum) {
    for (int s = 0; s < stepsOf32(type); ++s) {
        sum =
            _mm_fmadd_ps(_mm512_extractf32x4_ps(terms.scales[s], k), _mm512_extractf32x4_ps(terms.products[s], k), sum);
        if constexpr (hasMinimum(type)) {
            const __m128 term = _mm_castsi128_ps(_mm_set1_epi32(terms.token[k * stepsOf32(type) + s]));
            sum = _mm_fnmadd_ps(_mm512_extractf32x4_ps(terms.minima[s], k), term, sum);
        }
    }
    return sum;
}

/// Blocks b .. b + 3 of the token's, which lie at `at` in each row.
template <TensorType type>
COTERIE_AVX512_INLINE __m128 addQuad(const Quad& quad, int64_t at, const Token& token, int64_t b, int64_t count,
                                     __m128 sum) {
    constexpr int steps = stepsOf32(type);
    const int part = isSuperFormat(type) ? static_cast<int>((token.first + b) % partsOfSuper) : 0;
    const FourBlocks x = fourBlocks(token.x + b * blockValues);
    const int32_t* terms = token.terms + b * steps;
    __m512i products[steps][quadRows];
    for (int r = 0; r < quadRows; ++r) {
        const std::byte* row = quad.at[r] + at;
        if constexpr (type == TensorType::Q4_K) {
            products[0][r] = productsOfPairs(row, part, x);
        } else if constexpr (isSuperFormat(type)) {
            __m512i mine[steps];
            productsOfParts<type>(row, part, x, mine);
            for (int s = 0; s < steps; ++s) products[s][r] = mine[s];
        } else {
            products[0][r] =
                productsOfBlocks<type>(row, x, hasMinimum(type) ? _mm512_setzero_si512() : firstsOfQuarters(terms));
        }
    }
    StepFactors factors[steps] = {};
    stepFactors<type>(quad, at, part, factors);
    Terms<steps> all;
    all.token = terms;
    for (int s = 0; s < steps; ++s) {
        all.scales[s] = _mm512_mul_ps(factors[s].scales, quartersOf(_mm_loadu_ps(token.scales + b)));
        all.products[s] = _mm512_cvtepi32_ps(sumsOfQuarters(products[s]));
        all.minima[s] = factors[s].minima;
    }
    sum = addBlock<type, 0>(all, sum);
    if (count > 1) sum = addBlock<type, 1>(all, sum);
    if (count > 2) sum = addBlock<type, 2>(all, sum);
    if (count > 3) sum = addBlock<type, 3>(all, sum);
    return sum;
}

/// The last one to three blocks of 32, from a copy: nothing may be read behind them.
template <TensorType type>
COTERIE_AVX512_INLINE __m128 addRest(const Quad& quad, int64_t at, const Token& token, int64_t b, __m128 sum) {
    alignas(64) std::byte rows[quadRows][64 + quadBlocks * quantBytes<type>] = {};
    alignas(64) std::byte x[quadBlocks * blockValues] = {};
    alignas(16) float scales[quadBlocks] = {};
    alignas(16) int32_t terms[quadBlocks] = {};
    const int64_t count = token.blocks - b;
    Quad copied = quad;
    for (int r = 0; r < quadRows; ++r) {
        std::memcpy(rows[r], quad.at[r] + at, static_cast<size_t>(count * quantBytes<type>));
        copied.at[r] = rows[r];
    }
    std::memcpy(x, token.x + b * blockValues, static_cast<size_t>(count * blockValues));
    std::memcpy(scales, token.scales + b, static_cast<size_t>(count) * sizeof(float));
    std::memcpy(terms, token.terms + b, static_cast<size_t>(count) * sizeof(int32_t));
    return addQuad<type>(copied, 0, {scales, x, terms, 0, quadBlocks}, 0, count, sum);
}

template <TensorType type>
COTERIE_AVX512 __m128 quadByOne(const Quad& quad, const Token& token, __m128 sum) {
    int64_t b = 0;
    for (; b + quadBlocks <= token.blocks; b += quadBlocks) {
        const int64_t block = token.first + b, half = block % partsOfSuper / quadBlocks;
        const int64_t at = (isSuperFormat(type) ? block / partsOfSuper : block) * quantBytes<type>;
        fetchLater<type>(quad, isSuperFormat(type) ? at + half * quadBytes<type> : at);
        sum = addQuad<type>(quad, at, token, b, quadBlocks, sum);
    }
    if constexpr (!isSuperFormat(type))
        if (b < token.blocks) sum = addRest<type>(quad, (token.first + b) * quantBytes<type>, token, b, sum);
    return sum;
}

// --- All rows

/// rowAt(r): row r of `rows`. out: [rows].
template <TensorType type, typename RowAt>
COTERIE_AVX512 void multiplyQuads(const TileArguments& a, int64_t rows, const RowAt& rowAt) {
    constexpr int steps = stepsOf32(type);
    const int64_t blocks = a.columns / blockValues;
    alignas(64) int32_t terms[mostBlocks * steps];
    for (int64_t first = 0; first < blocks; first += mostBlocks) {
        const int64_t count = blocks - first < mostBlocks ? blocks - first : mostBlocks;
        tokenTerms<hasMinimum(type), steps>(a.x, a.columns, first, first + count, quantOffset(type), terms);
        const Token token = {reinterpret_cast<const float*>(a.x) + first,
                             a.x + preparedQuantsOffset(a.columns) + first * blockValues, terms, first, count};
        for (int64_t r = 0; r < rows; r += quadRows) {
            const auto near = [&](int64_t row) { return rowAt(row < rows ? row : rows - 1); };
            Quad quad;
            for (int i = 0; i < quadRows; ++i) {
                quad.at[i] = near(r + i);
                quad.later[i] = near(r + i + fetchedAhead * quadRows);
            }
            const __mmask8 there = static_cast<__mmask8>(firstOf16(rows - r) & 15);
            const __m128 before = first == 0 ? _mm_setzero_ps() : _mm_maskz_loadu_ps(there, a.out + r);
            _mm_mask_storeu_ps(a.out + r, there, quadByOne<type>(quad, token, before));
        }
    }
}

} // namespace

void avx512MultiplyOne(TensorType type, const TileArguments& a, int64_t rows) {
    withQuantisedFormat(type, [&]<TensorType known>() {
        multiplyQuads<known>(a, rows, [&](int64_t r) { return a.w + static_cast<size_t>(r) * a.rowStride; });
    });
}

void avx512MultiplySome(TensorType type, const TileArguments& a, const int32_t* rows, int64_t count) {
    withQuantisedFormat(type, [&]<TensorType known>() {
        multiplyQuads<known>(a, count, [&](int64_t r) { return a.w + static_cast<size_t>(rows[r]) * a.rowStride; });
    });
}

} // namespace coterie::engine
