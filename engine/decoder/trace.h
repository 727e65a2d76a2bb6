// SPDX-License-Identifier: Apache-2.0
// The trace: the experts that each token used in each layer. It does not depend on the device that computes, nor on the
// object that keeps it.
#pragma once

#include "gguf/token_id.h"

#include <cstdint>
#include <span>
#include <vector>

namespace coterie::engine {

/// One expert that a token used in one layer.
struct ExpertUse {
    int32_t expert = 0;
    float weight = 0;
    bool hit = false;          ///< it was in memory, or arriving, when the layer asked for it
    int32_t activeNeurons = 0; ///< gates above 0; 0 if the activation is not ReGLU

    bool operator==(const ExpertUse&) const = default;
};

/// The tokens of a prompt that hold the words of its question: of the last message of the user.
struct QuestionTokens {
    /// Bytes [begin, end) of the message.
    struct Range {
        uint32_t begin = 0, end = 0;

        bool operator==(const Range&) const = default;
    };

    int64_t first = 0;  ///< position of the first of these tokens in the prompt
    uint32_t bytes = 0; ///< length of the whole message
    /// [tokens] the bytes that each token holds, ascending. A character that several tokens make belongs to the last of
    /// them, so no range cuts a character. Bytes that are not in the prompt, such as spaces around the message, are in
    /// no range.
    std::vector<Range> text{};

    bool operator==(const QuestionTokens&) const = default;
};

/// Receives each layer of each token while it is computed, on the engine's thread. Without a sink nothing is collected.
class TraceSink {
  public:
    virtual ~TraceSink() = default;
    /// Called when an answer begins. The KV cache already holds the first `reused` of its prompt's tokens: they are not
    /// computed, so nothing is reported about them.
    virtual void answerBegins(int64_t /*reused*/, int64_t /*promptTokens*/) {}
    /// Called after answerBegins() with all tokens of the prompt. They are valid only during the call.
    virtual void promptIs(std::span<const TokenId> /*prompt*/) {}
    /// Called after promptIs() if the words of a question stand in the prompt.
    virtual void questionIs(const QuestionTokens& /*question*/) {}
    /// uses: the best expert first; all of the model's expertsPerToken if routing is exact. A dense layer uses expert 0
    /// with weight 1. waitSeconds: the wait for reads, which the tokens of a chunk share evenly.
    virtual void layerDone(int64_t position, int layer, std::span<const ExpertUse> uses, double waitSeconds) = 0;
    /// headRows: how many rows of the head were computed; 0 if no logits were asked for. seconds: the time that
    /// computing the token took, reads included; the tokens of a chunk share the chunk's time evenly.
    virtual void tokenDone(int64_t position, int64_t headRows, double seconds) = 0;
};

} // namespace coterie::engine
