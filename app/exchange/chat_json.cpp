// SPDX-License-Identifier: Apache-2.0
// See chat_json.h. Messages and files have numbers from 1 on in their chat; 0 stands for none. A field without a value
// is left out.
#include "exchange/chat_json.h"

#include "exchange/json_fields.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>

namespace coterie::app {
namespace {

QString timeText(qint64 time) { return QDateTime::fromMSecsSinceEpoch(time, Qt::UTC).toString(Qt::ISODateWithMs); }

/// Adds fields that have a value.
class Object {
  public:
    Object& text(const char* key, const QString& value) { return add(key, value, value.isEmpty()); }
    Object& number(const char* key, qint64 value) { return add(key, value, value == 0); }
    Object& time(const char* key, std::optional<qint64> value) {
        return value ? add(key, timeText(*value), false) : *this;
    }
    Object& object(const char* key, const QJsonObject& value) { return add(key, value, value.isEmpty()); }
    Object& array(const char* key, const QJsonArray& value) { return add(key, value, value.isEmpty()); }
    Object& add(const char* key, const QJsonValue& value, bool empty) {
        if (!empty) object_.insert(QLatin1String(key), value);
        return *this;
    }
    QJsonObject made() const { return object_; }

  private:
    QJsonObject object_;
};

QJsonValue base64(const QByteArray& bytes) { return QString::fromLatin1(bytes.toBase64()); }

const char* recordName(RecordKind kind) { return kind == RecordKind::Tokens ? "tokens" : "trace"; }

Object jsonOfPart(const TreePart& part) {
    return Object()
        .text("kind", partKindName(part.kind))
        .text("text", part.text)
        .object("meta", part.meta)
        .number("file", part.file + 1);
}

QJsonObject jsonOfMessage(const TreeMessage& message) {
    QJsonArray parts, records;
    for (const TreePart& part : message.parts) parts.append(jsonOfPart(part).made());
    for (const TreeRecord& record : message.records)
        records.append(Object()
                           .text("kind", QLatin1String(recordName(record.kind)))
                           .number("version", record.version)
                           .time("created", record.created)
                           .add("data", base64(record.bytes), false)
                           .made());
    return Object()
        .number("parent", message.parent + 1)
        .text("role", QLatin1String(engine::roleName(message.role)))
        .text("state", message.state)
        .time("created", message.created)
        .time("removed", message.removed)
        .text("model", message.model)
        .object("statistics", message.statistics)
        .object("error", message.error)
        .array("parts", parts)
        .array("records", records)
        .made();
}

std::optional<QByteArray> bytesFrom(const QString& text) {
    const auto decoded = QByteArray::fromBase64Encoding(text.toLatin1(), QByteArray::AbortOnBase64DecodingErrors);
    return decoded ? std::optional<QByteArray>(*decoded) : std::nullopt;
}

TreePart partFrom(const JsonFields& fields) {
    const QString kind = fields.text("kind");
    const std::optional<PartKind> known = partKindFrom(kind);
    if (!known) fields.refuse("kind");
    return {.kind = known.value_or(PartKind::Text),
            .text = fields.maybeText("text"),
            .meta = fields.maybeObject("meta"),
            .file = static_cast<qsizetype>(fields.maybeNumber("file")) - 1};
}

TreeRecord recordFrom(const JsonFields& fields) {
    TreeRecord record;
    const QString kind = fields.text("kind");
    if (kind == QLatin1String(recordName(RecordKind::Trace)))
        record.kind = RecordKind::Trace;
    else if (kind != QLatin1String(recordName(RecordKind::Tokens)))
        fields.refuse("kind");
    record.version = static_cast<int>(fields.maybeNumber("version"));
    record.created = fields.time("created");
    if (auto bytes = bytesFrom(fields.text("data")))
        record.bytes = std::move(*bytes);
    else
        fields.refuse("data");
    return record;
}

TreeMessage messageFrom(const JsonFields& fields) {
    TreeMessage message;
    message.parent = static_cast<qsizetype>(fields.maybeNumber("parent")) - 1;
    const std::optional<engine::Role> role = engine::roleFrom(fields.text("role").toStdString());
    if (!role) fields.refuse("role");
    message.role = role.value_or(engine::Role::User);
    message.state = fields.text("state");
    message.created = fields.time("created");
    message.removed = fields.maybeTime("removed");
    message.model = fields.maybeText("model").left(kLongestName);
    message.statistics = fields.maybeObject("statistics");
    message.error = fields.maybeObject("error");
    fields.eachObject("parts", [&](const JsonFields& part) { message.parts.push_back(partFrom(part)); });
    fields.eachObject("records", [&](const JsonFields& record) { message.records.push_back(recordFrom(record)); });
    return message;
}

} // namespace

QByteArray quotedJson(const QString& text) {
    const QByteArray array = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return array.mid(1, array.size() - 2);
}

QByteArray chatJson(const ChatTree& tree) {
    QJsonArray messages, files, waiting, unsent;
    for (const TreeMessage& message : tree.messages) messages.append(jsonOfMessage(message));
    for (const QByteArray& file : tree.files) files.append(base64(file));
    for (const QString& prompt : tree.waiting) waiting.append(prompt);
    for (const TreeUnsentFile& file : tree.unsent)
        unsent.append(jsonOfPart(file.part).number("waiting", file.waiting + 1).made());
    const QJsonObject object = Object()
                                   .text("uid", tree.uid)
                                   .add("title", tree.title, false)
                                   .time("created", tree.created)
                                   .time("updated", tree.updated)
                                   .time("removed", tree.removed)
                                   .add("pinned", true, !tree.pinned)
                                   .add("unread", true, !tree.unread)
                                   .text("folder", tree.folder)
                                   .object("settings", tree.settings)
                                   .text("draft", tree.draft)
                                   .number("leaf", tree.leaf + 1)
                                   .number("seen", tree.seen + 1)
                                   .add("seenOffset", tree.seenOffset, tree.seenOffset == 0)
                                   .number("leftOut", tree.leftOut + 1)
                                   .array("waiting", waiting)
                                   .array("unsent", unsent)
                                   .add("messages", messages, false)
                                   .array("files", files)
                                   .made();
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

engine::Result<ChatTree> chatFromJson(const QJsonObject& object) {
    std::optional<QString> wrong;
    const JsonFields fields(object, QString(), &wrong);
    ChatTree tree;
    tree.uid = fields.maybeText("uid");
    tree.title = fields.text("title").left(kLongestName);
    tree.created = fields.time("created");
    tree.updated = fields.time("updated");
    tree.removed = fields.maybeTime("removed");
    tree.pinned = fields.maybeTruth("pinned");
    tree.unread = fields.maybeTruth("unread");
    tree.folder = fields.maybeText("folder").left(kLongestName);
    tree.settings = fields.maybeObject("settings");
    tree.draft = fields.maybeText("draft");
    tree.leaf = static_cast<qsizetype>(fields.maybeNumber("leaf")) - 1;
    tree.seen = static_cast<qsizetype>(fields.maybeNumber("seen")) - 1;
    tree.seenOffset = fields.maybeReal("seenOffset");
    tree.leftOut = static_cast<qsizetype>(fields.maybeNumber("leftOut")) - 1;
    fields.eachText("waiting", [&](const QString& text) { tree.waiting.append(text); });
    fields.eachObject("unsent", [&](const JsonFields& file) {
        tree.unsent.push_back(
            {.part = partFrom(file), .waiting = static_cast<qsizetype>(file.maybeNumber("waiting")) - 1});
    });
    fields.eachObject("messages", [&](const JsonFields& message) { tree.messages.push_back(messageFrom(message)); });
    fields.eachText("files", [&](const QString& text) {
        if (auto bytes = bytesFrom(text))
            tree.files.push_back(std::move(*bytes));
        else
            fields.refuse("files");
    });
    if (wrong) return wrongField(*wrong);
    return tree;
}

} // namespace coterie::app
