// SPDX-License-Identifier: Apache-2.0
// A run's trace as CSV and as JSON, for people and scripts. coterie-cli and the window write the same.
//
// CSV: a line for each expert of each layer of each token; a dense layer is one expert, number 0:
//   position,token,text,prompt,layer,rank,expert,weight,hit,active_neurons,wait_s,head_rows,seconds
// JSON: {"tokens": [{"position", "token", "text", "prompt", "head_rows", "seconds",
//                    "layers": [{"layer", "wait_s", "experts": [{"expert", "weight", "hit", "active_neurons"}]}]}]}
#pragma once

#include "records/trace_log.h"
#include "session/session.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace coterie::app {

/// The input of one position.
struct TracedInput {
    std::optional<engine::TokenId> id{}; ///< nothing if it is not known any more; its column is then empty, or null
    std::string text{};                  ///< UTF-8
    bool prompt = false;                 ///< it belongs to the prompt
};

/// Returns the text of a token as traces have it. It may be part of a character: bytes that are not UTF-8 become
/// U+FFFD.
std::string tracedText(const engine::Tokenizer& tokenizer, engine::TokenId token);

/// Writes what each token made the model do. The last token that was drawn did not go through the model, so the trace
/// has no entry for it.
struct TraceText {
    const engine::TraceLog& trace;
    std::function<TracedInput(int64_t position)> input;

    std::string csv() const;
    std::string json() const;

  private:
    int64_t first() const;
};

} // namespace coterie::app
