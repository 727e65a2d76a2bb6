// SPDX-License-Identifier: Apache-2.0
// A thread of Jan, which is a folder with two files.
//
//     thread.json:    {"id", "title", "created", "updated",
//                      "assistants": [{"instructions", "model": {"id"}}]}
//     messages.jsonl: {"id", "role", "created_at", "status", "metadata": {...},
//                      "content": [{"type": "text" | "reasoning", "text": {"value"}}
//                                  | {"type": "tool_call", "tool_name", "input", "output"}
//                                  | {"type": "image_url", "image_url": {"url"}}]}   (one on each line)
//
// Times are seconds, or milliseconds in newer versions. The messages are a list.
#include "exchange/foreign_chats.h"
#include "exchange/foreign_tree.h"

#include <QJsonArray>

namespace coterie::app {
namespace {

void addPiece(ForeignMessage& message, const QJsonObject& piece) {
    const QString type = textAt(piece, "type");
    const QString words = textAt(piece.value(QLatin1String("text")).toObject(), "value");
    if (type == QLatin1String("reasoning")) {
        if (!words.trimmed().isEmpty()) message.parts.push_back(foreignThought(words.trimmed()));
    } else if (type == QLatin1String("tool_call")) {
        const QString tool = textAt(piece, "tool_name"), output = wordsOf(piece.value(QLatin1String("output")));
        message.parts.push_back(foreignCall(tool, wordsOf(piece.value(QLatin1String("input")))));
        if (!output.isEmpty()) message.parts.push_back(foreignResult(tool, output));
    } else if (type == QLatin1String("image_url")) {
        message.parts.push_back({.text = QStringLiteral("[image]")});
    } else if (message.role == engine::Role::Tool) {
        if (!words.isEmpty()) message.parts.push_back(foreignResult({}, words));
    } else {
        for (TreePart& part : foreignText(words)) message.parts.push_back(std::move(part));
    }
}

ForeignMessage messageFrom(const QJsonObject& line, const QString& model) {
    ForeignMessage message{.role = foreignRole(textAt(line, "role"))};
    message.created = foreignTime(line.value(QLatin1String("created_at")));
    if (message.role == engine::Role::Assistant) message.model = model;
    const QString status = textAt(line, "status");
    if (status == QLatin1String("stopped") || status == QLatin1String("pending"))
        message.state = QStringLiteral("stopped");
    if (status == QLatin1String("error")) message.state = QStringLiteral("failed");
    const QJsonValue content = line.value(QLatin1String("content"));
    if (content.isString()) message.parts = foreignText(content.toString());
    for (const QJsonValue& piece : content.toArray()) addPiece(message, piece.toObject());
    return message;
}

} // namespace

engine::Result<ForeignChat> chatFromJan(const QJsonObject& thread, const std::vector<QJsonObject>& messages) {
    const QJsonObject assistant = thread.value(QLatin1String("assistants")).toArray().at(0).toObject();
    const QJsonObject model = assistant.value(QLatin1String("model")).toObject();
    ForeignTree tree;
    QString before;
    qint64 latest = 0;
    for (const QJsonObject& line : messages) {
        ForeignMessage message = messageFrom(line, textAt(model, "id"));
        message.id = QStringLiteral("%1").arg(&line - messages.data());
        message.parent = before;
        message.created = latest = std::max(latest, message.created); // the lines are in order
        before = message.id;
        tree.add(std::move(message));
    }
    tree.setLeaf(before);
    tree.setSystemPrompt(textAt(assistant, "instructions"));
    tree.setTimes(foreignTime(thread.value(QLatin1String("created"))),
                  foreignTime(thread.value(QLatin1String("updated"))));
    QString title = textAt(thread, "title");
    if (title.isEmpty()) title = textAt(thread.value(QLatin1String("metadata")).toObject(), "title");
    return tree.made("jan", textAt(thread, "id"), title);
}

} // namespace coterie::app
