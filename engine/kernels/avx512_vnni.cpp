// SPDX-License-Identifier: Apache-2.0
// Kernels for x86-64 with AVX-512 (F, BW, DQ, VL, VBMI) and VNNI: Intel since Ice Lake, AMD since Zen 4. Here is the
// table; avx512_one.cpp and avx512_many.cpp have the matrix products of quantised formats with one token and with many,
// avx512_attention.cpp attention, avx512_vectors.cpp what else pays among floats, avx2.cpp all else. A second table,
// for processors that have AMX as well, differs in the products with many tokens alone: those are in amx.cpp.
//
// A product of a row and a token is summed step after step (32 columns, or 16 in formats with scales for so few), each
// step's integers exactly:
//     sum = fma(scale * xScale, float(q . x), sum)
//     sum = fma(-minimum, xScale * float(1 . x), sum)       in formats with a minimum
// Whatever the number of rows and tokens, a product comes to the same bits.
#include "kernels/avx512_pieces.h"
#include "kernels/cpuid.h"
#include "kernels/signs.h"
#include "kernels/sparse.h"
#include "kernels/tables.h"
#include "kernels/tiles.h"

namespace coterie::engine {
namespace {

bool runsHere() {
    constexpr uint32_t foundation = 1u << 16, dq = 1u << 17, bw = 1u << 30, vl = 1u << 31; // leaf 7, ebx
    constexpr uint32_t vbmi = 1u << 1, vnni = 1u << 11;                                    // leaf 7, ecx
    constexpr uint32_t needed = foundation | dq | bw | vl;
    if (!avx2Kernels.runsHere() || (enabledStates() & statesOfAvx512) != statesOfAvx512) return false;
    const CpuidRegisters features = cpuid(7);
    return (features.ebx & needed) == needed && (features.ecx & (vbmi | vnni)) == (vbmi | vnni);
}

/// KernelTable::multiply, given the part that is for many tokens.
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
    const size_t rowStride = rowBytes(w.type, static_cast<uint64_t>(w.columns));
    avx512MultiplySome(w.type, {w.data, rowStride, prepared, 0, w.columns, out, 0}, rows, count);
}

// --- What AVX2 does as well

size_t preparedBytes(TensorType type, int64_t columns) { return scalarKernels.preparedBytes(type, columns); }
void prepare(TensorType type, const float* x, int64_t columns, std::byte* out) {
    avx2Kernels.prepare(type, x, columns, out);
}
void expandRow(TensorType type, const std::byte* row, int64_t columns, float* out) {
    avx2Kernels.expandRow(type, row, columns, out);
}
void addScaledRow(TensorType type, const std::byte* row, int64_t columns, float scale, float* out) {
    const int32_t first = 0;
    avx512AddScaledRows({type, 1, columns, row}, &first, &scale, 1, 0, columns, out);
}
void rmsNorm(const float* x, const float* weight, int64_t n, float epsilon, float* out) {
    avx2Kernels.rmsNorm(x, weight, n, epsilon, out);
}
void rope(RopeKind kind, float* head, int64_t n, const float* cosSin) { avx2Kernels.rope(kind, head, n, cosSin); }
int64_t reGlu(const float* gate, const float* up, int64_t n, float* out) { return avx2Kernels.reGlu(gate, up, n, out); }
void compressRow(TensorType type, const float* x, int64_t n, std::byte* out) {
    avx2Kernels.compressRow(type, x, n, out);
}

template <void (*multiplyMany)(TensorType, const TileArguments&, int64_t, int64_t)>
constexpr KernelTable tableOf(const char* name, decltype(KernelTable::runsHere) runs) {
    return {
        .name = name,
        .runsHere = runs,
        .preparedBytes = preparedBytes,
        .prepare = prepare,
        .multiply = multiply<multiplyMany>,
        .multiplySome = multiplySome,
        .multiplySparse = avx512MultiplySparse,
        .multiplySigns = avx512MultiplySigns,
        .expandRow = expandRow,
        .addScaledRow = addScaledRow,
        .addScaledRows = avx512AddScaledRows,
        .rmsNorm = rmsNorm,
        .rope = rope,
        .swiGlu = avx512SwiGlu,
        .reGlu = reGlu,
        .compressRow = compressRow,
        .attentionScores = avx512AttentionScores,
        .attentionValues = avx512AttentionValues,
        .softmaxPart = avx512SoftmaxPart,
    };
}

} // namespace

const KernelTable avx512VnniKernels = tableOf<avx512MultiplyMany>("avx512vnni", runsHere);
const KernelTable amxKernels = tableOf<amxMultiplyMany>("amx", amxRunsHere);

} // namespace coterie::engine
