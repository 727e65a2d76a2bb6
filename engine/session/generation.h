// SPDX-License-Identifier: Apache-2.0
// Makes one answer: reads a prompt, then draws token after token until something ends the answer. It knows tokens and
// text, but no conversations.
#pragma once

#include "prompt/answer_parser.h"
#include "records/token_records.h"
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

/// Everything that an answer needs from its session. All of it outlives the answer.
struct GenerationTools {
    DeviceSwitch& device;
    PromptCache& cache;
    const Tokenizer& tokenizer;
    RateMeter& rate;
    const ModelInfo& info;
    const Scarcity* scarcity = nullptr; ///< null: nothing is ever scarce
};

/// How an answer's tokens become text.
struct AnswerReading {
    std::chrono::steady_clock::time_point start; ///< time at which the session was called
    bool dropLeadingSpace = false;               ///< see AnswerText
    std::optional<AnswerForms> forms{};          ///< nothing: the whole answer is text
    /// Tokens of the prompt before each message of the user, rising: places that a later prompt may share up to.
    std::span<const int64_t> messageStarts{};
    QuestionTokens question{}; ///< for the trace; without tokens if they are not known
};

/// Returns BadInput, which names the option, if an option is wrong.
Status checkGenerateOptions(const GenerateOptions& options);

/// Returns BadInput if there are no tokens or the model doesn't know one of the ids, ContextFull if they don't fit.
Status checkPrompt(std::span<const TokenId> prompt, const ModelInfo& info);

/// An object of this class is used for one run() only.
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
    std::span<const int64_t> keepStateAtMessages(int64_t reused);
    Status decode();
    ForwardRequest request(std::span<const TokenId> tokens);
    TokenId draw();
    Status advance(TokenId token);
    std::optional<FinishReason> takeToken(TokenId token);
    bool cancelled() const { return options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed); }
    ApproximateRouting routing() const;
    std::string textOf(TokenId token) const;
    std::vector<AnswerEvent> parse(const std::string& text, bool atEnd);
    void add(const AnswerEvent& event);
    std::span<const TokenRecord> finalRecords(bool atEnd);
    void report(const std::string& text, TokenId token, bool atEnd);
    void report(const AnswerEvent& event, TokenId token, std::span<const TokenRecord> final);
    void countUse();

    const GenerationTools& tools_;
    const GenerateOptions& options_;
    const DeltaCallback& onDelta_;
    const std::span<const int64_t> messageStarts_;
    const QuestionTokens question_;
    Clock::time_point start_, decodeStart_, drawnAt_;
    Sampler sampler_;
    AnswerText text_;
    std::optional<AnswerParser> parser_;
    size_t unparsed_ = 0; ///< bytes of the text so far; counted only if there is no parser
    Generated result_;
    TokenRecords records_;
    std::vector<TokenId> sequence_; ///< prompt and prefix, and the answer too if no cache is kept
    Counts atStart_, atDecode_;     ///< the device's counts at these moments
    std::vector<float> logits_;     ///< [vocabulary] the last forward pass's
};

} // namespace coterie::engine
