// SPDX-License-Identifier: Apache-2.0
// Keeps the records of answers (answer_record.h) in the store, and finds them again. Packing and reading them takes
// long, so a thread of its own does it; only the packed bytes are written on the GUI thread, where the store lives.
//
//     keeper.keep(record);
//     connect(&keeper, &RecordKeeper::found, this, [](qint64 message, const AnswerRecord& record) {...});
//     keeper.find(message);
//
// The limit holds for the traces and the token records of all answers together; an answer has both or none. Records of
// temporary chats are in the store of these, in memory, with a limit of their own. Lives on the GUI thread.
#pragma once

#include "common/call_queue.h"
#include "common/error_info.h"
#include "engine_link/answer_record.h"
#include "store/chat_reader.h"
#include "store/chat_store.h"

#include <QObject>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <optional>
#include <vector>

namespace coterie::app {

class RecordKeeper : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    /// Compressed bytes of all traces and token records in the store, without those of temporary chats.
    Q_PROPERTY(double bytes READ bytes NOTIFY bytesChanged)
  public:
    explicit RecordKeeper(QObject* parent = nullptr);
    /// Waits until everything that keep() was given is packed, and writes it.
    ~RecordKeeper() override;

    /// Both may be null: then nothing is kept or found. The store outlives this object, or is taken away before. Waits
    /// as the destructor does. A find() before this is not answered.
    void setStore(ChatStore* store, std::unique_ptr<ChatReader> reader);
    /// The same for temporary chats: see isTemporary().
    void setTemporaryStore(ChatStore* store, std::unique_ptr<ChatReader> reader);
    /// Sets the room for all records in bytes; older ones are removed until the rest fits. 256 MiB at first.
    void setLimit(qint64 bytes);

    /// Keeps the record with its message. Failures to store it are reported by failed(); the answer itself is not
    /// affected.
    void keep(const AnswerRecord& record);
    /// Reads a message's record; found(), missing() or unreadable() follows, unless a later find() came before it. A
    /// record is found as soon as keep() was given it.
    void find(qint64 message);
    /// The tokens of an answer's record, which this store keeps or which is on its way there; none if they are not
    /// known.
    std::vector<engine::TokenRecord> tokens(const ChatStore& store, qint64 message) const;
    /// The whole record of an answer, in the same way; nothing if it is not known. Reading it takes some milliseconds.
    std::optional<AnswerRecord> record(const ChatStore& store, qint64 message) const;
    /// Waits until everything that keep() was given is packed, and writes it: some milliseconds after an answer.
    void storeAll();
    /// Removes all records, also those that are not stored yet, and those of temporary chats.
    Q_INVOKABLE void removeAll();
    /// Brings bytes() up to date: records vanish with their messages.
    Q_INVOKABLE void recount();

    double bytes() const { return static_cast<double>(bytes_); }

  Q_SIGNALS:
    void bytesChanged();
    void found(qint64 message, const coterie::app::AnswerRecord& record);
    /// The store has no trace of this message.
    void missing(qint64 message);
    /// It has one that is damaged, or that a later version of the program wrote.
    void unreadable(qint64 message, const coterie::app::ErrorInfo& error);
    void failed(const coterie::app::ErrorInfo& error);
    void allRemoved(); ///< by removeAll()

  private:
    /// A store, and a connection to it that is used on the packing thread.
    struct Place {
        ChatStore* store = nullptr;
        std::shared_ptr<ChatReader> reader{};
    };

    /// A record on its way into the store.
    struct Waiting {
        AnswerRecord record{};
        engine::Result<PackedRecords> packed{PackedRecords{}}; ///< written on the packing thread, then read here
    };

    const Place& placeOf(qint64 message) const { return isTemporary(message) ? temporary_ : kept_; }
    void setPlace(Place& place, ChatStore* store, std::unique_ptr<ChatReader> reader);
    quint64 cancelReads(const ChatReader* of);
    /// The record of this message if it is being packed, else null.
    std::shared_ptr<const Waiting> waiting(qint64 message) const;
    void finishWaiting();
    void store(const std::shared_ptr<Waiting>& waiting);
    void answer(quint64 find, qint64 message, const engine::Result<std::optional<AnswerRecord>>& read);
    void setBytes(const engine::Result<qint64>& bytes);

    Place kept_, temporary_;
    qint64 limit_ = qint64{256} << 20, bytes_ = 0;
    quint64 lastFind_ = 0;
    std::vector<std::shared_ptr<Waiting>> waiting_; ///< in the order of keep()
    CallQueue toGui_;
    CallThread packing_{QStringLiteral("records")}; ///< destroyed first: its calls use the others
};

} // namespace coterie::app
