// SPDX-License-Identifier: Apache-2.0
// Text that arrives is kept in memory, told at most 30 times a second, stored a few times a second, and stored finally
// when the answer ends.
#include "generation.h"

#include <QPointer>

#include <algorithm>

namespace coterie::app {
namespace {

constexpr int kTellIntervalMs = 34;  // 30 Hz at most
constexpr int kSaveIntervalMs = 400; // the limit is a second; the rest is for a busy machine

AnswerStatistics statisticsOf(const engine::GenerationStatistics& measured) {
    AnswerStatistics kept;
    kept.tokens = measured.generated;
    kept.firstTokenSeconds = measured.firstTokenSeconds;
    kept.tokensPerSecond = measured.decodeRate().value_or(kept.tokensPerSecond);
    if (measured.expertsFromDisk > 0) {
        kept.expertsFromDisk = static_cast<double>(measured.expertsFromDisk) /
                               static_cast<double>(measured.expertHits + measured.expertMisses);
        kept.dense = measured.dense;
        kept.diskBytes = static_cast<double>(measured.diskBytes);
        kept.waitSeconds = measured.ioWaitSeconds;
    }
    kept.lessExact = measured.exactness == engine::Exactness::Approximate;
    kept.choicesChanged = measured.changedShare().value_or(0);
    return kept;
}

MessageState stateFor(const GenerationOutcome& outcome) {
    if (outcome.error) return MessageState::Failed;
    const bool cut =
        outcome.reason == engine::FinishReason::Cancelled || outcome.reason == engine::FinishReason::ContextFull;
    return cut ? MessageState::Stopped : MessageState::Complete;
}

} // namespace

Generation::Generation(EngineWorker* worker, const PromptHistory* history, QObject* parent)
    : QObject(parent), worker_(worker), history_(history) {
    tellTimer_.setSingleShot(true);
    tellTimer_.setInterval(kTellIntervalMs);
    saveTimer_.setInterval(kSaveIntervalMs);
    connect(&tellTimer_, &QTimer::timeout, this, &Generation::flush);
    connect(&saveTimer_, &QTimer::timeout, this, &Generation::saveProgress);
    connect(worker_, &EngineWorker::traceBegun, this, &Generation::onTraceBegun);
    connect(worker_, &EngineWorker::tokensDrawn, this, &Generation::onTokens);
    connect(worker_, &EngineWorker::promptProgress, this, &Generation::onProgress);
    connect(worker_, &EngineWorker::begun, this, &Generation::onBegun);
    connect(worker_, &EngineWorker::delta, this, &Generation::onDelta);
    connect(worker_, &EngineWorker::finished, this, &Generation::onFinished);
}

void Generation::add(Job job) {
    const qint64 chat = job.answer.chat;
    waiting_.push_back(std::move(job));
    Q_EMIT progressed(chat);
    startNext();
}

void Generation::startNext() {
    if (running_ || waiting_.empty()) return;
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    job.answer.model = modelName_; // another one may have been opened since the job was added
    const ConversationSource conversation =
        history_->upTo(job.answer.parent, {.systemPrompt = job.systemPrompt, .newer = unsaved_, .prompt = {}});
    running_ = Running{.request = ++lastRequest_,
                       .progress = {.message = job.answer.id, .state = Reading},
                       .row = std::move(job.answer),
                       .untold = {},
                       .record = {}};
    running_->record.message = running_->row.id;
    running_->savedParts = running_->row.parts.size();
    running_->savedLength = running_->lastLength();
    saveTimer_.start();
    const bool traced = traced_ || watched_;
    if (traced && detailed_) job.options.details.probabilities = true;
    worker_->generate(
        {.id = running_->request, .conversation = conversation, .options = std::move(job.options), .traced = traced});
    Q_EMIT progressed(running_->row.chat);
}

void Generation::stop(qint64 message) {
    if (running_ && running_->row.id == message) {
        if (running_->progress.state == Stopping) return;
        setState(Stopping);
        worker_->cancel(running_->request);
        return;
    }
    const auto job =
        std::find_if(waiting_.begin(), waiting_.end(), [&](const Job& j) { return j.answer.id == message; });
    if (job == waiting_.end()) return;
    MessageRow row = std::move(job->answer);
    waiting_.erase(job);
    row.state = MessageState::Stopped;
    end(std::move(row));
}

void Generation::stopChat(qint64 chat) {
    if (const auto job = progress(chat)) stop(job->message);
}

std::optional<Generation::Progress> Generation::progress(qint64 chat) const {
    if (running_ && running_->row.chat == chat) return running_->progress;
    const auto job =
        std::find_if(waiting_.begin(), waiting_.end(), [&](const Job& j) { return j.answer.chat == chat; });
    if (job == waiting_.end()) return std::nullopt;
    return Progress{.message = job->answer.id};
}

const MessageRow* Generation::newest(qint64 message) const {
    if (running_ && running_->row.id == message) return &running_->row;
    const auto kept =
        std::find_if(unsaved_.begin(), unsaved_.end(), [&](const MessageRow& r) { return r.id == message; });
    return kept == unsaved_.end() ? nullptr : &*kept;
}

const AnswerRecord* Generation::record(qint64 message) const {
    const bool traced = running_ && running_->row.id == message && running_->record.trace != nullptr;
    return traced ? &running_->record : nullptr;
}

void Generation::setState(State state) {
    if (running_->progress.state == state) return;
    running_->progress.state = state;
    Q_EMIT progressed(running_->row.chat);
}

void Generation::onProgress(quint64 request, qint64 done, qint64 total) {
    if (!running_ || running_->request != request) return;
    running_->progress.promptDone = done;
    running_->progress.promptTotal = total;
    Q_EMIT progressed(running_->row.chat);
    tellPromptRecord();
}

/// Tells that the trace has the prompt's tokens so far. This does not start tellTimer_, which would hold back the
/// answer's first words.
void Generation::tellPromptRecord() {
    QElapsedTimer& told = running_->promptTold;
    if (!running_->record.trace || (told.isValid() && told.elapsed() < kTellIntervalMs)) return;
    told.start();
    Q_EMIT recordGrew(running_->record.message);
}

void Generation::onTraceBegun(quint64 request, const std::shared_ptr<const engine::TraceLog>& trace) {
    if (!running_ || running_->request != request) return;
    running_->record.trace = trace;
    Q_EMIT recordBegun(running_->record.message);
}

void Generation::onTokens(quint64 request, const std::vector<engine::TokenRecord>& tokens) {
    if (!running_ || running_->request != request || !running_->record.trace) return;
    running_->record.tokens.insert(running_->record.tokens.end(), tokens.begin(), tokens.end());
    running_->recordUntold = true;
    tellSoon();
}

/// Tells what is new when the events that wait have been handled: the text of a token follows the token at once.
void Generation::tellSoon() {
    if (tellTimer_.isActive()) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (!tellTimer_.isActive()) flush();
        },
        Qt::QueuedConnection);
}

void Generation::onBegun(quint64 request) {
    if (running_ && running_->request == request && running_->progress.state == Reading) setState(Writing);
}

void Generation::onDelta(quint64 request, const PartPiece& piece) {
    if (!running_ || running_->request != request) return;
    if (running_->progress.state == Reading) setState(Writing);
    timeThoughts(piece);
    addPiece(running_->row.parts, piece);
    if (!running_->untold.empty() && running_->untold.back().index == piece.index)
        running_->untold.back().part.text += piece.part.text;
    else
        running_->untold.push_back(piece);
    if (!tellTimer_.isActive()) flush();
}

/// Notes how long a thought was written: until the next part begins.
void Generation::timeThoughts(const PartPiece& piece) {
    std::vector<MessagePart>& parts = running_->row.parts;
    if (piece.index < static_cast<qsizetype>(parts.size())) return;
    if (!parts.empty() && parts.back().kind == PartKind::Thought && running_->thought.isValid())
        parts.back().seconds = static_cast<double>(running_->thought.elapsed()) / 1000;
    if (piece.part.kind == PartKind::Thought) running_->thought.start();
}

void Generation::flush() {
    if (!running_ || (running_->untold.empty() && !running_->recordUntold)) return;
    tellTimer_.start();
    const qint64 message = running_->row.id;
    const bool moreRecord = std::exchange(running_->recordUntold, false);
    const std::vector<PartPiece> pieces = std::exchange(running_->untold, {});
    if (!pieces.empty()) Q_EMIT grew(message, pieces);
    if (moreRecord) Q_EMIT recordGrew(message);
}

void Generation::saveProgress() {
    retryUnsaved();
    if (!running_) {
        if (unsaved_.empty()) saveTimer_.stop();
        return;
    }
    if (running_->saved()) return;
    const size_t first = running_->savedParts == 0 ? 0 : running_->savedParts - 1; // the last one may have grown
    const engine::Status saved = store_->saveProgress(running_->row.id, running_->row.parts, first);
    if (saved) {
        running_->savedParts = running_->row.parts.size();
        running_->savedLength = running_->lastLength();
    } else {
        Q_EMIT notStored(ErrorInfo(saved.error()));
    }
}

void Generation::onFinished(const GenerationOutcome& outcome) {
    if (!running_ || running_->request != outcome.id) return;
    flush();
    tellTimer_.stop();
    MessageRow row = std::move(running_->row);
    const AnswerRecord record = std::move(running_->record);
    running_.reset();
    row.state = stateFor(outcome);
    row.statistics = statisticsOf(outcome.statistics);
    for (const engine::Sentence& note : outcome.notes) row.notes.append(shownText(note));
    if (outcome.error) {
        row.error = ErrorInfo(*outcome.error);
    } else if (outcome.reason == engine::FinishReason::ContextFull) {
        row.error = ErrorInfo(tr("The answer ends here"), tr("The context is full"),
                              tr("Start a new chat, or allow a longer context in the settings"));
    }
    end(std::move(row));
    tellRecord(record);
    if (outcome.error) Q_EMIT failed(*outcome.error);
    startNext();
}

/// Stores the answer, which has ended, or keeps it to try again.
void Generation::end(MessageRow row) {
    unsaved_.push_back(row);
    retryUnsaved();
    if (!unsaved_.empty()) saveTimer_.start();
    if (unsaved_.empty() && !running_) saveTimer_.stop();
    Q_EMIT ended(row);
    Q_EMIT progressed(row.chat);
    Q_EMIT chatStored(row.chat);
}

void Generation::tellRecord(const AnswerRecord& record) {
    if (!record.empty()) Q_EMIT recorded(record);
}

void Generation::retryUnsaved() {
    while (!unsaved_.empty()) {
        const engine::Status saved = store_->finishAnswer(unsaved_.front());
        if (!saved) return Q_EMIT notStored(ErrorInfo(saved.error()));
        unsaved_.erase(unsaved_.begin());
    }
}

void Generation::saveForExit() {
    while (!waiting_.empty()) stop(waiting_.back().answer.id);
    if (!running_) return;
    worker_->cancel(running_->request);
    MessageRow row = std::move(running_->row);
    const AnswerRecord record = std::move(running_->record);
    running_.reset();
    row.state = MessageState::Stopped;
    end(std::move(row));
    tellRecord(record);
}

} // namespace coterie::app
