// SPDX-License-Identifier: Apache-2.0
// AMX's tile registers (Intel since Sapphire Rapids): the instructions, and whether they may be used. amx_tiles.h
// describes their use. Tests also run everything except these instructions on machines without AMX.
#include "base/processors.h"
#include "kernels/avx512_table.h"
#include "kernels/cpuid.h"

#if defined(_MSC_VER)
#define COTERIE_TILES
#define COTERIE_TILES_INLINE __forceinline
#else
#define COTERIE_TILES __attribute__((target(COTERIE_AVX512_FEATURES ",amx-tile,amx-int8")))
#define COTERIE_TILES_INLINE COTERIE_TILES __attribute__((always_inline)) inline
#endif
#include "kernels/amx_tiles.h"

namespace coterie::engine {
namespace {

/// The input of LDTILECFG (Intel SDM vol. 1, 18.2): rows of each register and bytes in a row.
struct TileShapes {
    uint8_t palette = 1;
    uint8_t startRow = 0;
    uint8_t reserved[14] = {};
    uint16_t rowBytes[16] = {};
    uint8_t rows[16] = {};
};
static_assert(sizeof(TileShapes) == 64);

/// Registers 0, 1 and 2 hold sums, tokens and weights.
constexpr TileShapes shapesOf(int width) {
    TileShapes shapes;
    const int rows[3] = {kAmxTokens, kAmxTokens, width}, rowBytes[3] = {64, 4 * width, 64};
    for (int i = 0; i < 3; ++i) {
        shapes.rows[i] = static_cast<uint8_t>(rows[i]);
        shapes.rowBytes[i] = static_cast<uint16_t>(rowBytes[i]);
    }
    return shapes;
}

#if defined(__GNUC__) && !defined(__clang__)
// GCC's intrinsics take the stride as a long, which has 32 bits on Windows, and do not tell the compiler that they read
// memory.
template <int tile>
COTERIE_TILES_INLINE void loadTile(const std::byte* from, size_t stride) {
    __asm__ volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(stride), "i"(tile) : "memory");
}
COTERIE_TILES_INLINE void storeTile0(int32_t* to, size_t stride) {
    __asm__ volatile("tilestored %%tmm0, (%0,%1,1)" : : "r"(to), "r"(stride) : "memory");
}
#else
template <int tile>
COTERIE_TILES_INLINE void loadTile(const std::byte* from, size_t stride) {
    _tile_loadd(tile, from, stride);
}
COTERIE_TILES_INLINE void storeTile0(int32_t* to, size_t stride) { _tile_stored(0, to, stride); }
#endif

/// Each thread has its own registers with their own shapes. They are released after every product, because the system
/// saves them at each switch of threads for as long as they are in use.
struct TileRegisters {
    /// A step is 4 * width columns.
    COTERIE_TILES static void configure(int width) {
        alignas(64) static constexpr TileShapes shapes[] = {shapesOf(kQuantRegisters / 2), shapesOf(kQuantRegisters)};
        _tile_loadconfig(&shapes[width == kQuantRegisters ? 1 : 0]);
    }
    COTERIE_TILES static void release() { _tile_release(); }

    COTERIE_TILES_INLINE static void zeroSums() { _tile_zero(0); }
    COTERIE_TILES_INLINE static void loadTokens(const std::byte* x, size_t stride) { loadTile<1>(x, stride); }
    COTERIE_TILES_INLINE static void loadWeights(const std::byte* q) { loadTile<2>(q, 64); }
    /// Computes sums += tokens . weights; the tokens are signed.
    COTERIE_TILES_INLINE static void multiply() { _tile_dpbsud(0, 1, 2); }
    COTERIE_TILES_INLINE static void storeSums(int32_t* out) { storeTile0(out, 64); }
};

} // namespace

bool amxRunsHere() {
    constexpr uint32_t tiles = 1u << 24, int8 = 1u << 25; // leaf 7, edx
    constexpr uint64_t states = 0x60000;                  // the registers and their shapes
    return kAvx512VnniKernels.runsHere() && (cpuid(7).edx & (tiles | int8)) == (tiles | int8) &&
           (enabledStates() & states) == states && requestTileRegisters();
}

void amxMultiplyMany(TensorType type, const TileArguments& a, int64_t rows, int64_t batch) {
    multiplyInTileRegisters<TileRegisters>(type, a, rows, batch);
}

} // namespace coterie::engine
