// SPDX-License-Identifier: Apache-2.0
// A thread of Jan, which is a folder with two files, or one file if Jan has exported it.
//
//     thread.json:    {"id", "title", "created", "updated", "assistants": [{"instructions", "model": {"id"}}],
//                      "metadata": {"is_favorite", "project": {"name"}}}
//     messages.jsonl: {"id", "role", "created_at", "status", "tool_call_id",
//                      "metadata": {"parentId", "activeChildId", "stopped", "tokenSpeed": {"tokenSpeed", "tokenCount"},
//                                   "inline_file_contents": [{"name", "content"}],
//                                   "tool_calls": [{"tool": {"function": {"name", "arguments"}},
//                                                   "response": {"content": [{"text"}], "error"}}]},
//                      "content": [{"type": "text" | "reasoning", "text": {"value"}}
//                                  | {"type": "tool_call", "tool_call_id", "tool_name", "input", "output"}
//                                  | {"type": "image_url", "image_url": {"url"}}]}   (one on each line)
//     an export:      {"title", "exported_at", "messages": [...]}, without the ids of the thread and the model
//
// Times are seconds, or milliseconds in newer versions. jan_branches.h says which message follows which one.
#include "exchange/foreign_chats.h"
#include "exchange/foreign_tree.h"
#include "exchange/jan_branches.h"

#include <QHash>
#include <QJsonArray>

#include <algorithm>

namespace coterie::app {
namespace {

/// Returns the texts in the result of a tool, or the JSON of anything else.
QString wordsOfResult(const QJsonValue& result) {
    const QJsonObject object = result.toObject();
    const QJsonArray list = result.isArray() ? result.toArray() : object.value(QLatin1String("content")).toArray();
    QStringList texts;
    for (const QJsonValue& piece : list) texts.append(textAt(piece.toObject(), "text"));
    texts.removeAll(QString());
    if (!texts.isEmpty()) return texts.join(QLatin1Char('\n'));
    const QString error = textAt(object, "error");
    return error.isEmpty() ? wordsOf(result) : error;
}

/// Reads the messages of a thread.
class ThreadReader {
  public:
    ThreadReader(ForeignTree& tree, QString model) : tree_(tree), model_(std::move(model)) {}

    ForeignMessage message(const QJsonObject& line);

  private:
    void addCall(ForeignMessage& message, const QString& tool, const QJsonValue& input, const QJsonValue& output);
    void addPicture(ForeignMessage& message, const QString& address);
    void addPiece(ForeignMessage& message, const QJsonObject& piece, const QString& call);
    void addMetadata(ForeignMessage& message, const QJsonObject& line, bool hasCalls);

    ForeignTree& tree_;
    const QString model_;
    QHash<QString, QString> tools_; ///< the tool of each call
};

void ThreadReader::addCall(ForeignMessage& message, const QString& tool, const QJsonValue& input,
                           const QJsonValue& output) {
    message.parts.push_back(foreignCall(tool, wordsOf(input)));
    if (const QString words = wordsOfResult(output); !words.isEmpty())
        message.parts.push_back(foreignResult(tool, words));
}

void ThreadReader::addPicture(ForeignMessage& message, const QString& address) {
    const auto data = dataAt(address);
    if (!data) return message.parts.push_back({.text = tree_.note(NotImported::Picture)});
    const QString ending = data->mediaType.section(QLatin1Char('/'), 1);
    const QString name = QStringLiteral("picture.") + (ending.isEmpty() ? QStringLiteral("png") : ending.left(10));
    message.parts.push_back(tree_.attachment(name, data->mediaType, {}, data->bytes));
}

/// call: the call whose result the message is.
void ThreadReader::addPiece(ForeignMessage& message, const QJsonObject& piece, const QString& call) {
    const QString type = textAt(piece, "type");
    const QString words = textAt(piece.value(QLatin1String("text")).toObject(), "value");
    if (type == QLatin1String("reasoning")) {
        if (!words.trimmed().isEmpty()) message.parts.push_back(foreignThought(words.trimmed()));
    } else if (type == QLatin1String("tool_call")) {
        tools_.insert(textAt(piece, "tool_call_id"), textAt(piece, "tool_name"));
        addCall(message, textAt(piece, "tool_name"), piece.value(QLatin1String("input")),
                piece.value(QLatin1String("output")));
    } else if (type == QLatin1String("image_url")) {
        addPicture(message, textAt(piece.value(QLatin1String("image_url")).toObject(), "url"));
    } else if (message.role == engine::Role::Tool) {
        if (!words.isEmpty()) message.parts.push_back(foreignResult(tools_.value(call), words));
    } else {
        for (TreePart& part : foreignText(words)) message.parts.push_back(std::move(part));
    }
}

void ThreadReader::addMetadata(ForeignMessage& message, const QJsonObject& line, bool hasCalls) {
    for (const QJsonValue& file : janMetadata(line, "inline_file_contents").toArray()) {
        const QString words = textAt(file.toObject(), "content");
        QString name = textAt(file.toObject(), "name");
        if (name.isEmpty()) name = QStringLiteral("file");
        if (!words.isEmpty())
            message.parts.push_back(tree_.attachment(name, QStringLiteral("text/plain"), words, words.toUtf8()));
    }
    if (message.role != engine::Role::Assistant) return;
    const QJsonObject speed = janMetadata(line, "tokenSpeed").toObject();
    message.statistics = foreignStatistics(speed.value(QLatin1String("tokenCount")).toInteger(),
                                           speed.value(QLatin1String("tokenSpeed")).toDouble(), 0);
    if (hasCalls) return; // the older form, which newer messages have besides
    for (const QJsonValue& value : janMetadata(line, "tool_calls").toArray()) {
        const QJsonObject function =
            value.toObject().value(QLatin1String("tool")).toObject().value(QLatin1String("function")).toObject();
        addCall(message, textAt(function, "name"), function.value(QLatin1String("arguments")),
                value.toObject().value(QLatin1String("response")));
    }
}

ForeignMessage ThreadReader::message(const QJsonObject& line) {
    ForeignMessage message{.role = foreignRole(textAt(line, "role"))};
    if (message.role == engine::Role::Assistant) message.model = model_;
    const QString status = textAt(line, "status");
    if (status == QLatin1String("stopped") || status == QLatin1String("pending") ||
        janMetadata(line, "stopped").toBool())
        message.state = QStringLiteral("stopped");
    if (status == QLatin1String("error")) message.state = QStringLiteral("failed");
    const QJsonValue content = line.value(QLatin1String("content"));
    if (content.isString()) message.parts = foreignText(content.toString());
    const QString call = textAt(line, "tool_call_id");
    for (const QJsonValue& piece : content.toArray()) addPiece(message, piece.toObject(), call);
    const bool hasCalls = std::any_of(message.parts.begin(), message.parts.end(),
                                      [](const TreePart& part) { return part.kind == PartKind::ToolCall; });
    addMetadata(message, line, hasCalls);
    return message;
}

/// The thread's own time is that of its last change in some versions.
qint64 createdAt(const QJsonObject& thread, const std::vector<QJsonObject>& lines) {
    const qint64 created = foreignTime(thread.value(QLatin1String("created")));
    const qint64 first = lines.empty() ? 0 : foreignTime(lines.front().value(QLatin1String("created_at")));
    return created > 0 && first > 0 ? std::min(created, first) : created;
}

} // namespace

engine::Result<ForeignChat> chatFromJan(const QJsonObject& thread, const std::vector<QJsonObject>& messages) {
    const QJsonObject assistant = thread.value(QLatin1String("assistants")).toArray().at(0).toObject();
    QString model = textAt(assistant.value(QLatin1String("model")).toObject(), "id");
    if (model == QLatin1String("*")) model.clear(); // any model
    ForeignTree tree;
    ThreadReader reader(tree, model);
    const JanBranches branches = janBranches(thread, messages);
    for (size_t i = 0; i < messages.size(); ++i) {
        ForeignMessage message = reader.message(messages[i]);
        message.id = QString::number(i); // some have the same id, or none
        if (branches.parents[i] >= 0) message.parent = QString::number(branches.parents[i]);
        message.created = branches.times[i];
        tree.add(std::move(message));
    }
    tree.setLeaf(QString::number(branches.leaf));
    tree.setSystemPrompt(textAt(assistant, "instructions"));
    tree.setTimes(createdAt(thread, messages), foreignTime(thread.value(QLatin1String("updated"))));
    QString title = textAt(thread, "title");
    if (title.isEmpty()) title = janMetadata(thread, "title").toString();
    auto made = tree.made("jan", textAt(thread, "id"), title);
    if (!made) return made;
    made->tree.pinned = janMetadata(thread, "is_favorite").toBool();
    made->tree.folder = textAt(janMetadata(thread, "project").toObject(), "name");
    return made;
}

engine::Result<ForeignChat> chatFromJanExport(const QJsonObject& exported) {
    std::vector<QJsonObject> messages;
    for (const QJsonValue& message : exported.value(QLatin1String("messages")).toArray())
        messages.push_back(message.toObject());
    return chatFromJan(exported, messages);
}

} // namespace coterie::app
