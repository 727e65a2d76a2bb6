// SPDX-License-Identifier: Apache-2.0
// One answer: reads a prompt, then draws token after token until something ends it. Knows tokens and text, not
// conversations.
#pragma once

#include "prompt/answer_parser.h"
#include "session/answer_text.h"
#include "session/prompt_cache.h"
#include "session/rate_meter.h"
#include "session/scarcity.h"
#include "session/session.h"

#include <atomic>
#include <chrono>
#include <optional>
#include <span>

namespace coterie::engine {

/// What an answer is made with. All of it outlives the answer.
struct GenerationTools {
    DeviceSwitch& device;
    PromptCache& cache;
    const Tokenizer& tokenizer;
    RateMeter& rate;
    const std::atomic<bool>& cancel;
    const ModelInfo& info;
    const Scarcity* scarcity = nullptr; ///< nothing: nothing is ever scarce
};

/// How an answer's tokens become text.
struct AnswerReading {
    std::chrono::steady_clock::time_point start; ///< when the caller was called
    bool dropLeadingSpace = false;               ///< see AnswerText
    std::optional<AnswerForms> forms{};          ///< nothing: all of it is text
};

/// BadInput names the option.
Status checkGenerateOptions(const GenerateOptions& options);

/// BadInput for no tokens or an id that the model doesn't know, ContextFull where they don't fit.
Status checkPrompt(std::span<const TokenId> prompt, const ModelInfo& info);

/// Made for one run() and thrown away.
class Generation {
  public:
    using Clock = std::chrono::steady_clock;

    Generation(const GenerationTools& tools, const GenerateOptions& options, const DeltaCallback& onDelta,
               const AnswerReading& reading);

    Result<Generated> run(std::span<const TokenId> prompt);

  private:
    Status readPrompt(std::span<const TokenId> prompt);
    Status decode(std::span<const TokenId> prompt);
    /// The drawn token goes through the model, on top of the KV cache or, without one, with all that came before it.
    Status advance();
    /// Takes the drawn token into the answer; says whether, and why, the answer ends with it.
    std::optional<FinishReason> takeToken();
    ForwardRequest request(std::span<const TokenId> tokens);
    /// How a token is routed now.
    ApproximateRouting routing() const;
    std::string drawnText() const;
    void tell(const std::string& text, TokenId token, bool atEnd);
    void tell(const AnswerEvent& event, TokenId token);
    void countUse();
    Status drawn() const;

    const GenerationTools& tools_;
    const GenerateOptions& options_;
    const DeltaCallback& onDelta_;
    Clock::time_point start_, decodeStart_;
    Sampler sampler_;
    AnswerText text_;
    std::optional<AnswerParser> parser_;
    Generated result_;
    std::vector<TokenId> sequence_;      ///< prompt and answer, where no cache is kept
    DeviceTelemetry atStart_, atDecode_; ///< what had been counted before
    TokenId next_ = -1;                  ///< the token drawn last, not in the KV cache yet
};

} // namespace coterie::engine
