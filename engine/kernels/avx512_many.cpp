// SPDX-License-Identifier: Apache-2.0
// Products of quantised matrices and many tokens, for AVX-512 with VNNI: 16 or 32 rows are unpacked once, a few columns
// at a time, and all tokens pass. The order of sums stands in avx512_vnni.cpp.
#include "kernels/avx512_unpack.h"

namespace coterie::engine {
namespace {

constexpr int64_t manyTokens = 256; ///< that share an unpacked panel: the terms' room
constexpr int64_t manyBlocks = 16;  ///< columns of an unpacked panel, which stays in the first cache
constexpr int mostPanels = 2;
constexpr int mostTokens = 6; ///< of a tile: 2 x 6 sums and as many products leave registers for weights

/// Panels side by side with 512 columns, unpacked.
template <int steps>
struct Unpacked16 {
    alignas(64) std::byte quants[manyBlocks * quantRegisters * 64];
    alignas(64) float scales[manyBlocks * steps * panelRows];
    alignas(64) float minima[manyBlocks * steps * panelRows];
};

/// What a tile of `panels` x `tokens` reads and writes.
struct ManyArguments {
    const std::byte* quants[mostPanels] = {};
    const float *scales[mostPanels] = {}, *minima[mostPanels] = {};
    const std::byte* x = nullptr;   ///< the first token's bytes of these columns
    const float* xScales = nullptr; ///< and scales
    size_t tokenStride = 0;         ///< bytes
    const int32_t* terms = nullptr;
    int64_t termStride = 0, blocks = 0;
    float* out = nullptr;
    int64_t outStride = 0;
    uint16_t rows[mostPanels] = {}; ///< that there are, as a mask
    bool first = false;             ///< of the columns
};

/// Keeps GCC from loading a value again wherever it is used.
COTERIE_AVX512_INLINE __m512i inRegister(__m512i v) {
#if defined(__GNUC__)
    __asm__("" : "+v"(v));
#endif
    return v;
}

template <int panels, int tokens, bool minimum, int steps>
COTERIE_AVX512 void manyTile(const ManyArguments& a) {
    constexpr int width = quantRegisters / steps;
    __m512 sums[panels][tokens];
    for (int p = 0; p < panels; ++p)
        for (int t = 0; t < tokens; ++t)
            sums[p][t] = a.first ? _mm512_setzero_ps()
                                 : _mm512_maskz_loadu_ps(a.rows[p], a.out + t * a.outStride + p * panelRows);
    const std::byte* x = a.x;
    for (int64_t s = 0; s < a.blocks * steps; ++s, x += 4 * width) {
        __m512i products[panels][tokens];
        for (int t = 0; t < tokens; ++t) {
            const __m512i term = minimum ? _mm512_setzero_si512() : _mm512_set1_epi32(a.terms[t * a.termStride + s]);
            for (int p = 0; p < panels; ++p) products[p][t] = term;
        }
        for (int i = 0; i < width; ++i) {
            __m512i q[panels];
            for (int p = 0; p < panels; ++p) q[p] = inRegister(bytes64(a.quants[p] + (s * width + i) * 64));
            for (int t = 0; t < tokens; ++t) {
                const __m512i four = everywhere(x + static_cast<size_t>(t) * a.tokenStride + 4 * i);
                for (int p = 0; p < panels; ++p) products[p][t] = _mm512_dpbusd_epi32(products[p][t], q[p], four);
            }
        }
        __m512 scales[panels], minima[panels];
        for (int p = 0; p < panels; ++p) {
            scales[p] = _mm512_loadu_ps(a.scales[p] + s * panelRows);
            if constexpr (minimum) minima[p] = _mm512_loadu_ps(a.minima[p] + s * panelRows);
        }
        for (int t = 0; t < tokens; ++t) {
            const std::byte* at =
                reinterpret_cast<const std::byte*>(a.xScales) + static_cast<size_t>(t) * a.tokenStride;
            const __m512 xScale = _mm512_set1_ps(reinterpret_cast<const float*>(at)[s / steps]);
            for (int p = 0; p < panels; ++p) {
                const __m512 product = _mm512_cvtepi32_ps(products[p][t]);
                sums[p][t] = _mm512_fmadd_ps(_mm512_mul_ps(scales[p], xScale), product, sums[p][t]);
                if constexpr (minimum) {
                    const __m512 term = _mm512_castsi512_ps(_mm512_set1_epi32(a.terms[t * a.termStride + s]));
                    sums[p][t] = _mm512_fnmadd_ps(minima[p], term, sums[p][t]);
                }
            }
        }
    }
    for (int p = 0; p < panels; ++p)
        for (int t = 0; t < tokens; ++t)
            _mm512_mask_storeu_ps(a.out + t * a.outStride + p * panelRows, a.rows[p], sums[p][t]);
}

using ManyTile = void (*)(const ManyArguments&);
template <bool minimum, int steps>
constexpr ManyTile manyTiles[mostPanels][mostTokens] = {
    {manyTile<1, 1, minimum, steps>, manyTile<1, 2, minimum, steps>, manyTile<1, 3, minimum, steps>,
     manyTile<1, 4, minimum, steps>, manyTile<1, 5, minimum, steps>, manyTile<1, 6, minimum, steps>},
    {manyTile<2, 1, minimum, steps>, manyTile<2, 2, minimum, steps>, manyTile<2, 3, minimum, steps>,
     manyTile<2, 4, minimum, steps>, manyTile<2, 5, minimum, steps>, manyTile<2, 6, minimum, steps>}};

/// Blocks [begin, end) of `count` <= 16 rows.
template <TensorType type>
COTERIE_AVX512 void unpackRows(const TileArguments& a, int64_t count, int64_t begin, int64_t end,
                               Unpacked16<stepsOf32(type)>& out) {
    constexpr int parts = isSuperFormat(type) ? partsOfSuper : 1;
    const PanelRows rows(a.w, a.rowStride, count);
    PanelRoom room = {reinterpret_cast<__m512i*>(out.quants), reinterpret_cast<__m512*>(out.scales),
                      reinterpret_cast<__m512*>(out.minima)};
    for (int64_t b = begin; b < end; b += parts) {
        unpackPanel<type>(rows, b / parts * quantBytes<type>, room);
        room.quants += parts * quantRegisters;
        room.scales += parts * stepsOf32(type);
        room.minima += parts * stepsOf32(type);
    }
}

/// The memory that comes next in unpacking: fetched line by line while tiles compute.
class NextLines {
  public:
    NextLines(const TileArguments& all, int64_t rows, int64_t begin, int64_t bytes)
        : at_(reinterpret_cast<const char*>(all.w) + begin), rowStride_(static_cast<int64_t>(all.rowStride)),
          rows_(rows < mostPanels * panelRows ? rows : mostPanels * panelRows), bytes_(bytes) {}

    int64_t lines() const { return rows_ * ((bytes_ + line - 1) / line); }
    void fetch(int64_t lines) {
        for (; lines > 0 && rows_ > 0; --lines) {
            _mm_prefetch(at_ + offset_, _MM_HINT_T0);
            offset_ += line;
            if (offset_ < bytes_) continue;
            offset_ = 0;
            at_ += rowStride_;
            --rows_;
        }
    }

  private:
    static constexpr int64_t line = 64;
    const char* at_;
    int64_t rowStride_, rows_, bytes_, offset_ = 0;
};

/// Blocks [begin, end) of 32 columns of all rows and tokens.
template <TensorType type>
class ManyTokens {
  public:
    ManyTokens(const TileArguments& all, int64_t rows, int64_t batch, int64_t begin, int64_t end)
        : all_(all), rows_(rows), batch_(batch), begin_(begin), end_(end) {
        for (int64_t t = 0; t < batch; ++t)
            tokenTerms<hasMinimum(type), steps>(all.x + static_cast<size_t>(t) * all.tokenStride, all.columns, begin,
                                                end, quantOffset(type), terms_ + t * termStride);
        for (int p = 0; p < mostPanels; ++p) {
            tile_.quants[p] = unpacked_[p].quants;
            tile_.scales[p] = unpacked_[p].scales;
            tile_.minima[p] = unpacked_[p].minima;
        }
        tile_.tokenStride = all.tokenStride;
        tile_.termStride = termStride;
        tile_.blocks = end - begin;
        tile_.outStride = all.outStride;
        tile_.first = begin == 0;
    }

    void run() {
        for (int64_t r = 0; r < rows_; r += mostPanels * panelRows) {
            int panels = 0;
            for (int64_t from = r; from < rows_ && panels < mostPanels; from += panelRows, ++panels) {
                unpackRows<type>(all_.fromRow(from), rows_ - from < panelRows ? rows_ - from : panelRows, begin_, end_,
                                 unpacked_[panels]);
                tile_.rows[panels] = firstOf16(rows_ - from);
            }
            runTiles(r, panels, nextLines(r + mostPanels * panelRows));
        }
    }

  private:
    static constexpr int steps = stepsOf32(type);
    static constexpr int64_t termStride = manyBlocks * steps;

    static int64_t bytesOf(int64_t blocks) {
        return blocks / (isSuperFormat(type) ? partsOfSuper : 1) * quantBytes<type>;
    }

    /// These columns of the rows from r on, or the columns behind them of the first rows.
    NextLines nextLines(int64_t r) const {
        if (r < rows_) return {all_.fromRow(r), rows_ - r, bytesOf(begin_), bytesOf(end_ - begin_)};
        const int64_t left = all_.columns / blockValues - end_;
        return {all_, left > 0 ? rows_ : 0, bytesOf(end_), bytesOf(left < manyBlocks ? left : manyBlocks)};
    }

    /// All tokens, in tiles of sizes as even as can be.
    void runTiles(int64_t r, int panels, NextLines next) {
        const int64_t tiles = (batch_ + mostTokens - 1) / mostTokens, share = next.lines() / tiles + 1;
        for (int64_t tile = 0; tile < tiles; ++tile) {
            const int64_t t = tile * batch_ / tiles, count = (tile + 1) * batch_ / tiles - t;
            const std::byte* token = all_.x + static_cast<size_t>(t) * all_.tokenStride;
            tile_.xScales = reinterpret_cast<const float*>(token) + begin_;
            tile_.x = token + preparedQuantsOffset(all_.columns) + begin_ * blockValues;
            tile_.terms = terms_ + t * termStride;
            tile_.out = all_.out + t * all_.outStride + r;
            next.fetch(share);
            manyTiles<hasMinimum(type), steps>[panels - 1][count - 1](tile_);
        }
    }

    const TileArguments& all_;
    int64_t rows_, batch_, begin_, end_;
    ManyArguments tile_;
    Unpacked16<steps> unpacked_[mostPanels];
    alignas(64) int32_t terms_[manyTokens * termStride];
};

template <TensorType type>
void multiplyMany(TileArguments a, int64_t rows, int64_t batch) {
    const int64_t blocks = a.columns / blockValues;
    for (int64_t t = 0; t < batch; t += manyTokens) {
        for (int64_t b = 0; b < blocks; b += manyBlocks)
            ManyTokens<type>(a, rows, batch - t < manyTokens ? batch - t : manyTokens, b,
                             blocks - b < manyBlocks ? blocks : b + manyBlocks)
                .run();
        a.x += manyTokens * a.tokenStride;
        a.out += manyTokens * a.outStride;
    }
}

} // namespace

void avx512MultiplyMany(TensorType type, const TileArguments& a, int64_t rows, int64_t batch) {
    withQuantisedFormat(type, [&]<TensorType known>() { multiplyMany<known>(a, rows, batch); });
}

} // namespace coterie::engine
