// SPDX-License-Identifier: Apache-2.0
// Reads the conversation that a prompt ends, as the engine wants it. A long chat takes time to read, so the engine's
// thread does it and not the window's.
//
//     request.conversation = history.upTo(prompt, {.systemPrompt = text, .newer = generation.unsaved()});
#pragma once

#include "prompt/parts.h"
#include "store/chat_reader.h"

#include <functional>
#include <memory>
#include <vector>

namespace coterie::app {

/// Gives the messages of a conversation, on any thread.
using ConversationSource = std::function<engine::Result<std::vector<engine::Message>>()>;

/// Messages besides those in the store.
struct PromptExtras {
    QString systemPrompt{};          ///< before the conversation; empty: none
    std::vector<MessageRow> newer{}; ///< rows that are newer than the store's, by id
    QString prompt{};                ///< a prompt that is not stored yet, at the end; empty: none
};

/// Returns the conversation without empty answers. Prompts that follow each other become one, because templates expect
/// alternating turns.
std::vector<engine::Message> conversationOf(const std::vector<MessageRow>& rows, const QString& systemPrompt);

class PromptHistory {
  public:
    PromptHistory();
    ~PromptHistory();

    /// Call it before the first source is used.
    void setReader(std::unique_ptr<ChatReader> reader);
    /// Returns a source of the messages from the chat's first one to this one; 0: there are none. The source may be
    /// used on any thread as long as it lives, until close().
    ConversationSource upTo(qint64 message, PromptExtras extras) const;
    /// Closes the reader; sources fail from then on. Call it before the store is destroyed.
    void close();

  private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

} // namespace coterie::app
