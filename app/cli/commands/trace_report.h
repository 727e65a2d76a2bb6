// SPDX-License-Identifier: Apache-2.0
// A run's trace as CSV and as JSON, for people and scripts.
//
// CSV: a line for each expert of each layer of each token; a dense layer is one expert, number 0:
//   position,token,text,prompt,layer,rank,expert,weight,hit,active_neurons,wait_s,head_rows,seconds
// JSON: {"tokens": [{"position", "token", "text", "prompt", "head_rows", "seconds",
//                    "layers": [{"layer", "wait_s", "experts": [{"expert", "weight", "hit", "active_neurons"}]}]}]}
#pragma once

#include "session/session.h"
#include "session/trace_log.h"

#include <span>
#include <string>

namespace coterie::app {

/// The tokens of a run and what each made the model do. The last token that was drawn did not go through the model, so
/// the trace has no entry for it.
struct TraceText {
    const engine::TraceLog& trace;
    const engine::Tokenizer& tokenizer;
    std::span<const engine::TokenId> tokens; ///< prompt, then answer
    size_t promptTokens = 0;

    std::string csv() const;
    std::string json() const;
};

} // namespace coterie::app
