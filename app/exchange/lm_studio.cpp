// SPDX-License-Identifier: Apache-2.0
// A conversation of LM Studio:
//
//     {"name", "createdAt", "userLastMessagedAt", "assistantLastMessagedAt", "pinned", "systemPrompt", "clientInput",
//      "lastUsedModel": {"identifier"},
//      "perChatPredictionConfig": {"fields": [{"key": "llm.prediction.systemPrompt", "value"}]},
//      "messages": [{"currentlySelected": 0, "versions": [
//          {"type": "singleStep", "role",
//           "content": [{"type": "text", "text"}, {"type": "file", "name", "fileIdentifier", "fileType"}]},
//          {"type": "multiStep", "role", "senderInfo": {"senderName"}, "steps": [
//              {"type": "contentBlock", "style": {"type": "thinking"}, "genInfo": {"identifier", "stats": {...}},
//               "content": [{"type": "text", "text"} | {"type": "toolCallRequest", "callId", "name", "parameters"}
//                           | {"type": "toolCallResult", "callId", "content"}]}]}]}]}
//
// The messages are a list. Versions of one message become branches; what follows belongs to the selected one. Times are
// milliseconds. Files are in another folder: a note stands in the place of each.
#include "exchange/foreign_chats.h"
#include "exchange/foreign_tree.h"

#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QVariant>

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

/// The texts of a result, which may be a list of pieces that is written as a text.
QString wordsOfResult(const QJsonValue& content) {
    const QJsonArray list =
        content.isArray() ? content.toArray() : QJsonDocument::fromJson(content.toString().toUtf8()).array();
    QStringList texts;
    for (const QJsonValue& piece : list)
        if (textAt(piece.toObject(), "type") == QLatin1String("text")) texts.append(textAt(piece.toObject(), "text"));
    return texts.isEmpty() || texts.size() < list.size() ? wordsOf(content) : texts.join(QLatin1Char('\n'));
}

/// Reads one version of a message.
class VersionReader {
  public:
    explicit VersionReader(ForeignTree& tree) : tree_(tree) {}

    ForeignMessage read(const QJsonObject& version);

  private:
    QString noteOf(const QJsonObject& file);
    void addPiece(const QJsonObject& piece, bool thinking);
    void addContent(const QJsonValue& content, bool thinking);
    void addStep(const QJsonObject& step);

    ForeignTree& tree_;
    ForeignMessage message_;
    QHash<QString, QString> tools_; ///< the tool of each call
};

QString VersionReader::noteOf(const QJsonObject& file) {
    static const QRegularExpression kNumber(QStringLiteral("^\\d+ - ")); // the upload's
    const QString type = textAt(file, "fileType");
    QString name = textAt(file, "name");
    if (name.isEmpty()) name = textAt(file, "fileIdentifier").remove(kNumber);
    if (type == QLatin1String("image")) return tree_.note(NotImported::Picture, name);
    return tree_.note(type == QLatin1String("audio") ? NotImported::Recording : NotImported::File, name);
}

void VersionReader::addPiece(const QJsonObject& piece, bool thinking) {
    std::vector<TreePart>& parts = message_.parts;
    const QString type = textAt(piece, "type"), call = piece.value(QLatin1String("callId")).toVariant().toString();
    if (type == QLatin1String("toolCallRequest")) {
        tools_.insert(call, textAt(piece, "name"));
        parts.push_back(foreignCall(textAt(piece, "name"), wordsOf(piece.value(QLatin1String("parameters")))));
    } else if (type == QLatin1String("toolCallResult")) {
        const QString name = textAt(piece, "name");
        parts.push_back(foreignResult(name.isEmpty() ? tools_.value(call) : name,
                                      wordsOfResult(piece.value(QLatin1String("content")))));
    } else if (type == QLatin1String("file")) {
        parts.push_back({.text = noteOf(piece)});
    } else if (thinking) {
        if (const QString words = textAt(piece, "text").trimmed(); !words.isEmpty())
            parts.push_back(foreignThought(words));
    } else {
        for (TreePart& part : foreignText(textAt(piece, "text"))) parts.push_back(std::move(part));
    }
}

void VersionReader::addContent(const QJsonValue& content, bool thinking) {
    if (content.isString()) addPiece({{QStringLiteral("text"), content}}, thinking);
    for (const QJsonValue& piece : content.toArray()) addPiece(piece.toObject(), thinking);
}

void VersionReader::addStep(const QJsonObject& step) {
    if (textAt(step, "type") != QLatin1String("contentBlock")) return;
    const bool thinking = textAt(step.value(QLatin1String("style")).toObject(), "type") == QLatin1String("thinking");
    addContent(step.value(QLatin1String("content")), thinking);
    const QJsonObject made = step.value(QLatin1String("genInfo")).toObject();
    const QJsonObject figures = made.value(QLatin1String("stats")).toObject();
    if (const QString model = textAt(made, "identifier"); !model.isEmpty()) message_.model = model;
    if (figures.isEmpty()) return;
    message_.statistics = foreignStatistics(figures.value(QLatin1String("predictedTokensCount")).toInteger(),
                                            figures.value(QLatin1String("tokensPerSecond")).toDouble(),
                                            figures.value(QLatin1String("timeToFirstTokenSec")).toDouble());
    if (textAt(figures, "stopReason") == QLatin1String("userStopped")) message_.state = QStringLiteral("stopped");
}

ForeignMessage VersionReader::read(const QJsonObject& version) {
    message_.role = foreignRole(textAt(version, "role"));
    if (message_.role == engine::Role::Assistant)
        message_.model = textAt(version.value(QLatin1String("senderInfo")).toObject(), "senderName");
    addContent(version.value(QLatin1String("content")), false);
    for (const QJsonValue& step : version.value(QLatin1String("steps")).toArray()) addStep(step.toObject());
    return std::move(message_);
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
            ForeignMessage message = VersionReader(tree).read(versions.at(i).toObject());
            message.id = QStringLiteral("%1").arg(++number);
            message.parent = above;
            message.created = created; // it keeps no time for each message
            if (i == selected || i == 0) before = message.id;
            tree.add(std::move(message));
        }
    }
    tree.setLeaf(before);
    tree.setSystemPrompt(systemPromptOf(conversation));
    tree.setTimes(created, std::max(foreignTime(conversation.value(QLatin1String("userLastMessagedAt"))),
                                    foreignTime(conversation.value(QLatin1String("assistantLastMessagedAt")))));
    auto made =
        tree.made("lmstudio", created == 0 ? QString() : QString::number(created), textAt(conversation, "name"));
    if (!made) return made;
    made->tree.pinned = conversation.value(QLatin1String("pinned")).toBool();
    made->tree.draft = textAt(conversation, "clientInput");
    return made;
}

} // namespace coterie::app
