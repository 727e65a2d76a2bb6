// SPDX-License-Identifier: Apache-2.0
// Random operations on chats, and a plain model that says what must come out: lists in memory, without SQL. Operation n
// of a seed depends only on the model before it, so that two processes make the same ones.
//
//     PlainModel model;
//     const Operation next = randomOperation(model, seed, n);
//     apply(next, *store, ...);
//     model.apply(next);
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <vector>

namespace coterie::test {

struct PlainMessage {
    int parent = -1; ///< index in the chat's list
    bool user = false;
    bool finished = true; ///< else its answer was cut off
    bool writing = false; ///< an answer that this process still writes
    bool deleted = false;
    QString text{};
    QString file{}; ///< text and bytes of its attachment; empty: none
    int born = 0;   ///< number of the operation that added it
    bool operator==(const PlainMessage&) const = default;
};

struct PlainChat {
    int number = 0; ///< the same after an export and import
    QString title{};
    QString folder{};
    bool pinned = false;
    bool deleted = false;
    int leaf = -1;
    std::vector<PlainMessage> messages{};
    bool operator==(const PlainChat&) const = default;

    bool hidden(int message) const;
    int newestBelow(int message) const;
    bool isBelow(int message, int above) const;
};

struct Operation {
    enum Kind {
        Nothing,
        Send,       ///< a prompt after `message`, or the first one of a new chat if `chat` is -1; an empty answer
        Finish,     ///< the rest of an answer
        Regenerate, ///< another answer to a prompt
        Edit,       ///< another version of a message
        Continue,   ///< a finished answer is written again
        Delete,
        Restore,
        Erase, ///< a deleted message for good
        Show,  ///< the branch of a message
        Rename,
        Pin,
        Move, ///< into a folder
        DeleteChat,
        RestoreChat,
        EraseChat,
        Export,
        Import, ///< the file of the chat with this number
    };
    Kind kind = Nothing;
    int chat = -1;    ///< index in the list
    int message = -1; ///< index in the chat
    int number = 0;   ///< number of the operation, or of the chat that is imported
    QString text{};
    bool flag = false;
};

class PlainModel {
  public:
    void apply(const Operation& operation);
    /// The process was killed or ended: answers that it wrote are cut off.
    void restart();

    std::vector<PlainChat> chats;
    std::map<int, PlainChat> exported; ///< by number

    /// Whether an import of that chat adds nothing, or takes it back from the bin; nothing if another one would be
    /// added beside it, which this model does not do.
    bool mayImport(int number) const;

  private:
    void send(const Operation& operation);
    void applyToMessage(const Operation& operation, PlainChat& chat);
    void remove(PlainChat& chat, int message);
    void restore(PlainChat& chat, int message);
    void erase(PlainChat& chat, int message);
    void import(int number);
};

/// The operation with this number.
Operation randomOperation(const PlainModel& model, quint32 seed, int number);

} // namespace coterie::test
