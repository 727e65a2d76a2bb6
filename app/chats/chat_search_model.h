// SPDX-License-Identifier: Apache-2.0
// The hits of a search in the titles and all branches of all chats, titles first, then messages, the newest first. If
// no title and no message has all words, they are those of any word in the chats that have all of them, chat by chat.
// They are read page by page on a thread of their own, as the view asks for them. Lives on the GUI thread.
//
//     search.setStore(store);
//     search.setWords(QStringLiteral("lighthouse"));
#pragma once

#include "common/call_queue.h"
#include "common/error_info.h"
#include "common/row_list.h"
#include "store/chat_reader.h"
#include "store/chat_store.h"

#include <QHash>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace coterie::app {

class ChatSearchModel : public coterie::app::RowList {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(QString words READ words WRITE setWords NOTIFY wordsChanged)
    Q_PROPERTY(bool searching READ searching NOTIFY searchingChanged)
    Q_PROPERTY(bool more READ more NOTIFY countChanged)
    Q_PROPERTY(bool scattered READ scattered NOTIFY countChanged)
  public:
    enum Roles {
        ChatIdRole = Qt::UserRole + 1, ///< chatId
        MessageIdRole,                 ///< messageId: 0 if the title was hit
        TitleRole,                     ///< title: of the chat
        TitleMarksRole,                ///< titleMarks: begin and end of each word in it; empty for a message
        ExcerptRole,                   ///< excerpt: the text around the hit in a message; else empty
        ExcerptMarksRole,              ///< excerptMarks: the words in it
        FromUserRole,                  ///< fromUser: the message is a prompt
        TimeRole,                      ///< time: of the message or the chat, QDateTime in local time
    };
    Q_ENUM(Roles)

    explicit ChatSearchModel(QObject* parent = nullptr);
    ~ChatSearchModel() override;

    /// If store is null, nothing is found. The store outlives this object.
    void setStore(ChatStore* store);
    /// Searches again, if anything is searched for. Call it after a chat was restored or changed.
    void refresh();
    /// Takes the hits of this chat away. Call it after the chat was removed: the other hits stay where they are.
    void forget(qint64 chat);

    QString words() const { return words_; }
    /// The last word may be incomplete. Hits of earlier words are shown until those of the new ones were read. Empty:
    /// no hits.
    void setWords(const QString& words);
    /// Whether the hits are not yet those of words().
    bool searching() const { return wanted_ != shown_; }
    /// Whether there are more hits than count().
    bool more() const { return next_.has_value(); }
    /// Whether the hits have some of the words only: their chats have all of them, but in different places.
    bool scattered() const { return scattered_ && !hits_.empty(); }
    int count() const override { return static_cast<int>(hits_.size()); }
    /// Returns the row of the hit in this message of the chat (0: in its title), or else of the chat's first hit; -1 if
    /// there is none.
    Q_INVOKABLE int rowOf(qint64 chat, qint64 message) const;
    /// Returns the words that lead to the hit within its chat: the first one that the message has, if they do not stand
    /// side by side there.
    Q_INVOKABLE QString wordsIn(qint64 chat, qint64 message) const;
    /// Returns the chats of the hits from one row to another. A chat may be there several times.
    Q_INVOKABLE QVariantList chatsBetween(int one, int other) const;
    /// Has the hits in view stay, because one of them is being renamed. Those of a new query come afterwards.
    Q_INVOKABLE void setHeld(bool held);

    QVariant data(const QModelIndex& index, int role) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    /// Reads the next page; its hits are there a moment later.
    void fetchMore(const QModelIndex& parent) override;

  Q_SIGNALS:
    void countChanged();
    void wordsChanged();
    void searchingChanged();
    /// The store returned an error.
    void failed(const coterie::app::ErrorInfo& error);

  private:
    struct Hit {
        SearchHit found;
        QString title;
        bool fromUser = false;
        QDateTime time;
    };
    struct Page {
        std::vector<Hit> hits;
        std::optional<SearchCursor> next;
        bool scattered = false;
    };
    enum class Shows { Instead, Below }; ///< hits of a page come instead of those in view, or below them

    static engine::Result<Page> read(const ChatReader& reader, const SearchRequest& request);
    void ask(const SearchCursor& after, Shows shows);
    void show(quint64 query, Shows shows, const engine::Result<Page>& page);

    std::shared_ptr<ChatReader> reader_; ///< used on thread_ only, except for cancel()
    CallQueue toGui_;                    ///< lives on the GUI thread
    QString words_;
    std::vector<Hit> hits_;
    std::optional<SearchCursor> next_;            ///< the page after hits_
    bool scattered_ = false;                      ///< hits_ have some of the words only
    bool reading_ = false;                        ///< the next page is being read
    bool held_ = false;                           ///< see setHeld()
    std::function<void()> late_;                  ///< shows the first page that came meanwhile
    quint64 wanted_ = 0, shown_ = 0;              ///< numbers of queries: the latest, and the one whose hits are shown
    CallThread thread_{QStringLiteral("search")}; ///< destroyed first: its calls use the others
};

} // namespace coterie::app
