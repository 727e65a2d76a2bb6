// SPDX-License-Identifier: Apache-2.0
// The functions of the tables in neon.cpp that lie in other files. Inside kernels/ only.
#pragma once

#include "kernels/neon_pieces.h"
#include "kernels/scalar.h"

namespace coterie::engine {

FunctionOf<&KernelTable::multiplySparse> neonMultiplySparse;
FunctionOf<&KernelTable::multiplySigns> neonMultiplySigns;
FunctionOf<&KernelTable::attentionScores> neonAttentionScores;
FunctionOf<&KernelTable::attentionValues> neonAttentionValues;

FunctionOf<&KernelTable::runsHere> neonDotRunsHere, i8mmRunsHere;
FunctionOf<&KernelTable::multiply> neonDotMultiply, i8mmMultiply;
/// Integer formats and one token; both tables use it.
void neonDotMultiplyOne(TensorType type, const TileArguments& a, int64_t rows);

} // namespace coterie::engine
