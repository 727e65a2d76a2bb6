// SPDX-License-Identifier: Apache-2.0
// See codebooks.h. The compiler unpacks the codebooks: they are constants of the program.
#include "kernels/codebooks/codebooks.h"

#include "kernels/codebooks/numbers.h"

namespace coterie::engine {
namespace {

constexpr int8_t kLevelsIq3S[] = {1, 3, 5, 7, 9, 11, 13, 15};
constexpr int8_t kHalfLevelsIq3Xxs[] = {2, 6, 10, 14, 18, 22, 26, 31};
constexpr int8_t kLevelsIq2[] = {8, 25, 43};
constexpr int8_t kEightfoldLevelsIq1[] = {-8, 0, 8};

template <typename Entry, int count, size_t levelCount>
constexpr Codebook<Entry, count> unpacked(const uint16_t (&packed)[count], const int8_t (&levels)[levelCount]) {
    constexpr int bits = levelCount > 4 ? 3 : 2;
    Codebook<Entry, count> book = {};
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < static_cast<int>(sizeof(Entry)); ++j) {
            const int8_t level = levels[packed[i] >> (bits * j) & ((1 << bits) - 1)];
            book.at[i] |= static_cast<Entry>(static_cast<uint8_t>(level)) << (8 * j);
        }
    return book;
}

} // namespace

constinit const Codebook<uint32_t, 512> kCodebookIq3S = unpacked<uint32_t>(kPackedIq3S, kLevelsIq3S);
constinit const Codebook<uint32_t, 256> kCodebookIq3Xxs = unpacked<uint32_t>(kPackedIq3Xxs, kHalfLevelsIq3Xxs);
constinit const Codebook<uint64_t, 1024> kCodebookIq2S = unpacked<uint64_t>(kPackedIq2S, kLevelsIq2);
constinit const Codebook<uint64_t, 512> kCodebookIq2Xs = unpacked<uint64_t>(kPackedIq2Xs, kLevelsIq2);
constinit const Codebook<uint64_t, 256> kCodebookIq2Xxs = unpacked<uint64_t>(kPackedIq2Xxs, kLevelsIq2);
constinit const Codebook<uint64_t, 2048> kCodebookIq1 = unpacked<uint64_t>(kPackedIq1, kEightfoldLevelsIq1);

} // namespace coterie::engine
