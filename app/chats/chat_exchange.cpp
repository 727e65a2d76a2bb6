// SPDX-License-Identifier: Apache-2.0
// See chat_exchange.h. A job has a connection of its own, which is opened here and closed on the job's thread.
#include "chats/chat_exchange.h"

#include "common/isolated_name.h"
#include "settings/presets.h"
#include "store/chat_importer.h"
#include "store/chat_reader.h"

#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>

namespace coterie::app {
namespace {

constexpr qsizetype kLongestName = 60; // characters of a file's name
constexpr double kStep = 0.01;         // progress is reported in steps of this size

engine::Error noStore() {
    return {engine::ErrorKind::NotFound, "Chats can't be exported or imported", "The file of chats is not open",
            "Start Coterie again"};
}

/// Reports the share on the GUI thread, but not every little step.
class Steps {
  public:
    explicit Steps(std::function<bool(double)> report) : report_(std::move(report)) {}
    bool operator()(double share) const {
        if (share - *last_ < kStep && share > *last_) return report_(-1);
        *last_ = share;
        return report_(share);
    }

  private:
    std::function<bool(double)> report_;
    std::shared_ptr<double> last_ = std::make_shared<double>(-1);
};

} // namespace

ChatExchange::ChatExchange(QObject* parent) : QObject(parent) {}

ChatExchange::~ChatExchange() {
    wanted_ = 0;
    thread_.finish();
}

void ChatExchange::setState(State state) {
    state_ = state;
    Q_EMIT changed();
}

/// Shows the error instead of beginning a job. Returns true.
bool ChatExchange::refuse(const engine::Error& error) {
    error_ = ErrorInfo(error);
    setState(Failed);
    return true;
}

void ChatExchange::run(State state, Work work) {
    const quint64 number = ++job_;
    wanted_ = number;
    progress_ = 0;
    forgetWords();
    setState(state);
    thread_.push([this, number, work = std::move(work)] {
        const Outcome outcome = work(Steps([this, number](double share) {
            if (share >= 0)
                toGui_.push([this, share] {
                    progress_ = share;
                    Q_EMIT progressChanged();
                });
            return wanted_ == number;
        }));
        toGui_.push([this, number, outcome] { finish(number, outcome); });
    });
}

/// Forgets what the latest job said.
void ChatExchange::forgetWords() {
    result_.clear();
    problems_.clear();
    error_ = {};
}

void ChatExchange::finish(quint64 number, const Outcome& outcome) {
    if (number != job_) return;
    result_ = outcome.result;
    const int presets = presets_ ? presets_->addMissing(outcome.presets) : 0;
    if (presets > 0) result_ += QLatin1Char('\n') + tr("%Ln preset(s) that they use were added.", nullptr, presets);
    problems_ = outcome.problems;
    error_ = outcome.error ? ErrorInfo(*outcome.error) : ErrorInfo();
    setState(result_.isEmpty() ? Failed : Done);
    if (outcome.added) Q_EMIT imported(outcome.chats);
}

/// Makes this the file of a job, which exports this chat alone, or no chat alone (0). Returns false if none can begin;
/// error() says why.
bool ChatExchange::takeFile(const QUrl& file, qint64 chat) {
    if (busy()) return false;
    chat_ = chat;
    file_ = file.isLocalFile() ? file.toLocalFile() : file.toString();
    forgetWords();
    error_ = noFileNamed(file, tr("Nothing was exported"));
    if (error_.valid()) setState(Failed);
    return !error_.valid() && !(!store_ && refuse(noStore()));
}

void ChatExchange::ask(const QUrl& file, qint64 chat, std::function<void(bool replace)> begin) {
    if (!takeFile(file, chat)) return;
    if (!QFileInfo::exists(file_)) return begin(false);
    asked_ = std::move(begin);
    setState(Asking);
}

void ChatExchange::replaceFile() {
    if (state_ == Asking) std::exchange(asked_, {})(true);
}

void ChatExchange::dismiss() {
    if (busy()) return;
    asked_ = {};
    forgetWords();
    setState(Idle);
}

void ChatExchange::cancel() {
    if (busy()) wanted_ = 0;
}

QJsonArray ChatExchange::presetList() const { return presets_ ? presets_->list() : QJsonArray(); }

void ChatExchange::exportChat(qint64 chat, Format format, const QUrl& file) {
    ask(file, chat, [this, chat, format](bool replace) {
        auto opened = store_->openReader();
        if (!opened && refuse(opened.error())) return;
        run(Exporting,
            [reader = std::shared_ptr<ChatReader>(std::move(opened).value()), chat, format, replace, path = file_,
             presets = presetList()](const ExchangeProgress& progress) -> Outcome {
                engine::Status done;
                if (format == Json) {
                    const auto written = exportJson(
                        *reader, {.path = path, .chats = {chat}, .presets = presets, .replace = replace}, progress);
                    if (!written) done = written.error();
                } else {
                    done = exportMarkdown(*reader, {.path = path,
                                                    .chat = chat,
                                                    .branches = format == MarkdownWithBranches,
                                                    .presets = presets,
                                                    .replace = replace});
                }
                if (!done) return {.error = done.error()};
                return {.result = tr("The chat was exported.")};
            });
    });
}

void ChatExchange::exportAll(const QUrl& file) {
    ask(file, 0, [this](bool replace) {
        auto opened = store_->openReader();
        if (!opened && refuse(opened.error())) return;
        run(Exporting,
            [reader = std::shared_ptr<ChatReader>(std::move(opened).value()), replace, path = file_, bin = withBin_,
             records = withRecords_, presets = presetList()](const ExchangeProgress& progress) -> Outcome {
                const auto written = exportJson(
                    *reader,
                    {.path = path, .tree = {.bin = bin, .records = records}, .presets = presets, .replace = replace},
                    progress);
                if (!written) return {.error = written.error()};
                return {.result = tr("%Ln chat(s) were exported.", nullptr, static_cast<int>(written.value()))};
            });
    });
}

void ChatExchange::exportFolder(const QUrl& folder) {
    if (!takeFile(folder, 0)) return;
    auto opened = store_->openReader();
    if (!opened && refuse(opened.error())) return;
    const auto name = [otherwise = tr("Chat")](const QString& title) { return fileName(title, otherwise); };
    run(Exporting,
        [reader = std::shared_ptr<ChatReader>(std::move(opened).value()), name, path = file_,
         presets = presetList()](const ExchangeProgress& progress) -> Outcome {
            const auto written =
                exportMarkdownFolder(*reader, {.folder = path, .name = name, .presets = presets}, progress);
            if (!written) return {.error = written.error()};
            return {.result = tr("%Ln chat(s) were exported.", nullptr, static_cast<int>(written.value()))};
        });
}

void ChatExchange::importFiles(const QList<QUrl>& files) {
    if (busy() || files.isEmpty()) return;
    chat_ = 0;
    forgetWords();
    QStringList paths;
    for (const QUrl& file : files) paths.append(file.isLocalFile() ? file.toLocalFile() : file.toString());
    file_ = paths.front();
    if (const auto more = static_cast<int>(paths.size()) - 1; more > 0)
        file_ = tr("%1 and %Ln more file(s)", nullptr, more).arg(file_);
    if (!store_ && refuse(noStore())) return;
    auto opened = store_->openImporter();
    if (!opened && refuse(opened.error())) return;
    run(Importing, [this, importer = std::shared_ptr<ChatImporter>(std::move(opened).value()),
                    paths](const ExchangeProgress& progress) {
        return outcomeOf(importChats(*importer, {.paths = paths}, progress));
    });
}

/// The report in sentences.
ChatExchange::Outcome ChatExchange::outcomeOf(const engine::Result<ImportReport>& report) const {
    if (!report) return {.error = report.error()};
    const auto count = [](qint64 number) { return static_cast<int>(number); };
    Outcome outcome{.error = report->ended, .presets = report->presets, .added = true, .chats = report->chats};
    QStringList lines;
    if (report->found == 0 && !report->ended)
        lines.append(tr("No chats were found. Everything else was imported."));
    else if (report->found > 0 && report->present == report->found)
        lines.append(tr("Nothing new was found."));
    else if (report->found > 0 && report->added() == report->found)
        lines.append(tr("%Ln chat(s) were imported.", nullptr, count(report->added())));
    else if (report->added() > 0) // else the error, or the number of those that were left out, says it all
        lines.append(tr("%Ln of %1 chat(s) were imported.", nullptr, count(report->added()))
                         .arg(QLocale().toString(report->found)));
    if (report->beside > 0)
        lines.append(tr("%Ln of them have other messages than the same chat(s) here, and were added beside.", nullptr,
                        count(report->beside)));
    if (report->restored > 0)
        lines.append(tr("%Ln of them were taken back from the bin.", nullptr, count(report->restored)));
    if (report->present > 0) lines.append(tr("%Ln chat(s) were here already.", nullptr, count(report->present)));
    if (report->notes > 0)
        lines.append(
            tr("%Ln picture(s) or other file(s) of these chats were not imported. A note is in the place of each.",
               nullptr, count(report->notes)));
    if (report->failed > 0) lines.append(tr("%Ln chat(s) were left out:", nullptr, count(report->failed)));
    outcome.result = lines.join(QLatin1Char('\n'));
    for (const ImportProblem& problem : report->problems) {
        const QString title = problem.title.isEmpty() ? tr("A chat without a title") : problem.title;
        outcome.problems.append(tr("%1: %2.").arg(isolatedName(title), shownText(problem.error.why)));
    }
    return outcome;
}

QString ChatExchange::fileName(QString title, const QString& otherwise) {
    static const QRegularExpression kForbidden(QStringLiteral("[\\x00-\\x1f/\\\\:*?\"<>|]+"));
    title = title.replace(kForbidden, QStringLiteral(" ")).simplified().left(kLongestName).trimmed();
    while (title.startsWith(QLatin1Char('.'))) title.remove(0, 1);
    while (title.endsWith(QLatin1Char('.')) || title.endsWith(QLatin1Char(' ')))
        title.chop(1); // before the ending's own
    return title.isEmpty() ? otherwise : title;
}

QString ChatExchange::suggestedName(qint64 chat, Format format) const {
    QString name = tr("Chats of Coterie");
    if (chat != 0 && store_)
        if (const auto row = store_->chat(chat)) name = row->title;
    return fileName(name, tr("Chat")) + (format == Json ? QStringLiteral(".json") : QStringLiteral(".md"));
}

} // namespace coterie::app
