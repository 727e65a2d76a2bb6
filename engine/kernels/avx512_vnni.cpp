// SPDX-License-Identifier: Apache-2.0
// Kernels for x86-64 with AVX-512 (F, BW, DQ, VL, VBMI) and VNNI: Intel since Ice Lake, AMD since Zen 4. This file has
// the tables; README.md lists the files of their functions. The second table, for processors that also have AMX,
// differs only in the products with many tokens (amx.cpp).
//
// A product of a row and a token is summed step by step. A step has 32 columns, or 16 in formats whose scales are of 16
// values. Within a step the integers are exact:
//     sum = fma(scale * xScale, float(q . x), sum)
//     sum = fma(-minimum, xScale * float(1 . x), sum)       in formats with a minimum
// The bits of a product do not depend on the number of rows and tokens.
#include "kernels/avx512_table.h"
#include "kernels/cpuid.h"
#include "kernels/tiles.h"

namespace coterie::engine {
namespace {

bool runsHere() {
    constexpr uint32_t foundation = 1u << 16, dq = 1u << 17, bw = 1u << 30, vl = 1u << 31; // leaf 7, ebx
    constexpr uint32_t vbmi = 1u << 1, vnni = 1u << 11;                                    // leaf 7, ecx
    constexpr uint32_t needed = foundation | dq | bw | vl;
    if (!avx2RunsHere() || (enabledStates() & kStatesOfAvx512) != kStatesOfAvx512) return false;
    const CpuidRegisters features = cpuid(7);
    return (features.ebx & needed) == needed && (features.ecx & (vbmi | vnni)) == (vbmi | vnni);
}

/// KernelTable::multiply, given the function for many tokens.
template <void (*multiplyMany)(TensorType, const TileArguments&, int64_t, int64_t)>
void multiply(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, size_t preparedStride,
              int64_t batch, float* out, int64_t outStride) {
    if (!isIntegerFormat(w.type))
        return multiplyInTiles(avx512FloatTiles(w.type), w, rowBegin, rowEnd, prepared, preparedStride, batch, out,
                               outStride);
    const TileArguments a = tileArguments(w, rowBegin, prepared, preparedStride, out, outStride);
    if (batch == 1)
        avx512MultiplyOne(w.type, a, rowEnd - rowBegin);
    else
        multiplyMany(w.type, a, rowEnd - rowBegin, batch);
}

void multiplySome(const Matrix& w, const int32_t* rows, int64_t count, const std::byte* prepared, float* out) {
    if (!isIntegerFormat(w.type)) return multiplyRuns(multiply<avx512MultiplyMany>, w, rows, count, prepared, out);
    avx512MultiplySome(w.type, tileArguments(w, 0, prepared, 0, out, 0), rows, count);
}

template <void (*multiplyMany)(TensorType, const TileArguments&, int64_t, int64_t)>
constexpr KernelTable tableOf(const char* name, bool (*runs)()) {
    KernelTable table = basedOn(avx2Table(), name, runs);
    table.multiply = multiply<multiplyMany>;
    table.multiplySome = multiplySome;
    table.multiplySparse = avx512MultiplySparse;
    table.multiplySigns = avx512MultiplySigns;
    table.addScaledRows = avx512AddScaledRows;
    table.swiGlu = avx512SwiGlu;
    table.geGlu = avx512GeGlu;
    table.silu = avx512Silu;
    table.sigmoidGate = avx512SigmoidGate;
    table.softCap = avx512SoftCap;
    table.causalConvolution = avx512CausalConvolution;
    table.deltaRule = avx512DeltaRule;
    table.attentionScores = avx512AttentionScores;
    table.attentionValues = avx512AttentionValues;
    table.partialSoftmax = avx512PartialSoftmax;
    return table;
}

} // namespace

constinit const KernelTable kAvx512VnniKernels = tableOf<avx512MultiplyMany>("avx512vnni", runsHere);
constinit const KernelTable kAmxKernels = tableOf<amxMultiplyMany>("amx", amxRunsHere);

} // namespace coterie::engine
