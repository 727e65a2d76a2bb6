// SPDX-License-Identifier: Apache-2.0
// The functions of the tables in neon.cpp that lie in other files. Inside kernels/ only.
#pragma once

#include "kernels/neon_pieces.h"
#include "kernels/scalar.h"

namespace coterie::engine {

FunctionOf<&KernelTable::multiplySparse> neonMultiplySparse;
FunctionOf<&KernelTable::multiplySigns> neonMultiplySigns;
FunctionOf<&KernelTable::swiGlu> neonSwiGlu;
FunctionOf<&KernelTable::geGlu> neonGeGlu;
FunctionOf<&KernelTable::silu> neonSilu;
FunctionOf<&KernelTable::sigmoidGate> neonSigmoidGate;
FunctionOf<&KernelTable::softCap> neonSoftCap;
FunctionOf<&KernelTable::causalConvolution> neonCausalConvolution;
FunctionOf<&KernelTable::deltaRule> neonDeltaRule;
FunctionOf<&KernelTable::attentionScores> neonAttentionScores;
FunctionOf<&KernelTable::attentionValues> neonAttentionValues;

FunctionOf<&KernelTable::runsHere> neonDotRunsHere, i8mmRunsHere;
FunctionOf<&KernelTable::multiply> neonDotMultiply, i8mmMultiply;
/// Integer formats and one token; both tables use it.
void neonDotMultiplyOne(TensorType type, const TileArguments& a, int64_t rows);

} // namespace coterie::engine
