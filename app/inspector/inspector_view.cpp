// SPDX-License-Identifier: Apache-2.0
// The data that the views of the inspector read: the grid's content, sentences, figures and the strip.
// inspector_files.cpp writes files.
#include "inspector/inspector.h"
#include "inspector/inspector_texts.h"

#include "common/isolated_name.h"
#include "common/units.h"
#include "models/expert_rates.h"
#include "models/model_controller.h"
#include "settings/settings.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLocale>

#include <algorithm>

namespace coterie::app {
QString Inspector::conditionText() const {
    switch (condition_) {
    case NoModel:
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
        return parts_.settings->tracesKept()
                   ? tr("This answer has no record: somebody edited it, it was written before records were kept, or "
                        "its "
                        "record was removed to make room.")
                   : tr("This answer has no record, because records are not kept. The settings can change that.");
    case Unreadable: {
        const ErrorInfo error = finder_.error(messageId());
        return QStringList{error.what, error.why, error.action}.join(tr(". ")) + tr(".");
    }
    case Ready:
        break;
    }
    return {};
}

// ------------------------------------------------------------------------------------------------ the grid

/// Whether it is about a model without experts: the answer's, or else the open one.
bool Inspector::dense() const {
    if (shown_.hasPositions()) return shown_.record()->dense();
    const engine::ModelInfo* model = openModel();
    return model && model->experts == 0;
}

/// The answers of the chat in view that can be added up with the shown one.
std::vector<std::shared_ptr<TracedAnswer>> Inspector::foundAnswers() const {
    std::vector<std::shared_ptr<TracedAnswer>> answers;
    for (const qint64 message : answersOfChat()) {
        const auto answer = message == messageId() ? shown_.record() : finder_.found(message);
        if (answer && answer->expertsOfLayer() == shown_.record()->expertsOfLayer()) answers.push_back(answer);
    }
    return answers;
}

/// The answers that the charts are about.
std::vector<std::shared_ptr<TracedAnswer>> Inspector::measuredAnswers() const {
    return chartsOfChat_ ? foundAnswers() : std::vector{shown_.record()};
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

AnswerComparison::Before Inspector::answerBefore() const {
    const std::vector<qint64> answers = answersOfChat();
    const auto at = std::find(answers.begin(), answers.end(), messageId());
    if (at == answers.begin() || at == answers.end()) return {.exists = !answers.empty() && at == answers.end()};
    return {.exists = true, .record = finder_.found(*std::prev(at))};
}

// ------------------------------------------------------------------------------------------------ sentences

/// Returns the name of the model that wrote the answer, or writes it; empty if it is not known.
QString Inspector::writer() const {
    if (live()) return parts_.models->name();
    const MessageRow* row = parts_.panes->active()->messages()->find(messageId());
    return row ? row->model : QString();
}

/// Whether the open model wrote the answer, as far as its name and its shape tell.
bool Inspector::ofOpenModel() const {
    const engine::ModelInfo* model = openModel();
    if (!model || !shown_.record() || model->expertsOfLayer != shown_.record()->expertsOfLayer()) return false;
    const QString name = writer();
    return name.isEmpty() || name == parts_.models->name();
}

QString Inspector::answerHeading() const {
    if (messageId() == 0) return {};
    const QString name = writer();
    return name.isEmpty() ? tr("This answer") : tr("This answer, by %1").arg(isolatedName(name));
}

QString Inspector::modelHeading() const {
    return openModel() ? tr("Open model: %1").arg(isolatedName(parts_.models->name())) : QString();
}

QVariantList Inspector::modelFigures() const {
    const engine::ModelInfo* model = openModel();
    if (!model) return {};
    const Conversation& chat = *parts_.panes->active();
    return modelRows({.budget = static_cast<double>(model->memory.budget),
                      .contextUsed = static_cast<double>(chat.contextUsed()),
                      .contextSize = static_cast<double>(chat.contextSize())});
}

/// Adds the figures of an answer that is being written. The trace alone does not have them: for it, an expert that is
/// arriving because it was prefetched is a hit.
void Inspector::addCounted(AnswerFacts& facts) const {
    const auto counted = parts_.answers->counts(messageId());
    if (!counted || counted->asked() == 0) return;
    facts.fromMemory = shareFromMemory(counted->asked(), counted->fromDisk());
    if (counted->fromDisk() == 0) return;
    facts.diskBytes = static_cast<double>(counted->bytesRead);
    facts.waitSeconds = counted->waitSeconds;
}

AnswerFacts Inspector::facts() const {
    AnswerFacts facts;
    if (!shown_.hasPositions()) return facts;
    const engine::ExpertUsage &prompt = shown_.record()->prompt(), &answer = shown_.record()->answer();
    const uint64_t requests = prompt.requests() + answer.requests();
    const uint64_t active = prompt.activeNeurons() + answer.activeNeurons();
    facts.dense = shown_.record()->dense();
    facts.live = live();
    facts.waitSeconds = prompt.waitSeconds() + answer.waitSeconds();
    facts.seconds = shown_.record()->timeOf(shown_.record()->last());
    if (requests > 0)
        facts.fromMemory = 1 - static_cast<double>(prompt.misses() + answer.misses()) / static_cast<double>(requests);
    const auto neurons = static_cast<double>(shown_.record()->trace()->shape().neurons);
    if (active > 0 && neurons > 0)
        facts.activeShare = static_cast<double>(active) / (static_cast<double>(requests) * neurons);
    facts.headRows = shown_.record()->meanHeadRows();
    if (ofOpenModel()) facts.headRowsPossible = static_cast<double>(openModel()->vocabulary);
    if (live()) {
        if (const double speed = parts_.panes->active()->tokensPerSecond(); speed > 0) facts.tokensPerSecond = speed;
        addCounted(facts);
        return facts;
    }
    const MessageRow* row = parts_.panes->active()->messages()->find(messageId());
    if (!row) return facts;
    // The engine's own figures of the answer. An expert that was prefetched for it counts as from disk, as in
    // addCounted().
    facts.tokensPerSecond = row->statistics.tokensPerSecond;
    facts.diskBytes = row->statistics.diskBytes;
    if (row->statistics.expertsFromDisk > 0) {
        facts.fromMemory = 1 - row->statistics.expertsFromDisk;
        facts.waitSeconds = row->statistics.waitSeconds;
    }
    return facts;
}

QString Inspector::sentence() const { return memorySentence(facts()); }

QStringList Inspector::remarks() const { return shown_.record() ? answerRemarks(*shown_.record()) : QStringList(); }

QVariantList Inspector::figures() const {
    if (!figureRows_) figureRows_ = figureRows(facts());
    return *figureRows_;
}

QString Inspector::summary() const {
    QStringList lines{answerHeading(), sentence(), grid_.text()};
    lines += remarks();
    for (const QVariant& row : figures()) {
        const QVariantMap figure = row.toMap();
        lines.append(tr("%1: %2").arg(figure.value(QStringLiteral("name")).toString(),
                                      figure.value(QStringLiteral("value")).toString()));
    }
    lines += {coverage().summary, budgetText(), neurons().summary, balanceText(), evenness().summary};
    lines += pairs();
    lines.removeAll(QString());
    return lines.join(u'\n') + u'\n';
}

QString Inspector::chartsText() const {
    if (!shown_.record()) return {};
    const auto answers = static_cast<int>(measuredAnswers().size());
    return chartsOfChat_ ? tr("From %Ln answer(s) of this chat.", nullptr, answers) : tr("From this answer.");
}

QString Inspector::news() {
    if (!enabled_) return tr("The model's activity is not shown.");
    if (!shown_.record()) return conditionText();
    QStringList said;
    const int tokens = static_cast<int>(shown_.record()->tokens().size());
    if (toldMessage_ != 0 && toldMessage_ != messageId()) said.append(tr("This is another answer."));
    if (toldMessage_ == messageId() && tokens > toldTokens_)
        said.append(tr("%Ln more token(s) since you asked.", nullptr, tokens - toldTokens_));
    toldMessage_ = messageId();
    toldTokens_ = tokens;
    said += {timeline_.text(), grid_.text(), sentence()};
    said.removeAll(QString());
    return said.join(QLatin1Char(' '));
}

void Inspector::copySummary() const { QGuiApplication::clipboard()->setText(summary()); }

} // namespace coterie::app
