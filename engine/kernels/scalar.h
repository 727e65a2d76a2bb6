// SPDX-License-Identifier: Apache-2.0
// The plain kernels and their table, on which all others are based. Inside kernels/ only.
#pragma once

#include "kernels/tables.h"

namespace coterie::engine {

FunctionOf<&KernelTable::runsHere> scalarRunsHere;
FunctionOf<&KernelTable::preparedBytes> scalarPreparedBytes;
FunctionOf<&KernelTable::prepare> scalarPrepare;
FunctionOf<&KernelTable::multiply> scalarMultiply;
FunctionOf<&KernelTable::multiplySome> scalarMultiplySome;
FunctionOf<&KernelTable::multiplySparse> scalarMultiplySparse;
FunctionOf<&KernelTable::multiplySigns> scalarMultiplySigns;
FunctionOf<&KernelTable::expandRow> scalarExpandRow;
FunctionOf<&KernelTable::addScaledRows> scalarAddScaledRows;
FunctionOf<&KernelTable::rmsNorm> scalarRmsNorm;
FunctionOf<&KernelTable::rope> scalarRope;
FunctionOf<&KernelTable::swiGlu> scalarSwiGlu;
FunctionOf<&KernelTable::reGlu> scalarReGlu;
FunctionOf<&KernelTable::compressRow> scalarCompressRow;
FunctionOf<&KernelTable::attentionScores> scalarAttentionScores;
FunctionOf<&KernelTable::attentionValues> scalarAttentionValues;
FunctionOf<&KernelTable::partialSoftmax> scalarPartialSoftmax;

constexpr KernelTable scalarTable() {
    return {
        .name = "scalar",
        .runsHere = scalarRunsHere,
        .preparedBytes = scalarPreparedBytes,
        .prepare = scalarPrepare,
        .multiply = scalarMultiply,
        .multiplySome = scalarMultiplySome,
        .multiplySparse = scalarMultiplySparse,
        .multiplySigns = scalarMultiplySigns,
        .expandRow = scalarExpandRow,
        .addScaledRows = scalarAddScaledRows,
        .rmsNorm = scalarRmsNorm,
        .rope = scalarRope,
        .swiGlu = scalarSwiGlu,
        .reGlu = scalarReGlu,
        .compressRow = scalarCompressRow,
        .attentionScores = scalarAttentionScores,
        .attentionValues = scalarAttentionValues,
        .partialSoftmax = scalarPartialSoftmax,
    };
}

} // namespace coterie::engine
