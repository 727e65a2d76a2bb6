// SPDX-License-Identifier: Apache-2.0
// See inspector.h.
#include "inspector/inspector.h"

#include "base/memory.h"
#include "common/isolated_name.h"
#include "models/expert_rates.h"
#include "models/model_controller.h"
#include "settings/settings.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

constexpr int kSampleMs = 66;    // the store, while an answer is written: 15 Hz
constexpr int kGrowthMs = 60;    // the answer: with every second change of its text, which come every 33 ms
constexpr int kLateMs = 100;     // its last change, which no other one follows
constexpr int kRestingMs = 250;  // the store, while no answer is written
constexpr int kRefreshMs = 1000; // words and figures, while an answer is written

} // namespace

Inspector::Inspector(const InspectorParts& parts, QObject* parent)
    : QObject(parent), parts_(parts), shown_(answerSources()), finder_(parts.keeper), timeline_(shown_),
      comparison_(shown_, [this] { return answerBefore(); }), grid_(shown_, gridSources()),
      tokens_(shown_, tokenSources()), charts_(shown_, chartSources()), files_(*this, parts_) {
    connectParts();
    connectObjects();
}

ShownAnswer::Sources Inspector::answerSources() {
    const auto partsOf = [](const MessageRow* row) { return row ? &row->parts : nullptr; };
    return {.parts = [this, partsOf] { return partsOf(row()); },
            .question = [this, partsOf] { return partsOf(questionOf(messageId())); },
            .nameOf = [this](engine::TokenId id) { return nameOf(id); }};
}

/// The name of a token by the open model; empty if another model wrote the answer.
QString Inspector::nameOf(engine::TokenId id) const { return ofOpenModel() ? parts_.worker->tokenText(id) : QString(); }

ActivityGrid::Sources Inspector::gridSources() {
    return {.token =
                [this] {
                    return ActivityGrid::Token{timeline_.position(), timeline_.following()};
                },
            .compared = [this] { return comparison_.run(); },
            .notCompared = [this] { return comparison_.obstacle(); },
            .chat = [this] { return chatAnswers(); },
            .unrecorded = [this] { return condition_ == NotTraced || condition_ == Unreadable; },
            .model = [this] { return placesOfModel(); },
            .opening = [this] { return parts_.models->state() == ModelController::Opening; },
            .layers =
                [this](bool ofOpenModel) {
                    const engine::ModelInfo* model = openModel();
                    const bool known = model && (ofOpenModel || this->ofOpenModel());
                    return known ? model->layer : std::vector<engine::LayerInfo>();
                }};
}

AnswerTokens::Sources Inspector::tokenSources() {
    return {.position = [this] { return timeline_.position(); },
            .following = [this] { return timeline_.following(); },
            .dense = [this] { return dense(); },
            .nameOf = [this](engine::TokenId id) { return nameOf(id); }};
}

AnswerCharts::Sources Inspector::chartSources() {
    const auto answers = [this] {
        return shown_.hasPositions() ? foundAnswers() : std::vector<std::shared_ptr<TracedAnswer>>();
    };
    return {.answers = answers,
            .counted = [this] { return counted(); },
            .room = [this] { return room(); },
            .model = [this] { return factsOfModel(); }};
}

void Inspector::connectParts() {
    const auto refreshes = [this] { refresh(); };
    for (Conversation* conversation : {parts_.panes->first(), parts_.panes->second()}) {
        connect(conversation, &Conversation::chatChanged, this, refreshes);
        connect(conversation->messages(), &QAbstractItemModel::modelReset, this, refreshes);
        connect(conversation->messages(), &QAbstractItemModel::rowsInserted, this, refreshes);
        connect(conversation->messages(), &QAbstractItemModel::rowsRemoved, this, refreshes);
        // The tokens of a chat that was opened are counted later. While an answer is written, refreshTexts() does this.
        connect(conversation, &Conversation::telemetryChanged, this, [this] {
            if (enabled_ && !live()) charts_.refreshModelFigures();
        });
    }
    connect(parts_.panes, &Panes::activeChanged, this, refreshes);
    connect(parts_.answers, &AnswerQueue::recordBegun, this, refreshes);
    connect(parts_.answers, &AnswerQueue::recordGrew, this, &Inspector::onRecordGrew);
    connect(parts_.answers, &AnswerQueue::progressed, this, [this](qint64 chat) {
        if (chat == chat_ && !shown_.record()) refresh(); // an answer begins, or goes on without a record
    });
    connect(parts_.answers, &AnswerQueue::ended, this, [this](const MessageRow& answer) {
        // recorded() follows at once if there is a record; until then the view stays as it is.
        if (!live() || answer.id != messageId() || !shown_.hasPositions()) refresh();
    });
    connect(parts_.answers, &AnswerQueue::recorded, this, &Inspector::onRecorded);
    connect(parts_.answers, &AnswerQueue::recordStays, this, [this](qint64 message) {
        if (message == messageId()) refresh(); // the record from before is shown again
    });
    connect(parts_.keeper, &RecordKeeper::allRemoved, this, [this] {
        finder_.clear(); // whoever removed them wants to see none of them any more
        refresh();
    });
    connect(parts_.models, &ModelController::modelChanged, this, &Inspector::onModelChanged);
    connect(parts_.models, &ModelController::stateChanged, this, &Inspector::onModelChanged);
    connect(&finder_, &RecordFinder::changed, this, [this](qint64 message) {
        if (!enabled_) return;
        if (message == messageId()) return showRecord();
        drawGrid();
        refreshTexts();
        if (charts_.ofChat()) charts_.compute();
    });
}

/// One object learns here of what another one does. These connections come before those of views.
void Inspector::connectObjects() {
    connect(&sampling_, &QTimer::timeout, this, &Inspector::sample);
    connect(&timeline_, &AnswerTimeline::moved, this, [this] {
        if (grid_.mode() == ActivityGrid::Now) drawGrid();
        if (!live() || !timeline_.following()) refreshPosition(); // else sample() does so, once a second
    });
    connect(&timeline_, &AnswerTimeline::followed, this, &Inspector::refreshPosition);
    connect(&timeline_, &AnswerTimeline::aboutToMove, this, [this] {
        // A position is one token: its route says more about it than the counts of the whole answer.
        if (grid_.mode() == ActivityGrid::Reply && comparison_.against() == AnswerComparison::None)
            grid_.setMode(ActivityGrid::Now);
    });
    connect(&timeline_, &AnswerTimeline::aboutToPlay, this, &Inspector::showRoutes);
    connect(&comparison_, &AnswerComparison::againstChanged, this, [this] {
        if (comparison_.against() == AnswerComparison::Previous) findAnswersOfChat();
        drawGrid();
        refreshTexts();
    });
    connect(&grid_, &ActivityGrid::modeChanged, this, &Inspector::onModeChanged);
    connect(&grid_, &ActivityGrid::selectionChanged, this,
            [this] { tokens_.setSelected(grid_.selectedLayer(), grid_.selectedExpert()); });
    connect(&tokens_, &AnswerTokens::measureChosen, &grid_, &ActivityGrid::deselect);
    connect(&tokens_, &AnswerTokens::measureChanged, this, &Inspector::setDetailed);
    connect(&charts_, &AnswerCharts::budgetWanted, this, [this](double bytes) {
        parts_.models->setBudget(bytes);
        parts_.models->reopen();
    });
}

void Inspector::setEnabled(bool enabled) {
    if (enabled == enabled_) return;
    enabled_ = enabled;
    parts_.answers->setWatched(enabled);
    setDetailed();
    timeline_.setEnabled(enabled);
    tokens_.setEnabled(enabled);
    charts_.setEnabled(enabled);
    if (enabled) {
        onModelChanged();
        refreshPosition(); // changes meanwhile were not shown
    } else {
        sampling_.stop();
    }
    Q_EMIT enabledChanged();
}

/// Answers that begin now record probabilities only if their tokens are coloured by them.
void Inspector::setDetailed() {
    const TokenMeasure measure = tokens_.measure();
    parts_.answers->setDetailed(enabled_ && (measure == TokenMeasure::Probability || measure == TokenMeasure::Entropy));
}

// ------------------------------------------------------------------------------------------------ the answer

const engine::ModelInfo* Inspector::openModel() const { return parts_.models->openInfo(); }

const MessageRow* Inspector::row() const { return parts_.panes->active()->messages()->find(messageId()); }

/// The message that this one answers; nullptr if it is not loaded. Calls of tools and their results may lie between.
const MessageRow* Inspector::questionOf(qint64 answer) const {
    const MessageModel& messages = *parts_.panes->active()->messages();
    const MessageRow* row = messages.find(answer);
    while (row && row->role != engine::Role::User) row = messages.find(row->parent);
    return row;
}

/// The answer that is shown when a word of this message is sought; 0: there is none.
qint64 Inspector::answerTo(qint64 message) const {
    const MessageRow* row = parts_.panes->active()->messages()->find(message);
    if (!row || row->role != engine::Role::User) return message;
    if (questionOf(messageId()) == row) return messageId();
    for (const qint64 answer : answersOfChat())
        if (questionOf(answer) == row) return answer;
    return 0;
}

std::vector<qint64> Inspector::answersOfChat() const {
    std::vector<qint64> answers;
    for (const MessageRow& row : parts_.panes->active()->messages()->rows())
        if (row.role == engine::Role::Assistant) answers.push_back(row.id);
    return answers;
}

/// Those that are being written have no record yet.
void Inspector::findAnswersOfChat() {
    for (const MessageRow& row : parts_.panes->active()->messages()->rows())
        if (row.role == engine::Role::Assistant && row.state != MessageState::Streaming) finder_.want(row.id);
}

/// The answer of whose model the answers of the chat are added up: the shown one, or the latest one with a record if
/// the shown one has none. Nothing if no answer has one that counts.
const MessageRow* Inspector::countedRow() const {
    if (shown_.hasPositions()) return row();
    const std::vector<MessageRow>& rows = parts_.panes->active()->messages()->rows();
    const auto latest = std::find_if(rows.rbegin(), rows.rend(), [this](const MessageRow& row) {
        const auto answer = row.role == engine::Role::Assistant ? finder_.found(row) : nullptr;
        return answer && !answer->empty() && !answer->unreported() && !answer->dense();
    });
    return latest == rows.rend() ? nullptr : &*latest;
}

/// The answers of the chat in view that can be added up: those of one model. Another one may have as many experts,
/// which have other tasks.
std::vector<std::shared_ptr<TracedAnswer>> Inspector::foundAnswers() const {
    const MessageRow* first = countedRow();
    std::vector<std::shared_ptr<TracedAnswer>> answers;
    if (!first) return answers;
    const auto recordOf = [this](const MessageRow& row) {
        return row.id == messageId() && shown_.hasPositions() ? shown_.record() : finder_.found(row);
    };
    const std::vector<int64_t> experts = recordOf(*first)->expertsOfLayer();
    const QString model = first->id == messageId() ? writer() : first->model;
    for (const MessageRow& row : parts_.panes->active()->messages()->rows()) {
        if (row.role != engine::Role::Assistant) continue;
        const auto answer = recordOf(row);
        const bool fits = answer && !answer->unreported() && answer->expertsOfLayer() == experts;
        if (fits && (row.id == first->id || row.model == model)) answers.push_back(answer);
    }
    return answers;
}

ActivityGrid::ChatAnswers Inspector::chatAnswers() const {
    const std::vector<qint64> all = answersOfChat();
    ActivityGrid::ChatAnswers chat{.records = foundAnswers(),
                                   .all = static_cast<int>(all.size()),
                                   .moreBefore = parts_.panes->active()->moreBefore()};
    chat.finding = std::any_of(all.begin(), all.end(), [this](qint64 message) {
        return finder_.state(message) == RecordFinder::State::Finding;
    });
    const MessageRow* counted = countedRow();
    if (counted && counted->id != messageId()) chat.model = counted->model;
    return chat;
}

AnswerComparison::Before Inspector::answerBefore() const {
    const std::vector<qint64> answers = answersOfChat();
    const auto at = std::find(answers.begin(), answers.end(), messageId());
    if (at == answers.begin()) {
        const bool above = !answers.empty() && parts_.panes->active()->moreBefore();
        return {.exists = above, .above = above};
    }
    if (at == answers.end()) return {.exists = true};
    const qint64 before = *std::prev(at);
    const RecordFinder::State state = finder_.state(before);
    const bool missing = state == RecordFinder::State::Missing || state == RecordFinder::State::Unreadable;
    const MessageRow* row = parts_.panes->active()->messages()->find(before);
    const auto record = row ? finder_.found(*row) : nullptr;
    if (missing || (record && (record->empty() || record->unreported()))) return {.exists = true, .missing = true};
    return {.exists = true, .record = record};
}

qint64 Inspector::wantedMessage() const {
    const std::vector<qint64> answers = answersOfChat();
    if (std::find(answers.begin(), answers.end(), chosen_) != answers.end()) return chosen_;
    return lastAnswer();
}

qint64 Inspector::lastAnswer() const {
    const std::vector<qint64> answers = answersOfChat();
    return answers.empty() ? 0 : answers.back();
}

/// An answer that begins in the chat in view is shown once, whatever was chosen before: its user waits for it.
void Inspector::followNewAnswer() {
    const auto job = parts_.answers->progress(chat_);
    const qint64 last = lastAnswer();
    if (!job || job->message != last || last == followed_) return;
    followed_ = last;
    chosen_ = 0;
}

void Inspector::showMessage(qint64 message) {
    chosen_ = message;
    followed_ = lastAnswer();
    refresh();
}

void Inspector::showToken(qint64 message, int token) {
    if (token >= 0) seek({.message = message, .token = token});
}

void Inspector::showCharacter(qint64 message, int block, int offset) {
    seek({.message = message, .character = {.block = block, .offset = offset}});
}

void Inspector::seek(const Sought& sought) {
    const qint64 answer = answerTo(sought.message);
    if (!enabled_ || answer == 0) return;
    sought_ = sought;
    if (answer != messageId())
        showMessage(answer);
    else
        showSought();
}

/// Goes to the token that is sought, unless the record is still being read or another answer is shown.
void Inspector::showSought() {
    if (!sought_ || condition_ == Finding) return;
    const Sought sought = *std::exchange(sought_, std::nullopt);
    if (!shown_.record() || answerTo(sought.message) != messageId()) return;
    const TextDocument* document = parts_.panes->active()->messages()->document(sought.message);
    const int token = sought.token < 0 && document ? document->tokenAt(sought.character) : sought.token;
    if (token < 0) return;
    showRoutes();
    const bool inAnswer = sought.message == messageId();
    timeline_.moveTo((inAnswer ? timeline_.answerBegins() : shown_.record()->questionBegins()) + token);
}

void Inspector::onModelChanged() {
    if (!enabled_) return;
    const engine::ModelInfo* model = openModel();
    finder_.setExpertsOfLayer(model ? model->expertsOfLayer : std::vector<int64_t>{});
    refresh();
    leaveCountsOfLayers();
    charts_.computeForRoom();
    Q_EMIT conditionChanged(); // its words depend on whether the open model has experts
}

/// Finds out which answer is to be shown, and shows it if it is another one or was reset.
void Inspector::refresh() {
    if (!enabled_) return;
    const qint64 chat = parts_.panes->active()->chatId();
    const bool another = chat != chat_;
    if (another) {
        chat_ = chat;
        chosen_ = 0;
        finder_.clear();
    }
    followNewAnswer();
    const qint64 wanted = wantedMessage();
    if (wanted != messageId()) {
        shown_.setMessage(wanted);
        unreported_ = false;
        show(nullptr, Nothing, false);
        Q_EMIT messageChanged();
    }
    if (another) comparison_.setAgainst(AnswerComparison::None);
    // The chat may be another one, or have other messages.
    if (grid_.mode() == ActivityGrid::Chat || comparison_.against() == AnswerComparison::Previous) findAnswersOfChat();
    showRecord();
}

/// Shows what is known of the record of the message, and what is sought in it.
void Inspector::showRecord() {
    readRecord();
    showSought();
}

void Inspector::readRecord() {
    const qint64 message = messageId();
    if (message == 0) return show(nullptr, openModel() ? Nothing : NoModel, false);
    if (const AnswerRecord* record = parts_.answers->record(message)) {
        if (live() && unreported_) return; // reading it again for each token would bring nothing
        if (live() && shown_.record() && shown_.record()->trace() == record->trace) return onRecordGrew(message);
        return showRead(traced(*record), true);
    }
    // An answer that begins has no record yet: it would be called one without a record for a moment.
    if (begins() && finder_.state(message) != RecordFinder::State::Found) return show(nullptr, Nothing, true);
    finder_.want(message);
    switch (finder_.state(message)) {
    case RecordFinder::State::Found:
        return showRead(row() ? finder_.found(*row()) : finder_.found(message), false);
    case RecordFinder::State::Missing:
        unreported_ = false;
        return show(nullptr, NotTraced, false);
    case RecordFinder::State::Unreadable:
        return show(nullptr, Unreadable, false);
    case RecordFinder::State::Finding:
    case RecordFinder::State::Unknown:
        return show(nullptr, Finding, false);
    }
}

std::shared_ptr<TracedAnswer> Inspector::traced(const AnswerRecord& record) const {
    const engine::ModelInfo* model = openModel();
    return std::make_shared<TracedAnswer>(record, model ? model->expertsOfLayer : std::vector<int64_t>{});
}

/// Whether the answer waits for its turn, or its prompt is being read.
bool Inspector::begins() const {
    const auto job = parts_.answers->progress(chat_);
    return job && job->message == messageId() &&
           (job->state == AnswerQueue::Waiting || job->state == AnswerQueue::Reading);
}

/// Shows a record, if it says anything.
void Inspector::showRead(std::shared_ptr<TracedAnswer> record, bool live) {
    unreported_ = record->unreported();
    if (unreported_) return show(nullptr, NotTraced, live);
    const Condition empty = live ? Nothing : NotTraced; // while it is written, its first token is still to come
    show(record, record->empty() ? empty : Ready, live);
}

void Inspector::show(std::shared_ptr<TracedAnswer> record, Condition condition, bool live) {
    const bool same = record == shown_.record() && condition == condition_ && live == shown_.live();
    const bool wasLive = shown_.live();
    shown_.setRecord(std::move(record), live);
    condition_ = condition;
    if (!same) {
        tokens_.restart();
        grid_.deselect();
        charts_.restart();
        timeline_.restart();
    }
    charts_.computeMissing();
    startSampling();
    attachTexts();
    if (shown_.record()) tokens_.grow(0);
    drawGrid();
    tokens_.drawText();
    if (same) return refreshTexts();
    // While an answer is written, its routes are shown: the whole answer says more when it has ended, see onRecorded().
    if (live && !wasLive && grid_.mode() == ActivityGrid::Reply) grid_.setMode(ActivityGrid::Now);
    leaveCountsOfLayers();
    if (dense()) tokens_.dropExpertMeasure();
    Q_EMIT conditionChanged();
    refreshTexts();
    timeline_.refreshPosition();
    tokens_.drawStrip();
    tokens_.refreshTexts();
}

/// Takes the change over in the pass of the event loop that shows the new words, so that one picture of the window
/// shows both. Changes that come sooner wait for the next one.
void Inspector::onRecordGrew(qint64 message) {
    if (!enabled_ || message != messageId() || !live() || !shown_.record()) return;
    grown_ = true;
    if (sampled_.isValid() && !sampled_.hasExpired(kGrowthMs)) return;
    sampling_.start();
    sample();
}

/// Links the texts of the answer and of its question, if there is a record.
void Inspector::attachTexts() {
    if (!shown_.record()) return tokens_.attach(nullptr);
    const MessageModel& messages = *parts_.panes->active()->messages();
    const MessageRow* question = questionOf(messageId());
    tokens_.attach(messages.document(messageId()), question ? messages.document(question->id) : nullptr);
}

/// An answer has ended. Its record is complete now, whether it is shown or not.
void Inspector::onRecorded(const AnswerRecord& record) {
    finder_.forget(record.message);
    if (!enabled_) return;
    // The answer that was shown while it was written has been read already, unless its log has lost its beginning.
    const auto& shown = shown_.record();
    const bool read = live() && shown && shown->trace() == record.trace && shown->token(shown->first());
    const auto answer = read ? shown : traced(record);
    answer->update(record);
    finder_.put(answer);
    if (record.message != messageId()) {
        drawGrid();
        charts_.computeMissing(); // they may be about the chat
        return refreshTexts();
    }
    const bool following = timeline_.following();
    const int position = timeline_.chosen();
    const int layer = grid_.selectedLayer(), expert = grid_.selectedExpert();
    showRead(answer, false);
    if (!shown_.record()) return;
    if (!following) timeline_.moveTo(position);
    if (following && grid_.mode() == ActivityGrid::Now && !answer->dense()) grid_.setMode(ActivityGrid::Reply);
    if (layer >= 0) grid_.select(layer, expert);
}

// ------------------------------------------------------------------------------------------------ growth and drawing

void Inspector::startSampling() {
    const bool store = grid_.mode() == ActivityGrid::Store;
    if (!enabled_ || (!live() && !store)) return sampling_.stop();
    const bool busy = live() || parts_.panes->active()->busy();
    sampling_.start(!store ? kLateMs : busy ? kSampleMs : kRestingMs);
}

void Inspector::sample() {
    sampled_.start();
    const bool store = grid_.mode() == ActivityGrid::Store, grows = grown_ && live();
    grown_ = false;
    if (grows)
        takeGrowth();
    else if (store)
        drawGrid();
    stale_ = stale_ || grows || store;
    if (stale_ && (!refreshed_.isValid() || refreshed_.hasExpired(kRefreshMs))) refreshPosition();
}

/// Takes over what the record has more. The grid follows at once; words and figures follow once a second,
/// because nobody can read them faster, and laying texts out costs the engine more than the picture does.
void Inspector::takeGrowth() {
    const AnswerRecord* record = parts_.answers->record(messageId());
    if (!record) return;
    shown_.record()->update(*record);
    if (shown_.record()->unreported()) return showRead(shown_.record(), true);
    const size_t kept = shown_.ranges().settled();
    shown_.growRanges();
    tokens_.grow(kept);
    if (condition_ != Ready && shown_.hasPositions()) {
        condition_ = Ready;
        Q_EMIT conditionChanged();
    }
    const int before = timeline_.position();
    timeline_.grow(); // draws the grid if the position moves
    if (timeline_.position() == before || grid_.mode() != ActivityGrid::Now) drawGrid();
}

void Inspector::drawGrid() {
    if (enabled_) grid_.draw();
}

/// Shows everything that depends on the position, except the grid.
void Inspector::refreshPosition() {
    refreshed_.start();
    stale_ = false;
    timeline_.refreshPosition();
    tokens_.drawText();
    tokens_.drawStrip();
    refreshTexts();
    tokens_.refreshTexts();
}

void Inspector::refreshTexts() {
    comparison_.refresh();
    timeline_.refreshText();
    grid_.refreshText();
    charts_.refreshFigures();
    Q_EMIT answerHeadingChanged();
}

void Inspector::onModeChanged() {
    startSampling();
    if (grid_.mode() == ActivityGrid::Chat) findAnswersOfChat();
    drawGrid();
    refreshTexts();
    charts_.setOfChat(grid_.mode() == ActivityGrid::Chat);
}

/// The counts of a model without experts say nothing: every token uses every layer.
void Inspector::leaveCountsOfLayers() {
    if (dense() && (grid_.mode() == ActivityGrid::Reply || grid_.mode() == ActivityGrid::Chat))
        grid_.setMode(ActivityGrid::Now);
}

/// The grid shows the route of the token at the position.
void Inspector::showRoutes() {
    grid_.setMode(ActivityGrid::Now);
    comparison_.setAgainst(AnswerComparison::None);
}

// ------------------------------------------------------------------------------------------------ facts and sentences

/// Whether it is about a model without experts: the answer's, or else the open one.
bool Inspector::dense() const {
    if (shown_.hasPositions()) return shown_.record()->dense();
    const engine::ModelInfo* model = openModel();
    return model && model->experts == 0;
}

QString Inspector::writer() const {
    if (live()) return parts_.models->name();
    const MessageRow* shown = row();
    return shown ? shown->model : QString();
}

bool Inspector::ofOpenModel() const {
    const engine::ModelInfo* model = openModel();
    if (!model || !shown_.record() || model->expertsOfLayer != shown_.record()->expertsOfLayer()) return false;
    const QString name = writer();
    return name.isEmpty() || name == parts_.models->name();
}

std::optional<ActivityGrid::OpenModel> Inspector::placesOfModel() const {
    const engine::ModelInfo* model = openModel();
    if (!model) return std::nullopt;
    return ActivityGrid::OpenModel{.expertsOfLayer = model->expertsOfLayer,
                                   .places = parts_.worker->expertStates(),
                                   .dense = model->experts == 0,
                                   .name = parts_.models->name(),
                                   .strange = shown_.record() && !ofOpenModel()};
}

std::optional<AnswerCharts::OpenModel> Inspector::factsOfModel() const {
    const engine::ModelInfo* model = openModel();
    if (!model) return std::nullopt;
    const Conversation& chat = *parts_.panes->active();
    return AnswerCharts::OpenModel{.name = parts_.models->name(),
                                   .facts = {.budget = static_cast<double>(model->memory.budget),
                                             .contextUsed = static_cast<double>(chat.contextUsed()),
                                             .contextSize = static_cast<double>(chat.contextSize())}};
}

/// The room for experts that the open model has, if it wrote the answer.
FigureRequest Inspector::room() const {
    if (!ofOpenModel() || shown_.record()->dense()) return {};
    const engine::MemoryPlan& memory = openModel()->memory;
    return {.slots = memory.slots,
            .slotBytes = memory.meanSlotBytes(),
            .budget = memory.budget,
            .machine = engine::readMemory().total};
}

/// The figures of an answer that the engine counted itself. The trace alone does not have them: for it, an expert that
/// is arriving because it was prefetched is a hit, and here it counts as from disk.
AnswerFacts Inspector::counted() const {
    AnswerFacts facts;
    if (ofOpenModel()) facts.headRowsPossible = static_cast<double>(openModel()->vocabulary);
    if (live()) {
        if (const double speed = parts_.panes->active()->tokensPerSecond(); speed > 0) facts.tokensPerSecond = speed;
        const auto counts = parts_.answers->counts(messageId());
        if (!counts || counts->asked() == 0) return facts;
        facts.fromMemory = shareFromMemory(counts->asked(), counts->fromDisk());
        if (counts->fromDisk() == 0) return facts;
        facts.diskBytes = static_cast<double>(counts->bytesRead);
        facts.waitSeconds = counts->waitSeconds;
        return facts;
    }
    const MessageRow* shown = row();
    if (!shown) return facts;
    facts.tokens = shown->statistics.tokens;
    facts.tokensPerSecond = shown->statistics.tokensPerSecond;
    facts.diskBytes = shown->statistics.diskBytes;
    if (shown->statistics.expertsFromDisk > 0) {
        facts.fromMemory = 1 - shown->statistics.expertsFromDisk;
        facts.waitSeconds = shown->statistics.waitSeconds;
    }
    return facts;
}

QString Inspector::notTracedText() const {
    if (unreported_)
        return dense() ? tr("There is nothing to show of this answer: the device that computed it does not report "
                            "what the layers did.")
                       : tr("There is nothing to show of this answer: the device that computed it does not report "
                            "what the experts did.");
    const MessageRow* shown = row();
    if (shown && shown->parts.empty())
        return tr("This answer has no record, because it ended before the model wrote anything.");
    // An answer from before the setting was changed may have lost its record for another reason.
    if (!parts_.settings->tracesKept())
        return tr("This answer has no record, and records are not kept now. The settings can change that.");
    // A program that ends in the middle of an answer leaves it stopped, and its record is lost.
    if (shown && shown->state == MessageState::Stopped)
        return tr("This answer has no record: the program ended before it was kept, somebody edited the answer, it was "
                  "written while records were not kept, it was copied from another chat or a file, or its record was "
                  "removed to make room.");
    return tr("This answer has no record: somebody edited it, it was written while records were not kept, it was "
              "copied from another chat or a file, or its record was removed to make room.");
}

QString Inspector::conditionText() const {
    switch (condition_) {
    case NoModel:
        if (parts_.models->state() == ModelController::Opening)
            return tr("A model is being opened. When it answers, watch here what it does.");
        return tr("No model is open. Open one, and watch here what it does while it answers.");
    case Nothing:
        if (live()) {
            const auto job = parts_.answers->progress(chat_);
            return job && job->state == AnswerQueue::Waiting ? tr("This answer waits for the one before it.")
                                                             : tr("The prompt is being read.");
        }
        return dense() ? tr("There is no answer yet. Send a message, and watch here what the layers do.")
                       : tr("There is no answer yet. Send a message, and watch here what the experts do.");
    case Finding:
        return tr("The record of this answer is being read.");
    case NotTraced:
        return notTracedText();
    case Unreadable: {
        const ErrorInfo error = finder_.error(messageId());
        return QStringList{error.what, error.why, error.action}.join(tr(". ")) + tr(".");
    }
    case Ready:
        break;
    }
    return {};
}

QString Inspector::answerHeading() const {
    if (messageId() == 0) return {};
    const QString name = writer();
    return name.isEmpty() ? tr("This answer") : tr("This answer, by %1").arg(isolatedName(name));
}

QString Inspector::news() {
    if (!enabled_) return tr("The model's activity is not shown.");
    if (!shown_.record()) return conditionText();
    QStringList said;
    const int tokens = static_cast<int>(shown_.record()->tokens().size());
    if (newsMessage_ != 0 && newsMessage_ != messageId()) said.append(tr("This is another answer."));
    if (newsMessage_ == messageId() && tokens > newsTokens_)
        said.append(tr("%Ln more token(s) since you asked.", nullptr, tokens - newsTokens_));
    newsMessage_ = messageId();
    newsTokens_ = tokens;
    said += {timeline_.text(), grid_.text(), charts_.sentence()};
    said.removeAll(QString());
    return said.join(QLatin1Char(' '));
}

} // namespace coterie::app
