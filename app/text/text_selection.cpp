// SPDX-License-Identifier: Apache-2.0
// See text_selection.h.
#include "text/text_selection.h"

#include <QKeyEvent>
#include <QTextBoundaryFinder>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace coterie::app {
namespace {

/// The characters of a block between two line breaks.
struct HardLine {
    qsizetype begin = 0;
    QStringView text;
};

HardLine hardLineAt(const QString& text, qsizetype offset) {
    const qsizetype begin = offset > 0 ? text.lastIndexOf(u'\n', offset - 1) + 1 : 0;
    const qsizetype lineBreak = text.indexOf(u'\n', offset);
    return {begin, QStringView(text).mid(begin, (lineBreak < 0 ? text.size() : lineBreak) - begin)};
}

/// Returns the unit at this place, which the text may have no more.
TextSpan unitAt(const TextDocument& document, TextPosition at, TextSelection::Unit unit) {
    if (document.all().end < at) at = document.all().end;
    if (document.count() == 0) return {at, at};
    at.offset = std::min(at.offset, document.block(at.block).text.size());
    if (unit == TextSelection::Unit::Character) return {at, at};
    const HardLine line = hardLineAt(document.block(at.block).text, at.offset);
    const auto inBlock = [&](qsizetype inLine) { return TextPosition{at.block, line.begin + inLine}; };
    if (unit == TextSelection::Unit::Paragraph) return {inBlock(0), inBlock(line.text.size())};
    QTextBoundaryFinder words(QTextBoundaryFinder::Word, line.text.data(), line.text.size());
    words.setPosition(at.offset - line.begin);
    // The right half of a word's last letter is nearest to the place behind the word.
    const auto reasons = words.boundaryReasons();
    const bool behind = (reasons & QTextBoundaryFinder::EndOfItem) && !(reasons & QTextBoundaryFinder::StartOfItem);
    const qsizetype begin =
        words.isAtBoundary() && !behind ? words.position() : std::max<qsizetype>(0, words.toPreviousBoundary());
    words.setPosition(begin);
    const qsizetype end = words.toNextBoundary();
    return {inBlock(begin), inBlock(end < 0 ? line.text.size() : end)};
}

/// Returns the next block in this direction that is shown, or -1.
int shownBlock(const TextDocument& document, int from, int step) {
    for (int i = from + step; i >= 0 && i < document.count(); i += step)
        if (!document.block(i).folded) return i;
    return -1;
}

TextPosition startOf(int block) { return {block, 0}; }
TextPosition endOf(const TextDocument& document, int block) { return {block, document.block(block).text.size()}; }

/// Returns the place one character or word further; at the end of a block that is the next one.
TextPosition further(const TextDocument& document, TextPosition from, QTextBoundaryFinder::BoundaryType by, int step) {
    const QString& text = document.block(from.block).text;
    const bool atEdge = step > 0 ? from.offset >= text.size() : from.offset <= 0;
    if (atEdge) {
        const int next = shownBlock(document, from.block, step);
        if (next < 0) return from;
        return step > 0 ? startOf(next) : endOf(document, next);
    }
    const HardLine line = hardLineAt(text, from.offset);
    const qsizetype inLine = from.offset - line.begin;
    if (step > 0 ? inLine == line.text.size() : inLine == 0) return {from.block, from.offset + step}; // a line break
    QTextBoundaryFinder finder(by, line.text.data(), line.text.size());
    finder.setPosition(inLine);
    const bool words = by == QTextBoundaryFinder::Word;
    for (;;) {
        const qsizetype found = step > 0 ? finder.toNextBoundary() : finder.toPreviousBoundary();
        if (found < 0) return {from.block, line.begin + (step > 0 ? line.text.size() : 0)};
        const auto wanted = step > 0 ? QTextBoundaryFinder::EndOfItem : QTextBoundaryFinder::StartOfItem;
        if (!words || (finder.boundaryReasons() & wanted)) return {from.block, line.begin + found};
    }
}

/// Returns the place one line above or below.
TextPosition lineAway(const TextDocument& document, const MessageLayout& layout, TextPosition from, int step) {
    const qreal x = layout.caretAt(from).x();
    int block = from.block;
    int line = layout.block(block).lines->lineOf(from.offset) + step;
    if (line < 0 || line >= static_cast<int>(layout.block(block).lines->lines().size())) {
        const int next = shownBlock(document, block, step);
        if (next < 0) return step > 0 ? endOf(document, block) : startOf(block);
        block = next;
        line = step > 0 ? 0 : static_cast<int>(layout.block(block).lines->lines().size()) - 1;
    }
    const MessageLayout::Block& at = layout.block(block);
    const qreal y = at.lines->lines()[static_cast<size_t>(line)].y;
    return {block, at.lines->positionAt({x - at.text.x() + at.scroll, y})};
}

TextPosition lineEdge(const MessageLayout& layout, TextPosition from, int step) {
    const TextLines& lines = *layout.block(from.block).lines;
    const TextLines::Line& line = lines.lines()[static_cast<size_t>(lines.lineOf(from.offset))];
    return {from.block, step > 0 ? line.end : line.begin};
}

} // namespace

void TextSelection::set(TextPosition anchor, TextPosition caret) {
    anchor_ = anchor;
    caret_ = caret;
    first_ = {anchor, anchor};
    unit_ = Unit::Character;
}

void TextSelection::begin(const TextDocument& document, TextPosition at, Unit unit) {
    first_ = unitAt(document, at, unit);
    anchor_ = first_.begin;
    caret_ = first_.end;
    unit_ = unit;
}

void TextSelection::extend(const TextDocument& document, TextPosition to) {
    const TextSpan last = unitAt(document, to, unit_);
    const bool backwards = last.begin < first_.begin;
    anchor_ = backwards ? first_.end : first_.begin;
    caret_ = backwards ? last.begin : std::max(last.end, first_.end);
}

bool TextSelection::moveBy(const QKeyEvent& key, const TextDocument& document, const MessageLayout& layout) {
    if (caret_.block < document.count() && document.block(caret_.block).folded) {
        const int next = shownBlock(document, caret_.block, 1);
        if (next >= 0) set(startOf(next), startOf(next));
    }
    if (caret_.block >= document.count() || document.block(caret_.block).folded) return false; // no text is shown
    const auto by = [&](QTextBoundaryFinder::BoundaryType type, int step) {
        return further(document, caret_, type, step);
    };
    const std::array<std::pair<QKeySequence::StandardKey, std::function<TextPosition()>>, 10> moves{{
        {QKeySequence::SelectNextChar, [&] { return by(QTextBoundaryFinder::Grapheme, 1); }},
        {QKeySequence::SelectPreviousChar, [&] { return by(QTextBoundaryFinder::Grapheme, -1); }},
        {QKeySequence::SelectNextWord, [&] { return by(QTextBoundaryFinder::Word, 1); }},
        {QKeySequence::SelectPreviousWord, [&] { return by(QTextBoundaryFinder::Word, -1); }},
        {QKeySequence::SelectNextLine, [&] { return lineAway(document, layout, caret_, 1); }},
        {QKeySequence::SelectPreviousLine, [&] { return lineAway(document, layout, caret_, -1); }},
        {QKeySequence::SelectEndOfLine, [&] { return lineEdge(layout, caret_, 1); }},
        {QKeySequence::SelectStartOfLine, [&] { return lineEdge(layout, caret_, -1); }},
        {QKeySequence::SelectEndOfDocument, [&] { return document.all().end; }},
        {QKeySequence::SelectStartOfDocument, [] { return TextPosition{}; }},
    }};
    const auto move = std::find_if(moves.begin(), moves.end(), [&](const auto& m) { return key.matches(m.first); });
    if (move == moves.end()) return false;
    set(anchor_, move->second());
    return true;
}

int TextSelection::direction(const QKeyEvent& key) {
    for (const auto on : {QKeySequence::SelectNextChar, QKeySequence::SelectNextWord, QKeySequence::SelectNextLine})
        if (key.matches(on)) return 1;
    for (const auto back :
         {QKeySequence::SelectPreviousChar, QKeySequence::SelectPreviousWord, QKeySequence::SelectPreviousLine})
        if (key.matches(back)) return -1;
    return 0;
}

void TextSelection::keepIn(const TextDocument& document) {
    const TextPosition end = document.all().end;
    for (TextPosition* place : {&anchor_, &caret_, &first_.begin, &first_.end}) {
        if (end < *place) *place = end;
        if (place->block < document.count())
            place->offset = std::min(place->offset, document.block(place->block).text.size());
    }
}

bool TextSelection::selectBlock(const TextDocument& document, int from, int step) {
    const int block = shownBlock(document, from, step);
    if (block < 0) return false;
    set(startOf(block), endOf(document, block));
    return true;
}

} // namespace coterie::app
