// SPDX-License-Identifier: Apache-2.0
// Prompts that wait until the answers before them have been written, in the order in which they will be sent.
// ChatStore::waiting() and ChatReader::waiting() lead here; the rules of chat_reads.h hold here too. A prompt takes its
// files from the draft. When it is sent, it leaves the list in the same transaction, and its files belong to the
// message: see NewTurn::waiting and NewTurn::draftFiles.
#pragma once

#include "base/result.h"
#include "store/draft_files.h"

#include <QString>

#include <span>
#include <vector>

namespace coterie::app {

struct Connection;

struct WaitingPrompt {
    qint64 id = 0; ///< greater than those of the prompts before it
    qint64 chat = 0;
    QString text{};
    std::vector<DraftFile> files{};
    bool operator==(const WaitingPrompt& other) const = default;
};

class WaitingPrompts {
  public:
    /// The connection outlives this.
    explicit WaitingPrompts(Connection& connection) : connection_(connection) {}

    /// Returns the prompts of the chat, the next one first.
    engine::Result<std::vector<WaitingPrompt>> list(qint64 chat) const;
    /// Adds a prompt after the others of the chat, with these files of the draft.
    engine::Result<WaitingPrompt> add(qint64 chat, const QString& text, std::span<const qint64> files = {});
    /// Adds a chat without messages, and to it this prompt, with these files of the new chat's draft.
    engine::Result<WaitingPrompt> addToNewChat(const QString& title, const QString& text,
                                               std::span<const qint64> files = {});
    /// Adds a prompt that was removed, at its old place, with its files, also if they are with the draft now.
    engine::Status putBack(const WaitingPrompt& prompt);
    /// Removes the prompt with its files.
    engine::Status remove(qint64 prompt);
    /// Removes the prompt; its files go back to the draft.
    engine::Status release(qint64 prompt);

  private:
    Connection& connection_;
};

} // namespace coterie::app
