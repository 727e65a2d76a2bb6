// SPDX-License-Identifier: Apache-2.0
// Finds words in the chat that a conversation shows: in every message of its path, also in those that were not read
// yet, and in an answer while it is written. It marks the hits in the texts and says which one is current; the view
// scrolls there. Words are found as they are shown (shown_hits.h), without case and diacritics, also within longer
// words.
//
//     find.setActive(true);
//     find.setWords(QStringLiteral("light"));  // changed() follows: count(), current()
//     find.next();                             // hitWanted() tells the view which message to show
//
// Lives on the GUI thread; messages are read and searched on a thread of its own.
#pragma once

#include "chats/message_model.h"
#include "chats/shown_hits.h"
#include "common/call_queue.h"
#include "common/error_info.h"
#include "engine_link/prompt_history.h"

#include <QObject>
#include <QString>
#include <QtQml/qqmlregistration.h>

#include <atomic>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace coterie::app {

class ChatFind : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("A conversation has one")
    Q_PROPERTY(bool active READ active WRITE setActive NOTIFY activeChanged)
    Q_PROPERTY(QString words READ words WRITE setWords NOTIFY wordsChanged)
    Q_PROPERTY(int count READ count NOTIFY changed)
    Q_PROPERTY(int current READ current NOTIFY changed)
    Q_PROPERTY(bool searching READ searching NOTIFY changed)
    Q_PROPERTY(QString countText READ countText NOTIFY changed)
  public:
    /// Both outlive this object.
    ChatFind(MessageModel* messages, const PromptHistory* history, QObject* parent = nullptr);
    ~ChatFind() override;

    /// While it is not active, nothing is searched or marked. The words stay.
    bool active() const { return active_; }
    void setActive(bool active);
    QString words() const { return words_; }
    void setWords(const QString& words);
    /// Number of hits; more than kMostHits are not counted.
    int count() const { return static_cast<int>(hits_.size()); }
    int current() const { return current_ + 1; } ///< number of the current hit, from 1; 0: there is none
    bool searching() const { return searching_; }
    QString countText() const; ///< "3 of 17"; empty without words

    /// Makes the next hit current; the first one follows the last one.
    Q_INVOKABLE void next() { step(1); }
    Q_INVOKABLE void previous() { step(-1); }
    /// Says which message is at the top of the view: the first hit is looked for from there on.
    Q_INVOKABLE void setPlace(qint64 message) { place_ = {.message = message, .range = {}}; }
    /// Finds the words, and makes the first hit in this message or after it current, also if another one is current
    /// already.
    Q_INVOKABLE void findFrom(qint64 message, const QString& words);

    static constexpr int kMostHits = 20000;

  Q_SIGNALS:
    void activeChanged();
    void wordsChanged();
    void changed();
    /// The current hit is in this message: its mark should be in view.
    void hitWanted(qint64 message);
    void failed(const coterie::app::ErrorInfo& error);

  private:
    /// A hit, or a place in the path. A child's id is greater than its parent's, so ids are in the path's order.
    struct Hit {
        qint64 message = 0;
        PartRange range{};

        bool operator==(const Hit& other) const = default;
        bool operator<(const Hit& other) const;
    };
    /// The input of a search on the other thread.
    struct Search {
        quint64 number = 0;
        QString words{};
        RowSource before{}; ///< reads the messages before those that are here; empty: there are none
        qint64 beforeId = 0;
        std::vector<MessageRow> rows{};
    };
    /// The answer that is being written.
    struct Growing {
        qint64 message = 0;
        size_t before = 0;                   ///< number of hits in the messages before it
        std::unique_ptr<GrowingHits> hits{}; ///< made when it is first searched
    };
    /// The blocks of a message, which are made once.
    struct Shown {
        std::vector<MessagePart> parts{}; ///< the blocks are those of these parts
        std::vector<TextBlock> blocks{};
        quint64 search = 0; ///< number of the last search that needed them
    };
    /// Messages that the other thread has read. Used on that thread only.
    struct Kept {
        qint64 upTo = 0;
        std::vector<MessageRow> rows{};
        std::unordered_map<qint64, Shown> shown{}; ///< by message
    };

    void search();
    void searchNow(const Search& search);
    void take(quint64 number, std::vector<Hit> hits);
    void stop();
    void grow();
    bool growHits();
    void onRowsInserted(int first, int last);
    void step(int by);
    void choose();
    void setCurrent(int index);
    void mark(qint64 message);
    void markAll();
    static void findIn(Kept& kept, const MessageRow& row, const Search& search, std::vector<Hit>& hits);

    MessageModel* messages_;
    const PromptHistory* history_;
    bool active_ = false, searching_ = false;
    QString words_;
    std::vector<Hit> hits_; ///< in the path's order
    int current_ = -1;
    Hit place_;              ///< the current hit was chosen from here on
    bool fromPlace_ = false; ///< the search that runs chooses the current hit anew from there on
    std::optional<Growing> growing_;
    std::shared_ptr<Kept> kept_;
    std::atomic<quint64> wanted_{0}; ///< searches with another number give up
    CallQueue toGui_;
    std::unique_ptr<CallThread> thread_; ///< made when it is first needed; destroyed first
};

} // namespace coterie::app
