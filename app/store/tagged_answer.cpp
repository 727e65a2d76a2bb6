// SPDX-License-Identifier: Apache-2.0
// See tagged_answer.h. The engine's own parser reads the tags.
#include "store/tagged_answer.h"

#include "prompt/answer_parser.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <utility>

namespace coterie::app {
namespace {

void restoreCode(MessagePart& part) {
    if (part.kind != PartKind::ToolCall || part.tool != QStringLiteral("python")) return;
    const QJsonObject arguments = QJsonDocument::fromJson(part.arguments.toUtf8()).object();
    const QJsonValue code = arguments.value(QStringLiteral("code"));
    if (arguments.size() != 1 || !code.isString()) return;
    part.tool.clear();
    part.arguments.clear();
    part.code = code.toString();
}

} // namespace

std::vector<MessagePart> partsOfTaggedAnswer(const QString& text) {
    engine::AnswerParser parser({.toolTags = true});
    std::vector<engine::AnswerEvent> events = parser.push(text.toStdString());
    for (engine::AnswerEvent& event : parser.finish()) events.push_back(std::move(event));
    std::vector<MessagePart> parts;
    for (const engine::AnswerEvent& event : events) {
        const bool call = event.kind == engine::PartKind::ToolCall; // its text is what the model wrote, tags included
        MessagePart part = partFrom(event.kind, call ? std::string_view() : event.text, event.call);
        restoreCode(part);
        addPiece(parts, {.index = static_cast<qsizetype>(event.part), .part = std::move(part)});
    }
    return parts;
}

} // namespace coterie::app
