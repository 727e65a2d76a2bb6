// SPDX-License-Identifier: Apache-2.0
// A prompt, or an answer to one, that has no room in the context: what a person wanted to do, so that it can be done
// once there is room. ContextView says what helps. Plain values.
#pragma once

#include "session/session.h"
#include "store/message_part.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace coterie::app {

/// The model gets this besides the conversation, for one answer.
struct AskedOnce {
    QString systemPrompt{};
    engine::GenerateOptions options{};
};

struct RefusedPrompt {
    enum class From {
        Composer,
        Queue,
        Edit,
        Again,    ///< a prompt is answered again
        Continue, ///< an answer is continued
        Branch,   ///< an answer is written in another way from one of its tokens on
    };
    From from = From::Composer;
    qint64 id = 0; ///< the waiting prompt, or the message that is edited, answered again, continued or left
    /// The last stored message of the conversation that has no room; the composer and the queue follow the leaf.
    qint64 last = 0;
    QString text{};
    std::vector<MessagePart> files{}; ///< those of the composer are read when they are needed
    qint64 tokens = 0;                ///< tokens of the conversation with it
    std::optional<AskedOnce> once{};  ///< in place of the system prompt and the options of the chat: those of a preset
    std::function<void()> begin{};    ///< does it, unless it is new
    std::function<void()> dropped{};  ///< takes back what was changed for it, if it is not done

    /// Whether its text is not stored yet, or not in this form.
    bool isNew() const { return from == From::Composer || from == From::Queue || from == From::Edit; }
};

} // namespace coterie::app
