// SPDX-License-Identifier: Apache-2.0
// The functions of the AVX2 table, and the table itself, on which those for AVX-512 are based. Inside kernels/ only.
#pragma once

#include "kernels/avx2_pieces.h"
#include "kernels/scalar.h"

namespace coterie::engine {

FunctionOf<&KernelTable::runsHere> avx2RunsHere;
FunctionOf<&KernelTable::prepare> avx2Prepare;
FunctionOf<&KernelTable::multiply> avx2Multiply;
FunctionOf<&KernelTable::multiplySome> avx2MultiplySome;
FunctionOf<&KernelTable::multiplySparse> avx2MultiplySparse;
FunctionOf<&KernelTable::multiplySigns> avx2MultiplySigns;
FunctionOf<&KernelTable::expandRow> avx2ExpandRow;
FunctionOf<&KernelTable::addScaledRows> avx2AddScaledRows;
COTERIE_AVX2 FunctionOf<&KernelTable::rmsNorm> avx2RmsNorm;
COTERIE_AVX2 FunctionOf<&KernelTable::l2Norm> avx2L2Norm;
FunctionOf<&KernelTable::rope> avx2Rope;
COTERIE_AVX2 FunctionOf<&KernelTable::swiGlu> avx2SwiGlu;
COTERIE_AVX2 FunctionOf<&KernelTable::reGlu> avx2ReGlu;
COTERIE_AVX2 FunctionOf<&KernelTable::geGlu> avx2GeGlu;
COTERIE_AVX2 FunctionOf<&KernelTable::silu> avx2Silu;
COTERIE_AVX2 FunctionOf<&KernelTable::sigmoidGate> avx2SigmoidGate;
COTERIE_AVX2 FunctionOf<&KernelTable::softCap> avx2SoftCap;
FunctionOf<&KernelTable::causalConvolution> avx2CausalConvolution;
FunctionOf<&KernelTable::deltaRule> avx2DeltaRule;
FunctionOf<&KernelTable::compressRow> avx2CompressRow;
FunctionOf<&KernelTable::attentionScores> avx2AttentionScores;
FunctionOf<&KernelTable::attentionValues> avx2AttentionValues;
COTERIE_AVX2 FunctionOf<&KernelTable::partialSoftmax> avx2PartialSoftmax;

constexpr KernelTable avx2Table() {
    KernelTable table = basedOn(scalarTable(), "avx2", avx2RunsHere);
    table.prepare = avx2Prepare;
    table.multiply = avx2Multiply;
    table.multiplySome = avx2MultiplySome;
    table.multiplySparse = avx2MultiplySparse;
    table.multiplySigns = avx2MultiplySigns;
    table.expandRow = avx2ExpandRow;
    table.addScaledRows = avx2AddScaledRows;
    table.rmsNorm = avx2RmsNorm;
    table.groupedRmsNorm = groupedRmsNormBy<avx2RmsNorm>;
    table.l2Norm = avx2L2Norm;
    table.rope = avx2Rope;
    table.swiGlu = avx2SwiGlu;
    table.reGlu = avx2ReGlu;
    table.geGlu = avx2GeGlu;
    table.silu = avx2Silu;
    table.sigmoidGate = avx2SigmoidGate;
    table.softCap = avx2SoftCap;
    table.causalConvolution = avx2CausalConvolution;
    table.deltaRule = avx2DeltaRule;
    table.compressRow = avx2CompressRow;
    table.attentionScores = avx2AttentionScores;
    table.attentionValues = avx2AttentionValues;
    table.partialSoftmax = avx2PartialSoftmax;
    return table;
}

// Products of quantised formats: with AVX2 alone (avx2_quants.cpp) and with AVX-VNNI (avx2_vnni.cpp).
void avx2MultiplyQuants(TensorType type, const TileArguments& a, int64_t rows, int64_t batch);
void avx2MultiplySomeQuants(TensorType type, const TileArguments& a, const int32_t* rows, int64_t count);
void avx2VnniMultiplyQuants(TensorType type, const TileArguments& a, int64_t rows, int64_t batch);
void avx2VnniMultiplySomeQuants(TensorType type, const TileArguments& a, const int32_t* rows, int64_t count);
bool avx2VnniRunsHere();

} // namespace coterie::engine
