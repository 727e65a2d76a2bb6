// SPDX-License-Identifier: Apache-2.0
// The tokens with which an answer continues: those that it was made of if they are known, else its text made into
// tokens again. Pure functions over rows; they know no session.
//
//     auto prefix = prefixOf(answer, answers.written(answer.id), record, model);
//     if (!prefix) return refuse();
#pragma once

#include "engine_link/answer_queue.h"
#include "store/chat_rows.h"

#include <QString>

#include <optional>
#include <vector>

namespace coterie::app {

struct AnswerPrefix {
    std::vector<engine::TokenId> tokens{}; ///< exactly what the model wrote
    QString text{};                        ///< or the text, if its tokens are not known
    qsizetype kept = 0; ///< leading parts that are not in it: thoughts of which only the text is known
};

/// Returns the tokens that the store keeps of this answer; none if there are none that can be read.
std::vector<engine::TokenRecord> storedTokens(const ChatStore& store, qint64 message);

/// Returns how many tokens of the record, from the first on, an answer with these parts has. A record has more if the
/// step that wrote them was undone.
size_t tokensWithin(const std::vector<engine::TokenRecord>& record, const std::vector<MessagePart>& parts);

/// Returns nothing if only the text is known and it is not enough: the answer has anything else than thoughts before a
/// text that it ends in.
/// written: may be null. record: tokens from the store; empty if there are none. model: the one that will continue.
std::optional<AnswerPrefix> prefixOf(const MessageRow& answer, const WrittenTokens* written,
                                     const std::vector<engine::TokenRecord>& record, const QString& model);

/// Returns the parts with another text: the part in which the texts differ gets the change, and all parts that are not
/// text stay. If the change covers several text parts, the first one gets the whole.
std::vector<MessagePart> withText(const std::vector<MessagePart>& parts, const QString& text);

} // namespace coterie::app
