// SPDX-License-Identifier: Apache-2.0
// See inspector_files.h.
#include "inspector/inspector_files.h"

#include "chats/chat_exchange.h"
#include "common/isolated_name.h"
#include "common/units.h"
#include "export/trace_text.h"
#include "inspector/expert_map_item.h"
#include "inspector/inspector.h"
#include "inspector/inspector_texts.h"
#include "models/model_controller.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLocale>
#include <QSaveFile>

#include <utility>
#include <vector>

namespace coterie::app {
namespace {

constexpr int kMostTokens = 2000; // in a picture, which has some 15 in a line

} // namespace

InspectorFiles::InspectorFiles(Inspector& inspector, const InspectorParts& parts, QObject* parent)
    : QObject(parent), inspector_(inspector), parts_(parts) {}

ErrorInfo InspectorFiles::writeTrace(const QUrl& file, bool csv) const {
    const QString what = tr("The record was not saved");
    const ShownAnswer& shown = inspector_.shown();
    if (!shown.hasPositions()) return {what, tr("There is no record"), tr("Choose an answer that has one")};
    const TracedAnswer& record = *shown.record();
    const bool ofOpenModel = inspector_.ofOpenModel();
    const TraceText text{.trace = *record.trace(), .input = [&](int64_t at) {
                             const int position = static_cast<int>(at);
                             TracedInput input{.prompt = record.fromPrompt(position)};
                             if (const engine::TokenId id = record.promptToken(position); id >= 0) {
                                 input.id = id;
                                 input.text =
                                     ofOpenModel ? parts_.worker->traceText(id) : shown.wordsAt(position).toStdString();
                             } else if (const int token = record.tokenAt(position); token >= 0) {
                                 input.id = record.tokens()[static_cast<size_t>(token)].id;
                                 input.text = shown.words(token).toStdString();
                             }
                             return input;
                         }};
    if (const ErrorInfo unnamed = noFileNamed(file, what); unnamed.valid()) return unnamed;
    const std::string bytes = csv ? text.csv() : text.json();
    QSaveFile out(file.toLocalFile());
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0 ||
        !out.commit())
        return {what, out.errorString(), tr("Choose another place, or make room")};
    return {};
}

QString InspectorFiles::promptRemark() const {
    const auto& record = inspector_.shown().record();
    if (!record || !record->fromPrompt(record->first())) return {};
    if (record->promptToken(record->first()) < 0)
        return tr("The file has no words of the prompt, because an earlier version of Coterie wrote the record.");
    if (inspector_.ofOpenModel()) return {};
    return tr(
        "The file has only the numbers of the prompt's tokens. To have their words, too, open the model that wrote the "
        "answer.");
}

QString InspectorFiles::suggestedName(const QString& kind) const {
    const QString name = ChatExchange::fileName(parts_.panes->active()->title(), tr("Model activity"));
    if (kind == QStringLiteral("tokens")) return tr("%1 - tokens").arg(name) + QStringLiteral(".png");
    if (kind == QStringLiteral("charts")) return tr("%1 - figures").arg(name) + QStringLiteral(".png");
    return name + QLatin1Char('.') + (kind == QStringLiteral("grid") ? QStringLiteral("png") : kind);
}

bool InspectorFiles::fileExists(const QUrl& file) const { return QFileInfo::exists(file.toLocalFile()); }

/// The heading of every picture: what was asked, who answered and when.
SharedPage InspectorFiles::sharedPage() const {
    SharedPage page{.title = parts_.panes->active()->title(), .dark = inspector_.tokens()->dark(), .family = family_};
    const MessageRow* row = inspector_.row();
    if (!row) return page;
    if (const MessageRow* prompt = inspector_.question()) page.prompt = prompt->text();
    QStringList source{isolatedName(inspector_.writer()), QLocale().toString(row->created.date(), QLocale::LongFormat)};
    source.removeAll(QString());
    page.source = factsText(source);
    return page;
}

SharedPage InspectorFiles::sharedGrid() const {
    SharedPage page = sharedPage();
    ActivityGrid& grid = *inspector_.grid();
    page.sentence = grid.text();
    page.grid = grid.cells();
    if (grid.answerCells()->layers() == 0) return page; // nothing is compared
    page.runs = {{tr("This answer"), grid.answerCells()}, {grid.comparedTitle(), grid.comparedCells()}};
    page.runsSentence = grid.comparedText();
    return page;
}

SharedPage InspectorFiles::sharedCharts() const {
    const AnswerCharts& charts = *inspector_.charts();
    SharedPage page = sharedPage();
    page.sentence = charts.sentence();
    for (const QVariant& row : charts.figures()) {
        const QVariantMap figure = row.toMap();
        page.figures.emplace_back(figure.value(QStringLiteral("name")).toString(),
                                  figure.value(QStringLiteral("value")).toString());
    }
    const std::vector<SharedChart> all{{tr("Share from memory, by the room for experts"), charts.budgets()},
                                       {tr("Different experts used, by tokens"), charts.coverage()},
                                       {tr("How unevenly each layer uses its experts"), charts.balance()},
                                       {tr("How many experts each layer uses"), charts.evenness()},
                                       {tr("Share of active neurons in each layer"), charts.neurons()}};
    for (const SharedChart& chart : all) {
        if (chart.figures.empty()) continue;
        page.charts.push_back(chart);
        // The sentence and the figures are those of one answer.
        if (charts.ofChat()) page.charts.back().figures.summary.prepend(charts.text() + QLatin1Char(' '));
    }
    return page;
}

SharedPage InspectorFiles::sharedTokens() const {
    const AnswerTokens& tokens = *inspector_.tokens();
    const bool expert = inspector_.grid()->selectedLayer() >= 0; // it has the colours
    SharedPage page = sharedPage();
    page.sentence = expert ? tokens.selectionText() : tokens.measureText();
    if (expert) page.strips.push_back(tokens.questionStrip(kMostTokens));
    page.strips.push_back(tokens.answerStrip(kMostTokens));
    std::erase_if(page.strips, [](const TokenStrip& strip) { return strip.tokens.empty(); });
    return page;
}

ErrorInfo InspectorFiles::exportPng(const QUrl& file) const {
    if (inspector_.grid()->cells()->layers() == 0) return nothingToSave();
    return saveImage(SharePicture(sharedGrid()).draw(), file);
}

ErrorInfo InspectorFiles::exportCharts(const QUrl& file) const {
    if (!inspector_.shown().hasPositions()) return nothingToSave();
    return saveImage(SharePicture(sharedCharts()).draw(), file);
}

ErrorInfo InspectorFiles::exportTokens(const QUrl& file) const {
    const SharedPage page = sharedTokens();
    if (page.strips.empty()) return nothingToSave();
    return saveImage(SharePicture(page).draw(), file);
}

ErrorInfo InspectorFiles::nothingToSave() const {
    return {tr("The picture was not saved"), tr("There is nothing to show yet"), tr("Let a model answer first")};
}

ErrorInfo InspectorFiles::exportCsv(const QUrl& file) const { return writeTrace(file, true); }

ErrorInfo InspectorFiles::exportJson(const QUrl& file) const { return writeTrace(file, false); }

QString InspectorFiles::summary() const {
    const AnswerCharts& charts = *inspector_.charts();
    QStringList lines{inspector_.answerHeading(), charts.sentence(), inspector_.grid()->text()};
    lines += charts.remarks();
    for (const QVariant& row : charts.figures()) {
        const QVariantMap figure = row.toMap();
        lines.append(tr("%1: %2").arg(figure.value(QStringLiteral("name")).toString(),
                                      figure.value(QStringLiteral("value")).toString()));
    }
    if (charts.ofChat()) lines.append(charts.text()); // the charts are about all of it
    lines += {charts.coverage().summary, charts.budgetText(), charts.neurons().summary, charts.balanceText(),
              charts.evenness().summary};
    lines += charts.pairs();
    lines.removeAll(QString());
    return lines.join(u'\n') + u'\n';
}

void InspectorFiles::copySummary() const { QGuiApplication::clipboard()->setText(summary()); }

} // namespace coterie::app
