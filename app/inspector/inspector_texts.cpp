// SPDX-License-Identifier: Apache-2.0
// See inspector_texts.h. All texts have the context "Inspector".
#include "inspector/inspector_texts.h"

#include "common/units.h"
#include "experts/expert_store.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

namespace coterie::app {
namespace {

/// Gives the functions of this file one context for translators.
struct Inspector {
    Q_DECLARE_TR_FUNCTIONS(Inspector)
};

QString number(double value, int decimals = 0) { return QLocale().toString(value, 'f', decimals); }

void addRow(QVariantList& rows, const QString& name, const QString& value, const QString& about) {
    rows.append(QVariantMap{
        {QStringLiteral("name"), name}, {QStringLiteral("value"), value}, {QStringLiteral("about"), about}});
}

void addMemoryRows(QVariantList& rows, const AnswerFacts& facts) {
    if (facts.fromMemory >= 0)
        addRow(rows, Inspector::tr("From memory"), shareText(facts.fromMemory),
               facts.dense
                   ? Inspector::tr("Share of the layers that were in memory already, for the prompt and the answer. A "
                                   "layer that was read from disk for its token does not count, even if that began "
                                   "ahead of time.")
                   : Inspector::tr("Share of the experts that were in memory already, also called the hit rate, for "
                                   "the prompt and the answer. An expert that was read from disk for its token does "
                                   "not count, even if that began ahead of time."));
    if (facts.diskBytes < 0) return;
    addRow(rows, Inspector::tr("Read from disk"), sizeText(facts.diskBytes),
           Inspector::tr("Bytes that were read from the model's file for the prompt and this answer."));
    if (facts.diskBytes > 0 && facts.seconds > 0)
        addRow(rows, Inspector::tr("Disk rate"), Inspector::tr("%1/s").arg(sizeText(facts.diskBytes / facts.seconds)),
               Inspector::tr("Bytes read from disk divided by the time of the whole answer. The disk rests while "
                             "nothing is missing, so its own rate can be higher."));
}

void addWorkRows(QVariantList& rows, const AnswerFacts& facts) {
    if (facts.tokensPerSecond > 0)
        addRow(rows, Inspector::tr("Speed"), Inspector::tr("%1 tok/s").arg(number(facts.tokensPerSecond, 1)),
               Inspector::tr("Tokens that were written in a second. A token is a word or a piece of one."));
    if (facts.headRows > 0)
        addRow(rows, Inspector::tr("Head rows"),
               facts.headRowsPossible > 0
                   ? Inspector::tr("%1 of %2").arg(number(facts.headRows), number(facts.headRowsPossible))
                   : number(facts.headRows),
               Inspector::tr(
                   "The output head scores every token that could come next, a row for each. With a predictor only "
                   "the rows that are likely to matter are computed."));
    if (facts.activeShare >= 0)
        addRow(rows, Inspector::tr("Active neurons"), shareText(facts.activeShare),
               Inspector::tr("Share of the neurons that were above zero in the experts that ran for the answer. The "
                             "others are left out, so less is read and computed."));
}

/// The least and the greatest number of experts that a token used in one layer. Layers without a choice do not count.
std::pair<int, int> usesOfLayers(const engine::TracedToken& token, const std::vector<int64_t>& expertsOfLayer) {
    std::vector<int> uses;
    for (const engine::TracedLayer& layer : token.layers)
        if (static_cast<size_t>(layer.layer) < expertsOfLayer.size() &&
            expertsOfLayer[static_cast<size_t>(layer.layer)] > 1)
            uses.push_back(static_cast<int>(layer.uses.size()));
    if (uses.empty()) return {0, 0};
    const auto [least, most] = std::minmax_element(uses.begin(), uses.end());
    return {*least, *most};
}

/// Says what the grid of a model without experts shows of one token.
QString waitsSentence(const TracedAnswer& answer) {
    return answer.prompt().waitSeconds() + answer.answer().waitSeconds() > 0
               ? Inspector::tr("Every token uses all layers. Stronger colour: the layer waited longer for the disk.")
               : Inspector::tr("Every token uses all layers, and none waited for the disk.");
}

} // namespace

QString memorySentence(const AnswerFacts& facts) {
    if (facts.fromMemory < 0) return {};
    if (facts.fromMemory >= 1)
        return facts.dense ? Inspector::tr("Every layer was in memory when a token needed it.")
                           : Inspector::tr("Every expert was in memory when a token needed it.");
    const QString share = shareText(facts.fromMemory);
    if (facts.diskBytes <= 0) {
        const QString words = facts.dense ? Inspector::tr("%1 of layer reads came from memory; the others came from "
                                                          "disk and cost %2 of waiting.")
                                          : Inspector::tr("%1 of expert reads came from memory; the others came from "
                                                          "disk and cost %2 of waiting.");
        return words.arg(share, secondsText(std::max(0.0, facts.waitSeconds)));
    }
    const QString words =
        facts.dense ? Inspector::tr("%1 of layer reads came from memory; %2 came from disk and cost %3 of waiting.")
                    : Inspector::tr("%1 of expert reads came from memory; %2 came from disk and cost %3 of waiting.");
    return words.arg(share, sizeText(facts.diskBytes), secondsText(std::max(0.0, facts.waitSeconds)));
}

QVariantList figureRows(const AnswerFacts& facts) {
    QVariantList rows;
    addMemoryRows(rows, facts);
    addWorkRows(rows, facts);
    return rows;
}

QVariantList modelRows(const ModelFacts& facts) {
    QVariantList rows;
    if (facts.budget > 0)
        addRow(rows, Inspector::tr("Memory budget"), sizeText(facts.budget),
               Inspector::tr("Memory that the open model and Coterie may use together. What does not fit into it stays "
                             "on disk until a token needs it."));
    if (facts.contextSize > 0 && facts.contextUsed >= 0)
        addRow(rows, Inspector::tr("Context"),
               Inspector::tr("%1 of %2 tokens").arg(number(facts.contextUsed), number(facts.contextSize)),
               Inspector::tr("Tokens of this conversation that the model reads, and the most that it can."));
    return rows;
}

QString quotedToken(const QString& text) {
    if (text.isEmpty()) return Inspector::tr("a token without text");
    if (text.trimmed().isEmpty())
        return text.contains(u'\n') ? Inspector::tr("a line break") : Inspector::tr("a space");
    return Inspector::tr("\u201c%1\u201d").arg(text.simplified());
}

/// A token of the prompt, which may have been read in a chunk, or not at all. text: its words or its name, if known.
static QString promptSentence(const TracedAnswer& answer, int position, const QString& text) {
    const QString token = number(position + 1), all = number(answer.answerBegins());
    const QString time = secondsText(answer.timeOf(position), 2);
    if (text.isEmpty()) {
        if (answer.wasReused(position))
            return Inspector::tr("Token %1 of the prompt's %2, not read again").arg(token, all);
        return Inspector::tr("Token %1 of the prompt's %2, read after %3").arg(token, all, time);
    }
    const QString words = quotedToken(text);
    if (answer.wasReused(position))
        return Inspector::tr("Token %1 of the prompt's %2: %3, not read again").arg(token, all, words);
    if (position < answer.first())
        return Inspector::tr("Token %1 of the prompt's %2: %3, not recorded").arg(token, all, words);
    return Inspector::tr("Token %1 of the prompt's %2: %3, read after %4").arg(token, all, words, time);
}

QString positionSentence(const TracedAnswer& answer, int position, const QString& text) {
    if (answer.empty()) return {};
    if (answer.fromPrompt(position)) return promptSentence(answer, position, text);
    const QString time = secondsText(answer.timeOf(position), 2);
    const int index = position - answer.answerBegins();
    return Inspector::tr("Token %1 of %2: %3, after %4")
        .arg(number(index + 1), number(std::max<double>(static_cast<double>(answer.tokens().size()), index + 1)),
             quotedToken(text), time);
}

QString routeSentence(const TracedAnswer& answer, int position, const QString& text) {
    const auto token = answer.token(position);
    if (!token && answer.wasReused(position))
        return Inspector::tr("This token of the prompt was not read again: the model still had it in memory.");
    if (!token && position < answer.first())
        return Inspector::tr("The route of this token was not kept: the answer is too long.");
    if (!token) return Inspector::tr("Nothing was computed for this token: the answer ended here.");
    const bool shares = answer.fromPrompt(position) && answer.figures(position).waiting > 0;
    if (answer.dense())
        return shares ? Inspector::tr("Every token uses all layers. Stronger colour: the layer waited longer for the "
                                      "disk. The tokens of a chunk share the waiting.")
                      : waitsSentence(answer);
    const auto [least, most] = usesOfLayers(*token, answer.expertsOfLayer());
    const QString who = !answer.fromPrompt(position) ? quotedToken(text)
                        : text.isEmpty()             ? Inspector::tr("token %1 of the prompt").arg(number(position + 1))
                                                     : Inspector::tr("%1 in the prompt").arg(quotedToken(text));
    if (least == most) {
        const QString words =
            shares ? Inspector::tr(
                         "The route of %1: %Ln expert(s) in each layer. The tokens of its chunk share the waiting.",
                         nullptr, most)
                   : Inspector::tr("The route of %1: %Ln expert(s) in each layer. Stronger colour means more weight.",
                                   nullptr, most);
        return words.arg(who);
    }
    const QString words =
        shares ? Inspector::tr(
                     "The route of %1: %2 to %Ln expert(s) in each layer. The tokens of its chunk share the waiting.",
                     nullptr, most)
               : Inspector::tr("The route of %1: %2 to %Ln expert(s) in each layer. Stronger colour means more weight.",
                               nullptr, most);
    return words.arg(who, number(least));
}

QString newestRouteSentence(const TracedAnswer& answer) {
    if (answer.dense()) return waitsSentence(answer);
    return Inspector::tr("The route of the newest token. Stronger colour means more weight.");
}

int tokensOf(const TracedAnswer& answer, bool live) {
    const auto passed = static_cast<int>(answer.answer().tokens());
    // While it is written, its newest token is still to be read; a record that has lost its beginning counts the rest.
    if (live || answer.first() > answer.answerBegins()) return passed;
    return std::max(passed, static_cast<int>(answer.tokens().size()));
}

QString countsSentence(const TracedAnswer& answer, bool live) {
    const auto count = static_cast<int>(answer.answer().tokens());
    const int all = tokensOf(answer, live);
    if (count == all)
        return answer.dense()
                   ? Inspector::tr("How many of this answer's %Ln token(s) used each layer.", nullptr, count)
                   : Inspector::tr("How many of this answer's %Ln token(s) used each expert.", nullptr, count);
    const QString words =
        answer.dense()
            ? Inspector::tr("How many of %1 of this answer's %Ln token(s) used each layer. The model did not read the "
                            "last one.",
                            nullptr, all)
            : Inspector::tr("How many of %1 of this answer's %Ln token(s) used each expert. The model did not read the "
                            "last one.",
                            nullptr, all);
    return words.arg(number(count));
}

QString chatSentence(qint64 tokens, const CountedAnswers& answers, bool dense) {
    const int count = static_cast<int>(tokens);
    const QString used = dense ? Inspector::tr("How many of %Ln token(s) used each layer", nullptr, count)
                               : Inspector::tr("How many of %Ln token(s) used each expert", nullptr, count);
    const int all = static_cast<int>(answers.all);
    if (!answers.moreBefore && answers.read == answers.all)
        return Inspector::tr("%1, in this chat's %Ln answer(s).", nullptr, all).arg(used);
    // Messages far above are not loaded, and their traces with them.
    const QString sentence = answers.moreBefore
                                 ? Inspector::tr("%1, in %2 of the latest %Ln answer(s) of this chat.", nullptr, all)
                                 : Inspector::tr("%1, in %2 of this chat's %Ln answer(s).", nullptr, all);
    return sentence.arg(used, number(answers.read));
}

QString placesSentence(const std::vector<uint8_t>& states, bool dense) {
    const auto there = std::count_if(states.begin(), states.end(), [](uint8_t state) {
        return state == static_cast<uint8_t>(engine::ExpertState::InMemory) ||
               state == static_cast<uint8_t>(engine::ExpertState::OnDevice);
    });
    const int all = static_cast<int>(states.size());
    const QString words = dense ? Inspector::tr("%1 of %Ln layer(s) are in memory now.", nullptr, all)
                                : Inspector::tr("%1 of %Ln expert(s) are in memory now.", nullptr, all);
    return words.arg(number(static_cast<double>(there)));
}

std::vector<ChangedExpert> mostChanged(const std::vector<double>& differences,
                                       const std::vector<int64_t>& expertsOfLayer, size_t most) {
    std::vector<ChangedExpert> changed;
    size_t at = 0;
    for (size_t l = 0; l < expertsOfLayer.size(); ++l)
        for (int64_t e = 0; e < expertsOfLayer[l] && at < differences.size(); ++e, ++at)
            if (differences[at] != 0) changed.push_back({static_cast<int>(l), static_cast<int>(e), differences[at]});
    std::stable_sort(changed.begin(), changed.end(), [](const ChangedExpert& a, const ChangedExpert& b) {
        return std::abs(a.difference) > std::abs(b.difference);
    });
    changed.resize(std::min(most, changed.size()));
    return changed;
}

QString differenceSentence(const std::vector<ChangedExpert>& changed, const QString& with) {
    if (changed.empty()) return Inspector::tr("Compared with %1, no expert was used more or less.").arg(with);
    QStringList named;
    for (const ChangedExpert& one : changed)
        named.append(Inspector::tr("expert %1 of layer %2 (%3)")
                         .arg(number(one.expert), number(one.layer), ExpertGrid::pointsText(one.difference)));
    return Inspector::tr("Compared with %1, these differ most: %2.").arg(with, named.join(Inspector::tr(", ")));
}

QString runsSentence(double most) {
    return Inspector::tr("Both runs in the same colours. The strongest colour: %1 of the tokens used the expert.")
        .arg(shareText(most));
}

QStringList answerRemarks(const TracedAnswer& answer, bool live, qint64 written) {
    QStringList remarks;
    if (answer.empty()) return remarks;
    if (answer.dense())
        remarks.append(Inspector::tr("This model has no experts. The grid shows its layers, which every token uses."));
    if (answer.reused() > 0)
        remarks.append(
            Inspector::tr("%Ln token(s) of the prompt were not read again: the model still had them in memory.",
                          nullptr, answer.reused()));
    if (answer.first() > answer.reused())
        remarks.append(Inspector::tr("The record begins at token %1: the ones before it were too many to keep.")
                           .arg(number(answer.first() + 1)));
    const auto recorded = static_cast<qint64>(answer.tokens().size());
    if (recorded > 0 && recorded < written)
        remarks.append(Inspector::tr("The record has %1 of this answer's %Ln token(s), because the answer was "
                                     "continued without the tokens that it had, or without a record.",
                                     nullptr, static_cast<int>(written))
                           .arg(number(static_cast<double>(recorded))));
    if (tokensOf(answer, live) > static_cast<int>(answer.answer().tokens()))
        remarks.append(Inspector::tr("The answer ended before the model read its last token: charts and counts are "
                                     "without it."));
    if (answer.prompt().waitSeconds() > 0)
        remarks.append(Inspector::tr("The prompt was read in chunks. The tokens of a chunk share its time and its "
                                     "waiting evenly."));
    return remarks;
}

} // namespace coterie::app
