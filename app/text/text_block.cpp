// SPDX-License-Identifier: Apache-2.0
// See text_block.h.
#include "text/text_block.h"

#include <algorithm>

namespace coterie::app {
namespace {

/// The place of a piece in one of its two texts.
struct Side {
    qsizetype TextPiece::*begin;
    qsizetype TextPiece::*length;

    qsizetype endOf(const TextPiece& piece) const { return piece.*begin + piece.*length; }
};
constexpr Side kShown{&TextPiece::begin, &TextPiece::length};
constexpr Side kSource{&TextPiece::source, &TextPiece::sourceLength};

/// Returns the first piece that ends behind this character of that side.
auto pieceAt(const std::vector<TextPiece>& pieces, qsizetype place, Side side = kShown) {
    return std::upper_bound(pieces.begin(), pieces.end(), place,
                            [side](qsizetype at, const TextPiece& piece) { return at < side.endOf(piece); });
}

/// Returns the range of one side that belongs to [begin, end) of the other one; {0, 0} if there is none.
std::pair<qsizetype, qsizetype> rangeOn(Side wanted, Side given, const std::vector<TextPiece>& pieces, qsizetype begin,
                                        qsizetype end) {
    qsizetype first = -1, last = 0;
    for (auto piece = pieceAt(pieces, begin, given); piece != pieces.end() && (*piece).*given.begin < end; ++piece) {
        const qsizetype at = (*piece).*given.begin, length = (*piece).*wanted.length, place = (*piece).*wanted.begin;
        const bool exact = piece->exact();
        if (first < 0) first = place + (exact ? std::max(begin - at, qsizetype{0}) : 0);
        last = place + (exact ? std::min(end - at, length) : length);
    }
    return first < 0 ? std::pair<qsizetype, qsizetype>{0, 0} : std::pair(first, last);
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
    return rangeOn(kShown, kSource, pieces, begin, end);
}

std::pair<qsizetype, qsizetype> TextBlock::sourceRange(qsizetype begin, qsizetype end) const {
    if (offset < 0 || begin >= end) return {0, 0};
    if (pieces.empty()) return {offset + begin, offset + end};
    return rangeOn(kSource, kShown, pieces, begin, end);
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
