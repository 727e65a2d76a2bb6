// SPDX-License-Identifier: Apache-2.0
// A run's trace, kept as the engine tells it, and its two forms on disk.
//
// CSV: a line for each expert of each layer of each token (one with empty columns where there is none):
//   position,token,text,prompt,layer,rank,expert,weight,hit,active_neurons,wait_s,head_rows
// JSON: {"tokens": [{"position", "token", "text", "prompt", "head_rows",
//                    "layers": [{"layer", "wait_s", "experts": [{"expert", "weight", "hit", "active_neurons"}]}]}]}
#pragma once

#include "session/session.h"

#include <span>
#include <string>
#include <vector>

namespace coterie::app {

/// Collects what went through the model; the last token drawn did not, so it has no entry.
class TraceRecorder final : public engine::TraceSink {
  public:
    struct Layer {
        int layer = 0;
        double waitSeconds = 0;
        std::vector<engine::ExpertUse> uses; ///< best first
    };
    struct Token {
        std::vector<Layer> layers;
        int64_t headRows = 0;
    };

    void layerDone(int64_t position, int layer, std::span<const engine::ExpertUse> uses, double waitSeconds) override;
    void tokenDone(int64_t position, int64_t headRows) override;
    const std::vector<Token>& tokens() const { return tokens_; } ///< [positions]

  private:
    Token& at(int64_t position);
    std::vector<Token> tokens_;
};

struct TraceText {
    const TraceRecorder& trace;
    const engine::Tokenizer& tokenizer;
    std::span<const engine::TokenId> tokens; ///< prompt, then answer
    size_t promptTokens = 0;

    std::string csv() const;
    std::string json() const;
};

} // namespace coterie::app
