// SPDX-License-Identifier: Apache-2.0
// The inspector's state: which answer is shown, and what follows when something changes. inspector_view.cpp has what
// the views read.
#include "inspector/inspector.h"

#include "base/memory.h"
#include "inspector/inspector_texts.h"
#include "models/model_controller.h"
#include "settings/settings.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

constexpr int kSampleMs = 66;   // the store, while an answer is written: 15 Hz
constexpr int kGrowthMs = 60;   // the answer: with every second change of its text, which come every 33 ms
constexpr int kLateMs = 100;    // its last change, which no other one follows
constexpr int kRestingMs = 250; // the store, while no answer is written
constexpr int kTellMs = 1000;   // words and figures, while an answer is written

} // namespace

Inspector::Inspector(const InspectorParts& parts, QObject* parent)
    : QObject(parent), parts_(parts), shown_([this] {
          const MessageRow* row = parts_.panes->active()->messages()->find(messageId());
          return row ? &row->parts : nullptr;
      }),
      finder_(parts.keeper), timeline_(shown_), comparison_(shown_, [this] { return answerBefore(); }),
      grid_(shown_, gridSources()), tokens_(shown_, tokenSources()) {
    connectParts();
    connectObjects();
}

Inspector::~Inspector() {
    ++wantedFigures_;
    computing_.finish();
}

ActivityGrid::Sources Inspector::gridSources() {
    return {.token =
                [this] {
                    return ActivityGrid::Token{timeline_.position(), timeline_.following()};
                },
            .compared = [this] { return comparison_.run(); },
            .chat =
                [this] {
                    return ActivityGrid::ChatAnswers{.records = foundAnswers(),
                                                     .all = static_cast<int>(answersOfChat().size()),
                                                     .moreBefore = parts_.panes->active()->moreBefore()};
                },
            .model = [this] { return placesOfModel(); }};
}

AnswerTokens::Sources Inspector::tokenSources() {
    return {.position = [this] { return timeline_.position(); },
            .following = [this] { return timeline_.following(); },
            .dense = [this] { return dense(); },
            .nameOf = [this](engine::TokenId id) { return ofOpenModel() ? parts_.worker->tokenText(id) : QString(); }};
}

void Inspector::connectParts() {
    const auto refreshes = [this] { refresh(); };
    for (Conversation* conversation : {parts_.panes->first(), parts_.panes->second()}) {
        connect(conversation, &Conversation::chatChanged, this, refreshes);
        connect(conversation->messages(), &QAbstractItemModel::modelReset, this, refreshes);
        connect(conversation->messages(), &QAbstractItemModel::rowsInserted, this, refreshes);
        connect(conversation->messages(), &QAbstractItemModel::rowsRemoved, this, refreshes);
        // The tokens of a chat that was opened are counted later. While an answer is written, tellTexts() tells them.
        connect(conversation, &Conversation::telemetryChanged, this, [this] {
            if (enabled_ && !live()) Q_EMIT modelFiguresChanged();
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
    connect(parts_.models, &ModelController::modelChanged, this, &Inspector::onModelChanged);
    connect(parts_.models, &ModelController::stateChanged, this, &Inspector::onModelChanged);
    connect(&finder_, &RecordFinder::changed, this, [this](qint64 message) {
        if (!enabled_) return;
        if (message == messageId()) return showRecord();
        drawGrid();
        tellTexts();
        if (chartsOfChat_) computeCharts();
    });
}

/// One object learns here of what another one does. These connections come before those of views.
void Inspector::connectObjects() {
    connect(&sampling_, &QTimer::timeout, this, &Inspector::sample);
    connect(&timeline_, &AnswerTimeline::moved, this, [this] {
        if (grid_.mode() == ActivityGrid::Now) drawGrid();
        if (!live() || !timeline_.following()) tellPosition(); // else sample() does so, once a second
    });
    connect(&timeline_, &AnswerTimeline::followed, this, &Inspector::tellPosition);
    connect(&timeline_, &AnswerTimeline::aboutToMove, this, [this] {
        // A position is one token: its route says more about it than the counts of the whole answer.
        if (grid_.mode() == ActivityGrid::Reply && comparison_.against() == AnswerComparison::None)
            grid_.setMode(ActivityGrid::Now);
    });
    connect(&timeline_, &AnswerTimeline::aboutToPlay, this, &Inspector::showRoutes);
    connect(&comparison_, &AnswerComparison::againstChanged, this, [this] {
        if (comparison_.against() == AnswerComparison::Previous) findAnswersOfChat();
        drawGrid();
        tellTexts();
    });
    connect(&grid_, &ActivityGrid::modeChanged, this, &Inspector::onModeChanged);
    connect(&grid_, &ActivityGrid::selectionChanged, this,
            [this] { tokens_.setSelected(grid_.selectedLayer(), grid_.selectedExpert()); });
    connect(&tokens_, &AnswerTokens::measureChanged, this, &Inspector::setDetailed);
}

void Inspector::setEnabled(bool enabled) {
    if (enabled == enabled_) return;
    enabled_ = enabled;
    parts_.answers->setWatched(enabled);
    setDetailed();
    timeline_.setEnabled(enabled);
    tokens_.setEnabled(enabled);
    if (enabled) {
        onModelChanged();
        tellPosition(); // views that were not told of changes meanwhile
    } else {
        sampling_.stop();
        stopCharts();
    }
    Q_EMIT enabledChanged();
}

/// Answers that begin now record probabilities only if their tokens are coloured by them.
void Inspector::setDetailed() {
    const TokenMeasure measure = tokens_.measure();
    parts_.answers->setDetailed(enabled_ && (measure == TokenMeasure::Probability || measure == TokenMeasure::Entropy));
}

const engine::ModelInfo* Inspector::openModel() const { return parts_.models->openInfo(); }

void Inspector::onModelChanged() {
    if (!enabled_) return;
    const engine::ModelInfo* model = openModel();
    finder_.setExpertsOfLayer(model ? model->expertsOfLayer : std::vector<int64_t>{});
    refresh();
    if (const FigureRequest now = withRoom({}); now.slots != charted_.slots || now.budget != charted_.budget)
        computeCharts();
    Q_EMIT conditionChanged(); // its words depend on whether the open model has experts
}

std::vector<qint64> Inspector::answersOfChat() const {
    std::vector<qint64> answers;
    for (const MessageRow& row : parts_.panes->active()->messages()->rows())
        if (row.role == engine::Role::Assistant) answers.push_back(row.id);
    return answers;
}

void Inspector::findAnswersOfChat() {
    for (const qint64 message : answersOfChat()) finder_.want(message);
}

qint64 Inspector::wantedMessage() const {
    const std::vector<qint64> answers = answersOfChat();
    if (std::find(answers.begin(), answers.end(), chosen_) != answers.end()) return chosen_;
    return answers.empty() ? 0 : answers.back();
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
    const qint64 wanted = wantedMessage();
    if (wanted != messageId()) {
        shown_.setMessage(wanted);
        show(nullptr, Nothing, false);
        Q_EMIT messageChanged();
    }
    if (another) comparison_.setAgainst(AnswerComparison::None);
    showRecord();
}

/// Shows what is known of the record of messageId().
void Inspector::showRecord() {
    if (messageId() == 0) return show(nullptr, openModel() ? Nothing : NoModel, false);
    if (const AnswerRecord* record = parts_.answers->record(messageId())) {
        if (live() && shown_.record() && shown_.record()->trace() == record->trace) return onRecordGrew(messageId());
        const engine::ModelInfo* model = openModel();
        auto answer = std::make_shared<TracedAnswer>(*record, model ? model->expertsOfLayer : std::vector<int64_t>{});
        return show(answer, answer->empty() ? Nothing : Ready, true);
    }
    // An answer that begins has no record yet: it would be called one without a record for a moment.
    if (begins() && finder_.state(messageId()) != RecordFinder::State::Found) return show(nullptr, Nothing, true);
    finder_.want(messageId());
    switch (finder_.state(messageId())) {
    case RecordFinder::State::Found:
        return show(finder_.found(messageId()), Ready, false);
    case RecordFinder::State::Missing:
        return show(nullptr, NotTraced, false);
    case RecordFinder::State::Unreadable:
        return show(nullptr, Unreadable, false);
    case RecordFinder::State::Finding:
    case RecordFinder::State::Unknown:
        return show(nullptr, Finding, false);
    }
}

/// Whether the answer waits for its turn, or its prompt is being read.
bool Inspector::begins() const {
    const auto job = parts_.answers->progress(chat_);
    return job && job->message == messageId() &&
           (job->state == AnswerQueue::Waiting || job->state == AnswerQueue::Reading);
}

void Inspector::show(std::shared_ptr<TracedAnswer> answer, Condition condition, bool live) {
    const bool same = answer == shown_.record() && condition == condition_ && live == shown_.live();
    const bool wasLive = shown_.live();
    shown_.setRecord(std::move(answer), live);
    condition_ = condition;
    if (!same) {
        tokens_.restart();
        grid_.deselect();
        stopCharts();
        chartsAsked_ = false;
        figures_ = {};
        timeline_.restart();
    }
    if (!chartsAsked_) computeCharts();
    startSampling();
    tokens_.attach(shown_.record() ? parts_.panes->active()->messages()->document(messageId()) : nullptr);
    if (shown_.record()) tokens_.grow(0);
    drawGrid();
    tokens_.drawText();
    if (same) return tellTexts();
    // While an answer is written, its routes are shown: the whole answer says more when it has ended, see onRecorded().
    // The counts of a model without experts say nothing: every token uses every layer.
    const bool reply = grid_.mode() == ActivityGrid::Reply, counts = reply || grid_.mode() == ActivityGrid::Chat;
    if ((live && !wasLive && reply) || (counts && shown_.record() && shown_.record()->dense()))
        grid_.setMode(ActivityGrid::Now);
    if (dense()) tokens_.dropExpertMeasure();
    Q_EMIT conditionChanged();
    tellTexts();
    timeline_.refreshPosition();
    tokens_.drawStrip();
    tokens_.refreshTexts();
    Q_EMIT chartsChanged();
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

/// An answer has ended. Its record is complete now, whether it is shown or not.
void Inspector::onRecorded(const AnswerRecord& record) {
    finder_.forget(record.message);
    if (!enabled_) return;
    const engine::ModelInfo* model = openModel();
    // The answer that was shown while it was written has been read already, unless its log has lost its beginning.
    const bool read = live() && shown_.record() && shown_.record()->trace() == record.trace &&
                      shown_.record()->token(shown_.record()->first());
    const auto answer =
        read ? shown_.record()
             : std::make_shared<TracedAnswer>(record, model ? model->expertsOfLayer : std::vector<int64_t>{});
    answer->update(record);
    finder_.put(answer);
    if (record.message != messageId()) {
        drawGrid();
        return tellTexts();
    }
    const bool following = timeline_.following();
    const int position = timeline_.chosen();
    const int layer = grid_.selectedLayer(), expert = grid_.selectedExpert();
    show(answer, answer->empty() ? NotTraced : Ready, false);
    if (!following) timeline_.moveTo(position);
    if (following && grid_.mode() == ActivityGrid::Now && !answer->dense()) grid_.setMode(ActivityGrid::Reply);
    if (layer >= 0) grid_.select(layer, expert);
}

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
        tellGrowth();
    else if (store)
        drawGrid();
    untold_ = untold_ || grows || store;
    if (untold_ && (!told_.isValid() || told_.hasExpired(kTellMs))) tellPosition();
}

/// Takes over what the record has more. The grid follows at once; words and figures follow once a second,
/// because nobody can read them faster, and laying texts out costs the engine more than the picture does.
void Inspector::tellGrowth() {
    const AnswerRecord* record = parts_.answers->record(messageId());
    if (!record) return;
    shown_.record()->update(*record);
    const size_t kept = shown_.ranges().settled();
    shown_.growRanges();
    tokens_.grow(kept);
    if (condition_ != Ready && !shown_.record()->empty()) {
        condition_ = Ready;
        Q_EMIT conditionChanged();
    }
    const int before = timeline_.position();
    timeline_.grow(); // draws the grid if the position moves
    if (timeline_.position() == before || grid_.mode() != ActivityGrid::Now) drawGrid();
}

/// Tells everything that depends on the position, except the grid.
void Inspector::tellPosition() {
    told_.start();
    untold_ = false;
    timeline_.refreshPosition();
    tokens_.drawText();
    tokens_.drawStrip();
    tellTexts();
    tokens_.refreshTexts();
}

void Inspector::tellTexts() {
    figureRows_.reset();
    comparison_.refresh();
    timeline_.refreshText();
    grid_.refreshText();
    Q_EMIT textsChanged();
    Q_EMIT modelFiguresChanged();
}

void Inspector::drawGrid() {
    if (enabled_) grid_.draw();
}

void Inspector::onModeChanged() {
    const bool ofChat = grid_.mode() == ActivityGrid::Chat;
    startSampling();
    if (ofChat) findAnswersOfChat();
    drawGrid();
    tellTexts();
    if (ofChat == chartsOfChat_) return;
    chartsOfChat_ = ofChat;
    computeCharts();
}

/// The grid shows the route of the token at the position.
void Inspector::showRoutes() {
    grid_.setMode(ActivityGrid::Now);
    comparison_.setAgainst(AnswerComparison::None);
}

void Inspector::showToken(qint64 message, int token) {
    if (!enabled_ || token < 0) return;
    if (message != messageId()) showMessage(message);
    if (!shown_.record() || message != messageId()) return;
    showRoutes();
    timeline_.moveTo(timeline_.answerBegins() + token);
}

void Inspector::showMessage(qint64 message) {
    chosen_ = message;
    refresh();
}

/// Adds the room for experts that the open model has, if it wrote the answer.
FigureRequest Inspector::withRoom(FigureRequest request) const {
    if (!ofOpenModel() || shown_.record()->dense()) return request;
    const engine::ModelInfo* model = openModel();
    request.slots = model->memory.slots;
    request.slotBytes = model->memory.slotBytes;
    request.budget = model->memory.budget;
    request.machine = engine::readMemory().total;
    return request;
}

void Inspector::computeCharts() {
    stopCharts();
    chartsAsked_ = false;
    if (!enabled_ || !shown_.record() || live()) return;
    chartsAsked_ = true;
    chartsThere_ = false;
    const quint64 number = ++wantedFigures_;
    charted_ = withRoom({});
    FigureRequest request = charted_;
    request.expertsOfLayer = shown_.record()->expertsOfLayer();
    for (const auto& answer : measuredAnswers()) request.traces.push_back(answer->trace());
    computing_.push([this, number, request] {
        const InspectorFigures figures = computeFigures(request, [this, number] { return number != wantedFigures_; });
        toGui_.push([this, number, figures] {
            if (number != wantedFigures_) return;
            chartsThere_ = true;
            figures_ = figures;
            Q_EMIT chartsChanged();
        });
    });
}

/// Ends the computation of charts, if one is under way: it would take a core from the engine.
void Inspector::stopCharts() {
    ++wantedFigures_;
    chartsAsked_ = chartsAsked_ && chartsThere_;
}

void Inspector::applyBetterBudget() {
    if (figures_.betterBudget <= 0) return;
    parts_.settings->memoryBudget = figures_.betterBudget;
    parts_.models->reopen();
}

} // namespace coterie::app
