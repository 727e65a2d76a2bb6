// SPDX-License-Identifier: Apache-2.0
// The session is called on the engine's thread only, except for the members that any thread may call, such as
// telemetry(); the mutex guards the pointer to it for these.
#include "engine_link/engine_worker.h"

#include "base/memory.h"
#include "experts/expert_index.h"
#include "export/trace_text.h"

#include <algorithm>
#include <utility>

namespace coterie::app {

EngineWorker::EngineWorker(engine::SessionFactory factory, ModelInspector inspect, QObject* parent)
    : QObject(parent), factory_(std::move(factory)), inspect_(std::move(inspect)) {}

EngineWorker::~EngineWorker() {
    cancelOpening();
    cancelAll();
    besides_.finish(); // first: it may still ask toEngine_ to open a model
    toEngine_.finish();
}

quint64 EngineWorker::open(const engine::OpenOptions& options) {
    const quint64 opening = ++wantedOpening_;
    besides_.push([this, options, opening] {
        if (opening != wantedOpening_) return;
        if (const std::optional<engine::Error> why = refusal(options)) return reportOpenFailed(opening, *why);
        cancelAll();
        toEngine_.push([this, options, opening] { openNow(options, opening); });
    });
    return opening;
}

void EngineWorker::close() {
    ++wantedOpening_;
    cancelAll();
    toEngine_.push([this] { setSession(nullptr); });
}

void EngineWorker::cancelOpening() { ++wantedOpening_; }

void EngineWorker::generate(const GenerateRequest& request) {
    auto cancelled = std::make_shared<std::atomic<bool>>(false);
    {
        const engine::MutexLock lock(mutex_);
        requests_[request.id] = cancelled;
    }
    toEngine_.push([this, request, cancelled = std::move(cancelled)] {
        GenerationOutcome outcome = generateNow(request, *cancelled);
        {
            const engine::MutexLock lock(mutex_);
            requests_.erase(request.id);
        }
        toGui_.push([this, outcome = std::move(outcome)] { Q_EMIT finished(outcome); });
    });
}

quint64 EngineWorker::count(ConversationSource conversation, const engine::GenerateOptions& options) {
    const quint64 count = ++lastCount_;
    besides_.push([this, count, conversation = std::move(conversation), options] {
        toGui_.push([this, count, tokens = tokensOf(conversation, options)] { Q_EMIT counted(count, tokens); });
    });
    return count;
}

quint64 EngineWorker::countText(const QString& text) {
    const quint64 count = ++lastCount_;
    besides_.push([this, count, text] {
        const auto open = session();
        const qint64 tokens =
            open ? static_cast<qint64>(open->tokenizer().encode(text.toStdString(), false).size()) : -1;
        toGui_.push([this, count, tokens] { Q_EMIT counted(count, tokens); });
    });
    return count;
}

quint64 EngineWorker::fit(FitRequest request) {
    const quint64 number = ++lastCount_;
    besides_.push([this, number, request = std::move(request)] {
        Fit fit = fitOf(request);
        fit.number = number;
        toGui_.push([this, fit = std::move(fit)] { Q_EMIT fitted(fit); });
    });
    return number;
}

void EngineWorker::cancel(quint64 id) {
    const engine::MutexLock lock(mutex_);
    for (const auto& [request, cancelled] : requests_)
        if (request <= id) *cancelled = true;
}

std::optional<engine::Telemetry> EngineWorker::telemetry() const {
    const auto open = session();
    return open ? std::optional(open->telemetry()) : std::nullopt;
}

std::vector<uint8_t> EngineWorker::expertStates() const {
    const auto open = session();
    if (!open) return {};
    std::vector<uint8_t> states(engine::ExpertIndex(open->info().expertsOfLayer).experts());
    open->expertStates(states);
    return states;
}

QString EngineWorker::tokenText(engine::TokenId token) const {
    const auto open = session();
    if (!open || token < 0) return {};
    const engine::Tokenizer& tokenizer = open->tokenizer();
    const QString words = QString::fromStdString(tokenizer.decode(token));
    // A control token writes nothing, and a piece of a character is no text: the vocabulary has names for them.
    const bool whole = !words.isEmpty() && !words.contains(QChar::ReplacementCharacter);
    return whole ? words : QString::fromStdString(tokenizer.tokenText(token));
}

std::string EngineWorker::traceText(engine::TokenId token) const {
    const auto open = session();
    return open ? tracedText(open->tokenizer(), token) : std::string();
}

bool EngineWorker::endsAnswer(engine::TokenId token) const {
    const auto open = session();
    return open && open->tokenizer().isEndOfGeneration(token);
}

int64_t EngineWorker::vocabularySize() const {
    const auto open = session();
    return open ? open->tokenizer().vocabularySize() : 0;
}

std::shared_ptr<engine::Session> EngineWorker::session() const {
    const engine::MutexLock lock(mutex_);
    return session_;
}

void EngineWorker::setSession(std::shared_ptr<engine::Session> session) {
    {
        const engine::MutexLock lock(mutex_);
        session_.swap(session);
    }
    // The old session is destroyed here, outside the lock, because freeing its memory may take a while.
}

/// Returns the reason why the model can't be opened, as far as its metadata say.
std::optional<engine::Error> EngineWorker::refusal(engine::OpenOptions options) const {
    if (!inspect_) return std::nullopt;
    if (session()) options.held = heldBefore_; // the open model will be closed
    options.onProgress = nullptr;
    const auto info = inspect_(options);
    if (!info) return info.error();
    if (!info->problems.empty()) return info->problems.front();
    return std::nullopt;
}

void EngineWorker::reportOpenFailed(quint64 opening, const engine::Error& error) {
    toGui_.push([this, opening, error, kept = session() != nullptr] { Q_EMIT openFailed(opening, error, kept); });
}

void EngineWorker::openNow(engine::OpenOptions options, quint64 opening) {
    if (opening != wantedOpening_) return;
    setSession(nullptr);
    heldBefore_ = engine::readMemory().resident;
    options.onProgress = [this, opening](double share) {
        toGui_.push([this, opening, share] { Q_EMIT openProgress(opening, share); });
        return opening == wantedOpening_;
    };
    auto session = factory_(options);
    if (opening != wantedOpening_) return;
    if (!session) {
        reportOpenFailed(opening, session.error());
        return;
    }
    const engine::ModelInfo info = session.value()->info();
    setSession(std::move(session).value());
    toGui_.push([this, opening, info] { Q_EMIT opened(opening, info); });
}

GenerationOutcome EngineWorker::generateNow(const GenerateRequest& request, const std::atomic<bool>& cancelled) {
    GenerationOutcome outcome{.id = request.id,
                              .reason = engine::FinishReason::Cancelled,
                              .statistics = {},
                              .tokens = {},
                              .notes = {},
                              .error = {}};
    if (cancelled) return outcome;
    const auto open = session();
    if (!open) {
        outcome.error = engine::Error{engine::ErrorKind::NotFound, "No model is open",
                                      "It was closed before the answer began", "Open a model and send again"};
        return outcome;
    }
    const auto conversation = request.conversation();
    if (!conversation) {
        outcome.error = conversation.error();
        return outcome;
    }
    engine::GenerateOptions options = request.options;
    options.cancel = &cancelled;
    if (!request.prefixText.isEmpty())
        options.prefix = open->tokenizer().encode(request.prefixText.toStdString(), false);
    bool afterPrefix = !options.prefix.empty();
    const std::shared_ptr<engine::TraceLog> trace = request.traced ? beginTrace(request, open->info()) : nullptr;
    if (trace) options.trace = trace.get();
    auto answer =
        open->chat(*conversation, options, [&](const engine::Delta& delta) { report(request, delta, afterPrefix); });
    outcome.memoryBytes = engine::readMemory().resident;
    if (answer) {
        outcome.tokens = std::move(options.prefix);
        for (const engine::TokenRecord& token : answer.value().tokens) outcome.tokens.push_back(token.id);
        if (options.details.alternatives > 0) outcome.records = answer.value().tokens;
        outcome.reason = answer.value().reason;
        outcome.statistics = answer.value().statistics;
        outcome.notes = answer.value().notes;
    } else if (answer.error().kind != engine::ErrorKind::Cancelled) {
        outcome.error = answer.error();
    }
    return outcome;
}

/// Returns nothing if there is no memory for a trace.
std::shared_ptr<engine::TraceLog> EngineWorker::beginTrace(const GenerateRequest& request,
                                                           const engine::ModelInfo& model) {
    auto made =
        engine::TraceLog::create(engine::traceShape(model), std::max<int64_t>(model.memory.context, 1), request.begun);
    if (!made) return nullptr;
    std::shared_ptr<engine::TraceLog> trace = std::move(made).value();
    toGui_.push([this, id = request.id, trace] { Q_EMIT traceBegun(id, trace); });
    return trace;
}

/// afterPrefix: these are the first words after a prefix; false from then on.
void EngineWorker::report(const GenerateRequest& request, const engine::Delta& d, bool& afterPrefix) {
    const quint64 id = request.id;
    if (d.token < 0)
        toGui_.push([this, id, done = d.promptDone, total = d.promptTotal, left = d.promptSecondsLeft] {
            Q_EMIT promptProgress(id, done, total, left);
        });
    if (d.generated == 1 && d.token >= 0) toGui_.push([this, id] { Q_EMIT begun(id); });
    std::vector<engine::TokenRecord> tokens;
    if (request.traced) tokens.assign(d.tokens.begin(), d.tokens.end());
    std::optional<PartPiece> piece;
    if (!d.text.empty() || d.call != nullptr)
        piece = PartPiece{.index = static_cast<qsizetype>(d.part),
                          .part = partFrom(d.kind, d.text, d.call == nullptr ? engine::ToolCall{} : *d.call)};
    if (tokens.empty() && !piece && !d.makesThoughts) return;
    std::vector<MessagePart> parts;
    const bool first = piece && std::exchange(afterPrefix, false);
    if (first || d.makesThoughts) {
        for (const engine::Part& part : d.answer) parts.push_back(partFrom(part.kind, part.text, part.call));
        piece.reset();
    }
    toGui_.push([this, id, tokens = std::move(tokens), piece = std::move(piece), parts = std::move(parts)] {
        if (!tokens.empty()) Q_EMIT tokensDrawn(id, tokens);
        if (!parts.empty()) Q_EMIT continued(id, parts);
        if (piece) Q_EMIT delta(id, *piece);
    });
}

/// Fewer turns never have more tokens, so the first one that stays is found by halving.
Fit EngineWorker::fitOf(const FitRequest& request) const {
    Fit fit;
    const auto open = session();
    const auto rows = request.rows();
    if (!open || !rows) {
        fit.error = rows ? engine::Error{engine::ErrorKind::NotFound, "The conversation can't be counted",
                                         "No model is open", "Open a model and try again"}
                         : rows.error();
        return fit;
    }
    std::vector<size_t> turns;
    for (size_t i = 0; i < rows->size(); ++i)
        if ((*rows)[i].role == engine::Role::User) turns.push_back(i);
    const auto fits = [&](size_t first, qint64 most) {
        if (fit.error) return false;
        const std::span<const MessageRow> shown = std::span(rows.value()).subspan(first);
        const auto tokens = open->promptTokens(conversationOf(shown, request.systemPrompt), request.options);
        if (!tokens) fit.error = tokens.error();
        return tokens && static_cast<qint64>(tokens->size()) <= most;
    };
    auto kept = std::partition_point(turns.begin(), turns.end(), [&](size_t at) { return !fits(at, request.most); });
    if (kept == turns.end() && kept != turns.begin() && fits(turns.back(), request.mostOfLast)) --kept;
    const size_t first = kept == turns.end() ? rows->size() : *kept;
    fit.fits = !fit.error && (kept != turns.end() || request.mayBeEmpty);
    fit.leftOut = first == 0 ? 0 : (*rows)[first - 1].id;
    return fit;
}

qint64 EngineWorker::tokensOf(const ConversationSource& conversation, const engine::GenerateOptions& options) const {
    const auto open = session();
    const auto messages = conversation();
    if (!open || !messages) return -1;
    const auto tokens = open->promptTokens(*messages, options);
    return tokens ? static_cast<qint64>(tokens->size()) : -1;
}

} // namespace coterie::app
