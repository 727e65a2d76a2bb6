// SPDX-License-Identifier: Apache-2.0
// Export and import for the window: runs app/exchange/ on a thread of its own, one job at a time, with progress, a way
// to stop it, and a result in words. A file that exists is replaced only after replaceFile(). Lives on the GUI thread.
//
//     exchange.exportChat(chat, ChatExchange::Markdown, file);
//     exchange.importFile(file);
//     connect(&exchange, &ChatExchange::imported, &chats, &ChatListModel::refreshAll);
#pragma once

#include "common/call_queue.h"
#include "common/error_info.h"
#include "exchange/chat_export.h"
#include "exchange/chat_import.h"
#include "store/chat_store.h"

#include <QList>
#include <QObject>
#include <QStringList>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

#include <atomic>
#include <functional>
#include <optional>

namespace coterie::app {

class Presets;

class ChatExchange : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(State state READ state NOTIFY changed)
    Q_PROPERTY(bool busy READ busy NOTIFY changed)
    Q_PROPERTY(double progress READ progress NOTIFY progressChanged)
    Q_PROPERTY(qint64 chat READ chat NOTIFY changed)
    Q_PROPERTY(QString file READ file NOTIFY changed)
    Q_PROPERTY(QString result READ result NOTIFY changed)
    Q_PROPERTY(QStringList problems READ problems NOTIFY changed)
    Q_PROPERTY(coterie::app::ErrorInfo error READ error NOTIFY changed)
    Q_PROPERTY(bool withBin MEMBER withBin_ NOTIFY wishesChanged)
    Q_PROPERTY(bool withRecords MEMBER withRecords_ NOTIFY wishesChanged)
  public:
    enum State {
        Idle,
        Asking, ///< the file exists: replaceFile() or dismiss() decides
        Exporting,
        Importing,
        Done, ///< result() says what was done; error() may say why it ended early
        Failed,
    };
    Q_ENUM(State)
    enum Format { Json, Markdown, MarkdownWithBranches };
    Q_ENUM(Format)

    explicit ChatExchange(QObject* parent = nullptr);
    /// Stops the job that runs. The store must still be there.
    ~ChatExchange() override;

    /// Null: everything is refused.
    void setStore(ChatStore* store) { store_ = store; }
    /// Exports have the presets that their chats use, and imports add those that are missing. They outlive this object.
    void setPresets(Presets* presets) { presets_ = presets; }

    State state() const { return state_; }
    bool busy() const { return state_ == Exporting || state_ == Importing; }
    double progress() const { return progress_; } ///< 0..1 while busy
    qint64 chat() const { return chat_; }         ///< the chat that the latest job exports alone; 0: it does another
    QString file() const { return file_; }        ///< path of the latest job's file; of several, the first
    QString result() const { return result_; }
    QStringList problems() const { return problems_; } ///< the chats that were left out, each with the reason
    ErrorInfo error() const { return error_; }
    /// Whether the export of one chat has failed, and nobody has dismissed that yet.
    bool failedAlone() const { return state_ == Failed && chat_ != 0 && error_.valid(); }

    /// Opens the dialog for the file of this chat's export; chat 0 stands for all of them.
    Q_INVOKABLE void chooseFile(qint64 chat, coterie::app::ChatExchange::Format format) {
        Q_EMIT fileWanted(chat, format);
    }
    /// Writes one chat.
    Q_INVOKABLE void exportChat(qint64 chat, coterie::app::ChatExchange::Format format, const QUrl& file);
    /// Writes all chats as JSON; withBin and withRecords say what else.
    Q_INVOKABLE void exportAll(const QUrl& file);
    /// Writes all chats as Markdown, one file each, into a folder that exists. No file in it is replaced.
    Q_INVOKABLE void exportFolder(const QUrl& folder);
    /// Adds the chats of files and folders: see chat_import.h.
    Q_INVOKABLE void importFiles(const QList<QUrl>& files);
    /// The same for one file or folder.
    Q_INVOKABLE void importFile(const QUrl& file) { importFiles({file}); }
    /// While Asking: replaces the file.
    Q_INVOKABLE void replaceFile();
    Q_INVOKABLE void cancel();
    /// Forgets the result or the question.
    Q_INVOKABLE void dismiss();
    /// Makes a file's name of a title, without its ending. otherwise: the name if nothing of the title is left.
    static QString fileName(QString title, const QString& otherwise);
    /// A name for the file of this chat, without its folder; chat 0 stands for all of them.
    Q_INVOKABLE QString suggestedName(qint64 chat, coterie::app::ChatExchange::Format format) const;

  Q_SIGNALS:
    void changed();
    void progressChanged();
    void wishesChanged();
    /// The window should open the dialog.
    void fileWanted(qint64 chat, coterie::app::ChatExchange::Format format);
    /// These chats were added, or only folders or a draft.
    void imported(const QList<qint64>& chats);

  private:
    /// The result of a job.
    struct Outcome {
        std::optional<engine::Error> error{};
        QString result{};
        QStringList problems{};
        QJsonArray presets{}; ///< those of the files
        bool added = false;
        QList<qint64> chats{}; ///< those that were added
    };
    using Work = std::function<Outcome(const ExchangeProgress& progress)>;

    bool takeFile(const QUrl& file, qint64 chat);
    void ask(const QUrl& file, qint64 chat, std::function<void(bool replace)> begin);
    void run(State state, Work work);
    void finish(quint64 number, const Outcome& outcome);
    void setState(State state);
    void forgetWords();
    bool refuse(const engine::Error& error);
    Outcome outcomeOf(const engine::Result<ImportReport>& report) const;

    QJsonArray presetList() const;

    ChatStore* store_ = nullptr;
    Presets* presets_ = nullptr;
    State state_ = Idle;
    double progress_ = 0;
    qint64 chat_ = 0;
    QString file_, result_;
    QStringList problems_;
    ErrorInfo error_;
    bool withBin_ = false, withRecords_ = false;
    std::function<void(bool replace)> asked_; ///< the job that waits for replaceFile()
    quint64 job_ = 0;
    std::atomic<quint64> wanted_{0}; ///< number of the job that may go on
    CallQueue toGui_;
    CallThread thread_{QStringLiteral("exchange")}; ///< destroyed first: its calls use the others
};

} // namespace coterie::app
