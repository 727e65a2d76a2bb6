// SPDX-License-Identifier: Apache-2.0
// One reader serves all threads in turn: reading takes far less time than an answer.
#include "prompt_history.h"

#include <algorithm>
#include <mutex>

namespace coterie::app {
namespace {

engine::Role roleOf(const MessageRow& row) {
    if (row.role == QStringLiteral("system")) return engine::Role::System;
    return row.role == QStringLiteral("assistant") ? engine::Role::Assistant : engine::Role::User;
}

MessageRow promptRow(const QString& text) {
    MessageRow row;
    row.role = QStringLiteral("user");
    row.parts = textParts(text);
    return row;
}

void overlay(std::vector<MessageRow>& rows, const std::vector<MessageRow>& newer) {
    for (const MessageRow& row : newer) {
        const auto old = std::find_if(rows.begin(), rows.end(), [&](const MessageRow& r) { return r.id == row.id; });
        if (old != rows.end()) *old = row;
    }
}

} // namespace

struct PromptHistory::Shared {
    std::mutex mutex;
    std::unique_ptr<ChatReader> reader;

    engine::Result<std::vector<MessageRow>> rowsTo(qint64 message) {
        const std::lock_guard lock(mutex);
        if (message == 0) return std::vector<MessageRow>{};
        if (!reader)
            return engine::Error{engine::ErrorKind::NotFound, "The conversation can't be read", "Its file is closed",
                                 "Start Coterie again"};
        return reader->messagesTo(message);
    }
};

std::vector<engine::Message> conversationOf(const std::vector<MessageRow>& rows, const QString& systemPrompt) {
    std::vector<engine::Message> conversation;
    if (!systemPrompt.isEmpty())
        conversation.push_back(engine::Message::text(engine::Role::System, systemPrompt.toStdString()));
    for (const MessageRow& row : rows) {
        const engine::Role role = roleOf(row);
        if (row.parts.empty()) continue;
        if (role == engine::Role::User && !conversation.empty() && conversation.back().role == role) {
            conversation.back().parts.front().text += "\n\n" + row.text().toStdString();
        } else {
            engine::Message& message = conversation.emplace_back(engine::Message{.role = role, .parts = {}});
            for (const MessagePart& part : row.parts) message.parts.push_back(enginePart(part));
        }
    }
    return conversation;
}

PromptHistory::PromptHistory() : shared_(std::make_shared<Shared>()) {}
PromptHistory::~PromptHistory() { close(); }

void PromptHistory::setReader(std::unique_ptr<ChatReader> reader) {
    const std::lock_guard lock(shared_->mutex);
    shared_->reader = std::move(reader);
}

void PromptHistory::close() { setReader(nullptr); }

ConversationSource PromptHistory::upTo(qint64 message, PromptExtras extras) const {
    return [shared = shared_, message, extras = std::move(extras)]() -> engine::Result<std::vector<engine::Message>> {
        auto rows = shared->rowsTo(message);
        if (!rows) return rows.error();
        overlay(rows.value(), extras.newer);
        if (!extras.prompt.isEmpty()) rows.value().push_back(promptRow(extras.prompt));
        return conversationOf(rows.value(), extras.systemPrompt);
    };
}

} // namespace coterie::app
