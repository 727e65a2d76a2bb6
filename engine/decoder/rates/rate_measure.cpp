// SPDX-License-Identifier: Apache-2.0
// See rate_measure.h.
#include "decoder/rates/rate_measure.h"

#include "base/rounding.h"

#include <algorithm>
#include <cstring>

namespace coterie::engine {
namespace {

constexpr int64_t kFewestRows = 256, kGrowth = 4;
constexpr double kLongEnough = 8e-3; ///< seconds: a clock of any system is a thousand times finer
constexpr int kRepetitions = 3;

} // namespace

Result<double> measureRate(const TimedProducts& run, const RateCosts& costs, const RatedProducts& of) {
    const int64_t mostRows = std::min(kMostRateRows, static_cast<int64_t>(of.mostBytes / of.bytesOfRow));
    int64_t rows = kFewestRows, products = 1;
    if (const Result<double> first = run(rows, products); !first) return first; // some compile or wake up for it
    double seconds = 0;
    while (true) {
        const Result<double> taken = run(rows, products);
        if (!taken) return taken;
        seconds = *taken;
        if (seconds >= kLongEnough || products >= kMostRateProducts) break;
        (rows * kGrowth <= mostRows ? rows : products) *= kGrowth;
    }
    for (int i = 1; i < kRepetitions; ++i) {
        const Result<double> taken = run(rows, products);
        if (!taken) return taken;
        seconds = std::min(seconds, *taken);
    }
    // If the costs are most of the time, they are not known well enough to take away all of them.
    const double own = std::max(seconds / 2, seconds - costs.perRun - costs.perProduct * static_cast<double>(products));
    const double bytes = static_cast<double>(of.bytesOfRow) * static_cast<double>(rows * products * of.vectors);
    return own > 0 ? bytes / own : 0;
}

void fillWithWeights(std::span<std::byte> bytes) {
    // Words of 16 bits from 1 to 2 as halves, of either sign: a half, a BF16, a float whose upper half such a word is,
    // and the factors of a block are ordinary numbers then, and whole numbers may be anything.
    constexpr uint64_t kOnes = 0x3C003C003C003C00, kFree = 0x83FF83FF83FF83FF;
    uint64_t state = 0x9E3779B97F4A7C15; // xorshift64, any start but 0
    for (size_t at = 0; at < bytes.size(); at += sizeof state) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const uint64_t word = kOnes | (state & kFree);
        std::memcpy(&bytes[at], &word, std::min(sizeof word, bytes.size() - at));
    }
}

uint64_t NextMatrix::take(uint64_t bytes) {
    const uint64_t room = roundUp(bytes, kLineBytes);
    if (next_ + room > buffer_) next_ = 0;
    const uint64_t place = next_;
    next_ += room;
    return place;
}

} // namespace coterie::engine
