// SPDX-License-Identifier: Apache-2.0
// See activity_grid.h.
#include "inspector/activity_grid.h"

#include "common/isolated_name.h"
#include "experts/expert_index.h"
#include "experts/expert_store.h"
#include "inspector/inspector_texts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coterie::app {
namespace {

constexpr double kLeastWeight = 1e-6;
constexpr size_t kNamedChanges = 3;

GridContent countsOf(const engine::ExpertUsage& usage) {
    GridContent content{.kind = GridContent::Kind::Counts,
                        .expertsOfLayer = usage.expertsOfLayer(),
                        .most = static_cast<double>(usage.mostUses())};
    for (size_t l = 0; l < usage.expertsOfLayer().size(); ++l)
        for (const uint64_t uses : usage.uses(static_cast<int>(l))) content.values.push_back(static_cast<double>(uses));
    return content;
}

/// The share of the tokens that used the expert which was used most.
double shareOfTokens(const engine::ExpertUsage& usage) {
    return usage.tokens() > 0 ? static_cast<double>(usage.mostUses()) / static_cast<double>(usage.tokens()) : 0;
}

} // namespace

ActivityGrid::ActivityGrid(const ShownAnswer& shown, Sources sources, QObject* parent)
    : QObject(parent), shown_(shown), sources_(std::move(sources)) {}

void ActivityGrid::setMode(Mode mode) {
    if (mode == mode_) return;
    mode_ = mode;
    Q_EMIT modeChanged();
}

void ActivityGrid::select(int layer, int expert) {
    if (!cells_.has(layer, expert)) return;
    selectedLayer_ = layer;
    selectedExpert_ = expert;
    Q_EMIT selectionChanged();
}

void ActivityGrid::deselect() {
    if (selectedLayer_ < 0) return;
    selectedLayer_ = selectedExpert_ = -1;
    Q_EMIT selectionChanged();
}

void ActivityGrid::draw() {
    std::optional<AnswerComparison::Run> compared;
    if (mode_ == Store) {
        cells_.setContent(places());
    } else if (!shown_.hasPositions()) {
        cells_.setContent(withoutRecord());
    } else if ((compared = sources_.compared())) {
        cells_.setContent(difference(*compared));
    } else if (mode_ == Now) {
        const auto [position, newest] = sources_.token();
        text_ = shown_.live() && newest ? newestRouteSentence(*shown_.record())
                                        : routeSentence(*shown_.record(), position, shown_.nameAt(position));
        cells_.setContent(shown_.record()->dense() ? waits(position) : route(position));
    } else {
        cells_.setContent(counts());
    }
    if (mode_ != Store && shown_.hasPositions())
        if (const QString why = sources_.notCompared(); !why.isEmpty()) text_.prepend(why + u' ');
    showRuns(compared);
    for (ExpertGrid* const cells : {&cells_, &answerCells_, &comparedCells_})
        cells->setLayers(sources_.layers(mode_ == Store));
    // Without an answer only the grid of places has cells that can be selected.
    if (selectedLayer_ >= 0 && !cells_.has(selectedLayer_, selectedExpert_)) deselect();
}

/// Shows both runs of a comparison; without one, nothing. The title stays: the next answer, which has no token yet, is
/// compared with the same.
void ActivityGrid::showRuns(const std::optional<AnswerComparison::Run>& with) {
    if (!with) {
        comparedText_.clear();
        answerCells_.setContent({});
        comparedCells_.setContent({});
        return;
    }
    comparedTitle_ = with->title;
    const engine::ExpertUsage& answer = shown_.record()->answer();
    const double most = std::max(shareOfTokens(answer), shareOfTokens(with->usage));
    comparedText_ = runsSentence(most);
    for (const auto& [cells, usage] : {std::pair(&answerCells_, &answer), std::pair(&comparedCells_, &with->usage)}) {
        GridContent content = countsOf(*usage);
        content.most = most * static_cast<double>(usage->tokens());
        cells->setTokens(static_cast<qint64>(usage->tokens()));
        cells->setContent(std::move(content));
    }
}

/// Every token uses every layer of a model without experts. They differ in how long they waited for the disk.
GridContent ActivityGrid::waits(int position) const {
    const std::vector<int64_t>& layers = shown_.record()->expertsOfLayer();
    const engine::ExpertIndex index(layers);
    GridContent content{.kind = GridContent::Kind::Waits,
                        .expertsOfLayer = layers,
                        .values = std::vector<double>(index.experts()),
                        .most = 0};
    const auto token = shown_.record()->token(position);
    if (!token) return content;
    for (const engine::TracedLayer& layer : token->layers) {
        if (!index.has(layer.layer, 0)) continue;
        content.values[index.number(layer.layer, 0)] = layer.waitSeconds;
        content.most = std::max(content.most, layer.waitSeconds);
    }
    return content;
}

GridContent ActivityGrid::route(int position) const {
    const std::vector<int64_t>& experts = shown_.record()->expertsOfLayer();
    const engine::ExpertIndex index(experts);
    GridContent content{.kind = GridContent::Kind::Weights,
                        .expertsOfLayer = experts,
                        .values = std::vector<double>(index.experts()),
                        .waited = std::vector<uint8_t>(index.experts()),
                        .most = 0,
                        .token = position,
                        .hits = std::vector<uint8_t>(index.experts())};
    const auto token = shown_.record()->token(position);
    if (!token) return content;
    for (const engine::TracedLayer& layer : token->layers) {
        for (const engine::ExpertUse& use : layer.uses) {
            if (!index.has(layer.layer, use.expert)) continue;
            const size_t at = index.number(layer.layer, use.expert);
            // The trace rounds weights: one that became 0 was chosen all the same.
            content.values[at] = std::max(static_cast<double>(use.weight), kLeastWeight);
            content.waited[at] = use.hit ? 0 : 1;
            content.hits[at] = use.hit ? 1 : 0;
            if (experts[static_cast<size_t>(layer.layer)] > 1)
                content.most = std::max(content.most, content.values[at]);
        }
    }
    return content;
}

GridContent ActivityGrid::counts() {
    if (mode_ == Chat) return chatCounts();
    const engine::ExpertUsage& usage = shown_.record()->answer();
    text_ = countsSentence(*shown_.record(), shown_.live());
    cells_.setTokens(static_cast<qint64>(usage.tokens()));
    return countsOf(usage);
}

/// The records are all of one model. There are none only if the shown answer has none.
GridContent ActivityGrid::chatCounts() {
    const ChatAnswers chat = sources_.chat();
    if (chat.records.empty()) {
        text_ = chat.finding ? tr("The records of this chat's answers are being read.")
                             : tr("This chat has no other answer that could be counted.");
        return {};
    }
    engine::ExpertUsage usage(chat.records.front()->expertsOfLayer());
    for (const auto& record : chat.records) usage.add(record->answer());
    text_ =
        chatSentence(static_cast<qint64>(usage.tokens()),
                     {static_cast<int>(chat.records.size()), chat.all, chat.moreBefore}, chat.records.front()->dense());
    if (!chat.model.isEmpty()) text_ = tr("%1 They were written by %2.").arg(text_, isolatedName(chat.model));
    cells_.setTokens(static_cast<qint64>(usage.tokens()));
    return countsOf(usage);
}

/// The answer is not shown, but others of its chat may be. Before a record is there, nothing is said of it.
GridContent ActivityGrid::withoutRecord() {
    text_.clear();
    if (!sources_.unrecorded()) return {};
    if (mode_ == Chat) return chatCounts();
    text_ = mode_ == Now ? tr("Without a record there is no token to show.")
                         : tr("Without a record there is nothing to count.");
    return {};
}

/// While an answer is written, the experts of its newest token are marked.
GridContent ActivityGrid::places() {
    std::optional<OpenModel> model = sources_.model();
    if (!model) {
        text_ = sources_.opening() ? tr("A model is being opened.") : tr("No model is open.");
        return {};
    }
    text_ = placesSentence(model->places, model->dense);
    if (model->strange)
        text_ = tr("The open model is %1, not the one of this answer. %2").arg(isolatedName(model->name), text_);
    GridContent content{.kind = GridContent::Kind::Places,
                        .expertsOfLayer = std::move(model->expertsOfLayer),
                        .places = std::move(model->places),
                        .most = static_cast<double>(engine::ExpertState::InMemory)};
    if (!shown_.live() || !shown_.hasPositions() || shown_.record()->expertsOfLayer() != content.expertsOfLayer)
        return content;
    const engine::ExpertIndex index(content.expertsOfLayer);
    content.waited.resize(index.experts());
    content.hits.resize(index.experts());
    content.token = shown_.record()->last();
    if (const auto token = shown_.record()->token(content.token))
        for (const engine::TracedLayer& layer : token->layers)
            for (const engine::ExpertUse& use : layer.uses)
                if (index.has(layer.layer, use.expert))
                    (use.hit ? content.hits : content.waited)[index.number(layer.layer, use.expert)] = 1;
    return content;
}

GridContent ActivityGrid::difference(const AnswerComparison::Run& with) {
    GridContent content{.kind = GridContent::Kind::Difference,
                        .expertsOfLayer = shown_.record()->expertsOfLayer(),
                        .values = engine::usageDifference(with.usage, shown_.record()->answer())};
    for (const double value : content.values) content.most = std::max(content.most, std::abs(value));
    text_ = differenceSentence(mostChanged(content.values, content.expertsOfLayer, kNamedChanges), with.name);
    return content;
}

} // namespace coterie::app
