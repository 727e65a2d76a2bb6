// SPDX-License-Identifier: Apache-2.0
// Makes one answer: reads a prompt, then draws token after token until something ends it. Knows tokens and text, not
// conversations.
#pragma once

#include "prompt/answer_parser.h"
#include "session/answer_text.h"
#include "session/prompt_cache.h"
#include "session/rate_meter.h"
#include "session/scarcity.h"
#include "session/session.h"
#include "session/token_records.h"

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
    const Scarcity* scarcity = nullptr; ///< null: nothing is ever scarce
};

/// How an answer's tokens become text.
struct AnswerReading {
    std::chrono::steady_clock::time_point start; ///< when the caller was called
    bool dropLeadingSpace = false;               ///< see AnswerText
    std::optional<AnswerForms> forms{};          ///< nothing: all of it is text
};

/// BadInput names the option.
Status checkGenerateOptions(const GenerateOptions& options);

/// BadInput for no tokens or an id that the model doesn't know, ContextFull if they don't fit.
Status checkPrompt(std::span<const TokenId> prompt, const ModelInfo& info);

/// Made for one run() and thrown away.
class Generation {
  public:
    using Clock = std::chrono::steady_clock;

    Generation(const GenerationTools& tools, const GenerateOptions& options, const DeltaCallback& onDelta,
               const AnswerReading& reading);

    Result<Generated> run(std::span<const TokenId> prompt);

  private:
    Status answer();
    void takePrefix();
    Status readPrompt();
    Status decode();
    ForwardRequest request(std::span<const TokenId> tokens);
    TokenId draw();
    Status advance(TokenId token);
    std::optional<FinishReason> takeToken(TokenId token);
    ApproximateRouting routing() const;
    std::string textOf(TokenId token) const;
    std::vector<AnswerEvent> parse(const std::string& text, bool atEnd);
    void add(const AnswerEvent& event);
    std::span<const TokenRecord> finalRecords(bool atEnd);
    void tell(const std::string& text, TokenId token, bool atEnd);
    void tell(const AnswerEvent& event, TokenId token, std::span<const TokenRecord> final);
    void countUse();

    const GenerationTools& tools_;
    const GenerateOptions& options_;
    const DeltaCallback& onDelta_;
    Clock::time_point start_, decodeStart_, drawnAt_;
    Sampler sampler_;
    AnswerText text_;
    std::optional<AnswerParser> parser_;
    size_t unparsed_ = 0; ///< bytes of the text so far, if there is no parser
    Generated result_;
    TokenRecords records_;
    std::vector<TokenId> sequence_;      ///< prompt and prefix; with the answer too if no cache is kept
    DeviceTelemetry atStart_, atDecode_; ///< the device's counts at these moments
    std::vector<float> logits_;          ///< [vocabulary], of the last forward pass
};

} // namespace coterie::engine
