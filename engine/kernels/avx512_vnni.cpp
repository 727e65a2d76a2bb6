// SPDX-License-Identifier: Apache-2.0
// Kernels for x86-64 with AVX-512 (F, BW, DQ, VL) and VNNI: Intel since Ice Lake, AMD since Zen 4. Here is the table;
// avx512_one.cpp and avx512_many.cpp have the matrix products of quantised formats with one token and with many,
// avx512_vectors.cpp what pays among floats, avx2.cpp all else.
//
// A product of a row and a token is summed step after step (32 columns, or 16 in formats with scales for so few), each
// step's integers exactly:
//     sum = fma(scale * xScale, float(q . x), sum)
//     sum = fma(-minimum, xScale * float(1 . x), sum)       in formats with a minimum
// Whatever the number of rows and tokens, a product comes to the same bits.
#include "kernels/avx512_pieces.h"
#include "kernels/cpuid.h"
#include "kernels/signs.h"
#include "kernels/tables.h"
#include "kernels/tiles.h"

namespace coterie::engine {
namespace {

bool runsHere() {
    constexpr uint32_t foundation = 1u << 16, dq = 1u << 17, bw = 1u << 30, vl = 1u << 31; // leaf 7, ebx
    constexpr uint32_t vnni = 1u << 11;                                                    // leaf 7, ecx
    constexpr uint32_t needed = foundation | dq | bw | vl;
    if (!avx2Kernels.runsHere() || (enabledStates() & statesOfAvx512) != statesOfAvx512) return false;
    const CpuidRegisters features = cpuid(7);
    return (features.ebx & needed) == needed && (features.ecx & vnni) != 0;
}

void multiply(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, size_t preparedStride,
              int64_t batch, float* out, int64_t outStride) {
    if (!isIntegerFormat(w.type))
        return multiplyInTiles(avx512FloatTiles(w.type), w, rowBegin, rowEnd, prepared, preparedStride, batch, out,
                               outStride);
    const size_t rowStride = rowBytes(w.type, static_cast<uint64_t>(w.columns));
    const TileArguments all = {w.data, rowStride, prepared, preparedStride, w.columns, out, outStride};
    const TileArguments a = all.fromRow(rowBegin);
    if (batch == 1)
        avx512MultiplyOne(w.type, a, rowEnd - rowBegin);
    else
        avx512MultiplyMany(w.type, a, rowEnd - rowBegin, batch);
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

} // namespace

const KernelTable avx512VnniKernels = {
    .name = "avx512vnni",
    .runsHere = runsHere,
    .preparedBytes = preparedBytes,
    .prepare = prepare,
    .multiply = multiply,
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
    .softmax = avx512Softmax,
};

} // namespace coterie::engine
