// SPDX-License-Identifier: Apache-2.0
// See message_part.h.
#include "store/message_part.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <algorithm>
#include <array>

namespace coterie::app {
namespace {

struct KindName {
    PartKind kind;
    const char* name;
};
constexpr std::array<KindName, 5> kKindNames{{{PartKind::Text, "text"},
                                              {PartKind::Thought, "thought"},
                                              {PartKind::ToolCall, "call"},
                                              {PartKind::ToolResult, "result"},
                                              {PartKind::Attachment, "attachment"}}};

PartKind kindFrom(engine::PartKind kind) {
    switch (kind) {
    case engine::PartKind::Thought:
        return PartKind::Thought;
    case engine::PartKind::ToolCall:
        return PartKind::ToolCall;
    case engine::PartKind::ToolResult:
        return PartKind::ToolResult;
    case engine::PartKind::Text:
        break;
    }
    return PartKind::Text;
}

engine::PartKind engineKind(PartKind kind) {
    switch (kind) {
    case PartKind::Thought:
        return engine::PartKind::Thought;
    case PartKind::ToolCall:
        return engine::PartKind::ToolCall;
    case PartKind::ToolResult:
        return engine::PartKind::ToolResult;
    case PartKind::Text:
    case PartKind::Attachment:
        break;
    }
    return engine::PartKind::Text;
}

} // namespace

MessagePart partFrom(engine::PartKind kind, std::string_view text, const engine::ToolCall& call) {
    return {.kind = kindFrom(kind),
            .text = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())),
            .tool = QString::fromStdString(call.name),
            .arguments = QString::fromStdString(call.arguments),
            .code = QString::fromStdString(call.code)};
}

engine::Part enginePart(const MessagePart& part) {
    engine::Part made;
    made.kind = engineKind(part.kind);
    made.text = (part.kind == PartKind::Attachment ? fileForModel(part) : part.text).toStdString();
    made.call.name = part.tool.toStdString();
    made.call.arguments = part.arguments.toStdString();
    made.call.code = part.code.toStdString();
    return made;
}

QString fileForModel(const MessagePart& part) {
    constexpr qsizetype kShortestFence = 3;
    qsizetype longest = 0, run = 0;
    for (const QChar c : part.text) longest = std::max(longest, run = c == u'`' ? run + 1 : 0);
    const QString fence(std::max(kShortestFence, longest + 1), u'`');
    const QString end = part.text.endsWith(u'\n') ? QString() : QStringLiteral("\n");
    return QStringLiteral("File ") + u'"' + part.name.simplified() + QStringLiteral("\":\n") + fence + u'\n' +
           part.text + end + fence;
}

qsizetype promptBytes(std::span<const MessagePart> parts) {
    qsizetype bytes = 0;
    for (const MessagePart& part : parts) // a file has the most around its words
        bytes += fileForModel(part).toUtf8().size() + part.arguments.toUtf8().size() + part.code.toUtf8().size();
    return bytes;
}

std::vector<MessagePart> textParts(const QString& text) {
    std::vector<MessagePart> parts;
    if (!text.isEmpty()) parts.push_back({.kind = PartKind::Text, .text = text});
    return parts;
}

QString plainText(std::span<const MessagePart> parts) {
    QStringList texts;
    for (const MessagePart& part : parts)
        if (part.kind == PartKind::Text) texts.append(part.text);
    return texts.join(QStringLiteral("\n\n"));
}

void addPiece(std::vector<MessagePart>& parts, const PartPiece& piece) {
    if (piece.index >= static_cast<qsizetype>(parts.size())) {
        parts.push_back(piece.part);
        return;
    }
    MessagePart& part = parts[static_cast<size_t>(piece.index)];
    part.text += piece.part.text;
    if (piece.part.seconds > 0) part.seconds = piece.part.seconds; // known when the thought has ended
}

QString partKindName(PartKind kind) {
    for (const KindName& known : kKindNames)
        if (known.kind == kind) return QString::fromLatin1(known.name);
    return {};
}

std::optional<PartKind> partKindFrom(const QString& name) {
    for (const KindName& known : kKindNames)
        if (name == QLatin1String(known.name)) return known.kind;
    return std::nullopt;
}

QString partMeta(const MessagePart& part) {
    QJsonObject meta;
    const auto add = [&meta](const char* key, const QString& value) {
        if (!value.isEmpty()) meta.insert(QLatin1String(key), value);
    };
    add("tool", part.tool);
    add("arguments", part.arguments);
    add("code", part.code);
    add("name", part.name);
    add("mediaType", part.mediaType);
    if (part.size > 0) meta.insert(QStringLiteral("size"), part.size);
    if (part.seconds > 0) meta.insert(QStringLiteral("seconds"), part.seconds);
    return meta.isEmpty() ? QString() : QString::fromUtf8(QJsonDocument(meta).toJson(QJsonDocument::Compact));
}

void readPartMeta(const QString& meta, MessagePart& part) {
    const QJsonObject object = QJsonDocument::fromJson(meta.toUtf8()).object();
    part.tool = object.value(QStringLiteral("tool")).toString();
    part.arguments = object.value(QStringLiteral("arguments")).toString();
    part.code = object.value(QStringLiteral("code")).toString();
    part.name = object.value(QStringLiteral("name")).toString();
    part.mediaType = object.value(QStringLiteral("mediaType")).toString();
    part.size = object.value(QStringLiteral("size")).toInteger();
    part.seconds = object.value(QStringLiteral("seconds")).toDouble();
}

} // namespace coterie::app
