// SPDX-License-Identifier: Apache-2.0
// The plain kernels and their table, on which all others are based. Inside kernels/ only.
#pragma once

#include "kernels/formulas.h"
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
FunctionOf<&KernelTable::l2Norm> scalarL2Norm;
FunctionOf<&KernelTable::rope> scalarRope;
FunctionOf<&KernelTable::swiGlu> scalarSwiGlu;
FunctionOf<&KernelTable::reGlu> scalarReGlu;
FunctionOf<&KernelTable::geGlu> scalarGeGlu;
FunctionOf<&KernelTable::silu> scalarSilu;
FunctionOf<&KernelTable::sigmoidGate> scalarSigmoidGate;
FunctionOf<&KernelTable::softplus> scalarSoftplus;
FunctionOf<&KernelTable::softCap> scalarSoftCap;
FunctionOf<&KernelTable::causalConvolution> scalarCausalConvolution;
FunctionOf<&KernelTable::deltaRule> scalarDeltaRule;
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
        .groupedRmsNorm = groupedRmsNormBy<scalarRmsNorm>,
        .l2Norm = scalarL2Norm,
        .rope = scalarRope,
        .swiGlu = scalarSwiGlu,
        .reGlu = scalarReGlu,
        .geGlu = scalarGeGlu,
        .silu = scalarSilu,
        .sigmoidGate = scalarSigmoidGate,
        .softplus = scalarSoftplus,
        .softCap = scalarSoftCap,
        .causalConvolution = scalarCausalConvolution,
        .deltaRule = scalarDeltaRule,
        .compressRow = scalarCompressRow,
        .attentionScores = scalarAttentionScores,
        .attentionValues = scalarAttentionValues,
        .partialSoftmax = scalarPartialSoftmax,
    };
}

} // namespace coterie::engine
