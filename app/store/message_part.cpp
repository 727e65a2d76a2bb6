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

constexpr std::array kKindNames{"text", "thought", "call", "result", "attachment"}; // in the order of PartKind

constexpr bool isOne(PartKind kind, engine::PartKind ofEngine) {
    return static_cast<int>(kind) == static_cast<int>(ofEngine);
}
static_assert(isOne(PartKind::Text, engine::PartKind::Text) && isOne(PartKind::Thought, engine::PartKind::Thought) &&
                  isOne(PartKind::ToolCall, engine::PartKind::ToolCall) &&
                  isOne(PartKind::ToolResult, engine::PartKind::ToolResult),
              "the engine's kinds come first, in its order");

} // namespace

MessagePart partFrom(engine::PartKind kind, std::string_view text, const engine::ToolCall& call) {
    return {.kind = static_cast<PartKind>(kind),
            .text = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())),
            .tool = QString::fromStdString(call.name),
            .arguments = QString::fromStdString(call.arguments),
            .code = QString::fromStdString(call.code)};
}

engine::Part enginePart(const MessagePart& part) {
    const bool file = part.kind == PartKind::Attachment;
    engine::Part made;
    made.kind = file ? engine::PartKind::Text : static_cast<engine::PartKind>(part.kind);
    made.text = (file ? fileForModel(part) : part.text).toStdString();
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

QString partKindName(PartKind kind) { return QString::fromLatin1(kKindNames[static_cast<size_t>(kind)]); }

std::optional<PartKind> partKindFrom(const QString& name) {
    const auto known = std::find_if(kKindNames.begin(), kKindNames.end(),
                                    [&](const char* kind) { return name == QLatin1String(kind); });
    if (known == kKindNames.end()) return std::nullopt;
    return static_cast<PartKind>(known - kKindNames.begin());
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
