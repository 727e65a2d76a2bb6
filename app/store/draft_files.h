// SPDX-License-Identifier: Apache-2.0
// Files that are attached to the text in the composer of a chat, or to a prompt that waits (waiting_prompts.h). They
// stay with it, as the draft does, until the message is sent: then they belong to the message (NewTurn::draftFiles).
// ChatStore::draftFiles() leads here; the rules of chat_reads.h hold here too.
#pragma once

#include "base/result.h"
#include "store/chat_rows.h"

#include <span>
#include <vector>

namespace coterie::app {

struct Connection;

struct DraftFile {
    qint64 id = 0;   ///< greater than those of the files before it
    qint64 chat = 0; ///< 0: a chat that does not exist yet
    MessagePart part{};
    qint64 file = 0;    ///< the row with its bytes
    qint64 waiting = 0; ///< the waiting prompt that has it; 0: the text in the composer
    bool operator==(const DraftFile& other) const = default;
};

class DraftFiles {
  public:
    /// The connection outlives this.
    explicit DraftFiles(Connection& connection) : connection_(connection) {}

    /// Returns the files of the chat's draft, or of a waiting prompt of it, in the order in which they were attached.
    engine::Result<std::vector<DraftFile>> list(qint64 chat, qint64 waiting = 0) const;
    /// Returns the files that belong to a message, for copyTo(): they have no id and no chat.
    engine::Result<std::vector<DraftFile>> ofMessage(qint64 message) const;
    /// Whether the chat's draft has a file with this name and this text.
    engine::Result<bool> has(qint64 chat, const NewFile& file) const;
    /// Adds a file after the others of the chat. BadInput if it is too large.
    engine::Result<DraftFile> add(qint64 chat, const NewFile& file);
    /// Adds copies of these files after the others of the chat's draft, except those that it has already. Their bytes
    /// are kept once. Files of another store have other rows: they can't be copied.
    engine::Status copyTo(qint64 chat, std::span<const DraftFile> files);
    /// Moves a file to the chat's draft, or adds it there if it was removed. If that has the same file already, this
    /// one is dropped.
    engine::Status moveTo(qint64 chat, const DraftFile& file);
    /// Adds a file that was removed, at its old place. One that is elsewhere now is moved there.
    engine::Status putBack(const DraftFile& file);
    engine::Status remove(qint64 id);

  private:
    Connection& connection_;
};

} // namespace coterie::app
