// SPDX-License-Identifier: Apache-2.0
// One reader serves all threads in turn: reading takes far less time than an answer.
#include "engine_link/prompt_history.h"

#include "base/mutex.h"

#include <algorithm>

namespace coterie::app {
namespace {

MessageRow promptRow(const PromptExtras& extras) {
    MessageRow row;
    row.role = engine::Role::User;
    row.parts = textParts(extras.prompt);
    row.parts.insert(row.parts.end(), extras.files.begin(), extras.files.end());
    return row;
}

void overlay(std::vector<MessageRow>& rows, const std::vector<MessageRow>& newer) {
    for (const MessageRow& row : newer) {
        const auto old = std::find_if(rows.begin(), rows.end(), [&](const MessageRow& r) { return r.id == row.id; });
        if (old != rows.end()) *old = row;
    }
}

/// Returns the words of a prompt with its files before them: models find a question better after what it is about.
std::string promptText(const MessageRow& row) {
    QStringList texts;
    for (const MessagePart& part : row.parts)
        if (part.kind == PartKind::Attachment) texts.append(fileForModel(part));
    const QString words = row.text();
    if (!words.isEmpty()) texts.append(words);
    return texts.join(QStringLiteral("\n\n")).toStdString();
}

} // namespace

struct PromptHistory::Shared {
    engine::Mutex mutex;
    std::unique_ptr<ChatReader> reader COTERIE_GUARDED_BY(mutex), temporary COTERIE_GUARDED_BY(mutex);

    ChatReader* readerOf(qint64 id) const COTERIE_REQUIRES(mutex) {
        return isTemporary(id) ? temporary.get() : reader.get();
    }

    engine::Result<std::vector<MessageRow>> rowsTo(qint64 message, const PromptExtras& extras) {
        const engine::MutexLock lock(mutex);
        std::vector<MessageRow> rows;
        if (message != 0) {
            const ChatReader* const from = readerOf(message);
            if (!from)
                return engine::Error{engine::ErrorKind::NotFound, "The conversation can't be read",
                                     "Its file is closed", "Start Coterie again"};
            auto stored = from->messagesTo(message);
            if (!stored) return stored;
            rows = std::move(stored).value();
        }
        overlay(rows, extras.newer);
        if (extras.prompt.isEmpty() && extras.files.empty()) return rows;
        if (!extras.results.empty()) {
            MessageRow& results = rows.emplace_back();
            results.role = engine::Role::Tool;
            results.parts = extras.results;
        }
        rows.push_back(promptRow(extras));
        return rows;
    }

    /// Returns the rows that the model sees.
    engine::Result<std::vector<MessageRow>> seenTo(qint64 message, const PromptExtras& extras) {
        auto rows = rowsTo(message, extras);
        if (!rows || rows->empty() || rows->front().id == 0) return rows;
        const engine::MutexLock lock(mutex);
        const ChatReader* const from = readerOf(rows->front().chat);
        if (!from) return rows;
        const auto state = from->state(rows->front().chat);
        // A chat that can't be read is in the bin: its answer is about to be stopped.
        if (!state || state->leftOut == 0) return rows;
        const auto last =
            std::find_if(rows->begin(), rows->end(), [&](const MessageRow& row) { return row.id == state->leftOut; });
        if (last != rows->end()) rows->erase(rows->begin(), last + 1);
        return rows;
    }
};

std::vector<engine::Message> conversationOf(std::span<const MessageRow> rows, const QString& systemPrompt) {
    std::vector<engine::Message> conversation;
    if (!systemPrompt.isEmpty())
        conversation.push_back(engine::Message::text(engine::Role::System, systemPrompt.toStdString()));
    for (const MessageRow& row : rows) {
        const engine::Role role = row.role;
        if (row.parts.empty()) continue;
        if (role == engine::Role::Tool) { // templates want a message for each result
            for (const MessagePart& part : row.parts)
                conversation.push_back(engine::Message{.role = role, .parts = {enginePart(part)}});
        } else if (role == engine::Role::User && !conversation.empty() && conversation.back().role == role) {
            conversation.back().parts.front().text += "\n\n" + promptText(row);
        } else if (role == engine::Role::User) {
            conversation.push_back(engine::Message::text(role, promptText(row)));
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
    const engine::MutexLock lock(shared_->mutex);
    shared_->reader = std::move(reader);
}

void PromptHistory::setTemporaryReader(std::unique_ptr<ChatReader> reader) {
    const engine::MutexLock lock(shared_->mutex);
    shared_->temporary = std::move(reader);
}

void PromptHistory::close() {
    setReader(nullptr);
    setTemporaryReader(nullptr);
}

RowSource PromptHistory::rowsTo(qint64 message, PromptExtras extras) const {
    return [shared = shared_, message, extras = std::move(extras)] { return shared->rowsTo(message, extras); };
}

ConversationSource PromptHistory::upTo(qint64 message, PromptExtras extras) const {
    return [shared = shared_, message, extras = std::move(extras)]() -> engine::Result<std::vector<engine::Message>> {
        const auto rows = shared->seenTo(message, extras);
        if (!rows) return rows.error();
        return conversationOf(rows.value(), extras.systemPrompt);
    };
}

} // namespace coterie::app
