// SPDX-License-Identifier: Apache-2.0
// A conversation as llama.cpp's web page exports it, alone or in an array:
//
//     {"conv": {"id", "name", "lastModified", "currNode", "pinned"},
//      "messages": [{"id", "type": "root" | "text" | "system", "role", "timestamp", "content", "parent", "children",
//                    "thinking" | "reasoningContent", "toolCallId",
//                    "toolCalls": "[{\"id\", \"function\": {\"name\", \"arguments\"}}]",
//                    "model", "timings": {"predicted_n", "predicted_ms", "prompt_ms"},
//                    "extra": [{"type": "textFile" | "pdfFile" | "imageFile" ..., "name", "content"}]}]}
//
// Newer versions write lines, alone or in a zip archive with a file for each conversation. "toolCalls" is an array
// then:
//
//     {"type": "session", "harness", "id", "name", "lastModified", "currNode", "pinned"}
//     {"type": "message", "message": {...}}
//
// Ids are texts, or numbers in older versions. Times are milliseconds.
#include "exchange/foreign_chats.h"
#include "exchange/foreign_tree.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>

#include <utility>

namespace coterie::app {
namespace {

QString idFrom(const QJsonValue& value) {
    return value.isDouble() ? QString::number(value.toDouble(), 'f', 0) : value.toString();
}

/// A picture is a data: address; anything else is a text that the page has read from the file.
void addFile(ForeignTree& tree, ForeignMessage& message, const QJsonObject& extra) {
    const QString text = textAt(extra, "content"), data = textAt(extra, "base64Data");
    const auto picture = dataAt(textAt(extra, "base64Url"));
    QString name = textAt(extra, "name"), type = textAt(extra, "mimeType");
    if (name.isEmpty() && text.isEmpty() && data.isEmpty() && !picture) return; // it is no file
    if (name.isEmpty()) name = QStringLiteral("file");
    if (picture) type = picture->mediaType;
    if (type.isEmpty()) type = QStringLiteral("text/plain");
    const QByteArray bytes = picture          ? picture->bytes
                             : data.isEmpty() ? text.toUtf8()
                                              : QByteArray::fromBase64(data.toLatin1());
    message.parts.push_back(tree.attachment(name, type, text, bytes));
}

/// A result has words only: notes for its files follow them.
QString wordsOfResult(ForeignTree& tree, const QString& content, const QJsonArray& extras) {
    QStringList texts{content};
    for (const QJsonValue& extra : extras) {
        const bool picture = textAt(extra.toObject(), "type") == QLatin1String("imageFile");
        texts.append(tree.note(picture ? NotImported::Picture : NotImported::File, textAt(extra.toObject(), "name")));
    }
    texts.removeAll(QString());
    return texts.join(QLatin1Char('\n'));
}

/// The tool of each call.
using Tools = QHash<QString, QString>;

void addCalls(ForeignMessage& message, const QJsonValue& calls, Tools& tools) {
    const QJsonArray list =
        calls.isArray() ? calls.toArray() : QJsonDocument::fromJson(calls.toString().toUtf8()).array();
    for (const QJsonValue& call : list) {
        const QJsonObject function = call.toObject().value(QLatin1String("function")).toObject();
        tools.insert(textAt(call.toObject(), "id"), textAt(function, "name"));
        message.parts.push_back(foreignCall(textAt(function, "name"), textAt(function, "arguments")));
    }
}

QJsonObject figuresOf(const QJsonObject& timings) {
    const double tokens = timings.value(QLatin1String("predicted_n")).toDouble();
    const double seconds = timings.value(QLatin1String("predicted_ms")).toDouble() / 1000;
    return foreignStatistics(timings.value(QLatin1String("predicted_n")).toInteger(),
                             seconds > 0 ? tokens / seconds : 0,
                             timings.value(QLatin1String("prompt_ms")).toDouble() / 1000);
}

ForeignMessage messageFrom(ForeignTree& tree, const QJsonObject& object, Tools& tools) {
    ForeignMessage message{.id = idFrom(object.value(QLatin1String("id"))),
                           .parent = idFrom(object.value(QLatin1String("parent"))),
                           .role = foreignRole(textAt(object, "role"))};
    message.created = foreignTime(object.value(QLatin1String("timestamp")));
    if (textAt(object, "type") == QLatin1String("root")) return message;
    QString thought = textAt(object, "reasoningContent");
    if (thought.isEmpty()) thought = textAt(object, "thinking");
    if (!thought.trimmed().isEmpty()) message.parts.push_back(foreignThought(thought.trimmed()));
    const QString content = textAt(object, "content");
    const QJsonArray extras = object.value(QLatin1String("extra")).toArray();
    if (message.role == engine::Role::Tool) {
        const QString words = wordsOfResult(tree, content, extras);
        if (!words.isEmpty()) message.parts.push_back(foreignResult(tools.value(textAt(object, "toolCallId")), words));
        return message;
    }
    for (TreePart& part : foreignText(content)) message.parts.push_back(std::move(part));
    for (const QJsonValue& extra : extras) addFile(tree, message, extra.toObject());
    if (message.role != engine::Role::Assistant) return message;
    addCalls(message, object.value(QLatin1String("toolCalls")), tools);
    message.model = textAt(object, "model");
    message.statistics = figuresOf(object.value(QLatin1String("timings")).toObject());
    return message;
}

} // namespace

engine::Result<ForeignChat> chatFromLlamaWeb(const QJsonObject& exported) {
    const QJsonObject conversation = exported.value(QLatin1String("conv")).toObject();
    ForeignTree tree;
    Tools tools;
    for (const QJsonValue& message : exported.value(QLatin1String("messages")).toArray())
        tree.add(messageFrom(tree, message.toObject(), tools));
    tree.setLeaf(idFrom(conversation.value(QLatin1String("currNode"))));
    tree.setTimes(0, foreignTime(conversation.value(QLatin1String("lastModified"))));
    auto made = tree.made("llama.cpp", textAt(conversation, "id"), textAt(conversation, "name"));
    if (made) made->tree.pinned = conversation.value(QLatin1String("pinned")).toBool();
    return made;
}

// Files of other programs begin with a "session", too.
bool LlamaSession::beginsWith(const QJsonObject& line) {
    return textAt(line, "type") == QLatin1String("session") &&
           (line.contains(QLatin1String("harness")) || line.contains(QLatin1String("currNode")));
}

void LlamaSession::add(const QJsonObject& line) {
    if (textAt(line, "type") == QLatin1String("message")) messages_.append(line.value(QLatin1String("message")));
}

QString LlamaSession::title() const { return textAt(conversation_, "name"); }

engine::Result<ForeignChat> LlamaSession::chat() const {
    return chatFromLlamaWeb({{QStringLiteral("conv"), conversation_}, {QStringLiteral("messages"), messages_}});
}

} // namespace coterie::app
