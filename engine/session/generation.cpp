// SPDX-License-Identifier: Apache-2.0
// The loop from a prompt to an answer.
#include "session/generation.h"

#include "records/token_chances.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace coterie::engine {

namespace {

double secondsBetween(Generation::Clock::time_point from, Generation::Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

Error promptTooLong(int64_t tokens, int64_t context, int64_t trained) {
    return {ErrorKind::ContextFull,
            "The conversation is too long for the context",
            {"It has %1 tokens, %2 more than the %3 that the context holds", tokens, tokens - context, context},
            context < trained
                ? Sentence("Shorten it or start a new chat, or open the model with a longer context (it was "
                           "trained for %1)",
                           trained)
                : "Shorten it or start a new chat"};
}

Error unusableLogits() {
    return {ErrorKind::Internal, "The model's output can't be used",
            "No token has a probability: its numbers are not finite",
            "Download the model again if the file may be damaged. If it is whole, try --kernels scalar and report what "
            "you see"};
}

Status checkTokens(std::span<const TokenId> tokens, const ModelInfo& info) {
    const auto outside = [&info](TokenId t) { return t < 0 || t >= info.vocabulary; };
    const auto bad = std::find_if(tokens.begin(), tokens.end(), outside);
    if (bad == tokens.end()) return {};
    return Error{ErrorKind::BadInput,
                 "A token is unknown to the model",
                 {"Its id is %1, and the model knows 0 to %2", *bad, info.vocabulary - 1},
                 "Use ids from this model's own vocabulary"};
}

} // namespace

Status checkGenerateOptions(const GenerateOptions& options) {
    if (Status status = checkSamplingOptions(options.sampling); !status) return status;
    if (options.maxTokens < -1)
        return Error{ErrorKind::BadInput, "The largest number of tokens is out of range", "It is negative",
                     "Give 0 or more, or -1 for no limit"};
    if (options.details.alternatives < 0)
        return Error{ErrorKind::BadInput, "The number of alternatives is out of range", "It is negative",
                     "Give 0 or more"};
    if (std::any_of(options.stop.begin(), options.stop.end(), [](const std::string& s) { return s.empty(); }))
        return Error{ErrorKind::BadInput, "A stop string is empty", "An empty text would end every answer at once",
                     "Leave it out, or write the text that ends an answer"};
    for (const float share : {options.routing.preferCached, options.routing.topWeightShare})
        if (!(share >= 0 && share <= 1))
            return Error{ErrorKind::BadInput,
                         "A share of approximate routing is out of range",
                         {"It is %1", share},
                         "Give a number from 0, which is exact, to 1"};
    return {};
}

Status checkPrompt(std::span<const TokenId> prompt, const ModelInfo& info) {
    if (prompt.empty())
        return Error{ErrorKind::BadInput, "There is nothing to continue", "The prompt has no tokens",
                     "Write something first"};
    if (Status status = checkTokens(prompt, info); !status) return status;
    const int64_t count = static_cast<int64_t>(prompt.size());
    if (count > info.memory.context) return promptTooLong(count, info.memory.context, info.trainedContext);
    return {};
}

Generation::Generation(const GenerationTools& tools, const GenerateOptions& options, const DeltaCallback& onDelta,
                       const AnswerReading& reading)
    : tools_(tools), options_(options), onDelta_(onDelta), messageStarts_(reading.messageStarts),
      question_(reading.question), start_(reading.start), decodeStart_(reading.start), drawnAt_(reading.start),
      sampler_(options.sampling, tools.info.vocabulary), text_(options.stop, reading.dropLeadingSpace),
      atStart_(tools.device.telemetry().counts), atDecode_(atStart_) {
    if (reading.forms) parser_.emplace(*reading.forms);
    result_.statistics.seed = sampler_.seed();
}

Result<Generated> Generation::run(std::span<const TokenId> prompt) {
    sequence_.assign(prompt.begin(), prompt.end());
    sequence_.insert(sequence_.end(), options_.prefix.begin(), options_.prefix.end());
    if (Status status = checkPrompt(sequence_, tools_.info); !status) return status.error();
    if (Status status = checkTokens(options_.forced, tools_.info); !status) return status.error();
    takePrefix();
    const Status status = answer();
    tools_.rate.stop();
    tools_.cache.keepState(false);
    if (!status && status.error().kind != ErrorKind::Cancelled) return status.error();
    if (!status) result_.reason = FinishReason::Cancelled;
    report(text_.finish(), -1, true);
    result_.tokens = records_.take();
    countUse();
    return std::move(result_);
}

Status Generation::answer() {
    if (text_.stopped()) { // the stop string is in the prefix
        result_.reason = FinishReason::StopString;
        return {};
    }
    if (Status status = readPrompt(); !status) return status;
    return decode();
}

/// The prefix becomes the beginning of the answer's parts. It is not reported, because the caller has it already.
void Generation::takePrefix() {
    for (const TokenId token : options_.prefix)
        for (const AnswerEvent& event : parse(text_.push(textOf(token)), false)) add(event);
    records_ = TokenRecords(text_.taken());
}

ForwardRequest Generation::request(std::span<const TokenId> tokens) {
    ForwardRequest request;
    request.tokens = tokens;
    request.wanted = LogitsWanted::Last;
    request.cancel = options_.cancel;
    request.trace = options_.trace;
    const std::optional<int64_t> count = logitsThatCount(options_.sampling);
    const std::span<const TokenId> suppressed = tools_.tokenizer.suppressed();
    if (count && options_.details.none()) {
        request.head = options_.head;
        request.bestRows = *count + static_cast<int64_t>(suppressed.size()); // these may be among the highest
    }
    request.keptRows = tools_.tokenizer.endOfGeneration();
    request.onLogits = [this, suppressed](int64_t, std::span<const float> logits) {
        logits_.assign(logits.begin(), logits.end());
        for (const TokenId token : suppressed) // a vocabulary may have more tokens than the model has rows
            if (static_cast<size_t>(token) < logits_.size())
                logits_[static_cast<size_t>(token)] = -std::numeric_limits<float>::infinity();
    };
    return request;
}

/// Returns how a token is routed now.
ApproximateRouting Generation::routing() const {
    ApproximateRouting now = options_.routing;
    if (now.exact() || tools_.info.experts == 0) return {};
    const bool scarce = tools_.scarcity != nullptr && tools_.scarcity->now();
    if (options_.preferCachedWhen == RoutingWhen::Scarce && !scarce) now.preferCached = 0;
    if (options_.topWeightShareWhen == RoutingWhen::Scarce && !scarce) now.topWeightShare = 0;
    return now;
}

Status Generation::readPrompt() {
    GenerationStatistics& s = result_.statistics;
    const std::span<const TokenId> prompt(sequence_);
    if (!options_.reuseCache) tools_.cache.clear();
    s.promptTokens = static_cast<int64_t>(prompt.size());
    const PromptCache::Common common = tools_.cache.keepCommon(prompt, routing().exact());
    s.promptReused = common.kept;
    s.promptReread = common.reread;
    if (options_.trace != nullptr) {
        options_.trace->answerBegins(s.promptReused, s.promptTokens);
        options_.trace->promptIs(prompt);
        if (!question_.text.empty()) options_.trace->questionIs(question_);
    }
    const size_t penalised = std::min(prompt.size(), static_cast<size_t>(options_.sampling.penaltyWindow));
    for (const TokenId token : prompt.last(penalised)) sampler_.accept(token);

    ForwardRequest whole = request(prompt.subspan(static_cast<size_t>(s.promptReused)));
    whole.keepAt = keepStateAtMessages(s.promptReused);
    const Clock::time_point begin = Clock::now();
    whole.onProgress = [this, &s, begin](int64_t done) {
        if (!onDelta_) return;
        const double left = secondsLeft(secondsBetween(begin, Clock::now()), done, s.promptTokens - s.promptReused);
        onDelta_({.promptDone = s.promptReused + done, .promptTotal = s.promptTokens, .promptSecondsLeft = left});
    };
    const Status status = tools_.cache.forward(whole);
    decodeStart_ = Clock::now();
    s.prefillSeconds = secondsBetween(begin, decodeStart_);
    atDecode_ = tools_.device.telemetry().counts;
    return status;
}

/// Returns the starts of messages that the prompt's chunks must end at. For one that is only a few tokens away from the
/// tokens in the cache, the states are kept now: a chunk of its own would cost more than to read those tokens again.
std::span<const int64_t> Generation::keepStateAtMessages(int64_t reused) {
    constexpr int64_t kFew = 16; // more than what templates put between an answer and the next message
    std::span<const int64_t> starts = messageStarts_;
    const auto kept = static_cast<size_t>(tools_.info.memory.stateCopies);
    if (starts.size() > kept) starts = starts.last(kept);
    while (!starts.empty() && starts.front() < reused) starts = starts.subspan(1);
    if (starts.empty() || starts.front() > reused + kFew) return starts;
    tools_.cache.keepState(true);
    return starts.subspan(1);
}

Status Generation::decode() {
    if (options_.maxTokens == 0) {
        result_.reason = FinishReason::MaxTokens;
        return {};
    }
    Status status;
    while (status) {
        const TokenId token = draw();
        if (token < 0) {
            tools_.cache.clear(); // it may hold the numbers that spoilt these, and the next try would read them again
            return unusableLogits();
        }
        if (const std::optional<FinishReason> reason = takeToken(token)) {
            result_.reason = *reason;
            break;
        }
        sampler_.accept(token);
        status = advance(token);
        result_.statistics.decodePasses += status.ok();
    }
    result_.statistics.decodeSeconds = secondsBetween(decodeStart_, Clock::now());
    return status;
}

/// Returns the sampler's choice, or the token that the caller forces, or -1 if no token has a probability.
TokenId Generation::draw() {
    GenerationStatistics& s = result_.statistics;
    if (options_.onLogits) options_.onLogits(logits_);
    const auto at = static_cast<size_t>(s.generated);
    const TokenId token = at < options_.forced.size() ? options_.forced[at] : sampler_.pick(logits_);
    drawnAt_ = Clock::now();
    if (s.generated == 0) s.firstTokenSeconds = secondsBetween(start_, drawnAt_);
    return token;
}

/// Runs the model on the token, after the tokens in the KV cache, or on all tokens so far if no cache is kept.
Status Generation::advance(TokenId token) {
    if (options_.keepCache) {
        ForwardRequest one = request({&token, 1});
        one.routing = routing();
        return tools_.cache.forward(one);
    }
    sequence_.push_back(token);
    tools_.cache.clear();
    return tools_.cache.forward(request(sequence_));
}

/// Adds a drawn token to the answer. Returns the reason if the answer ends with it.
std::optional<FinishReason> Generation::takeToken(TokenId token) {
    if (cancelled()) return FinishReason::Cancelled;
    if (!options_.ignoreEnd && tools_.tokenizer.isEndOfGeneration(token)) return FinishReason::EndOfGeneration;
    ++result_.statistics.generated;
    result_.statistics.exactness = std::max(result_.statistics.exactness, tools_.cache.exactness());
    tools_.rate.token(drawnAt_);
    TokenRecord record{.id = token, .seconds = secondsBetween(start_, drawnAt_)};
    if (!options_.details.none()) setChances(logits_, options_.details.alternatives, record);
    const std::string text = text_.push(textOf(token));
    records_.add(std::move(record), text_.taken());
    report(text, token, false);
    if (text_.stopped()) return FinishReason::StopString;
    if (options_.maxTokens > 0 && result_.statistics.generated >= options_.maxTokens) return FinishReason::MaxTokens;
    if (cancelled()) return FinishReason::Cancelled;
    if (tools_.cache.position() >= tools_.info.memory.context) return FinishReason::ContextFull;
    return std::nullopt;
}

/// Returns the token's bytes. Control tokens have none, except those that say which part of the answer follows.
std::string Generation::textOf(TokenId token) const {
    if (parser_ && tools_.tokenizer.isControl(token)) {
        std::string marker = tools_.tokenizer.tokenText(token);
        if (parser_->wantsMarker(marker)) return marker;
    }
    return tools_.tokenizer.decode(token);
}

std::vector<AnswerEvent> Generation::parse(const std::string& text, bool atEnd) {
    std::vector<AnswerEvent> events;
    if (parser_) {
        events = parser_->push(text);
        if (!atEnd) return events;
        const bool cut = result_.reason != FinishReason::EndOfGeneration;
        for (AnswerEvent& event : parser_->finish(cut)) events.push_back(std::move(event));
    } else if (!text.empty()) {
        events.push_back({.text = text, .source = unparsed_});
        unparsed_ += text.size();
    }
    return events;
}

void Generation::add(const AnswerEvent& event) {
    const std::vector<Part>& parts = result_.parts;
    records_.place(event, event.part < parts.size() ? parts[event.part].text.size() : 0);
    addTo(result_.parts, event);
}

/// Returns the records of the tokens whose text has become known.
std::span<const TokenRecord> Generation::finalRecords(bool atEnd) {
    if (atEnd) return records_.settle(std::string::npos, false);
    return records_.settle(parser_ ? parser_->settled() : unparsed_, text_.endsInCharacter());
}

/// Reports each token to the caller once, with text or without, and each record once.
void Generation::report(const std::string& text, TokenId token, bool atEnd) {
    if (atEnd) records_.extendLast(text_.taken());
    const std::vector<AnswerEvent> events = parse(text, atEnd);
    for (size_t i = 0; i < events.size(); ++i) {
        add(events[i]);
        const bool last = i + 1 == events.size();
        report(events[i], i == 0 ? token : -1, last ? finalRecords(atEnd) : std::span<const TokenRecord>());
    }
    if (!events.empty()) return;
    const std::span<const TokenRecord> final = finalRecords(atEnd);
    if (token >= 0 || !final.empty()) report(AnswerEvent{}, token, final);
}

void Generation::report(const AnswerEvent& event, TokenId token, std::span<const TokenRecord> final) {
    if (!onDelta_) return;
    const GenerationStatistics& s = result_.statistics;
    const bool call = event.kind == PartKind::ToolCall;
    onDelta_({.kind = event.kind,
              .part = event.part,
              .text = event.text,
              .promptDone = s.promptTokens,
              .promptTotal = s.promptTokens,
              .generated = s.generated,
              .token = token,
              .call = call ? &event.call : nullptr,
              .makesThoughts = event.makesThoughts,
              .tokens = final,
              .answer = result_.parts});
}

/// Fills in the statistics that are differences between counts of the device.
void Generation::countUse() {
    const Counts now = tools_.device.telemetry().counts;
    result_.statistics.counts = now - atStart_;
    result_.statistics.decoding = now - atDecode_;
    result_.statistics.dense = tools_.info.memory.dense;
}

} // namespace coterie::engine
