// SPDX-License-Identifier: Apache-2.0
// A conversation as llama.cpp's web page exports it, alone or in an array:
//
//     {"conv": {"id", "name", "lastModified", "currNode"},
//      "messages": [{"id", "type": "root" | "text" | "system", "role", "timestamp", "content", "parent", "children",
//                    "thinking" | "reasoningContent", "toolCalls": "[{\"function\": {\"name\", \"arguments\"}}]",
//                    "model", "timings": {"predicted_n", "predicted_ms", "prompt_ms"},
//                    "extra": [{"type": "textFile" | "pdfFile" | "imageFile" ..., "name", "content"}]}]}
//
// Ids are texts, or numbers in older versions. Times are milliseconds.
#include "exchange/foreign_chats.h"
#include "exchange/foreign_tree.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace coterie::app {
namespace {

QString idFrom(const QJsonValue& value) {
    return value.isDouble() ? QString::number(value.toDouble(), 'f', 0) : value.toString();
}

/// A picture is a data: address; anything else is a text that the page has read from the file.
void addFile(ForeignTree& tree, ForeignMessage& message, const QJsonObject& extra) {
    QString name = textAt(extra, "name"), type = textAt(extra, "mimeType");
    if (name.isEmpty()) name = QStringLiteral("file");
    const QString text = textAt(extra, "content");
    const QString data = textAt(extra, "base64Data");
    const auto picture = dataAt(textAt(extra, "base64Url"));
    if (picture) type = picture->mediaType;
    if (type.isEmpty()) type = QStringLiteral("text/plain");
    const QByteArray bytes = picture          ? picture->bytes
                             : data.isEmpty() ? text.toUtf8()
                                              : QByteArray::fromBase64(data.toLatin1());
    message.parts.push_back(tree.attachment(name, type, text, bytes));
}

void addCalls(ForeignMessage& message, const QString& calls) {
    for (const QJsonValue& call : QJsonDocument::fromJson(calls.toUtf8()).array()) {
        const QJsonObject function = call.toObject().value(QLatin1String("function")).toObject();
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

ForeignMessage messageFrom(ForeignTree& tree, const QJsonObject& object) {
    ForeignMessage message{.id = idFrom(object.value(QLatin1String("id"))),
                           .parent = idFrom(object.value(QLatin1String("parent"))),
                           .role = foreignRole(textAt(object, "role"))};
    message.created = foreignTime(object.value(QLatin1String("timestamp")));
    if (textAt(object, "type") == QLatin1String("root")) return message;
    QString thought = textAt(object, "reasoningContent");
    if (thought.isEmpty()) thought = textAt(object, "thinking");
    if (!thought.trimmed().isEmpty()) message.parts.push_back(foreignThought(thought.trimmed()));
    const QString content = textAt(object, "content");
    if (message.role == engine::Role::Tool) {
        if (!content.isEmpty()) message.parts.push_back(foreignResult({}, content));
        return message;
    }
    for (TreePart& part : foreignText(content)) message.parts.push_back(std::move(part));
    for (const QJsonValue& extra : object.value(QLatin1String("extra")).toArray())
        addFile(tree, message, extra.toObject());
    if (message.role != engine::Role::Assistant) return message;
    addCalls(message, textAt(object, "toolCalls"));
    message.model = textAt(object, "model");
    message.statistics = figuresOf(object.value(QLatin1String("timings")).toObject());
    return message;
}

} // namespace

engine::Result<ForeignChat> chatFromLlamaWeb(const QJsonObject& exported) {
    const QJsonObject conversation = exported.value(QLatin1String("conv")).toObject();
    ForeignTree tree;
    for (const QJsonValue& message : exported.value(QLatin1String("messages")).toArray())
        tree.add(messageFrom(tree, message.toObject()));
    tree.setLeaf(idFrom(conversation.value(QLatin1String("currNode"))));
    tree.setTimes(0, foreignTime(conversation.value(QLatin1String("lastModified"))));
    return tree.made("llama.cpp", textAt(conversation, "id"), textAt(conversation, "name"));
}

} // namespace coterie::app
