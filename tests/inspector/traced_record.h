// SPDX-License-Identifier: Apache-2.0
// A small answer with its record, made without an engine: three layers of eight experts, of which each token uses two.
// For tests of a single object of the inspector.
#pragma once

#include "inspector/shown_answer.h"

#include <memory>
#include <utility>
#include <vector>

namespace coterie::test {

constexpr int kReused = 2, kPrompt = 6, kTokens = 9, kLayers = 3, kExperts = 8;

inline int expertOf(int64_t position, int layer, int rank) {
    return static_cast<int>((position * 3 + layer * 5 + rank * 2) % kExperts);
}

inline void addToken(engine::TraceLog& trace, int64_t position) {
    for (int l = 0; l < kLayers; ++l) {
        const engine::ExpertUse uses[] = {
            {.expert = expertOf(position, l, 0), .weight = 0.75F, .hit = position % 2 == 0, .activeNeurons = 40},
            {.expert = expertOf(position, l, 1), .weight = 0.25F, .hit = true, .activeNeurons = 20}};
        trace.layerDone(position, l, uses, 0.001);
    }
    trace.tokenDone(position, 50, position < kPrompt ? 0.05 : 0.02);
}

inline std::shared_ptr<engine::TraceLog> makeLog(int answered) {
    auto log =
        engine::TraceLog::create({.layers = kLayers, .experts = kExperts, .expertsPerToken = 2, .neurons = 100}, 64);
    if (!log) return nullptr;
    engine::TraceLog& trace = *log.value();
    trace.answerBegins(kReused, kPrompt);
    for (int64_t p = kReused; p < kPrompt + answered; ++p) addToken(trace, p);
    return std::move(log).value();
}

/// Tokens of the words "a0 a1 a2 ...", drawn at uneven times.
inline app::AnswerRecord makeRecord(int answered = kTokens - 1) {
    app::AnswerRecord record{.message = 7, .trace = makeLog(answered)};
    size_t at = 0;
    for (int i = 0; i < kTokens; ++i) {
        const size_t length = 3;
        record.tokens.push_back({.id = i,
                                 .seconds = 0.2 + 0.03 * i + (i % 3) * 0.004,
                                 .text = {{.part = 0, .begin = at, .end = at + length}}});
        at += length;
    }
    return record;
}

/// The question of the answer, whose words are in the tokens 1 to 4 of the prompt. Token 1 was reused. A file before
/// the words is a part of the text that the engine got.
inline app::AnswerRecord makeAskedRecord() {
    app::AnswerRecord record = makeRecord();
    auto log = makeLog(0);
    engine::TraceLog& trace = *log;
    trace.promptIs(std::vector<engine::TokenId>{50, 51, 52, 53, 54, 55});
    const std::string file = "A file.\n\n", words = "\u00bfWhy is it so?";
    const auto begin = static_cast<uint32_t>(file.size());
    trace.questionIs(
        {.first = 1,
         .bytes = static_cast<uint32_t>((file + words).size()),
         .text = {{begin - 1, begin + 5}, {begin + 5, begin + 8}, {begin + 8, begin + 11}, {begin + 11, begin + 15}}});
    for (int64_t p = kPrompt; p < kPrompt + kTokens - 1; ++p) addToken(trace, p);
    record.trace = std::move(log);
    return record;
}

inline std::vector<app::MessagePart> makeQuestion() {
    return {{.kind = app::PartKind::Text, .text = QStringLiteral("\u00bfWhy is it so?")},
            {.kind = app::PartKind::Attachment, .text = QStringLiteral("A file.")}};
}

inline std::vector<app::MessagePart> makeParts() {
    QString text;
    for (int i = 0; i < kTokens; ++i) text += QStringLiteral("a%1 ").arg(i);
    return app::textParts(text);
}

/// The answer as the inspector shows it.
struct ShownRecord {
    explicit ShownRecord(app::AnswerRecord record = makeRecord(), bool live = false)
        : shown({.parts = [this] { return &parts; },
                 .question = [this] { return &question; },
                 .nameOf = [](engine::TokenId id) { return QStringLiteral("<%1>").arg(id); }}) {
        shown.setMessage(record.message);
        shown.setRecord(std::make_shared<app::TracedAnswer>(std::move(record), std::vector<int64_t>{}), live);
    }
    const app::TracedAnswer& record() const { return *shown.record(); }

    std::vector<app::MessagePart> parts = makeParts(), question = makeQuestion();
    app::ShownAnswer shown;
};

} // namespace coterie::test
