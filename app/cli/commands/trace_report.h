// SPDX-License-Identifier: Apache-2.0
// A run's trace in its two forms on disk.
//
// CSV: a line for each expert of each layer of each token (one with empty columns where there is none):
//   position,token,text,prompt,layer,rank,expert,weight,hit,active_neurons,wait_s,head_rows
// JSON: {"tokens": [{"position", "token", "text", "prompt", "head_rows",
//                    "layers": [{"layer", "wait_s", "experts": [{"expert", "weight", "hit", "active_neurons"}]}]}]}
#pragma once

#include "session/session.h"
#include "session/trace_log.h"

#include <span>
#include <string>

namespace coterie::app {

/// What went through the model; the last token drawn did not, so the trace has no entry for it.
struct TraceText {
    const engine::TraceLog& trace;
    const engine::Tokenizer& tokenizer;
    std::span<const engine::TokenId> tokens; ///< prompt, then answer
    size_t promptTokens = 0;

    std::string csv() const;
    std::string json() const;
};

} // namespace coterie::app
