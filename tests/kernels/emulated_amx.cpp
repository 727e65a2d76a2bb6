// SPDX-License-Identifier: Apache-2.0
#include "emulated_amx.h"

#if defined(__x86_64__) || defined(_M_X64)
#include "kernels/avx512_table.h"
#define COTERIE_TILES COTERIE_AVX512
#include "kernels/amx_tiles.h"

#include <cstdlib>
#include <cstring>

namespace coterie::test {
namespace {

using namespace coterie::engine;

/// TDPBSUD, TILELOADD and TILESTORED as Intel's manual (SDM vol. 2) defines them, with the shapes that amx.cpp sets.
struct EmulatedRegisters {
    static constexpr int kRows = 16, kTokens = 16, kMostColumns = 64;
    struct State {
        int width = 0; ///< 0 if it is not configured
        int8_t x[kTokens][kMostColumns];
        uint8_t q[kMostColumns / 4][kRows][4];
        int32_t sums[kTokens][kRows];
    };
    static State& state() {
        thread_local State registers;
        return registers;
    }
    /// Aborts where the processor would raise an exception.
    static void mustBeConfigured() {
        if (state().width == 0) std::abort();
    }

    static void configure(int width) { state().width = width; }
    static void release() { state().width = 0; }
    static void zeroSums() {
        mustBeConfigured();
        std::memset(state().sums, 0, sizeof state().sums);
    }
    static void loadTokens(const std::byte* x, size_t stride) {
        for (size_t t = 0; t < kTokens; ++t)
            std::memcpy(state().x[t], x + t * stride, 4 * static_cast<size_t>(state().width));
    }
    static void loadWeights(const std::byte* q) {
        std::memcpy(state().q, q, sizeof state().q[0] * static_cast<size_t>(state().width));
    }
    static void multiply() {
        mustBeConfigured();
        State& s = state();
        for (int t = 0; t < kTokens; ++t)
            for (int r = 0; r < kRows; ++r)
                for (int k = 0; k < 4 * s.width; ++k) s.sums[t][r] += s.x[t][k] * s.q[k / 4][r][k % 4];
    }
    static void storeSums(int32_t* out) { std::memcpy(out, state().sums, sizeof state().sums); }
};

void multiply(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, size_t preparedStride,
              int64_t batch, float* out, int64_t outStride) {
    if (batch == 1 || !isIntegerFormat(w.type))
        return kAvx512VnniKernels.multiply(w, rowBegin, rowEnd, prepared, preparedStride, batch, out, outStride);
    multiplyInTileRegisters<EmulatedRegisters>(
        w.type, tileArguments(w, rowBegin, prepared, preparedStride, out, outStride), rowEnd - rowBegin, batch);
}

} // namespace

const KernelTable* emulatedAmx() {
    static const KernelTable table = [] {
        KernelTable made = basedOn(kAvx512VnniKernels, "amx-emulated", kAvx512VnniKernels.runsHere);
        made.multiply = multiply;
        return made;
    }();
    return table.runsHere() ? &table : nullptr;
}

} // namespace coterie::test
#else
const coterie::engine::KernelTable* coterie::test::emulatedAmx() { return nullptr; }
#endif
