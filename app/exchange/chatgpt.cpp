// SPDX-License-Identifier: Apache-2.0
// A conversation of ChatGPT's export:
//
//     {"conversation_id", "title", "create_time", "update_time", "current_node",
//      "mapping": {ID: {"id", "parent", "children", "message": null or
//          {"author": {"role", "name"}, "create_time", "recipient", "status",
//           "content": {"content_type", "parts" | "text" | "thoughts" | "result"},
//           "metadata": {"model_slug", "is_visually_hidden_from_conversation", "attachments": [{"name"}]}}}}}
//
// Times are seconds with a fraction. Pictures are not in the JSON file; their names are kept as words.
#include "exchange/foreign_chats.h"
#include "exchange/foreign_tree.h"

#include <QJsonArray>

namespace coterie::app {
namespace {

/// A part of a message that is an object: a picture, a sound with its words, or text.
QString wordsOfPart(const QJsonObject& part) {
    const QString type = textAt(part, "content_type");
    if (type == QLatin1String("image_asset_pointer"))
        return QStringLiteral("[image: %1]").arg(textAt(part, "asset_pointer"));
    if (type == QLatin1String("audio_asset_pointer"))
        return QStringLiteral("[sound: %1]").arg(textAt(part, "asset_pointer"));
    return textAt(part, "text");
}

QString joinedParts(const QJsonObject& content) {
    QStringList texts;
    for (const QJsonValue& part : content.value(QLatin1String("parts")).toArray()) {
        const QString words = part.isString() ? part.toString() : wordsOfPart(part.toObject());
        if (!words.trimmed().isEmpty()) texts.append(words);
    }
    return texts.join(QStringLiteral("\n\n"));
}

/// Thoughts come with a headline each.
QString thoughtsOf(const QJsonObject& content) {
    QStringList texts;
    for (const QJsonValue& one : content.value(QLatin1String("thoughts")).toArray()) {
        const QString summary = textAt(one.toObject(), "summary"), words = textAt(one.toObject(), "content");
        texts.append(summary.isEmpty() || words.startsWith(summary) ? words : summary + QLatin1Char('\n') + words);
    }
    return texts.join(QStringLiteral("\n\n")).trimmed();
}

/// Words of whatever type they are.
QString anyWords(const QJsonObject& content) {
    for (const char* key : {"text", "result", "content"})
        if (const QString words = textAt(content, key); !words.isEmpty()) return words;
    return joinedParts(content);
}

std::vector<TreePart> partsOf(const QJsonObject& message) {
    const QJsonObject content = message.value(QLatin1String("content")).toObject();
    const QJsonObject author = message.value(QLatin1String("author")).toObject();
    const QString type = textAt(content, "content_type"), role = textAt(author, "role");
    const QString recipient = textAt(message, "recipient");
    if (type == QLatin1String("user_editable_context") || type == QLatin1String("model_editable_context") ||
        type == QLatin1String("reasoning_recap"))
        return {};
    if (type == QLatin1String("thoughts")) {
        const QString thoughts = thoughtsOf(content);
        return thoughts.isEmpty() ? std::vector<TreePart>{} : std::vector<TreePart>{foreignThought(thoughts)};
    }
    const QString words = anyWords(content);
    if (role == QLatin1String("tool"))
        return words.trimmed().isEmpty() ? std::vector<TreePart>{}
                                         : std::vector<TreePart>{foreignResult(textAt(author, "name"), words)};
    if (role == QLatin1String("assistant") && !recipient.isEmpty() && recipient != QLatin1String("all"))
        return words.isEmpty() ? std::vector<TreePart>{} : std::vector<TreePart>{foreignCall(recipient, words)};
    std::vector<TreePart> parts;
    if (type == QLatin1String("code") && !words.isEmpty())
        parts.push_back({.text = QStringLiteral("```\n") + words + QStringLiteral("\n```")});
    else if (!words.trimmed().isEmpty())
        parts.push_back({.text = words});
    return parts;
}

void addNames(std::vector<TreePart>& parts, const QJsonObject& metadata) {
    for (const QJsonValue& file : metadata.value(QLatin1String("attachments")).toArray())
        if (const QString name = textAt(file.toObject(), "name"); !name.isEmpty())
            parts.push_back({.text = QStringLiteral("[file: %1]").arg(name)});
}

ForeignMessage messageFrom(const QString& id, const QJsonObject& node) {
    const QJsonObject message = node.value(QLatin1String("message")).toObject();
    const QJsonObject metadata = message.value(QLatin1String("metadata")).toObject();
    ForeignMessage made{.id = id, .parent = textAt(node, "parent")};
    made.role = foreignRole(textAt(message.value(QLatin1String("author")).toObject(), "role"));
    made.created = foreignTime(message.value(QLatin1String("create_time")));
    if (made.role == engine::Role::Assistant) made.model = textAt(metadata, "model_slug");
    if (textAt(message, "status") == QLatin1String("in_progress")) made.state = QStringLiteral("stopped");
    if (metadata.value(QLatin1String("is_visually_hidden_from_conversation")).toBool()) return made;
    made.parts = partsOf(message);
    if (made.role == engine::Role::User) addNames(made.parts, metadata);
    return made;
}

} // namespace

engine::Result<ChatTree> chatFromChatGpt(const QJsonObject& conversation) {
    const QJsonObject mapping = conversation.value(QLatin1String("mapping")).toObject();
    ForeignTree tree;
    for (auto node = mapping.begin(); node != mapping.end(); ++node)
        tree.add(messageFrom(node.key(), node.value().toObject()));
    tree.setLeaf(textAt(conversation, "current_node"));
    tree.setTimes(foreignTime(conversation.value(QLatin1String("create_time"))),
                  foreignTime(conversation.value(QLatin1String("update_time"))));
    const QString id = textAt(conversation, "conversation_id");
    return tree.made("chatgpt", id.isEmpty() ? textAt(conversation, "id") : id, textAt(conversation, "title"));
}

} // namespace coterie::app
