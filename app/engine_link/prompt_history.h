// SPDX-License-Identifier: Apache-2.0
// Reads the conversation that a prompt ends, as the engine wants it. A long chat takes time to read, so the engine's
// thread does it and not the window's.
//
//     request.conversation = history.upTo(prompt, {.systemPrompt = text, .newer = answers.unsaved()});
#pragma once

#include "prompt/parts.h"
#include "store/chat_reader.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace coterie::app {

/// Gives the messages of a conversation, on any thread.
using ConversationSource = std::function<engine::Result<std::vector<engine::Message>>()>;

/// Gives the rows of a conversation, on any thread.
using RowSource = std::function<engine::Result<std::vector<MessageRow>>()>;

/// Messages besides those in the store.
struct PromptExtras {
    QString systemPrompt{};             ///< before the conversation; empty: none
    std::vector<MessageRow> newer{};    ///< rows that are newer than the store's, by id
    QString prompt{};                   ///< a prompt that is not stored yet, at the end; empty: none
    std::vector<MessagePart> files{};   ///< files that are attached to that prompt
    std::vector<MessagePart> results{}; ///< results of tools that come before that prompt
};

/// Returns the conversation without empty answers. A prompt is one text, with its files before its words. Prompts that
/// follow each other become one, because templates expect alternating turns.
std::vector<engine::Message> conversationOf(std::span<const MessageRow> rows, const QString& systemPrompt);

class PromptHistory {
  public:
    PromptHistory();
    ~PromptHistory();

    /// Call it before the first source is used.
    void setReader(std::unique_ptr<ChatReader> reader);
    /// The same for temporary chats: see isTemporary().
    void setTemporaryReader(std::unique_ptr<ChatReader> reader);
    /// Returns a source of the messages from the first one that the model sees (ChatState::leftOut) to this one; 0:
    /// there are none. The source may be used on any thread as long as it lives, until close().
    ConversationSource upTo(qint64 message, PromptExtras extras) const;
    /// Returns a source of all rows from the chat's first message to this one, also of those that the model does not
    /// see. The same rules hold.
    RowSource rowsTo(qint64 message, PromptExtras extras = {}) const;
    /// Closes the readers; sources fail from then on. Call it before the store is destroyed.
    void close();

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

} // namespace coterie::app
