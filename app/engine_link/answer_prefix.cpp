// SPDX-License-Identifier: Apache-2.0
// See answer_prefix.h.
#include "engine_link/answer_prefix.h"

#include "records/token_bytes.h"

#include <algorithm>

namespace coterie::app {
namespace {

constexpr qsizetype kBetween = 2; // characters that plainText() puts between two text parts

/// Whether the record has all tokens of the answer: that of a continued one lacks the beginning.
bool covers(const std::vector<engine::TokenRecord>& record, const std::vector<MessagePart>& parts) {
    const auto first =
        std::find_if(record.begin(), record.end(), [](const auto& token) { return !token.text.empty(); });
    if (first == record.end() || parts.empty()) return false;
    const engine::TextRange& begin = first->text.front();
    const auto last =
        std::find_if(record.rbegin(), record.rend(), [](const auto& token) { return !token.text.empty(); });
    return begin.part == 0 && begin.begin == 0 && last->text.back().part + 1 == parts.size();
}

/// A text part and where it is in the whole text.
struct Piece {
    size_t part = 0;
    qsizetype begin = 0, end = 0;
};

std::vector<Piece> piecesOf(const std::vector<MessagePart>& parts) {
    std::vector<Piece> pieces;
    qsizetype at = 0;
    for (size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].kind != PartKind::Text) continue;
        if (!pieces.empty()) at += kBetween;
        pieces.push_back({.part = i, .begin = at, .end = at + parts[i].text.size()});
        at += parts[i].text.size();
    }
    return pieces;
}

} // namespace

std::vector<engine::TokenRecord> storedTokens(const ChatStore& store, qint64 message) {
    const auto record = store.records().get(RecordKind::Tokens, message);
    if (!record || !record->has_value()) return {};
    const QByteArray& bytes = (*record)->bytes;
    auto tokens = engine::readTokenBytes(
        {reinterpret_cast<const std::byte*>(bytes.constData()), static_cast<size_t>(bytes.size())});
    return tokens ? std::move(tokens).value() : std::vector<engine::TokenRecord>{};
}

std::optional<AnswerPrefix> prefixOf(const MessageRow& answer, const WrittenTokens* written,
                                     const std::vector<engine::TokenRecord>& record, const QString& model) {
    if (answer.parts.empty()) return AnswerPrefix{};
    if (written && written->model == model) return AnswerPrefix{.tokens = written->ids, .kept = written->kept};
    if (answer.model == model && covers(record, answer.parts)) {
        AnswerPrefix prefix;
        for (const engine::TokenRecord& token : record) prefix.tokens.push_back(token.id);
        return prefix;
    }
    const auto kept = static_cast<qsizetype>(answer.parts.size()) - 1;
    const bool thoughtsBefore = std::all_of(answer.parts.begin(), answer.parts.begin() + kept,
                                            [](const MessagePart& part) { return part.kind == PartKind::Thought; });
    if (answer.parts.back().kind != PartKind::Text || !thoughtsBefore) return std::nullopt;
    return AnswerPrefix{.text = answer.parts.back().text, .kept = kept};
}

std::vector<MessagePart> withText(const std::vector<MessagePart>& parts, const QString& text) {
    std::vector<MessagePart> changed = parts;
    const std::vector<Piece> pieces = piecesOf(parts);
    if (pieces.empty()) {
        for (MessagePart& part : textParts(text)) changed.push_back(std::move(part));
        return changed;
    }
    const QString old = plainText(parts);
    const auto same = std::mismatch(old.begin(), old.end(), text.begin(), text.end());
    const qsizetype front = same.first - old.begin();
    qsizetype back = 0; // characters at the end that both have
    while (back < std::min(old.size(), text.size()) - front &&
           old[old.size() - 1 - back] == text[text.size() - 1 - back])
        ++back;
    // The pieces from `first` to `last` become one.
    size_t first = pieces.size() - 1, last = 0;
    for (size_t i = 0; i < pieces.size(); ++i) {
        if (front <= pieces[i].end) first = std::min(first, i);
        if (old.size() - back >= pieces[i].begin) last = std::max(last, i);
    }
    last = std::max(first, last);
    const qsizetype end = text.size() - (old.size() - pieces[last].end);
    changed[pieces[first].part].text = text.mid(pieces[first].begin, end - pieces[first].begin);
    for (size_t i = last; i > first; --i) changed.erase(changed.begin() + static_cast<qsizetype>(pieces[i].part));
    std::erase_if(changed, [](const MessagePart& part) { return part.kind == PartKind::Text && part.text.isEmpty(); });
    return changed;
}

} // namespace coterie::app
