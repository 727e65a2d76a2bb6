// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any bytes as a stored trace. What is read holds only values that its shape allows, and storing it
// again gives the same bytes.
#include "records/trace_log.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

using namespace coterie::engine;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void walk(const TracedToken& token, const TraceShape& shape) {
    require(token.headRows >= 0 && token.seconds >= 0 && std::isfinite(token.seconds));
    for (const TracedLayer& layer : token.layers) {
        require(layer.layer >= 0 && layer.layer < shape.layers);
        require(layer.waitSeconds >= 0 && std::isfinite(layer.waitSeconds));
        require(!layer.uses.empty() && static_cast<int64_t>(layer.uses.size()) <= shape.expertsPerToken);
        for (const ExpertUse& use : layer.uses) {
            require(use.expert >= 0 && use.expert < shape.experts);
            require(use.weight >= 0 && use.weight <= 1);
            require(use.activeNeurons >= 0 && use.activeNeurons <= shape.neurons);
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    const auto log = TraceLog::read(bytes);
    if (!log) {
        require(!log.error().what.empty() && !log.error().why.empty());
        return 0;
    }
    const TraceLog& trace = *log.value();
    require(trace.reused() <= trace.promptTokens());
    require(trace.question().first + static_cast<int64_t>(trace.question().text.size()) <= trace.promptTokens());
    for (const TracedToken& token : trace.last(size)) walk(token, trace.shape());
    const auto again = trace.bytes();
    require(again.ok() && std::equal(again->begin(), again->end(), bytes.begin(), bytes.end()));
    return 0;
}
