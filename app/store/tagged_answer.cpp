// SPDX-License-Identifier: Apache-2.0
// See tagged_answer.h. The engine's own parser reads the tags.
#include "store/tagged_answer.h"

#include "prompt/answer_parser.h"

#include <QJsonDocument>
#include <QJsonObject>

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
    // Version 1 knew no fences: what was a call then is one now.
    engine::AnswerParser parser(
        {.calls = {engine::CallForm::HermesJson, engine::CallForm::FunctionTags}, .fencesQuote = false});
    std::vector<engine::Part> read;
    for (const engine::AnswerEvent& event : parser.push(text.toStdString())) addTo(read, event);
    for (const engine::AnswerEvent& event : parser.finish()) addTo(read, event);
    std::vector<MessagePart> parts;
    for (const engine::Part& part : read) {
        const bool call = part.kind == engine::PartKind::ToolCall; // its text is what the model wrote, tags included
        parts.push_back(partFrom(part.kind, call ? std::string_view() : part.text, part.call));
        restoreCode(parts.back());
    }
    return parts;
}

} // namespace coterie::app
