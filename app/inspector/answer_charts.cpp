// SPDX-License-Identifier: Apache-2.0
// See answer_charts.h.
#include "inspector/answer_charts.h"

#include "common/isolated_name.h"

#include <utility>

namespace coterie::app {
AnswerCharts::AnswerCharts(const ShownAnswer& shown, Sources sources, QObject* parent)
    : QObject(parent), shown_(shown), sources_(std::move(sources)) {}

AnswerCharts::~AnswerCharts() {
    ++wanted_;
    computing_.finish();
}

void AnswerCharts::setEnabled(bool enabled) {
    enabled_ = enabled;
    if (!enabled) stop();
}

void AnswerCharts::restart() {
    stop();
    asked_ = false;
    charts_ = {};
    charted_ = {};
    Q_EMIT chartsChanged();
}

void AnswerCharts::setOfChat(bool ofChat) {
    if (ofChat == ofChat_) return;
    ofChat_ = ofChat;
    compute();
}

/// The answers that the charts are about.
std::vector<std::shared_ptr<TracedAnswer>> AnswerCharts::answers() const {
    return ofChat_ ? sources_.answers() : std::vector{shown_.record()};
}

std::vector<std::shared_ptr<const engine::TraceLog>> AnswerCharts::traces() const {
    std::vector<std::shared_ptr<const engine::TraceLog>> traces;
    if (!shown_.record()) return traces;
    for (const auto& answer : answers()) traces.push_back(answer->trace());
    return traces;
}

void AnswerCharts::compute() {
    stop();
    asked_ = false;
    if (!enabled_ || !shown_.record() || shown_.live()) return;
    asked_ = true;
    there_ = false;
    const quint64 number = ++wanted_;
    charted_ = sources_.room();
    charted_.expertsOfLayer = shown_.record()->expertsOfLayer();
    charted_.traces = traces();
    computing_.push([this, number, request = charted_] {
        const InspectorFigures charts = computeFigures(request, [this, number] { return number != wanted_; });
        toGui_.push([this, number, charts] {
            if (number != wanted_) return;
            there_ = true;
            charts_ = charts;
            Q_EMIT chartsChanged();
        });
    });
}

void AnswerCharts::computeMissing() {
    if (!asked_ || traces() != charted_.traces) compute();
}

void AnswerCharts::computeForRoom() {
    if (const FigureRequest now = sources_.room(); now.slots != charted_.slots || now.budget != charted_.budget)
        compute();
}

/// Ends the computation of charts, if one is under way: it would take a core from the engine.
void AnswerCharts::stop() {
    ++wanted_;
    asked_ = asked_ && there_;
}

void AnswerCharts::applyBetterBudget() {
    if (charts_.betterBudget > 0) Q_EMIT budgetWanted(charts_.betterBudget);
}

QString AnswerCharts::text() const {
    if (!shown_.record()) return {};
    return ofChat_ ? tr("From %Ln answer(s) of this chat.", nullptr, static_cast<int>(answers().size()))
                   : tr("From this answer.");
}

// ------------------------------------------------------------------------------------------------ figures

AnswerFacts AnswerCharts::facts() const {
    AnswerFacts facts;
    if (!shown_.hasPositions()) return facts;
    const TracedAnswer& record = *shown_.record();
    const engine::ExpertUsage &prompt = record.prompt(), &answer = record.answer();
    const uint64_t requests = prompt.requests() + answer.requests();
    const AnswerFacts counted = sources_.counted();
    facts.dense = record.dense();
    facts.live = shown_.live();
    facts.seconds = record.timeOf(record.last());
    facts.waitSeconds = counted.waitSeconds >= 0 ? counted.waitSeconds : prompt.waitSeconds() + answer.waitSeconds();
    if (requests > 0)
        facts.fromMemory = 1 - static_cast<double>(prompt.misses() + answer.misses()) / static_cast<double>(requests);
    if (counted.fromMemory >= 0) facts.fromMemory = counted.fromMemory;
    facts.diskBytes = counted.diskBytes;
    facts.tokensPerSecond = counted.tokensPerSecond;
    // The share of the answer, as the chart of neurons counts it.
    const auto neurons = static_cast<double>(record.trace()->shape().neurons);
    if (answer.activeNeurons() > 0 && neurons > 0)
        facts.activeShare =
            static_cast<double>(answer.activeNeurons()) / (static_cast<double>(answer.requests()) * neurons);
    facts.headRows = record.meanHeadRows();
    facts.headRowsPossible = counted.headRowsPossible;
    return facts;
}

QString AnswerCharts::sentence() const { return memorySentence(facts()); }

QStringList AnswerCharts::remarks() const {
    if (!shown_.record()) return {};
    return answerRemarks(*shown_.record(), shown_.live(), sources_.counted().tokens);
}

QVariantList AnswerCharts::figures() const {
    if (!rows_) rows_ = figureRows(facts());
    return *rows_;
}

void AnswerCharts::refreshFigures() {
    rows_.reset();
    Q_EMIT figuresChanged();
    Q_EMIT modelFiguresChanged();
}

QString AnswerCharts::modelHeading() const {
    const auto model = sources_.model();
    return model ? tr("Open model: %1").arg(isolatedName(model->name)) : QString();
}

QVariantList AnswerCharts::modelFigures() const {
    const auto model = sources_.model();
    return model ? modelRows(model->facts) : QVariantList();
}

} // namespace coterie::app
