// SPDX-License-Identifier: Apache-2.0
// The list of chats in the sidebar: pinned chats, folders with their chats, then all others (chat_order.h), and what
// can be done to them. Chats can be selected; an action on a selected chat is done to all selected ones. A change of
// one chat changes its row alone. Lives on the GUI thread.
//
//     chats.setStore(store);
//     connect(&chats, &ChatListModel::done, &undo, &UndoStack::push);
//     chats.setPinned(chat, true);
#pragma once

#include "chats/chat_order.h"
#include "common/error_info.h"
#include "common/row_list.h"
#include "common/undo_stack.h"
#include "store/chat_store.h"

#include <QSet>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

class ChatListModel : public coterie::app::RowList {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(int selectedCount READ selectedCount NOTIFY selectionChanged)
    Q_PROPERTY(int folderCount READ folderCount NOTIFY foldersChanged)
    Q_PROPERTY(bool undoAvailable READ undoAvailable NOTIFY undoChanged)
    Q_PROPERTY(QString undoText READ undoText NOTIFY undoChanged)
  public:
    enum Roles {
        ChatIdRole = Qt::UserRole + 1, ///< chatId: 0 for a folder
        FolderIdRole,                  ///< folderId: of a folder's row; 0 for a chat
        TitleRole,                     ///< title: of the chat, or the folder's name
        UpdatedRole,                   ///< updated, QDateTime in local time
        SectionRole,   ///< section: "pinned", "folders", "today", "yesterday", "week", "older", "chats", or empty
        CurrentRole,   ///< current: shown in the conversation
        AnsweringRole, ///< answering: its answer is being written, or waits for its turn
        AskingRole,    ///< asking: a tool of it waits for the user's answer
        UnreadRole,    ///< unread: an answer came while the chat was not shown
        PinnedRole,    ///< pinned
        InFolderRole,  ///< inFolder: the row is below that of its folder
        FoldedRole,    ///< folded: the folder's chats are not listed
        ChatCountRole, ///< chatCount: of the folder
        SelectedRole,  ///< selected
    };
    Q_ENUM(Roles)

    explicit ChatListModel(QObject* parent = nullptr);

    /// If store is null, the list is empty and refuses changes.
    void setStore(ChatStore* store);
    /// "used", "title", "created": see ChatSort.
    void setSort(const QString& sort);
    /// Reads one chat again. Call it after the chat was added, removed or changed.
    void refresh(qint64 chatId);
    /// Reads everything again. Call it after many chats were added.
    void refreshAll();
    void setAnswering(qint64 chatId, bool answering) { mark(answering_, chatId, answering, AnsweringRole); }
    void setAsking(qint64 chatId, bool asking) { mark(asking_, chatId, asking, AskingRole); }
    void setUnread(qint64 chatId, bool unread);
    void setCurrentChatId(qint64 chatId);

    QVariant data(const QModelIndex& index, int role) const override;

    int count() const override { return static_cast<int>(rows_.size()); }
    int selectedCount() const { return static_cast<int>(selected_.size()); }
    int folderCount() const { return static_cast<int>(order_.folders().size()); }
    /// Whether the latest action should be offered to be undone.
    bool undoAvailable() const { return !undoText_.isEmpty(); }
    /// Says what was done: "Deleted "A walk"".
    QString undoText() const { return undoText_; }

    /// Returns the row of a chat; -1 if it is not in the list.
    Q_INVOKABLE int rowOf(qint64 chatId) const { return find({.place = ChatEntry::Place::Loose, .id = chatId}); }
    Q_INVOKABLE int rowOfFolder(qint64 folder) const { return find({.place = ChatEntry::Place::Folder, .id = folder}); }
    /// Returns the row that the latest action, or its undoing, has changed, or the one beside those that it has taken
    /// away; -1 if it is not in the list.
    Q_INVOKABLE int touchedRow() const { return find(touched_); }
    /// Returns the chat of that row; 0 if it is a folder, or there is none.
    Q_INVOKABLE qint64 touchedChat() const { return touched_.isFolder() ? 0 : touched_.id; }
    Q_INVOKABLE bool isPinned(qint64 chatId) const;
    /// Returns {id, name} of each folder, in their order.
    Q_INVOKABLE QVariantList folders() const;

    // Actions. Each can be undone: see done().

    Q_INVOKABLE void rename(qint64 chatId, const QString& title);
    /// Moves chats into the bin for 30 days. Returns false if that failed.
    Q_INVOKABLE bool remove(qint64 chatId);
    /// These chats came from the bin: undoing that moves them into it.
    void addArrived(const QString& title, const QList<qint64>& chats);
    /// Reads all chats again after an import. If it has added chats that are not in the bin, undoing moves them into
    /// it, and removes the folders that it has made in which nothing else is.
    void addImported(const QString& title, QList<qint64> chats);
    Q_INVOKABLE void setPinned(qint64 chatId, bool pinned);
    /// Moves chats into the folder; 0: into none. Pinned chats stay pinned.
    Q_INVOKABLE void moveToFolder(qint64 chatId, qint64 folder);
    /// Whether the chat, or one of those selected with it, is in a folder.
    Q_INVOKABLE bool inFolder(qint64 chatId) const;
    /// Copies the chat with all of its branches, its settings and its draft. Returns the id of the copy; 0 if that
    /// failed.
    Q_INVOKABLE qint64 duplicate(qint64 chatId);
    /// Returns the id of the new folder; 0 if that failed.
    Q_INVOKABLE qint64 createFolder();
    Q_INVOKABLE void renameFolder(qint64 folder, const QString& name);
    /// Moves the folder by so many places.
    Q_INVOKABLE void moveFolder(qint64 folder, int by);
    /// Removes the folder; its chats are then in none.
    Q_INVOKABLE void removeFolder(qint64 folder);
    /// Does what dropping one row on another means: a chat goes into the folder there, and a folder to its place.
    Q_INVOKABLE void drop(int row, int on);

    Q_INVOKABLE void setFolded(qint64 folder, bool folded);
    /// Unfolds the folder that has this chat, so that the chat has a row.
    Q_INVOKABLE void unfoldAround(qint64 chatId);
    /// Ends the offer to undo; the action can still be undone by UndoStack.
    Q_INVOKABLE void forgetUndo();

    // The selection. Folders can't be selected.

    Q_INVOKABLE void toggleSelected(int row);
    /// The same for a chat that may have no row, such as one that a search has found.
    Q_INVOKABLE void toggleChat(qint64 chatId);
    /// Selects these chats, which may have no rows, and no others.
    Q_INVOKABLE void selectChats(const QVariantList& chats);
    Q_INVOKABLE bool isSelected(qint64 chatId) const { return selected_.contains(chatId); }
    /// Selects the chats from the row where the selection began to this one, and no others.
    Q_INVOKABLE void selectTo(int row);
    Q_INVOKABLE void selectAll();
    /// The next selectTo() begins at this row.
    Q_INVOKABLE void clearSelection(int row = -1);

  Q_SIGNALS:
    void countChanged();
    void selectionChanged();
    void foldersChanged();
    void undoChanged();
    void renamed(qint64 chatId, const QString& title);
    void removed(qint64 chatId);
    /// A chat came out of the bin again.
    void restored(qint64 chatId);
    /// An action was done: these are the functions that undo and repeat it. They use this object and the store.
    void done(const coterie::app::Undoable& step);
    /// An action was undone or repeated: touchedRow() is where. offered: it had a bar in the list when it was done.
    void stepTaken(bool offered);
    /// The store returned an error.
    void failed(const coterie::app::ErrorInfo& error);

  private:
    using Chats = QList<qint64>;

    /// A folder with all that comes back with it.
    struct WholeFolder {
        FolderRow row{};
        qsizetype place = 0; ///< among the folders
        Chats chats{};       ///< pinned ones and those in the bin too
        bool empty = false;  ///< all of them are in the bin
    };

    int find(const ChatEntry& entry) const;
    Chats actedOn(qint64 chatId) const;
    QString nameOf(const Chats& chats) const;
    void readFolders();
    void rearrange();
    void rearrangeFar(std::vector<ChatEntry> wanted);
    void moveRow(size_t from, size_t to);
    void emitChanged(const ChatEntry& entry, const QList<int>& roles);
    void emitFolders();
    void mark(QSet<qint64>& marked, qint64 chatId, bool is, Roles role);
    void refreshMany(const Chats& chats);
    void select(const QSet<qint64>& chats);
    bool finish(const engine::Status& status, Undoable step, const QString& offer = {});
    engine::Status chatsNow(const Chats& chats, const engine::Status& status);
    engine::Status renameNow(qint64 chatId, const QString& title);
    ChatEntry besideThose(const Chats& chats, qint64 chatId) const;
    engine::Status removeNow(const Chats& chats, qint64 chatId);
    bool inBin(const Chats& chats) const;
    engine::Status restoreNow(const Chats& chats);
    engine::Status takeBackNow(const Chats& chats, const Chats& folders, std::vector<WholeFolder>& removed);
    engine::Status importAgainNow(const Chats& chats, const std::vector<WholeFolder>& removed);
    engine::Result<WholeFolder> wholeFolder(qint64 folder) const;
    QString copyTitle(const QString& title) const;
    engine::Status folderNow(qint64 folder, const engine::Status& status);
    QVariant folderData(const ChatEntry& entry, int role) const;
    QVariant chatData(const ChatEntry& entry, int role) const;
    QString sectionOf(const ChatEntry& entry) const;

    ChatStore* store_ = nullptr;
    ChatOrder order_;
    std::vector<ChatEntry> rows_; ///< as the views know them
    QSet<qint64> answering_, asking_, selected_;
    qint64 anchor_ = 0; ///< the chat at which the selection began
    qint64 current_ = 0;
    ChatEntry touched_;
    QString undoText_;
};

} // namespace coterie::app
