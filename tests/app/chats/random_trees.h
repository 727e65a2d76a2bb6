// SPDX-License-Identifier: Apache-2.0
// Random operations on chats, and a plain model that says what must come out: lists in memory, without SQL, and the
// steps that can be undone. Operation n of a seed depends only on the model before it, so that two processes make the
// same ones.
//
//     PlainModel model;
//     const Operation next = randomOperation(model, seed, n);
//     hand.apply(next); // see tree_hand.h
//     model.apply(next);
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace coterie::test {

struct PlainMessage {
    int id = 0; ///< twice the number of the operation that added it; one more for an answer that came with a prompt
    int parent = -1; ///< index in the chat's list
    bool user = false;
    bool finished = true; ///< else its answer was cut off
    bool writing = false; ///< an answer that this process still writes
    bool deleted = false;
    QString text{};
    QString file{}; ///< text and bytes of its attachment; empty: none
    bool operator==(const PlainMessage&) const = default;
};

struct PlainChat {
    int key = 0;   ///< number of the operation that added it to the list
    QString uid{}; ///< the same after an export and import
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
    int indexOf(int id) const; ///< -1: there is no such message
    int idOf(int message) const;
};

struct Operation {
    enum Kind {
        Nothing,
        Send,       ///< a prompt after `message`, or the first one of a new chat if `chat` is -1; an empty answer
        Finish,     ///< the rest of an answer
        Regenerate, ///< another answer to a prompt
        Edit,       ///< another version of an answer, or of a prompt with an empty answer
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
        Import, ///< the file of this export
        Undo,   ///< the latest step
        Redo,   ///< the step that was undone last
    };
    Kind kind = Nothing;
    int chat = -1;    ///< index in the list
    int message = -1; ///< index in the chat
    int number = 0;   ///< number of the operation
    int file = 0;     ///< number of the export that is imported
    QString text{};
    bool flag = false;
};

/// A step that can be undone. Chats and messages are named by key and id, because their places change.
struct PlainStep {
    Operation::Kind kind = Operation::Nothing;
    int chat = 0;
    int message = -1;                     ///< the one that was added or changed, or whose branch was shown
    int before = -1;                      ///< the chat's leaf before the step; -1: it had none
    bool follows = false;                 ///< the message was added below that leaf
    bool flag = false;                    ///< pinned now
    QString textBefore{}, textAfter{};    ///< title or folder
    PlainMessage wasBefore{}, wasAfter{}; ///< an answer that is continued
    int first = 0, last = 0;              ///< numbers of the operations that are this step
    /// All chats before the step and after it. Empty if something that can't be undone has changed them since.
    std::optional<std::vector<PlainChat>> chatsBefore{}, chatsAfter{};
};

class PlainModel {
  public:
    /// Returns whether it changed something, or was an export.
    bool apply(const Operation& operation);
    /// The process was killed or ended: answers that it wrote are cut off, and its steps are forgotten.
    void restart();

    std::vector<PlainChat> chats;
    std::map<int, PlainChat> exported; ///< by the number of the export
    std::deque<PlainStep> done, undone;
    bool comparing = true; ///< keeps the chats of before and after each step: see broken
    bool moved = false;    ///< the latest undo or redo was done: its data was there
    QString broken{};      ///< the way in which the latest undo or redo did not lead back; empty: it did
    int changes = 0;       ///< operations that changed something, and exports
    int compared = 0;      ///< undos and redos whose result was compared with the chats of that time
    int beside = 0;        ///< imports that added a chat beside one with the same origin

  private:
    std::optional<PlainStep> change(const Operation& operation);
    std::optional<PlainStep> changeChat(const Operation& operation, PlainChat& chat);
    std::optional<PlainStep> changeMessage(const Operation& operation, PlainChat& chat);
    std::optional<PlainStep> import(const Operation& operation);
    void send(const Operation& operation);
    void save(const Operation& operation, const PlainChat& chat);
    void remove(PlainChat& chat, int message);
    void restore(PlainChat& chat, int message);
    void erase(PlainChat& chat, int message);

    void push(PlainStep step);
    bool move(bool undo);
    bool take(PlainStep& step, bool undo);
    bool takeMessage(PlainStep& step, PlainChat& chat, bool undo);
    bool removeAgain(PlainChat& chat, int id);
    bool restoreAgain(PlainChat& chat, int id);
    bool showAgain(PlainChat& chat, int id);
    bool continueAgain(PlainStep& step, PlainChat& chat, bool undo);
    bool stands(const PlainStep& step) const;
    void dropIdle();
    void dropChat(int key);
    void forgetSnapshots();
    void compare(const PlainStep& step, bool undo);

    PlainChat* find(int key);

    bool fresh_ = false;   ///< the latest step was just done
    bool changed_ = false; ///< the latest operation changed something, or was an export
};

/// The operation with this number.
Operation randomOperation(const PlainModel& model, quint32 seed, int number);

} // namespace coterie::test
