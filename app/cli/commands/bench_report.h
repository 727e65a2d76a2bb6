// SPDX-License-Identifier: Apache-2.0
// Figures of the command bench: the measurements of its runs, and the JSON object that it prints. A figure without a
// measurement is null.
#pragma once

#include "session/session.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace coterie::app {

/// Sums over all runs, for decoding alone: from the end of the prompt to the end of the last token.
struct DecodeTotals {
    uint64_t tokens = 0; ///< tokens that went through the model
    double seconds = 0;
    engine::Counts counts;
};

/// Sums over all runs, for reading the prompt alone.
struct PromptTotals {
    uint64_t runs = 0;
    double seconds = 0;
    engine::Counts counts;
};

/// The sums of the steps of all passes; for --steps.
struct StepTotals {
    engine::StepMeter::Reading prompt{}, decode{}; ///< their passes are the prompt's chunks, and the tokens
    std::optional<double> diskRate{};              ///< bytes per second of a plain read, if it was measured
};

struct BenchFigures {
    double loadSeconds = 0; ///< the model is opened once, so its median, minimum and maximum are one figure
    std::vector<double> firstTokenSeconds, prefillRates, decodeRates; ///< [runs]; from the call, without loading
    PromptTotals prompt;
    DecodeTotals decode;
    std::optional<double> memoryRate; ///< bytes per second
    uint64_t peakResident = 0, budget = 0;
    int64_t chunk = 0;    ///< tokens of the prompt that are computed together
    std::string chunkWhy; ///< why so many
    uint64_t logitsHash = 0;
    std::string kernels, device, deviceWhy;
    int threads = 0;
    std::optional<StepTotals> steps;
};

/// FNV-1a, 64 bits (Fowler, Noll, Vo), over the logits' bits as little-endian float32.
uint64_t hashLogits(const float* logits, size_t count);

/// Returns exactly the fields that scripts rely on, and "steps" if they were measured.
nlohmann::ordered_json benchJson(const BenchFigures& figures);
/// Returns one "name value" per line, and a table for each kind of pass whose steps were measured.
std::string benchText(const nlohmann::ordered_json& report);

} // namespace coterie::app
