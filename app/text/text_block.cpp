// SPDX-License-Identifier: Apache-2.0
// See text_block.h.
#include "text/text_block.h"

#include <algorithm>

namespace coterie::app {
namespace {

/// Returns the first piece that ends behind this character.
auto pieceAt(const std::vector<TextPiece>& pieces, qsizetype shown) {
    return std::upper_bound(pieces.begin(), pieces.end(), shown,
                            [](qsizetype at, const TextPiece& piece) { return at < piece.begin + piece.length; });
}

/// Returns the first character at which two lists of ranges differ. `same` compares two that begin at the same place.
template <typename Range, typename Same>
qsizetype firstDifference(const std::vector<Range>& a, const std::vector<Range>& b, qsizetype limit, Same same) {
    size_t i = 0;
    while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
    const bool inA = i < a.size(), inB = i < b.size();
    if (!inA && !inB) return limit;
    if (inA && inB && a[i].begin == b[i].begin && same(a[i], b[i]))
        return std::min(limit, a[i].begin + std::min(a[i].length, b[i].length)); // only the length differs
    return std::min({limit, inA ? a[i].begin : limit, inB ? b[i].begin : limit});
}

} // namespace

TextDirection directionOf(QStringView text) {
    for (const QChar c : text) {
        switch (c.direction()) {
        case QChar::DirL:
            return TextDirection::LeftToRight;
        case QChar::DirR:
        case QChar::DirAL:
        case QChar::DirAN:
            return TextDirection::RightToLeft;
        default:
            break;
        }
    }
    return TextDirection::ByLine;
}

qsizetype TextBlock::sourceAt(qsizetype shown) const {
    if (offset < 0) return -1;
    if (pieces.empty()) return offset + shown;
    const auto piece = pieceAt(pieces, shown);
    if (piece == pieces.end() || piece->begin > shown) return -1;
    return piece->source + (piece->exact() ? shown - piece->begin : 0);
}

qsizetype TextBlock::sourceFrom(qsizetype shown) const {
    if (offset < 0 || pieces.empty()) return sourceAt(shown);
    const auto piece = pieceAt(pieces, shown);
    if (piece == pieces.end()) return sourceEnd();
    return piece->source + (piece->exact() ? std::max<qsizetype>(0, shown - piece->begin) : 0);
}

qsizetype TextBlock::sourceEnd() const {
    if (pieces.empty()) return offset < 0 ? -1 : offset + text.size();
    return pieces.back().source + pieces.back().sourceLength;
}

std::pair<qsizetype, qsizetype> TextBlock::shownRange(qsizetype begin, qsizetype end) const {
    if (offset < 0 || begin >= end) return {0, 0};
    if (pieces.empty()) {
        const auto inText = [&](qsizetype at) { return std::clamp<qsizetype>(at - offset, 0, text.size()); };
        return {inText(begin), inText(end)};
    }
    auto piece = std::upper_bound(pieces.begin(), pieces.end(), begin,
                                  [](qsizetype at, const TextPiece& p) { return at < p.source + p.sourceLength; });
    qsizetype first = -1, last = 0;
    for (; piece != pieces.end() && piece->source < end; ++piece) {
        const bool exact = piece->exact();
        const qsizetype from = exact ? std::max(begin - piece->source, qsizetype{0}) : 0;
        const qsizetype to = exact ? std::min(end - piece->source, piece->length) : piece->length;
        if (first < 0) first = piece->begin + from;
        last = piece->begin + to;
    }
    return first < 0 ? std::pair<qsizetype, qsizetype>{0, 0} : std::pair(first, last);
}

std::pair<qsizetype, qsizetype> TextBlock::sourceRange(qsizetype begin, qsizetype end) const {
    if (offset < 0 || begin >= end) return {0, 0};
    if (pieces.empty()) return {offset + begin, offset + end};
    qsizetype first = -1, last = 0;
    for (auto piece = pieceAt(pieces, begin); piece != pieces.end() && piece->begin < end; ++piece) {
        const bool exact = piece->exact();
        const qsizetype from = exact ? std::max(begin - piece->begin, qsizetype{0}) : 0;
        const qsizetype to = exact ? std::min(end - piece->begin, piece->length) : piece->sourceLength;
        if (first < 0) first = piece->source + from;
        last = piece->source + to;
    }
    return first < 0 ? std::pair<qsizetype, qsizetype>{0, 0} : std::pair(first, last);
}

qsizetype TextBlock::sameAs(const TextBlock& other) const {
    const auto differ = std::mismatch(text.begin(), text.end(), other.text.begin(), other.text.end());
    const qsizetype same = differ.first - text.begin();
    const qsizetype looks = firstDifference(formats, other.formats, same, [](const TextFormat& a, const TextFormat& b) {
        return a.style == b.style && a.target == b.target;
    });
    if (pieces.empty() && other.pieces.empty()) return offset == other.offset ? looks : 0;
    return std::min(looks, firstDifference(pieces, other.pieces, same, [](const TextPiece& a, const TextPiece& b) {
                        return a.source == b.source && a.exact() && b.exact();
                    }));
}

bool TextBlock::alike(const TextBlock& other) const {
    return kind == other.kind && label == other.label && folded == other.folded && part == other.part &&
           (offset < 0) == (other.offset < 0) && level == other.level && tight == other.tight &&
           nesting == other.nesting && columns == other.columns;
}

void TextBlock::append(const TextBlock& other, qsizetype from) {
    const qsizetype moved = text.size() - from;
    text += QStringView(other.text).mid(from);
    for (TextFormat format : other.formats) {
        if (format.end() <= from) continue;
        const qsizetype cutOff = std::max<qsizetype>(0, from - format.begin);
        format.begin += cutOff + moved;
        format.length -= cutOff;
        const bool joins = !format.isFormula() && !formats.empty() && formats.back().end() == format.begin &&
                           formats.back().style == format.style && formats.back().target == format.target;
        if (joins)
            formats.back().length += format.length;
        else
            formats.push_back(std::move(format));
    }
    for (TextPiece piece : other.pieces) {
        if (piece.begin + piece.length <= from) continue;
        const qsizetype cutOff = std::max<qsizetype>(0, from - piece.begin);
        if (piece.exact()) {
            piece.source += cutOff;
            piece.sourceLength -= cutOff;
        }
        piece.begin += cutOff + moved;
        piece.length -= cutOff;
        TextPiece* last = pieces.empty() ? nullptr : &pieces.back();
        if (last && last->exact() && piece.exact() && last->begin + last->length == piece.begin &&
            last->source + last->sourceLength == piece.source) {
            last->length += piece.length;
            last->sourceLength += piece.sourceLength;
        } else {
            pieces.push_back(piece);
        }
    }
}

void TextBlock::truncate(qsizetype length) {
    if (length >= text.size()) return;
    text.truncate(length);
    while (!formats.empty() && formats.back().begin >= length) formats.pop_back();
    if (!formats.empty()) formats.back().length = std::min(formats.back().length, length - formats.back().begin);
    while (!pieces.empty() && pieces.back().begin >= length) pieces.pop_back();
    if (pieces.empty()) return;
    TextPiece& last = pieces.back();
    const bool exact = last.exact();
    last.length = std::min(last.length, length - last.begin);
    if (exact) last.sourceLength = last.length;
}

const TextFormat* TextBlock::formatAt(qsizetype shown) const {
    const auto found = std::upper_bound(formats.begin(), formats.end(), shown,
                                        [](qsizetype at, const TextFormat& format) { return at < format.end(); });
    return found != formats.end() && found->begin <= shown ? &*found : nullptr;
}

} // namespace coterie::app
