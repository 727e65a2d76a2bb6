// SPDX-License-Identifier: Apache-2.0
// See message_part.h.
#include "store/message_part.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <array>

namespace coterie::app {
namespace {

using engine::PartKind;

struct KindName {
    PartKind kind;
    const char* name;
};
constexpr std::array<KindName, 4> kKindNames{{{PartKind::Text, "text"},
                                              {PartKind::Thought, "thought"},
                                              {PartKind::ToolCall, "call"},
                                              {PartKind::ToolResult, "result"}}};

} // namespace

MessagePart partFrom(PartKind kind, std::string_view text, const engine::ToolCall& call) {
    return {.kind = kind,
            .text = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())),
            .tool = QString::fromStdString(call.name),
            .arguments = QString::fromStdString(call.arguments),
            .code = QString::fromStdString(call.code)};
}

engine::Part enginePart(const MessagePart& part) {
    engine::Part made;
    made.kind = part.kind;
    made.text = part.text.toStdString();
    made.call.name = part.tool.toStdString();
    made.call.arguments = part.arguments.toStdString();
    made.call.code = part.code.toStdString();
    return made;
}

std::vector<MessagePart> textParts(const QString& text) {
    std::vector<MessagePart> parts;
    if (!text.isEmpty())
        parts.push_back({.kind = PartKind::Text, .text = text, .tool = {}, .arguments = {}, .code = {}});
    return parts;
}

QString plainText(std::span<const MessagePart> parts) {
    QStringList texts;
    for (const MessagePart& part : parts)
        if (part.kind == PartKind::Text) texts.append(part.text);
    return texts.join(QStringLiteral("\n\n"));
}

void addPiece(std::vector<MessagePart>& parts, const PartPiece& piece) {
    if (piece.index < static_cast<qsizetype>(parts.size()))
        parts[static_cast<size_t>(piece.index)].text += piece.part.text;
    else
        parts.push_back(piece.part);
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
    return meta.isEmpty() ? QString() : QString::fromUtf8(QJsonDocument(meta).toJson(QJsonDocument::Compact));
}

void readPartMeta(const QString& meta, MessagePart& part) {
    const QJsonObject object = QJsonDocument::fromJson(meta.toUtf8()).object();
    part.tool = object.value(QStringLiteral("tool")).toString();
    part.arguments = object.value(QStringLiteral("arguments")).toString();
    part.code = object.value(QStringLiteral("code")).toString();
}

} // namespace coterie::app
