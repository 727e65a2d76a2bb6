// SPDX-License-Identifier: Apache-2.0
// See answer_prefix.h.
#include "engine_link/answer_prefix.h"

#include "records/token_bytes.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace coterie::app {
namespace {

constexpr qsizetype kBetween = 2; // characters that plainText() puts between two text parts

/// A token is recorded once its text is whole, so the answer may have this many bytes more than its record: more than a
/// token usually has.
constexpr size_t kUnrecordedBytes = 64;

bool isBefore(const engine::TextRange& range, size_t part, size_t end) {
    return range.part < part || (range.part == part && range.end <= end);
}

/// Bytes of a part's text. A call is whole or not there, so it has no end.
size_t bytesOf(const MessagePart& part) {
    const bool words = part.kind == PartKind::Text || part.kind == PartKind::Thought;
    return words ? static_cast<size_t>(part.text.toUtf8().size()) : std::numeric_limits<size_t>::max();
}

/// Returns how many tokens of the record wrote the answer; 0 if they are not all of its tokens: records lack the
/// beginning if that was not recorded, and the end if the program was killed or records were off.
size_t covered(const std::vector<engine::TokenRecord>& record, const std::vector<MessagePart>& parts) {
    const auto first =
        std::find_if(record.begin(), record.end(), [](const auto& token) { return !token.text.empty(); });
    if (first == record.end() || parts.empty()) return 0;
    if (first->text.front().part != 0 || first->text.front().begin != 0) return 0;
    const size_t part = parts.size() - 1, end = bytesOf(parts.back()), within = tokensWithin(record, parts);
    const auto beyond = record.begin() + static_cast<std::ptrdiff_t>(within);
    const auto last = std::find_if(std::make_reverse_iterator(beyond), record.rend(),
                                   [](const auto& token) { return !token.text.empty(); });
    if (last == record.rend() || last->text.back().part != part) return 0;
    const bool endless = end == std::numeric_limits<size_t>::max();
    const bool lacksEnd = !endless && last->text.back().end + kUnrecordedBytes < end;
    return lacksEnd ? 0 : within;
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

size_t tokensWithin(const std::vector<engine::TokenRecord>& record, const std::vector<MessagePart>& parts) {
    const auto last =
        std::find_if(record.rbegin(), record.rend(), [](const auto& token) { return !token.text.empty(); });
    if (last == record.rend()) return record.size();
    const size_t part = parts.empty() ? 0 : parts.size() - 1;
    // Its bytes are at least as many as its characters, which are counted at once.
    const auto characters = static_cast<size_t>(parts.empty() ? 0 : parts.back().text.size());
    if (!parts.empty() && isBefore(last->text.back(), part, characters)) return record.size();
    const size_t end = parts.empty() ? 0 : bytesOf(parts.back());
    const auto beyond = std::find_if(record.begin(), record.end(), [&](const auto& token) {
        return !token.text.empty() && !isBefore(token.text.back(), part, end);
    });
    return static_cast<size_t>(beyond - record.begin());
}

std::optional<AnswerPrefix> prefixOf(const MessageRow& answer, const WrittenTokens* written,
                                     const std::vector<engine::TokenRecord>& record, const QString& model) {
    if (answer.parts.empty()) return AnswerPrefix{};
    if (written && written->model == model) return AnswerPrefix{.tokens = written->ids, .kept = written->kept};
    if (const size_t known = answer.model == model ? covered(record, answer.parts) : 0; known > 0) {
        AnswerPrefix prefix;
        for (size_t i = 0; i < known; ++i) prefix.tokens.push_back(record[i].id);
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
    // A change between two texts is of both: neither has the characters there.
    if (first > 0 && front < pieces[first].begin) --first;
    if (last + 1 < pieces.size() && old.size() - back > pieces[last].end) ++last;
    last = std::max(first, last);
    const qsizetype end = text.size() - (old.size() - pieces[last].end);
    changed[pieces[first].part].text = text.mid(pieces[first].begin, end - pieces[first].begin);
    for (size_t i = last; i > first; --i) changed.erase(changed.begin() + static_cast<qsizetype>(pieces[i].part));
    std::erase_if(changed, [](const MessagePart& part) { return part.kind == PartKind::Text && part.text.isEmpty(); });
    return changed;
}

} // namespace coterie::app
