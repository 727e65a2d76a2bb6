// SPDX-License-Identifier: Apache-2.0
// The files attached to the text in the composer: chips above its field. They are read on a thread of their own and
// stored at once, so that they stay with the draft; their tokens are counted as the draft's are. Lives on the GUI
// thread. A file that is still being read when its chat is deleted comes back with the chat. The program ends when all
// are read.
//
//     files.add({QUrl::fromLocalFile(path)}); // failed() follows, or a row
#pragma once

#include "common/call_queue.h"
#include "common/error_info.h"
#include "common/row_list.h"
#include "engine_link/engine_worker.h"
#include "store/chat_store.h"

#include <QHash>
#include <QList>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

class Conversation;
class UndoStack;

/// "12 KiB", or "12 KiB - 340 tokens" if tokens is above 0, in the user's language.
QString fileDetail(qint64 bytes, qint64 tokens);
std::vector<qint64> idsOf(const std::vector<DraftFile>& files);
/// The parts that a message with these files will have.
std::vector<MessagePart> partsOf(const std::vector<DraftFile>& files);

class ComposerFiles : public coterie::app::RowList {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("A conversation has one")
    Q_PROPERTY(int count READ count NOTIFY changed)
    Q_PROPERTY(int reading READ reading NOTIFY changed)
    Q_PROPERTY(QString repeated READ repeated NOTIFY changed)
  public:
    enum Roles {
        NameRole = Qt::UserRole + 1, ///< name
        DetailRole,                  ///< detail: see fileDetail()
    };
    Q_ENUM(Roles)

    /// Both outlive this object.
    ComposerFiles(Conversation* conversation, EngineWorker* worker, QObject* parent = nullptr);
    ~ComposerFiles() override;

    /// Steps are pushed there; it outlives this object. Without it, none are.
    void setUndo(UndoStack* undo) { undo_ = undo; }
    void setStore(ChatStore* store) { store_ = store; }
    /// Shows the files of the conversation's chat.
    void refresh();
    /// Another model counts the tokens from now on.
    void countAgain();
    /// The new chat of this store exists from now on: the files of its draft, and those that are being read for it,
    /// belong to this chat.
    void giveTo(qint64 chat, ChatStore* store);
    /// Attaches the files that were read for this chat while it was in the bin.
    void keepLate(qint64 chat);
    /// Files that are still being read for chats of this store will not be attached.
    void dropReading(const ChatStore* store);

    /// Reads local files and adds those that have a text. Undo takes each out again. A file that is here already is not
    /// added again: see repeated().
    Q_INVOKABLE void add(const QList<QUrl>& files);
    /// Adds copies of files that the store of this chat has, except those that are here already.
    void take(const std::vector<DraftFile>& files);
    /// Adds what is in the clipboard if it is files, or a long text. Returns false if it is neither: then nothing was
    /// done.
    Q_INVOKABLE bool paste();
    /// Takes the file out. Undo puts it back.
    Q_INVOKABLE void remove(int row);

    int count() const override { return static_cast<int>(rows_.size()); }
    /// Number of files that are being read for this chat.
    int reading() const;
    /// Name of a file that was chosen last and is here already; empty: there is none, or the files have changed since.
    QString repeated() const { return repeated_; }
    const std::vector<DraftFile>& rows() const { return rows_; }
    std::vector<qint64> ids() const { return idsOf(rows_); }
    /// The parts that the message will have.
    std::vector<MessagePart> parts() const { return partsOf(rows_); }

    QVariant data(const QModelIndex& index, int role) const override;

  Q_SIGNALS:
    void changed();
    void failed(const coterie::app::ErrorInfo& error);
    /// A file is in the draft.
    void added();

  private:
    /// A file that is being read.
    struct Reading {
        quint64 number = 0;
        ChatStore* store = nullptr;
        qint64 chat = 0; ///< 0: a chat that does not exist yet
        QString path;
    };
    /// A file that was read for a chat which was in the bin by then.
    struct Late {
        ChatStore* store = nullptr;
        qint64 chat = 0;
        NewFile file;
    };

    void read(const QString& path);
    void onRead(quint64 number, const engine::Result<NewFile>& file);
    void store(ChatStore* store, qint64 chat, const engine::Result<NewFile>& file);
    QList<qint64> chatsOf(const ChatStore* store) const;
    engine::Status keep(ChatStore* store, const DraftFile& file, bool kept);
    void countNext();
    void onCounted(quint64 count, qint64 tokens);
    QString freeName() const;

    Conversation* conversation_;
    EngineWorker* worker_;
    ChatStore* store_ = nullptr;
    UndoStack* undo_ = nullptr;
    qint64 chat_ = 0;
    std::vector<DraftFile> rows_;
    QString repeated_;
    QHash<qint64, qint64> tokens_; ///< by file; -1: they can't be counted now
    qint64 counted_ = 0;           ///< the file that is being counted
    quint64 wantedCount_ = 0;      ///< 0: none is
    std::vector<Reading> reading_;
    std::vector<Late> late_;
    quint64 lastRead_ = 0; ///< number of the file that was chosen last
    CallQueue toGui_;
    CallThread thread_{QStringLiteral("files")};
};

} // namespace coterie::app
