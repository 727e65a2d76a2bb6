// SPDX-License-Identifier: Apache-2.0
// A conversation of LM Studio:
//
//     {"name", "createdAt", "pinned", "systemPrompt", "lastUsedModel": {"identifier"},
//      "perChatPredictionConfig": {"fields": [{"key": "llm.prediction.systemPrompt", "value"}]},
//      "messages": [{"currentlySelected": 0, "versions": [
//          {"type": "singleStep", "role", "content": [{"type": "text", "text"}, {"type": "file", "name"}]},
//          {"type": "multiStep", "role", "senderInfo": {"senderName"}, "steps": [
//              {"type": "contentBlock", "style": {"type": "thinking"}, "genInfo": {"identifier", "stats": {...}},
//               "content": [{"type": "text", "text"} | {"type": "toolCallRequest", "name", "parameters"}
//                           | {"type": "toolCallResult", "content"}]}]}]}]}
//
// The messages are a list. Versions of one message become branches; what follows belongs to the selected one.
#include "exchange/foreign_chats.h"
#include "exchange/foreign_tree.h"

#include <QJsonArray>

namespace coterie::app {
namespace {

void addPiece(std::vector<TreePart>& parts, const QJsonObject& piece, bool thinking) {
    const QString type = textAt(piece, "type");
    if (type == QLatin1String("toolCallRequest")) {
        parts.push_back(foreignCall(textAt(piece, "name"), wordsOf(piece.value(QLatin1String("parameters")))));
    } else if (type == QLatin1String("toolCallResult")) {
        parts.push_back(foreignResult(textAt(piece, "name"), wordsOf(piece.value(QLatin1String("content")))));
    } else if (type == QLatin1String("file")) {
        const QString name = textAt(piece, "name");
        parts.push_back(
            {.text = QStringLiteral("[file: %1]").arg(name.isEmpty() ? textAt(piece, "fileIdentifier") : name)});
    } else if (thinking) {
        if (const QString words = textAt(piece, "text").trimmed(); !words.isEmpty())
            parts.push_back(foreignThought(words));
    } else {
        for (TreePart& part : foreignText(textAt(piece, "text"))) parts.push_back(std::move(part));
    }
}

void addContent(std::vector<TreePart>& parts, const QJsonValue& content, bool thinking) {
    if (content.isString()) addPiece(parts, {{QStringLiteral("text"), content}}, thinking);
    for (const QJsonValue& piece : content.toArray()) addPiece(parts, piece.toObject(), thinking);
}

void addStep(ForeignMessage& message, const QJsonObject& step) {
    if (textAt(step, "type") != QLatin1String("contentBlock")) return;
    const bool thinking = textAt(step.value(QLatin1String("style")).toObject(), "type") == QLatin1String("thinking");
    addContent(message.parts, step.value(QLatin1String("content")), thinking);
    const QJsonObject made = step.value(QLatin1String("genInfo")).toObject();
    const QJsonObject figures = made.value(QLatin1String("stats")).toObject();
    if (const QString model = textAt(made, "identifier"); !model.isEmpty()) message.model = model;
    if (figures.isEmpty()) return;
    message.statistics = foreignStatistics(figures.value(QLatin1String("predictedTokensCount")).toInteger(),
                                           figures.value(QLatin1String("tokensPerSecond")).toDouble(),
                                           figures.value(QLatin1String("timeToFirstTokenSec")).toDouble());
    if (textAt(figures, "stopReason") == QLatin1String("userStopped")) message.state = QStringLiteral("stopped");
}

ForeignMessage versionFrom(const QJsonObject& version) {
    ForeignMessage message;
    message.role = foreignRole(textAt(version, "role"));
    if (message.role == engine::Role::Assistant)
        message.model = textAt(version.value(QLatin1String("senderInfo")).toObject(), "senderName");
    addContent(message.parts, version.value(QLatin1String("content")), false);
    for (const QJsonValue& step : version.value(QLatin1String("steps")).toArray()) addStep(message, step.toObject());
    return message;
}

QString systemPromptOf(const QJsonObject& conversation) {
    const QJsonObject config = conversation.value(QLatin1String("perChatPredictionConfig")).toObject();
    for (const QJsonValue& field : config.value(QLatin1String("fields")).toArray())
        if (textAt(field.toObject(), "key") == QLatin1String("llm.prediction.systemPrompt"))
            return textAt(field.toObject(), "value");
    return textAt(conversation, "systemPrompt");
}

} // namespace

engine::Result<ForeignChat> chatFromLmStudio(const QJsonObject& conversation) {
    const qint64 created = foreignTime(conversation.value(QLatin1String("createdAt")));
    ForeignTree tree;
    QString before;
    qint64 number = 0;
    for (const QJsonValue& value : conversation.value(QLatin1String("messages")).toArray()) {
        const QJsonArray versions = value.toObject().value(QLatin1String("versions")).toArray();
        const qint64 selected = value.toObject().value(QLatin1String("currentlySelected")).toInteger();
        const QString above = before;
        for (qsizetype i = 0; i < versions.size(); ++i) {
            ForeignMessage message = versionFrom(versions.at(i).toObject());
            message.id = QStringLiteral("%1").arg(++number);
            message.parent = above;
            message.created = created; // it keeps no time for each message
            if (i == selected || i == 0) before = message.id;
            tree.add(std::move(message));
        }
    }
    tree.setLeaf(before);
    tree.setSystemPrompt(systemPromptOf(conversation));
    tree.setTimes(created, 0);
    auto made =
        tree.made("lmstudio", created == 0 ? QString() : QString::number(created), textAt(conversation, "name"));
    if (made) made->tree.pinned = conversation.value(QLatin1String("pinned")).toBool();
    return made;
}

} // namespace coterie::app
