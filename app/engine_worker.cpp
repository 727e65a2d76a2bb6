// SPDX-License-Identifier: Apache-2.0
// The session is called on the engine's thread only, except for the members that any thread may call, such as cancel()
// and telemetry(); the mutex guards the pointer to it for these.
#include "engine_worker.h"

#include "base/memory.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace coterie::app {
namespace {

constexpr int64_t kMostTracedTokens = 8192; // some 16 MiB for 48 layers that use 8 of 128 experts

} // namespace

EngineWorker::EngineWorker(engine::SessionFactory factory, ModelInspector inspect, QObject* parent)
    : QObject(parent), factory_(std::move(factory)), inspect_(std::move(inspect)) {}

EngineWorker::~EngineWorker() {
    cancelOpening();
    cancel(~quint64{0});
    besides_.finish(); // first: it may still ask asked_ to open a model
    asked_.finish();
}

quint64 EngineWorker::open(const engine::OpenOptions& options) {
    const quint64 opening = ++wantedOpening_;
    besides_.push([this, options, opening] {
        if (opening != wantedOpening_) return;
        if (const std::optional<engine::Error> why = refusal(options)) return tellOpenFailed(opening, *why);
        cancel(lastRequest_);
        asked_.push([this, options, opening] { openNow(options, opening); });
    });
    return opening;
}

void EngineWorker::close() {
    ++wantedOpening_;
    cancel(lastRequest_);
    asked_.push([this] { setSession(nullptr); });
}

void EngineWorker::cancelOpening() { ++wantedOpening_; }

void EngineWorker::generate(const GenerateRequest& request) {
    lastRequest_ = request.id;
    asked_.push([this, request] { told_.push([this, outcome = generateNow(request)] { Q_EMIT finished(outcome); }); });
}

quint64 EngineWorker::count(ConversationSource conversation, const engine::GenerateOptions& options) {
    const quint64 count = ++lastCount_;
    besides_.push([this, count, conversation = std::move(conversation), options] {
        told_.push([this, count, tokens = tokensOf(conversation, options)] { Q_EMIT counted(count, tokens); });
    });
    return count;
}

void EngineWorker::cancel(quint64 id) {
    cancelledRequest_ = id;
    if (const auto open = session()) open->cancel();
}

std::optional<engine::Telemetry> EngineWorker::telemetry() const {
    const auto open = session();
    return open ? std::optional(open->telemetry()) : std::nullopt;
}

std::vector<uint8_t> EngineWorker::expertStates() const {
    const auto open = session();
    if (!open) return {};
    const std::vector<int64_t>& experts = open->info().expertsOfLayer;
    std::vector<uint8_t> states(static_cast<size_t>(std::accumulate(experts.begin(), experts.end(), int64_t{0})));
    open->expertStates(states);
    return states;
}

std::shared_ptr<engine::Session> EngineWorker::session() const {
    const std::lock_guard lock(mutex_);
    return session_;
}

void EngineWorker::setSession(std::shared_ptr<engine::Session> session) {
    {
        const std::lock_guard lock(mutex_);
        session_.swap(session);
    }
    // The old session is destroyed here, outside the lock, because freeing its memory may take a while.
}

/// Returns the reason why the model can't be opened, as far as its metadata tell.
std::optional<engine::Error> EngineWorker::refusal(engine::OpenOptions options) const {
    if (!inspect_) return std::nullopt;
    if (session()) options.held = heldBefore_; // the open model will be closed
    options.onProgress = nullptr;
    const auto info = inspect_(options);
    if (!info) return info.error();
    if (!info->problems.empty()) return info->problems.front();
    return std::nullopt;
}

void EngineWorker::tellOpenFailed(quint64 opening, const engine::Error& error) {
    told_.push([this, opening, error, kept = session() != nullptr] { Q_EMIT openFailed(opening, error, kept); });
}

void EngineWorker::openNow(engine::OpenOptions options, quint64 opening) {
    if (opening != wantedOpening_) return;
    setSession(nullptr);
    heldBefore_ = engine::readMemory().resident;
    options.onProgress = [this, opening](double share) {
        told_.push([this, opening, share] { Q_EMIT openProgress(opening, share); });
        return opening == wantedOpening_;
    };
    auto session = factory_(options);
    if (opening != wantedOpening_) return;
    if (!session) {
        tellOpenFailed(opening, session.error());
        return;
    }
    const engine::ModelInfo info = session.value()->info();
    setSession(std::move(session).value());
    told_.push([this, opening, info] { Q_EMIT opened(opening, info); });
}

GenerationOutcome EngineWorker::generateNow(const GenerateRequest& request) {
    GenerationOutcome outcome{
        .id = request.id, .reason = engine::FinishReason::Cancelled, .statistics = {}, .notes = {}, .error = {}};
    if (request.id <= cancelledRequest_) return outcome;
    if (!session_) {
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
    const std::shared_ptr<engine::TraceLog> trace = request.traced ? beginTrace(request.id) : nullptr;
    if (trace) options.trace = trace.get();
    auto answer = session_->chat(*conversation, options, [&](const engine::Delta& delta) { tell(request, delta); });
    if (answer) {
        outcome.reason = answer.value().reason;
        outcome.statistics = answer.value().statistics;
        outcome.notes = answer.value().notes;
    } else if (answer.error().kind != engine::ErrorKind::Cancelled) {
        outcome.error = answer.error();
    }
    return outcome;
}

/// Returns nothing if there is no memory for a trace.
std::shared_ptr<engine::TraceLog> EngineWorker::beginTrace(quint64 id) {
    const engine::ModelInfo& model = session_->info();
    const int64_t tokens = std::clamp<int64_t>(model.memory.context, 1, kMostTracedTokens);
    auto made = engine::TraceLog::create(engine::traceShape(model), tokens);
    if (!made) return nullptr;
    std::shared_ptr<engine::TraceLog> trace = std::move(made).value();
    told_.push([this, id, shown = std::shared_ptr<const engine::TraceLog>(trace)] { Q_EMIT traceBegun(id, shown); });
    return trace;
}

void EngineWorker::tell(const GenerateRequest& request, const engine::Delta& d) {
    const quint64 id = request.id;
    // A cancel() before the session began its call had no effect on it, so it is repeated here.
    if (id <= cancelledRequest_) session_->cancel();
    if (d.token < 0)
        told_.push([this, id, done = d.promptDone, total = d.promptTotal] { Q_EMIT promptProgress(id, done, total); });
    if (d.generated == 1 && d.token >= 0) told_.push([this, id] { Q_EMIT begun(id); });
    std::vector<engine::TokenRecord> tokens;
    if (request.traced) tokens.assign(d.tokens.begin(), d.tokens.end());
    std::optional<PartPiece> piece;
    if (!d.text.empty() || d.call != nullptr)
        piece = PartPiece{.index = static_cast<qsizetype>(d.part),
                          .part = partFrom(d.kind, d.text, d.call == nullptr ? engine::ToolCall{} : *d.call)};
    if (tokens.empty() && !piece) return;
    told_.push([this, id, tokens = std::move(tokens), piece = std::move(piece)] {
        if (!tokens.empty()) Q_EMIT tokensDrawn(id, tokens);
        if (piece) Q_EMIT delta(id, *piece);
    });
}

qint64 EngineWorker::tokensOf(const ConversationSource& conversation, const engine::GenerateOptions& options) const {
    const auto open = session();
    const auto messages = conversation();
    if (!open || !messages) return -1;
    const auto tokens = open->promptTokens(*messages, options);
    return tokens ? static_cast<qint64>(tokens->size()) : -1;
}

} // namespace coterie::app
