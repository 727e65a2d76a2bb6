// SPDX-License-Identifier: Apache-2.0
// The files that the inspector writes: the record as coterie-cli writes a trace, and pictures to be shared.
#include "inspector/inspector.h"

#include "chats/chat_exchange.h"
#include "common/isolated_name.h"
#include "common/units.h"
#include "export/trace_text.h"
#include "inspector/expert_map_item.h"
#include "inspector/inspector_texts.h"
#include "models/model_controller.h"

#include <QFileInfo>
#include <QLocale>
#include <QSaveFile>

#include <ctime>

namespace coterie::app {
namespace {

/// The local time as templates get it.
std::tm localTime(const QDateTime& time) {
    const std::time_t seconds = time.toSecsSinceEpoch();
    std::tm local{};
#ifdef Q_OS_WIN
    localtime_s(&local, &seconds);
#else
    localtime_r(&seconds, &local);
#endif
    return local;
}

} // namespace

/// The record keeps only a hash of the prompt's tokens, so the open model reads the conversation once more. Nothing if
/// it did not write the answer, or if the hash is another one: the settings or the template were others then. Records
/// of earlier versions of the program have no hash, so nothing is known of their prompts.
std::vector<EngineWorker::ReadToken> Inspector::promptTokens() const {
    const MessageRow* row = parts_.panes->active()->messages()->find(messageId());
    if (!row || !ofOpenModel()) return {};
    const Conversation& chat = *parts_.panes->active();
    engine::GenerateOptions options = chat.options();
    options.prompt.now = localTime(row->created); // some templates write the date
    auto tokens = parts_.worker->promptTokens(chat.source(row->parent, {}), options);
    std::vector<engine::TokenId> ids;
    for (const EngineWorker::ReadToken& token : tokens) ids.push_back(token.id);
    if (shown_.record()->trace()->prompt() != engine::promptHash(ids)) tokens.clear();
    return tokens;
}

ErrorInfo Inspector::writeTrace(const QUrl& file, bool csv) const {
    const QString what = tr("The record was not saved");
    if (!shown_.hasPositions()) return {what, tr("There is no record"), tr("Choose an answer that has one")};
    const std::vector<EngineWorker::ReadToken> prompt = promptTokens();
    const TraceText text{.trace = *shown_.record()->trace(), .input = [&](int64_t position) {
                             TracedInput input{.prompt = shown_.record()->fromPrompt(static_cast<int>(position))};
                             if (static_cast<size_t>(position) < prompt.size()) {
                                 input.id = prompt[static_cast<size_t>(position)].id;
                                 input.text = prompt[static_cast<size_t>(position)].text;
                             } else if (const int token = shown_.record()->tokenAt(static_cast<int>(position));
                                        token >= 0) {
                                 input.id = shown_.record()->tokens()[static_cast<size_t>(token)].id;
                                 input.text = shown_.words(token).toStdString();
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

QString Inspector::promptRemark() const {
    if (!shown_.record() || !shown_.record()->fromPrompt(shown_.record()->first()) || !promptTokens().empty())
        return {};
    return tr(
        "The file has no words of the prompt: they can't be read again as they were for this answer. The model or "
        "its settings were others then, or an earlier version of Coterie wrote the record.");
}

QString Inspector::suggestedName(const QString& ending) const {
    const QString title = parts_.panes->active()->title();
    return ChatExchange::fileName(title, tr("Model activity")) + QLatin1Char('.') + ending;
}

bool Inspector::fileExists(const QUrl& file) const { return QFileInfo::exists(file.toLocalFile()); }

/// The heading of every picture: what was asked, who answered and when.
SharedPage Inspector::sharedPage() const {
    SharedPage page{.title = parts_.panes->active()->title(), .dark = tokens_.dark()};
    const MessageModel& messages = *parts_.panes->active()->messages();
    const MessageRow* row = messages.find(messageId());
    if (!row) return page;
    if (const MessageRow* prompt = messages.find(row->parent)) page.prompt = prompt->text();
    QStringList source{isolatedName(writer()), QLocale().toString(row->created.date(), QLocale::LongFormat)};
    source.removeAll(QString());
    page.source = factsText(source);
    return page;
}

SharedPage Inspector::sharedGrid() const {
    SharedPage page = sharedPage();
    page.sentence = grid_.text();
    page.grid = grid_.cells();
    return page;
}

SharedPage Inspector::sharedCharts() const {
    SharedPage page = sharedPage();
    page.sentence = sentence();
    for (const QVariant& row : figures()) {
        const QVariantMap figure = row.toMap();
        page.figures.emplace_back(figure.value(QStringLiteral("name")).toString(),
                                  figure.value(QStringLiteral("value")).toString());
    }
    const std::vector<SharedChart> all{{tr("Share from memory, by the room for experts"), budgets()},
                                       {tr("Different experts used, by tokens"), coverage()},
                                       {tr("How unevenly each layer uses its experts"), balance()},
                                       {tr("How many experts each layer uses"), evenness()},
                                       {tr("Share of active neurons in each layer"), neurons()}};
    for (const SharedChart& chart : all)
        if (!chart.figures.empty()) page.charts.push_back(chart);
    return page;
}

ErrorInfo Inspector::exportPng(const QUrl& file) const {
    if (grid_.cells()->layers() == 0) return nothingToSave();
    return saveImage(SharePicture(sharedGrid()).draw(), file);
}

ErrorInfo Inspector::exportCharts(const QUrl& file) const {
    if (!shown_.hasPositions()) return nothingToSave();
    return saveImage(SharePicture(sharedCharts()).draw(), file);
}

ErrorInfo Inspector::nothingToSave() const {
    return {tr("The picture was not saved"), tr("There is nothing to show yet"), tr("Let a model answer first")};
}

ErrorInfo Inspector::exportCsv(const QUrl& file) const { return writeTrace(file, true); }

ErrorInfo Inspector::exportJson(const QUrl& file) const { return writeTrace(file, false); }

} // namespace coterie::app
