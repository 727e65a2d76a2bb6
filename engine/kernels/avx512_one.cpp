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

/// Four rows; where there are fewer, the last one again. `later`: the rows that will come, to be fetched meanwhile; the
/// first alone where they lie behind each other.
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

/// Which of 128 bytes, the first 64 and the last 64 of four pieces of 16 that begin `stride` bytes apart, are theirs.
template <int64_t stride>
struct Quarters {
    static constexpr int64_t last = 3 * stride + 16 - 64; ///< where the last 64 begin
    alignas(64) uint8_t places[64] = {};

    constexpr Quarters() {
        for (int64_t i = 0; i < 64; ++i) {
            const int64_t byte = i / 16 * stride + i % 16;
            places[i] = static_cast<uint8_t>(byte < 64 ? byte : 64 + byte - last);
        }
    }
};
template <int64_t stride>
constexpr Quarters<stride> quarters;

/// 16 bytes from each of four places.
template <int64_t stride>
COTERIE_AVX512_INLINE __m512i quartersFrom(const std::byte* p) {
    return _mm512_permutex2var_epi8(bytes64(p), bytes64(quarters<stride>.places), bytes64(p + Quarters<stride>::last));
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

/// Which half of 64, those of the first 64 bytes of four blocks and of 64 later ones, goes to which lane.
template <TensorType type, int64_t offset>
struct HalfPlaces {
    static constexpr int64_t end = 3 * quantBytes<type> + offset + 2;
    static constexpr bool twice = end > 64; ///< whether the first 64 bytes are not enough
    static constexpr int64_t later =
        quantBytes<type> < 32 ? quadBlocks * quantBytes<type> - 64 : 2 * quantBytes<type>; ///< where the others begin
    alignas(64) int16_t places[32] = {};

    constexpr HalfPlaces() {
        for (int64_t lane = 0; lane < 16; ++lane) {
            const int64_t byte = lane / quadRows * quantBytes<type> + offset;
            places[lane] = static_cast<int16_t>(byte < 63 ? byte / 2 : 32 + (byte - later) / 2);
        }
    }
};
template <TensorType type, int64_t offset>
constexpr HalfPlaces<type, offset> halfPlaces;

/// Halves at `offset` of each block.
template <TensorType type, int64_t offset>
COTERIE_AVX512_INLINE __m512 halvesOfBlocks(const Quad& quad, int64_t at) {
    constexpr const HalfPlaces<type, offset>& where = halfPlaces<type, offset>;
    const __m512i places = bytes64(where.places);
    __m512i halves = _mm512_setzero_si512();
    for (int r = 0; r < quadRows; ++r) {
        const std::byte* block = quad.at[r] + at;
        const __mmask32 mine = 0x1111u << r;
        if constexpr (where.twice)
            halves = _mm512_or_si512(
                halves, _mm512_maskz_permutex2var_epi16(mine, bytes64(block), places, bytes64(block + where.later)));
        else
            halves = _mm512_mask_permutexvar_epi16(halves, mine, places, bytes64(block));
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
        out[0].scales = halvesOfBlocks<type, factorOffset<type>>(quad, at);
        if constexpr (hasMinimum(type)) // the format adds it
            out[0].minima = _mm512_xor_ps(halvesOfBlocks<type, minimumOffset<type>>(quad, at), _mm512_set1_ps(-0.0f));
    }
}

// --- Four rows

/// Bytes of a row that four blocks take; half a super-block's, roughly.
template <TensorType type>
constexpr int64_t quadBytes = isSuperFormat(type) ? quantBytes<type> / 2 : quadBlocks* quantBytes<type>;

/// A share of the later rows, as large as what is computed meanwhile: of rows that lie behind each other as they lie.
template <TensorType type>
COTERIE_AVX512_INLINE void fetchLater(const Quad& quad, int64_t at) {
    constexpr int64_t line = 64;
    if (quad.later[1] == nullptr) {
        const char* first = reinterpret_cast<const char*>(quad.later[0] + quadRows * at);
        for (int64_t i = 0; i < quadRows * quadBytes<type>; i += line) _mm_prefetch(first + i, _MM_HINT_T0);
    } else {
        for (const std::byte* row : quad.later)
            for (int64_t i = 0; i < quadBytes<type>; i += line)
                _mm_prefetch(reinterpret_cast<const char*>(row + at + i), _MM_HINT_T0);
    }
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

/// Rows one after the other, or those of a list.
struct Rows {
    const std::byte* first;
    size_t stride;
    int64_t count;
    const int32_t* listed = nullptr; // [count]

    const std::byte* at(int64_t r) const {
        const int64_t there = r < count ? r : count - 1;
        return first + static_cast<size_t>(listed == nullptr ? there : listed[there]) * stride;
    }
    Quad quad(int64_t r) const {
        Quad quad = {};
        for (int i = 0; i < quadRows; ++i) quad.at[i] = at(r + i);
        const int64_t later = r + fetchedAhead * quadRows;
        if (listed == nullptr) // what lies behind the last row is somebody's next, or costs a wasted step
            quad.later[0] = first + static_cast<size_t>(later) * stride;
        else
            for (int i = 0; i < quadRows; ++i) quad.later[i] = at(later + i);
        return quad;
    }
};

/// a.out: [rows.count].
template <TensorType type>
COTERIE_AVX512 void multiplyQuads(const TileArguments& a, const Rows& rows) {
    constexpr int steps = stepsOf32(type);
    const int64_t blocks = a.columns / blockValues;
    alignas(64) int32_t terms[mostBlocks * steps];
    for (int64_t first = 0; first < blocks; first += mostBlocks) {
        const int64_t count = blocks - first < mostBlocks ? blocks - first : mostBlocks;
        tokenTerms<hasMinimum(type), steps>(a.x, a.columns, first, first + count, quantOffset(type), terms);
        const Token token = {reinterpret_cast<const float*>(a.x) + first,
                             a.x + preparedQuantsOffset(a.columns) + first * blockValues, terms, first, count};
        for (int64_t r = 0; r < rows.count; r += quadRows) {
            const __mmask8 there = static_cast<__mmask8>(firstOf16(rows.count - r) & 15);
            const __m128 before = first == 0 ? _mm_setzero_ps() : _mm_maskz_loadu_ps(there, a.out + r);
            _mm_mask_storeu_ps(a.out + r, there, quadByOne<type>(rows.quad(r), token, before));
        }
    }
}

} // namespace

void avx512MultiplyOne(TensorType type, const TileArguments& a, int64_t rows) {
    withQuantisedFormat(type, [&]<TensorType known>() { multiplyQuads<known>(a, {a.w, a.rowStride, rows}); });
}

void avx512MultiplySome(TensorType type, const TileArguments& a, const int32_t* rows, int64_t count) {
    withQuantisedFormat(type, [&]<TensorType known>() { multiplyQuads<known>(a, {a.w, a.rowStride, count, rows}); });
}

} // namespace coterie::engine
