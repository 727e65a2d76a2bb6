// SPDX-License-Identifier: Apache-2.0
// Figures of the command bench: the measurements of its runs, and the JSON object that it prints. A figure without a
// measurement is null.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace coterie::app {

/// Sums over all runs, for decoding alone: from the end of the first token to the end of the last.
struct DecodeTotals {
    uint64_t tokens = 0; ///< tokens that went through the model
    double seconds = 0, waitSeconds = 0;
    uint64_t weightBytes = 0, diskBytes = 0, hits = 0, misses = 0, guessed = 0, guessedUsed = 0;
    uint64_t activeNeurons = 0, neurons = 0, headRows = 0, headRowsPossible = 0;
};

struct BenchFigures {
    double loadSeconds = 0; ///< the model is opened once, so its median, minimum and maximum are one figure
    std::vector<double> firstTokenSeconds, prefillRates, decodeRates; ///< [runs]; from the call, without loading
    DecodeTotals decode;
    std::optional<double> memoryRate; ///< bytes per second
    uint64_t peakResident = 0, budget = 0;
    uint64_t logitsHash = 0;
    std::string kernels, device;
    int threads = 0;
};

/// FNV-1a, 64 bits (Fowler, Noll, Vo), over the logits' bits as little-endian float32.
uint64_t hashLogits(const float* logits, size_t count);

/// Returns exactly the fields that scripts rely on.
nlohmann::ordered_json benchJson(const BenchFigures& figures);
/// Returns one "name value" per line.
std::string benchText(const nlohmann::ordered_json& report);

} // namespace coterie::app
