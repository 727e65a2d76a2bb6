// SPDX-License-Identifier: Apache-2.0
// The functions that the tables for AVX-512 replace; they inherit the others from AVX2. Inside kernels/ only.
#pragma once

#include "kernels/avx2_table.h"
#include "kernels/avx512_pieces.h"

namespace coterie::engine {

FunctionOf<&KernelTable::multiplySparse> avx512MultiplySparse;
FunctionOf<&KernelTable::multiplySigns> avx512MultiplySigns;
FunctionOf<&KernelTable::addScaledRows> avx512AddScaledRows;
COTERIE_AVX512 FunctionOf<&KernelTable::swiGlu> avx512SwiGlu;
COTERIE_AVX512 FunctionOf<&KernelTable::geGlu> avx512GeGlu;
COTERIE_AVX512 FunctionOf<&KernelTable::silu> avx512Silu;
COTERIE_AVX512 FunctionOf<&KernelTable::sigmoidGate> avx512SigmoidGate;
COTERIE_AVX512 FunctionOf<&KernelTable::softCap> avx512SoftCap;
FunctionOf<&KernelTable::causalConvolution> avx512CausalConvolution;
FunctionOf<&KernelTable::deltaRule> avx512DeltaRule;
FunctionOf<&KernelTable::attentionScores> avx512AttentionScores;
FunctionOf<&KernelTable::attentionValues> avx512AttentionValues;
COTERIE_AVX512 FunctionOf<&KernelTable::partialSoftmax> avx512PartialSoftmax;

// Products of float formats; then of quantised ones with one token, with listed rows, and with many tokens.
const Tiles& avx512FloatTiles(TensorType type);
void avx512MultiplyOne(TensorType type, const TileArguments& a, int64_t rows);
void avx512MultiplySome(TensorType type, const TileArguments& a, const int32_t* rows, int64_t count);
void avx512MultiplyMany(TensorType type, const TileArguments& a, int64_t rows, int64_t batch);
void amxMultiplyMany(TensorType type, const TileArguments& a, int64_t rows, int64_t batch);
bool amxRunsHere();

} // namespace coterie::engine
