// SPDX-License-Identifier: Apache-2.0
// The list of chats in the sidebar, newest first, or the hits of a full-text search. A change of one chat changes its
// row alone, and long queries run on a thread of their own. Lives on the GUI thread.
#pragma once

#include "call_queue.h"
#include "error_info.h"
#include "store/chat_reader.h"
#include "store/chat_store.h"

#include <QAbstractListModel>
#include <QSet>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <vector>

namespace coterie::app {

class ChatListModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(QString filter READ filter WRITE setFilter NOTIFY filterChanged)
    Q_PROPERTY(bool searching READ searching NOTIFY searchingChanged)
    Q_PROPERTY(qint64 currentChatId READ currentChatId NOTIFY currentChatIdChanged)
    Q_PROPERTY(bool undoAvailable READ undoAvailable NOTIFY undoChanged)
    Q_PROPERTY(QString undoTitle READ undoTitle NOTIFY undoChanged)
  public:
    enum Roles {
        ChatIdRole = Qt::UserRole + 1, ///< chatId
        TitleRole,                     ///< title
        UpdatedRole,                   ///< updated, QDateTime in local time
        SectionRole,                   ///< section: "today", "yesterday", "week", "older"
        CurrentRole,                   ///< current: shown in the conversation
        AnsweringRole,                 ///< answering: its answer is being written, or waits for its turn
        SnippetRole,                   ///< snippet: the text around a hit in a message; else empty
    };
    Q_ENUM(Roles)

    explicit ChatListModel(QObject* parent = nullptr);
    ~ChatListModel() override;

    /// If store is null, the list is empty and refuses changes.
    void setStore(ChatStore* store);
    /// Reads one chat again. Call it after the chat was added, removed or changed.
    void refresh(qint64 chatId);
    void setAnswering(qint64 chatId, bool answering);
    void setCurrentChatId(qint64 chatId);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;

    int count() const { return static_cast<int>(rows_.size()); }
    QString filter() const { return filter_; }
    /// Words that a chat's title or messages must contain; the last word may be incomplete. Empty: all chats. The list
    /// changes when the query has ended; a newer one ends it.
    void setFilter(const QString& filter);
    /// Whether the list does not show yet what filter() asks for.
    bool searching() const { return wanted_ != shown_; }
    qint64 currentChatId() const { return current_; }
    bool undoAvailable() const { return undoId_ != 0; }
    QString undoTitle() const { return undoTitle_; }

    Q_INVOKABLE void rename(qint64 chatId, const QString& title);
    /// Moves the chat into the bin for 30 days; undoRemove() restores the latest one and returns its row, or -1 if it
    /// is not in the list.
    Q_INVOKABLE void remove(qint64 chatId);
    Q_INVOKABLE int undoRemove();
    /// Ends the offer to undo; the chat stays in the bin.
    Q_INVOKABLE void forgetUndo();

  Q_SIGNALS:
    void countChanged();
    void filterChanged();
    void searchingChanged();
    void currentChatIdChanged();
    void undoChanged();
    void renamed(qint64 chatId, const QString& title);
    void removed(qint64 chatId);
    /// The store returned an error.
    void failed(const ErrorInfo& error);

  private:
    void readAll();
    void showRows(quint64 query, const engine::Result<std::vector<ChatRow>>& rows);
    void removeRow(qsizetype row);
    void tellChanged(qint64 chatId, const QList<int>& roles);
    void setUndo(qint64 chatId, const QString& title);
    qsizetype rowOf(qint64 chatId) const;

    ChatStore* store_ = nullptr;
    std::shared_ptr<ChatReader> reader_; ///< used on thread_ only, but for cancel()
    CallQueue told_;                     ///< lives on the GUI thread
    std::vector<ChatRow> rows_;
    QString filter_;
    quint64 wanted_ = 0, shown_ = 0; ///< numbers of queries: the latest, and the one whose rows are shown
    QSet<qint64> answering_;
    qint64 current_ = 0;
    qint64 undoId_ = 0;
    QString undoTitle_;
    CallThread thread_{QStringLiteral("chats")}; ///< destroyed first: its calls use the others
};

} // namespace coterie::app
