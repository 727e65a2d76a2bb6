// SPDX-License-Identifier: Apache-2.0
// A thread of Jan, which is a folder with two files.
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
//
// Times are seconds, or milliseconds in newer versions. The messages are a list. If any of them has a "parentId", which
// is null for a first message, they are a tree: "activeChildId" names the branch that is shown, or else the newest is.
#include "exchange/foreign_chats.h"
#include "exchange/foreign_tree.h"

#include <QHash>
#include <QJsonArray>
#include <QList>

#include <algorithm>

namespace coterie::app {
namespace {

QJsonValue metadataAt(const QJsonObject& line, const char* key) {
    return line.value(QLatin1String("metadata")).toObject().value(QLatin1String(key));
}

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
    for (const QJsonValue& file : metadataAt(line, "inline_file_contents").toArray()) {
        const QString words = textAt(file.toObject(), "content");
        QString name = textAt(file.toObject(), "name");
        if (name.isEmpty()) name = QStringLiteral("file");
        if (!words.isEmpty())
            message.parts.push_back(tree_.attachment(name, QStringLiteral("text/plain"), words, words.toUtf8()));
    }
    if (message.role != engine::Role::Assistant) return;
    const QJsonObject speed = metadataAt(line, "tokenSpeed").toObject();
    message.statistics = foreignStatistics(speed.value(QLatin1String("tokenCount")).toInteger(),
                                           speed.value(QLatin1String("tokenSpeed")).toDouble(), 0);
    if (hasCalls) return; // the older form, which newer messages have besides
    for (const QJsonValue& value : metadataAt(line, "tool_calls").toArray()) {
        const QJsonObject function =
            value.toObject().value(QLatin1String("tool")).toObject().value(QLatin1String("function")).toObject();
        addCall(message, textAt(function, "name"), function.value(QLatin1String("arguments")),
                value.toObject().value(QLatin1String("response")));
    }
}

ForeignMessage ThreadReader::message(const QJsonObject& line) {
    ForeignMessage message{.role = foreignRole(textAt(line, "role"))};
    message.created = foreignTime(line.value(QLatin1String("created_at")));
    if (message.role == engine::Role::Assistant) message.model = model_;
    const QString status = textAt(line, "status");
    if (status == QLatin1String("stopped") || status == QLatin1String("pending") ||
        metadataAt(line, "stopped").toBool())
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

void addList(ForeignTree& tree, ThreadReader& reader, const std::vector<QJsonObject>& lines) {
    QString before;
    qint64 latest = 0;
    for (const QJsonObject& line : lines) {
        ForeignMessage message = reader.message(line);
        message.id = QStringLiteral("%1").arg(&line - lines.data());
        message.parent = before;
        message.created = latest = std::max(latest, message.created); // the lines are in order
        before = message.id;
        tree.add(std::move(message));
    }
    tree.setLeaf(before);
}

bool isTree(const std::vector<QJsonObject>& lines) {
    return std::any_of(lines.begin(), lines.end(), [](const QJsonObject& line) {
        return !metadataAt(line, "parentId").isUndefined() && !textAt(line, "id").isEmpty();
    });
}

/// The parent of each line. Jan has lost that of some answers: such an answer belongs to the question before it, and
/// the next question to the answer.
std::vector<QString> parentsOf(const std::vector<QJsonObject>& lines) {
    std::vector<QString> parents;
    QHash<QString, QList<size_t>> questions; // those below each message, in order
    for (size_t i = 0; i < lines.size(); ++i) {
        parents.push_back(metadataAt(lines[i], "parentId").toString());
        if (foreignRole(textAt(lines[i], "role")) == engine::Role::User) questions[parents[i]].append(i);
    }
    QString question; // the latest one
    for (size_t i = 0; i < lines.size(); ++i) {
        const engine::Role role = foreignRole(textAt(lines[i], "role"));
        if (role == engine::Role::User) question = textAt(lines[i], "id");
        if (role != engine::Role::Assistant || !parents[i].isEmpty() || question.isEmpty()) continue;
        parents[i] = question;
        QList<size_t>& below = questions[question];
        while (!below.isEmpty() && below.front() < i) below.removeFirst();
        if (!below.isEmpty()) parents[below.takeFirst()] = textAt(lines[i], "id");
    }
    return parents;
}

/// Returns the last message of the branch that is shown.
QString leafOf(const std::vector<QJsonObject>& lines, const std::vector<QString>& parents) {
    QHash<QString, QString> newest, shown; // the child of each message
    QHash<QString, qint64> times;
    for (size_t i = 0; i < lines.size(); ++i) {
        const QString id = textAt(lines[i], "id"), active = metadataAt(lines[i], "activeChildId").toString();
        times.insert(id, foreignTime(lines[i].value(QLatin1String("created_at"))));
        if (!active.isEmpty()) shown.insert(id, active);
        const auto known = newest.constFind(parents[i]);
        if (known == newest.cend() || times.value(*known) <= times.value(id)) newest.insert(parents[i], id);
    }
    QString leaf;
    for (size_t steps = 0; steps <= lines.size(); ++steps) { // a hostile thread could have a circle
        const QString active = shown.value(leaf);
        const QString next = times.contains(active) ? active : newest.value(leaf);
        if (next.isEmpty()) break;
        leaf = next;
    }
    return leaf;
}

void addTree(ForeignTree& tree, ThreadReader& reader, const std::vector<QJsonObject>& lines) {
    const std::vector<QString> parents = parentsOf(lines);
    for (size_t i = 0; i < lines.size(); ++i) {
        ForeignMessage message = reader.message(lines[i]);
        message.id = textAt(lines[i], "id");
        message.parent = parents[i];
        tree.add(std::move(message));
    }
    tree.setLeaf(leafOf(lines, parents));
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
    if (isTree(messages))
        addTree(tree, reader, messages);
    else
        addList(tree, reader, messages);
    tree.setSystemPrompt(textAt(assistant, "instructions"));
    tree.setTimes(createdAt(thread, messages), foreignTime(thread.value(QLatin1String("updated"))));
    QString title = textAt(thread, "title");
    if (title.isEmpty()) title = metadataAt(thread, "title").toString();
    auto made = tree.made("jan", textAt(thread, "id"), title);
    if (!made) return made;
    made->tree.pinned = metadataAt(thread, "is_favorite").toBool();
    made->tree.folder = textAt(metadataAt(thread, "project").toObject(), "name");
    return made;
}

} // namespace coterie::app
