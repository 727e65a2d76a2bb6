// SPDX-License-Identifier: Apache-2.0
// Formats with codebooks, IQ3_*, IQ2_* and IQ1_*, in plain C++: a block says which entries of a codebook its groups of
// 4 or 8 values are, and their signs or shifts. quants.h draws the blocks; numbers.h has the numbers. What is here
// serves every instruction set, because looking entries up is plain code in all of them. Inside kernels/ only.
//
//   A value is d * share * (2 s + 1) * q (share: Format::factorShare, s: the code of its step's scale), with
//     IQ3_S    q = +-entry, odd and at most 15        IQ2_*    q = +-entry: 8, 25 or 43
//     IQ3_XXS  q = +-entry / 2, at most 31            IQ1_*    q = 8 * entry +- 1, entry = -1, 0 or 1
#pragma once

#include "kernels/blocks.h"

namespace coterie::engine {

/// Entries with their values in bytes, the first one in the lowest. In IQ1_* a value is eight times the entry's, in
/// IQ3_XXS half of it.
template <typename Entry, int count>
struct Codebook {
    Entry at[count];
};

extern const Codebook<uint32_t, 512> kCodebookIq3S;
extern const Codebook<uint32_t, 256> kCodebookIq3Xxs;
extern const Codebook<uint64_t, 1024> kCodebookIq2S;
extern const Codebook<uint64_t, 512> kCodebookIq2Xs;
extern const Codebook<uint64_t, 256> kCodebookIq2Xxs;
extern const Codebook<uint64_t, 2048> kCodebookIq1; ///< signed values

/// 32 values before their signs or shifts.
struct CodebookValues {
    uint64_t eight[4]; ///< values as bytes
    uint32_t set;      ///< bit i: value i is negative, or in IQ1_* one less than the entry's and not one more
};

/// In these formats a bit of CodebookValues::set is a shift, in the others it is a sign.
constexpr bool hasShifts(TensorType type) { return type == TensorType::IQ1_S || type == TensorType::IQ1_M; }

/// Four times seven signs as bytes. The eighth sign of a byte makes the number of negative ones even.
inline uint32_t withEighthSigns(uint32_t sevens) {
    uint32_t parity = sevens ^ sevens >> 4; // in the lowest bit of each byte
    parity ^= parity >> 2;
    parity ^= parity >> 1;
    return sevens | (parity & 0x01010101) << 7;
}

/// Signs that lie one seven behind the other, in the low 28 bits.
inline uint32_t signsOfSevens(uint32_t word) {
    return withEighthSigns((word & 0x7f) | (word << 1 & 0x7f00) | (word << 2 & 0x7f0000) | (word << 3 & 0x7f000000));
}

/// Signs in the upper seven bits of four words of 16 bits.
inline uint32_t signsOfWords(uint64_t words) {
    return withEighthSigns(static_cast<uint32_t>((words >> 9 & 0x7f) | (words >> 17 & 0x7f00) |
                                                 (words >> 25 & 0x7f0000) | (words >> 33 & 0x7f000000)));
}

/// IQ3_*: eight groups of four. high: bit k is the ninth bit of place k.
template <typename Book>
COTERIE_INLINE void takeFours(const Book& book, const uint8_t* places, uint32_t high, CodebookValues& out) {
    const auto entry = [&](int k) { return uint64_t{book.at[places[k] | (high << (8 - k) & 0x100)]}; };
    for (int j = 0; j < 4; ++j) out.eight[j] = entry(2 * j) | entry(2 * j + 1) << 32;
}

/// Four groups of eight. high: `bits` upper bits of each place, `stride` bits apart.
template <int bits, int stride, typename Book>
COTERIE_INLINE void takeEights(const Book& book, const uint8_t* places, uint32_t high, CodebookValues& out) {
    for (int j = 0; j < 4; ++j) out.eight[j] = book.at[places[j] | (high >> (stride * j) & ((1u << bits) - 1)) << 8];
}

/// Values of sub-block p.
template <TensorType type>
COTERIE_INLINE CodebookValues codebookValues(const uint8_t* block, int p) {
    static_assert(hasCodebook(type));
    CodebookValues out;
    if constexpr (type == TensorType::IQ3_S) {
        takeFours(kCodebookIq3S, block + 2 + 8 * p, block[66 + p], out);
        out.set = loadAs<uint32_t>(block + 74 + 4 * p);
    } else if constexpr (type == TensorType::IQ3_XXS) {
        takeFours(kCodebookIq3Xxs, block + 2 + 8 * p, 0, out);
        out.set = signsOfSevens(loadAs<uint32_t>(block + 66 + 4 * p));
    } else if constexpr (type == TensorType::IQ2_S) {
        takeEights<2, 2>(kCodebookIq2S, block + 2 + 4 * p, block[66 + p], out);
        out.set = loadAs<uint32_t>(block + 34 + 4 * p);
    } else if constexpr (type == TensorType::IQ2_XS) {
        const uint64_t words = loadAs<uint64_t>(block + 2 + 8 * p);
        for (int j = 0; j < 4; ++j) out.eight[j] = kCodebookIq2Xs.at[words >> (16 * j) & 511];
        out.set = signsOfWords(words);
    } else if constexpr (type == TensorType::IQ2_XXS) {
        takeEights<0, 0>(kCodebookIq2Xxs, block + 2 + 8 * p, 0, out);
        out.set = signsOfSevens(loadAs<uint32_t>(block + 6 + 8 * p));
    } else if constexpr (type == TensorType::IQ1_S) {
        const uint16_t high = loadAs<uint16_t>(block + 34 + 2 * p);
        takeEights<3, 3>(kCodebookIq1, block + 2 + 4 * p, high, out);
        out.set = high >> 15 != 0 ? 0xffffffff : 0;
    } else {
        const uint16_t nibbles = loadAs<uint16_t>(block + 32 + 2 * p);
        takeEights<3, 4>(kCodebookIq1, block + 4 * p, nibbles, out);
        const uint32_t shifts = nibbles >> 3 & 0x1111; // bit 4 j: the shift of group j
        out.set = ((shifts & 1) | (shifts << 4 & 0x100) | (shifts << 8 & 0x10000) | (shifts << 12 & 0x1000000)) * 0xff;
    }
    return out;
}

/// The place of a step's scale code in a block: bits from `shift` on of the word of 32 bits at `offset`.
struct ScalePlace {
    int64_t offset;
    int shift;
};

/// Step s of sub-block p; s is 0 in formats whose scales are of 32 values.
template <TensorType type>
constexpr ScalePlace scalePlace(int p, int s) {
    if constexpr (type == TensorType::IQ3_S) return {106, 4 * p};
    if constexpr (type == TensorType::IQ3_XXS) return {66 + 4 * p, 28};
    if constexpr (type == TensorType::IQ2_S) return {74 + 4 * (p / 4), 8 * (p % 4) + 4 * s};
    if constexpr (type == TensorType::IQ2_XS) return {66 + 4 * (p / 4), 8 * (p % 4) + 4 * s};
    if constexpr (type == TensorType::IQ2_XXS) return {6 + 8 * p, 28};
    if constexpr (type == TensorType::IQ1_S) return {32 + 2 * p, 28}; // a word of 16 bits is the upper half
    if constexpr (type == TensorType::IQ1_M) return {46 + 2 * (p / 2), 16 + 6 * (p % 2) + 3 * s};
}

template <TensorType type>
constexpr int kScaleMask = hasShifts(type) ? 7 : 15;

/// The scale of step s of sub-block p.
template <TensorType type>
inline int codebookScale(const uint8_t* block, int p, int s) {
    const ScalePlace place = scalePlace<type>(p, s);
    return 2 * static_cast<int>(loadAs<uint32_t>(block + place.offset) >> place.shift & kScaleMask<type>) + 1;
}

/// Scales of the `count` steps of the sub-blocks from p on, one in each byte.
template <TensorType type, int count>
COTERIE_INLINE uint64_t codebookScales(const uint8_t* block, int p) {
    uint64_t scales = 0;
    for (int i = 0; i < count; ++i) {
        const int step = i % stepsOf32(type);
        scales |= static_cast<uint64_t>(codebookScale<type>(block, p + i / stepsOf32(type), step)) << (8 * i);
    }
    return scales;
}

/// The bits of d. In IQ1_M the upper four bits of each of four words are its nibbles, the lowest first.
template <TensorType type>
inline uint16_t halfOfFactor(const uint8_t* block) {
    if constexpr (type == TensorType::IQ1_M) {
        const uint64_t words = loadAs<uint64_t>(block + kFactorOffset<type>);
        return static_cast<uint16_t>((words >> 12 & 0xf) | (words >> 24 & 0xf0) | (words >> 36 & 0xf00) |
                                     (words >> 48 & 0xf000));
    } else {
        return loadAs<uint16_t>(block + kFactorOffset<type>);
    }
}

} // namespace coterie::engine
