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

inline std::shared_ptr<engine::TraceLog> makeLog(int answered) {
    auto log =
        engine::TraceLog::create({.layers = kLayers, .experts = kExperts, .expertsPerToken = 2, .neurons = 100}, 64);
    if (!log) return nullptr;
    engine::TraceLog& trace = *log.value();
    trace.answerBegins(kReused, kPrompt);
    for (int64_t p = kReused; p < kPrompt + answered; ++p) {
        for (int l = 0; l < kLayers; ++l) {
            const engine::ExpertUse uses[] = {
                {.expert = expertOf(p, l, 0), .weight = 0.75F, .hit = p % 2 == 0, .activeNeurons = 40},
                {.expert = expertOf(p, l, 1), .weight = 0.25F, .hit = true, .activeNeurons = 20}};
            trace.layerDone(p, l, uses, 0.001);
        }
        trace.tokenDone(p, 50, p < kPrompt ? 0.05 : 0.02);
    }
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

inline std::vector<app::MessagePart> makeParts() {
    QString text;
    for (int i = 0; i < kTokens; ++i) text += QStringLiteral("a%1 ").arg(i);
    return app::textParts(text);
}

/// The answer as the inspector shows it.
struct ShownRecord {
    explicit ShownRecord(app::AnswerRecord record = makeRecord(), bool live = false)
        : shown([this] { return &parts; }) {
        shown.setMessage(record.message);
        shown.setRecord(std::make_shared<app::TracedAnswer>(std::move(record), std::vector<int64_t>{}), live);
    }
    const app::TracedAnswer& record() const { return *shown.record(); }

    std::vector<app::MessagePart> parts = makeParts();
    app::ShownAnswer shown;
};

} // namespace coterie::test
