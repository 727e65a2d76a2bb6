// SPDX-License-Identifier: Apache-2.0
// Text that arrives is kept in memory, emitted at most 30 times a second, stored a few times a second, and stored
// finally when the answer ends.
#include "engine_link/answer_queue.h"

#include "common/units.h"
#include "store/answer_ends.h"

#include <QCryptographicHash>

#include <algorithm>

namespace coterie::app {
namespace {

constexpr int kEmitIntervalMs = 34;     // 30 Hz at most
constexpr int kSaveIntervalMs = 400;    // the limit is a second; the rest is for a busy machine
constexpr qsizetype kMarkDigits = 16;   // digits of a mark: two that differ are the same once in 2^64
constexpr size_t kWrittenAnswers = 256; // answers whose tokens are remembered: some megabytes at most

AnswerStatistics statisticsOf(const engine::GenerationStatistics& measured) {
    AnswerStatistics kept;
    kept.tokens = measured.generated;
    kept.firstTokenSeconds = measured.firstTokenSeconds;
    kept.tokensPerSecond = measured.decodeRate().value_or(kept.tokensPerSecond);
    const engine::Counts& counts = measured.counts;
    const auto asked = static_cast<double>(counts.asked());
    // As the inspector counts: what was read ahead of time came from disk, too.
    if (asked > 0 && !measured.dense) kept.hitRate = 1 - static_cast<double>(counts.fromDisk()) / asked;
    if (counts.headRowsPossible > 0)
        kept.headShare = static_cast<double>(counts.headRows) / static_cast<double>(counts.headRowsPossible);
    if (counts.fromDisk() > 0) {
        kept.expertsFromDisk = static_cast<double>(counts.fromDisk()) / asked;
        kept.dense = measured.dense;
        kept.diskBytes = static_cast<double>(counts.bytesRead);
        kept.waitSeconds = counts.waitSeconds;
    }
    kept.lessExact = measured.exactness == engine::Exactness::Approximate;
    kept.choicesChanged = measured.changedShare().value_or(0);
    return kept;
}

/// The figures of an answer whose beginning was written earlier.
AnswerStatistics together(const AnswerStatistics& before, AnswerStatistics after) {
    const auto first = static_cast<double>(before.tokens), second = static_cast<double>(after.tokens);
    const auto mean = [&](double a, double b) { return (a * first + b * second) / (first + second); };
    if (before.tokens > 0 && after.tokens > 0) { // means over the tokens of both
        if (before.headShare > 0 && after.headShare > 0) after.headShare = mean(before.headShare, after.headShare);
        if (before.hitRate > 0 && after.hitRate > 0) after.hitRate = mean(before.hitRate, after.hitRate);
        after.expertsFromDisk = mean(before.expertsFromDisk, after.expertsFromDisk);
    }
    after.dense = after.dense || before.dense;
    after.diskBytes += before.diskBytes;
    after.waitSeconds += before.waitSeconds;
    after.tokens += before.tokens;
    after.edited = before.edited;
    after.lessExact = after.lessExact || before.lessExact;
    after.choicesChanged = std::max(after.choicesChanged, before.choicesChanged);
    if (after.tokensPerSecond <= 0) after.tokensPerSecond = before.tokensPerSecond;
    return after;
}

MessageState stateFor(const GenerationOutcome& outcome) {
    if (outcome.error) return MessageState::Failed;
    const bool cut =
        outcome.reason == engine::FinishReason::Cancelled || outcome.reason == engine::FinishReason::ContextFull;
    return cut ? MessageState::Stopped : MessageState::Complete;
}

bool callsTool(const MessageRow& answer) {
    return std::any_of(answer.parts.begin(), answer.parts.end(),
                       [](const MessagePart& part) { return part.kind == PartKind::ToolCall; });
}

} // namespace

QString askedMark(const QString& systemPrompt, const engine::PromptOptions& prompt) {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const auto add = [&](const QByteArray& text) { // with its length, so that no two lists look alike
        hash.addData(QByteArray::number(text.size()) + ':' + text);
    };
    add(systemPrompt.toUtf8());
    for (const std::string* tools : {&prompt.tools, &prompt.xmlTools, &prompt.pythonTools})
        add(QByteArray::fromStdString(*tools));
    add(prompt.thinking ? (*prompt.thinking ? "thinks" : "does not") : "");
    return QString::fromLatin1(hash.result().toHex().left(kMarkDigits));
}

AnswerQueue::AnswerQueue(EngineWorker* worker, const PromptHistory* history, QObject* parent)
    : QObject(parent), worker_(worker), history_(history) {
    emitTimer_.setSingleShot(true);
    emitTimer_.setInterval(kEmitIntervalMs);
    saveTimer_.setInterval(kSaveIntervalMs);
    connect(&emitTimer_, &QTimer::timeout, this, &AnswerQueue::flush);
    connect(&saveTimer_, &QTimer::timeout, this, &AnswerQueue::saveProgress);
    connect(worker_, &EngineWorker::traceBegun, this, &AnswerQueue::onTraceBegun);
    connect(worker_, &EngineWorker::tokensDrawn, this, &AnswerQueue::onTokens);
    connect(worker_, &EngineWorker::promptProgress, this, &AnswerQueue::onProgress);
    connect(worker_, &EngineWorker::begun, this, &AnswerQueue::onBegun);
    connect(worker_, &EngineWorker::delta, this, &AnswerQueue::onDelta);
    connect(worker_, &EngineWorker::continued, this, &AnswerQueue::onContinued);
    connect(worker_, &EngineWorker::finished, this, &AnswerQueue::onFinished);
}

void AnswerQueue::add(Job job) {
    const qint64 chat = job.answer.chat;
    waiting_.push_back(std::move(job));
    Q_EMIT progressed(chat);
    startNext();
}

void AnswerQueue::startNext() {
    if (running_) return;
    if (waiting_.empty()) return startQuestion();
    endQuestion();
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    const QString modelBefore = std::exchange(job.answer.model, modelName_); // another one may be open since add()
    const ConversationSource conversation =
        history_->upTo(job.answer.parent, {.systemPrompt = job.systemPrompt, .newer = unsaved_, .prompt = {}});
    running_ = Running{.request = ++lastRequest_,
                       .job = {.answer = {}, .systemPrompt = job.systemPrompt, .options = job.options},
                       .progress = {.message = job.answer.id, .state = Reading},
                       .row = std::move(job.answer),
                       .modelBefore = modelBefore,
                       .kept = job.kept,
                       .notes = std::move(job.notes),
                       .notEmitted = {},
                       .record = {},
                       .begun = std::move(job.begun.tokens)};
    running_->asked = askedMark(job.systemPrompt, job.options.prompt);
    running_->job.options.prefix.clear(); // it belongs to this answer alone
    running_->record.message = running_->row.id;
    running_->continues = !running_->row.parts.empty();
    if (running_->continues) running_->before = running_->row.statistics;
    if (running_->before.tokens == 0) running_->begunTokens = job.options.prefix.size();
    running_->savedParts = running_->row.parts.size();
    running_->savedLength = running_->lastLength();
    begun_.reset();
    if (const auto telemetry = worker_->telemetry()) begun_ = telemetry->counts;
    saveTimer_.start();
    const bool traced = traced_ || watched_;
    engine::BegunTrace begun{.trace = std::move(job.begun.trace),
                             .tokens = static_cast<int64_t>(job.options.prefix.size()),
                             .shared = job.shared};
    if (traced && detailed_) job.options.details.probabilities = true;
    worker_->generate({.id = running_->request,
                       .conversation = conversation,
                       .options = std::move(job.options),
                       .prefixText = std::move(job.prefixText),
                       .traced = traced,
                       .begun = std::move(begun)});
    Q_EMIT progressed(running_->row.chat);
}

void AnswerQueue::ask(Question question) {
    questions_.push_back(std::move(question));
    startNext();
}

void AnswerQueue::startQuestion() {
    if (asking_ != 0) return;
    while (!questions_.empty() && questions_.front().wanted && !questions_.front().wanted()) questions_.pop_front();
    if (questions_.empty()) return;
    asking_ = ++lastRequest_;
    asked_.clear();
    worker_->generate(
        {.id = asking_, .conversation = questions_.front().conversation, .options = questions_.front().options});
}

/// An answer that continues one that was asked for in another way has the marks of both, and so that of no answer.
QString AnswerQueue::askedTogether(const Running& running) {
    const QString& before = running.before.asked;
    if (!running.continues || before.isEmpty() || before == running.asked) return running.asked;
    return before.endsWith(running.asked) ? before : before + QLatin1Char('+') + running.asked;
}

/// Whether the answer is still the one that was to be continued.
bool AnswerQueue::addedNothing(const Running& running) { return running.continues && !running.wrote; }

/// outcome: nullptr if the program ends first.
AnswerStatistics AnswerQueue::figuresOf(const Running& running, const GenerationOutcome* outcome) {
    if (addedNothing(running)) return running.before;
    AnswerStatistics figures;
    if (outcome && !outcome->error) {
        figures = together(running.before, statisticsOf(outcome->statistics));
    } else {
        // The engine has not reported the figures of this part, and those of a shorter text would be wrong.
        if (running.record.trace) figures.tokens = running.before.tokens + static_cast<qint64>(running.added);
        figures.edited = running.before.edited;
    }
    if (figures.tokens > 0) figures.tokens += running.begunTokens;
    figures.asked = askedTogether(running);
    if (outcome) figures.memoryBytes = static_cast<double>(outcome->memoryBytes);
    return figures;
}

/// Cancels the question that is being asked, and forgets those that wait: they are about chats that go on.
void AnswerQueue::endQuestion() {
    if (asking_ != 0) worker_->cancel(asking_);
    asking_ = 0;
    questions_.clear();
}

void AnswerQueue::onQuestionFinished(const GenerationOutcome& outcome) {
    asking_ = 0;
    const Question question = std::move(questions_.front());
    questions_.pop_front();
    const bool whole = !outcome.error && outcome.reason != engine::FinishReason::Cancelled;
    if (question.finished)
        question.finished(outcome);
    else if (whole)
        question.answered(asked_);
    startNext();
}

void AnswerQueue::stop(qint64 message) {
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
    end(row);
}

void AnswerQueue::markStopped(MessageRow answer) {
    answer.state = MessageState::Stopped;
    end(answer);
}

void AnswerQueue::abandon(qint64 message) {
    const qint64 chat = takeOut(message);
    if (chat == 0) return;
    Q_EMIT progressed(chat);
    startNext();
}

/// Forgets the job of this answer, whether it runs or waits, and returns its chat; 0: there is none.
qint64 AnswerQueue::takeOut(qint64 message) {
    if (running_ && running_->row.id == message) {
        worker_->cancel(running_->request);
        const qint64 chat = running_->row.chat;
        running_.reset();
        return chat;
    }
    const auto job =
        std::find_if(waiting_.begin(), waiting_.end(), [&](const Job& j) { return j.answer.id == message; });
    if (job == waiting_.end()) return 0;
    const qint64 chat = job->answer.chat;
    waiting_.erase(job);
    return chat;
}

const WrittenTokens* AnswerQueue::written(qint64 message) const {
    const auto found = written_.find(message);
    return found == written_.end() ? nullptr : &*found;
}

void AnswerQueue::forgetWritten(qint64 message) {
    if (written_.remove(message)) std::erase(writtenOrder_, message);
}

void AnswerQueue::remember(qint64 message, const WrittenTokens& tokens) {
    if (!written_.contains(message)) writtenOrder_.push_back(message);
    written_.insert(message, tokens);
    if (writtenOrder_.size() <= kWrittenAnswers) return;
    written_.remove(writtenOrder_.front());
    writtenOrder_.pop_front();
}

void AnswerQueue::stopChat(qint64 chat) {
    if (const auto job = progress(chat)) stop(job->message);
}

std::optional<AnswerQueue::Progress> AnswerQueue::progress(qint64 chat) const {
    if (running_ && running_->row.chat == chat) return running_->progress;
    const auto job =
        std::find_if(waiting_.begin(), waiting_.end(), [&](const Job& j) { return j.answer.chat == chat; });
    if (job == waiting_.end()) return std::nullopt;
    return Progress{.message = job->answer.id};
}

const MessageRow* AnswerQueue::newest(qint64 message) const {
    if (running_ && running_->row.id == message) return &running_->row;
    const auto kept =
        std::find_if(unsaved_.begin(), unsaved_.end(), [&](const MessageRow& r) { return r.id == message; });
    return kept == unsaved_.end() ? nullptr : &*kept;
}

const AnswerRecord* AnswerQueue::record(qint64 message) const {
    const bool traced = running_ && running_->row.id == message && running_->record.trace != nullptr;
    return traced ? &running_->record : nullptr;
}

void AnswerQueue::setState(State state) {
    if (running_->progress.state == state) return;
    running_->progress.state = state;
    Q_EMIT progressed(running_->row.chat);
}

void AnswerQueue::onProgress(quint64 request, qint64 done, qint64 total, double secondsLeft) {
    if (!running_ || running_->request != request) return;
    running_->progress.promptDone = done;
    running_->progress.promptTotal = total;
    double& shown = running_->progress.promptSecondsLeft;
    shown = steadySecondsLeft(shown, secondsLeft);
    Q_EMIT progressed(running_->row.chat);
    emitPromptRecord();
}

/// Reports that the trace has the prompt's tokens so far. This does not start emitTimer_, which would hold back the
/// answer's first words.
void AnswerQueue::emitPromptRecord() {
    QElapsedTimer& emitted = running_->promptEmitted;
    if (!running_->record.trace || (emitted.isValid() && emitted.elapsed() < kEmitIntervalMs)) return;
    emitted.start();
    takeBegun();
    Q_EMIT recordGrew(running_->record.message);
}

/// The record begins with the tokens of the prefix once the trace does.
void AnswerQueue::takeBegun() {
    AnswerRecord& record = running_->record;
    if (running_->begun.empty() || !record.trace || !record.trace->continues()) return;
    record.tokens = std::exchange(running_->begun, {});
    running_->begunSeconds = record.tokens.back().seconds;
}

/// The text of the prefix is read differently now: where its tokens stand in it is not known if any of it changed.
void AnswerQueue::forgetTextOfBegun(const std::vector<MessagePart>& parts) {
    const std::vector<MessagePart>& row = running_->row.parts;
    const bool same = row.size() <= parts.size() && std::equal(row.begin(), row.end(), parts.begin(),
                                                               [](const MessagePart& old, const MessagePart& now) {
                                                                   return now.text.startsWith(old.text);
                                                               });
    if (same) return;
    const size_t added = running_->added;
    std::vector<engine::TokenRecord>& tokens = running_->record.tokens;
    for (size_t i = 0; i + added < tokens.size(); ++i) tokens[i].text.clear();
}

void AnswerQueue::onTraceBegun(quint64 request, const std::shared_ptr<engine::TraceLog>& trace) {
    if (!running_ || running_->request != request) return;
    running_->record.trace = running_->trace = trace;
    Q_EMIT recordBegun(running_->record.message);
}

void AnswerQueue::onTokens(quint64 request, const std::vector<engine::TokenRecord>& tokens) {
    if (!running_ || running_->request != request || !running_->record.trace) return;
    takeBegun();
    std::vector<engine::TokenRecord>& record = running_->record.tokens;
    const size_t first = record.size();
    record.insert(record.end(), tokens.begin(), tokens.end());
    running_->added += tokens.size();
    for (size_t i = first; i < record.size(); ++i) {
        record[i].seconds += running_->begunSeconds;
        for (engine::TextRange& range : record[i].text) range.part += static_cast<size_t>(running_->kept);
    }
    running_->recordNotEmitted = true;
    emitSoon();
}

std::optional<engine::Counts> AnswerQueue::counts(qint64 message) const {
    if (!running_ || running_->row.id != message || !begun_) return std::nullopt;
    const auto telemetry = worker_->telemetry();
    if (!telemetry) return std::nullopt;
    return telemetry->counts - *begun_;
}

/// Emits what is new when the events that wait have been handled: the text of a token follows the token at once.
void AnswerQueue::emitSoon() {
    if (emitTimer_.isActive()) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            if (!emitTimer_.isActive()) flush();
        },
        Qt::QueuedConnection);
}

void AnswerQueue::onBegun(quint64 request) {
    if (!running_ || running_->request != request) return;
    running_->wrote = true;
    if (running_->progress.state == Reading) setState(Writing);
}

void AnswerQueue::onDelta(quint64 request, const PartPiece& received) {
    if (request == asking_ && received.part.kind == PartKind::Text) asked_ += received.part.text;
    if (!running_ || running_->request != request) return;
    if (running_->progress.state == Reading) setState(Writing);
    PartPiece piece = received;
    piece.index += running_->kept;
    timeThoughts(piece);
    addPiece(running_->row.parts, piece);
    if (!running_->notEmitted.empty() && running_->notEmitted.back().index == piece.index)
        running_->notEmitted.back().part.text += piece.part.text;
    else
        running_->notEmitted.push_back(piece);
    if (!emitTimer_.isActive()) flush();
}

void AnswerQueue::onContinued(quint64 request, const std::vector<MessagePart>& parts) {
    if (request == asking_) asked_ = plainText(parts);
    if (!running_ || running_->request != request) return;
    if (running_->progress.state == Reading) setState(Writing);
    std::vector<MessagePart>& row = running_->row.parts;
    std::vector<MessagePart> all(row.begin(),
                                 row.begin() + std::min(running_->kept, static_cast<qsizetype>(row.size())));
    all.insert(all.end(), parts.begin(), parts.end());
    forgetTextOfBegun(all);
    for (size_t i = 0; i < std::min(all.size(), row.size()); ++i) // the engine does not know how long thoughts took
        if (all[i].kind == row[i].kind) all[i].seconds = row[i].seconds;
    row = std::move(all);
    running_->notEmitted.clear(); // they are in these parts
    running_->savedParts = 0;     // any part may have changed
    Q_EMIT rewritten(running_->row.id, row);
}

/// Notes how long a thought was written: until the next part begins.
void AnswerQueue::timeThoughts(const PartPiece& piece) {
    std::vector<MessagePart>& parts = running_->row.parts;
    if (piece.index < static_cast<qsizetype>(parts.size())) return;
    if (!parts.empty() && parts.back().kind == PartKind::Thought && running_->thought.isValid()) {
        parts.back().seconds = static_cast<double>(running_->thought.elapsed()) / 1000;
        running_->notEmitted.push_back(
            {static_cast<qsizetype>(parts.size()) - 1, {.kind = PartKind::Thought, .seconds = parts.back().seconds}});
    }
    if (piece.part.kind == PartKind::Thought) running_->thought.start();
}

void AnswerQueue::flush() {
    if (!running_ || (running_->notEmitted.empty() && !running_->recordNotEmitted)) return;
    emitTimer_.start();
    const qint64 message = running_->row.id;
    const bool moreRecord = std::exchange(running_->recordNotEmitted, false);
    const std::vector<PartPiece> pieces = std::exchange(running_->notEmitted, {});
    if (!pieces.empty()) Q_EMIT grew(message, pieces);
    if (moreRecord) Q_EMIT recordGrew(message);
}

void AnswerQueue::saveProgress() {
    retryUnsaved();
    if (!running_) {
        if (unsaved_.empty()) saveTimer_.stop();
        return;
    }
    if (running_->saved()) return;
    const size_t first = running_->savedParts == 0 ? 0 : running_->savedParts - 1; // the last one may have grown
    const engine::Status saved = storeOf(running_->row)->saveProgress(running_->row.id, running_->row.parts, first);
    if (saved) {
        running_->savedParts = running_->row.parts.size();
        running_->savedLength = running_->lastLength();
        Q_EMIT progressStored(running_->row.id);
    } else {
        Q_EMIT notStored(ErrorInfo(saved.error()));
    }
}

void AnswerQueue::onFinished(const GenerationOutcome& outcome) {
    if (asking_ != 0 && outcome.id == asking_) return onQuestionFinished(outcome);
    if (!running_ || running_->request != outcome.id) return;
    flush();
    emitTimer_.stop();
    takeBegun();
    std::optional<Running> running = std::exchange(running_, std::nullopt);
    MessageRow row = std::move(running->row);
    Job job = std::move(running->job);
    row.state = stateFor(outcome);
    row.statistics = figuresOf(*running, &outcome);
    const bool nothing = addedNothing(*running);
    if (nothing)
        row.model = running->modelBefore;
    else if (outcome.error)
        forgetWritten(row.id); // those of the text that it continues are not all of its tokens any more
    else
        remember(row.id, {.model = row.model, .ids = outcome.tokens, .kept = running->kept});
    row.notes = std::move(running->notes);
    if (nothing && row.state == MessageState::Complete) row.notes.append(tr("The model had nothing to add."));
    for (const engine::Sentence& note : outcome.notes) row.notes.append(shownText(note));
    if (callsTool(row) && job.options.prompt.tools.empty())
        row.notes.append(tr("The model called a tool, which was not run because tools are switched off."));
    if (outcome.error) {
        row.error = ErrorInfo(*outcome.error);
    } else if (outcome.reason == engine::FinishReason::ContextFull) {
        row.error = endedByFullContext();
    }
    job.answer = row;
    end(row);
    if (nothing || (running->continues && running->record.empty()))
        Q_EMIT recordStays(row.id);
    else
        emitRecord(*running);
    if (outcome.error) Q_EMIT failed(*outcome.error);
    if (job.answer.state == MessageState::Complete) Q_EMIT answered(job);
    startNext();
}

/// Stores the answer, which has ended, or keeps it to try again.
void AnswerQueue::end(const MessageRow& row) {
    unsaved_.push_back(row);
    retryUnsaved();
    if (!unsaved_.empty()) saveTimer_.start();
    if (unsaved_.empty() && !running_) saveTimer_.stop();
    Q_EMIT ended(row);
    Q_EMIT progressed(row.chat);
    Q_EMIT chatStored(row.chat);
}

/// The trace ends with the last token that the answer got. It may have later ones: the engine is ahead of this thread,
/// and goes on until it finds that it was cancelled; after an error it does not report the tokens whose text it held
/// back.
void AnswerQueue::emitRecord(const Running& running) {
    const AnswerRecord& record = running.record;
    if (running.trace) running.trace->endAt(running.trace->promptTokens() + static_cast<int64_t>(record.tokens.size()));
    if (!record.empty()) Q_EMIT recorded(record);
}

void AnswerQueue::retryUnsaved() {
    while (!unsaved_.empty()) {
        const engine::Status saved = storeOf(unsaved_.front())->finishAnswer(unsaved_.front());
        if (!saved) return Q_EMIT notStored(ErrorInfo(saved.error()));
        unsaved_.erase(unsaved_.begin());
    }
}

void AnswerQueue::saveForExit() {
    endQuestion();
    while (!waiting_.empty()) {
        MessageRow row = std::move(waiting_.back().answer);
        waiting_.pop_back();
        row.state = MessageState::Stopped;
        row.error = endedByClosing();
        end(row);
    }
    if (!running_) return;
    worker_->cancel(running_->request);
    takeBegun();
    const Running running = std::move(*running_);
    running_.reset();
    MessageRow row = running.row;
    row.notes = running.notes;
    row.state = MessageState::Stopped;
    row.error = endedByClosing();
    row.statistics = figuresOf(running, nullptr);
    const bool nothing = addedNothing(running);
    if (nothing) row.model = running.modelBefore;
    end(row);
    if (!nothing) emitRecord(running); // the one from before stays
}

} // namespace coterie::app
