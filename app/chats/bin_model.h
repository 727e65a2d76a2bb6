// SPDX-License-Identifier: Apache-2.0
// The list of everything that was deleted and can still be restored: chats, and messages of chats that are not deleted
// themselves, the last deleted one first. It reads the store only while its page is open. Lives on the GUI thread.
#pragma once

#include "common/error_info.h"
#include "common/row_list.h"
#include "store/chat_store.h"

#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

/// Deleted chats and messages stay in the bin this many days.
constexpr int kBinDays = 30;

class BinModel : public coterie::app::RowList {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(bool listing READ listing WRITE setListing NOTIFY listingChanged)
    Q_PROPERTY(int days READ days CONSTANT)
  public:
    enum Kind { Chat, Prompt, Answer };
    Q_ENUM(Kind)

    enum Roles {
        KindRole = Qt::UserRole + 1, ///< kind: Kind
        TitleRole,                   ///< title: of the chat, or the beginning of the message's text
        ChatTitleRole,               ///< chatTitle: of the chat that the message is in
        DaysAgoRole,                 ///< daysAgo: 0 if it was deleted today
        DaysLeftRole,                ///< daysLeft: until it is erased
    };
    Q_ENUM(Roles)

    using RowList::RowList;

    /// If store is null, the bin is empty.
    void setStore(ChatStore* store) { store_ = store; }
    bool listing() const { return listing_; }
    void setListing(bool listing);
    /// Reads the bin again if it is listed. Call it after something was deleted or restored.
    void refresh();

    int count() const override { return static_cast<int>(rows_.size()); }
    static int days() { return kBinDays; }
    QVariant data(const QModelIndex& index, int role) const override;

    /// Takes it back: a chat into the list, a message into its chat.
    Q_INVOKABLE void restore(int row);
    /// Erases it now.
    Q_INVOKABLE void erase(int row);
    /// Erases everything in the bin now.
    Q_INVOKABLE void eraseAll();

  Q_SIGNALS:
    void countChanged();
    void listingChanged();
    /// The chat, or this message of it if that is not 0, is there again. before: the chat's leaf before the message
    /// came.
    void restored(qint64 chat, qint64 message, qint64 before);
    void erased();
    /// The store returned an error.
    void failed(const ErrorInfo& error);

  private:
    struct Row {
        Kind kind = Chat;
        qint64 id = 0;   ///< id of the chat or the message
        qint64 chat = 0; ///< chat of the message; else the same as id
        QString title, chatTitle;
        QDateTime removed;
        bool operator==(const Row& other) const = default;
    };

    std::vector<Row> read();
    engine::Status eraseOne(const Row& row);
    void show(std::vector<Row> rows);
    bool has(int row) const { return store_ && row >= 0 && row < count(); }

    ChatStore* store_ = nullptr;
    bool listing_ = false;
    std::vector<Row> rows_;
};

} // namespace coterie::app
