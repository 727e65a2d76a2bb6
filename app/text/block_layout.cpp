// SPDX-License-Identifier: Apache-2.0
// See block_layout.h. A line break between two lines on the screen depends on the text before it and on the first word
// after it. So when a long segment is cut, its last line goes to the next segment, and the lines before it are final.
#include "text/block_layout.h"

#include <QFontMetricsF>
#include <QTextOption>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace coterie::app {
namespace {

// Laying out a segment takes about 0.1 ms for this many characters, and that is done for each update while it grows.
constexpr qsizetype kLongestSegment = 500;
constexpr qreal kUnlimited = 1e6; // px; wider than any segment
constexpr int kTabColumns = 4;
constexpr qreal kBreakShare = 0.25; // width of a selected line break, as a share of the line's height

} // namespace

void BlockLayout::layOut(const QString& text, const LineLook& look, qreal width) {
    look_ = look;
    width_ = width;
    columnWidth_ = QFontMetricsF(look.font).horizontalAdvance(u'x');
    naturalWidth_ = 0;
    lines_.clear();
    segments_.clear();
    layOutFrom(text, 0);
    firstChanged_ = 0;
}

void BlockLayout::grow(const QString& text) {
    std::vector<Line> before;
    qsizetype begin = 0;
    if (!segments_.empty()) {
        const int last = static_cast<int>(segments_.size()) - 1;
        begin = segments_.back().begin;
        auto first = lines_.end();
        while (first != lines_.begin() && std::prev(first)->segment == last) --first;
        before.assign(first, lines_.end());
        lines_.erase(first, lines_.end());
        segments_.pop_back();
    }
    const size_t kept = lines_.size();
    layOutFrom(text, begin);
    size_t same = 0; // the last line from before has more text now, even if it ends at the same place
    while (same + 1 < before.size() && kept + same < lines_.size() && lines_[kept + same].begin == before[same].begin &&
           lines_[kept + same].end == before[same].end && lines_[kept + same].y == before[same].y)
        ++same;
    firstChanged_ = static_cast<int>(kept + same);
}

void BlockLayout::layOutFrom(const QString& text, qsizetype begin) {
    for (;;) {
        const qsizetype lineBreak = text.indexOf(u'\n', begin);
        const qsizetype end = lineBreak < 0 ? text.size() : lineBreak;
        layOutHardLine(QStringView(text).mid(begin, end - begin), begin, begin > 0 && text[begin - 1] != u'\n');
        if (lineBreak < 0) return;
        lines_.back().breaks = true;
        begin = lineBreak + 1;
    }
}

/// Adds the lines of the text up to a line break. continued: its beginning is in the segments before.
void BlockLayout::layOutHardLine(QStringView text, qsizetype begin, bool continued) {
    const bool rightToLeft = look_.wraps && (continued ? segments_.back().rightToLeft : text.isRightToLeft());
    do {
        qsizetype length = std::min(text.size(), kLongestSegment);
        if (look_.wraps) {
            length = addWrapped(text, begin, rightToLeft);
        } else {
            if (length < text.size() && text[length - 1].isHighSurrogate()) --length;
            addCut(text.left(length), begin);
        }
        text = text.mid(length);
        begin += length;
    } while (!text.isEmpty());
}

/// Adds the next segment with wrapped lines; returns its length.
qsizetype BlockLayout::addWrapped(QStringView text, qsizetype begin, bool rightToLeft) {
    const bool whole = text.size() <= kLongestSegment;
    std::unique_ptr<QTextLayout> layout = layoutOf(text.left(kLongestSegment).toString(), rightToLeft);
    const int count = whole ? layout->lineCount() : std::max(1, layout->lineCount() - 1);
    qsizetype end = begin;
    for (int i = 0; i < count; ++i) {
        const QTextLine line = layout->lineAt(i);
        const qsizetype from = begin + line.textStart();
        end = from + line.textLength();
        addLine({.begin = from,
                 .end = end,
                 .height = std::max(look_.lineHeight, std::ceil(line.ascent() + line.descent())),
                 .segment = static_cast<int>(segments_.size()),
                 .inSegment = i});
        naturalWidth_ = std::max(naturalWidth_, line.naturalTextWidth());
    }
    if (whole) end = begin + text.size();
    segments_.push_back({.begin = begin, .end = end, .rightToLeft = rightToLeft, .layout = std::move(layout)});
    return end - begin;
}

/// Adds a segment that is one line.
void BlockLayout::addCut(QStringView text, qsizetype begin) {
    const qsizetype end = begin + text.size();
    addLine({.begin = begin, .end = end, .height = look_.lineHeight, .segment = static_cast<int>(segments_.size())});
    segments_.push_back({.begin = begin, .end = end, .text = text.toString()});
    naturalWidth_ = std::max(naturalWidth_, columnWidth_ * static_cast<qreal>(text.size()));
}

void BlockLayout::addLine(const Line& line) {
    const qreal y = height();
    lines_.push_back(line);
    lines_.back().y = y;
}

std::unique_ptr<QTextLayout> BlockLayout::layoutOf(const QString& text, bool rightToLeft) const {
    auto layout = std::make_unique<QTextLayout>(text, look_.font);
    QTextOption option(rightToLeft ? Qt::AlignRight : Qt::AlignLeft);
    option.setTextDirection(rightToLeft ? Qt::RightToLeft : Qt::LeftToRight);
    option.setWrapMode(look_.wraps ? QTextOption::WrapAtWordBoundaryOrAnywhere : QTextOption::NoWrap);
    option.setTabStopDistance(kTabColumns * columnWidth_);
    layout->setTextOption(option);
    layout->beginLayout();
    for (QTextLine line = layout->createLine(); line.isValid(); line = layout->createLine())
        line.setLineWidth(look_.wraps ? width_ : kUnlimited);
    layout->endLayout();
    return layout;
}

QTextLine BlockLayout::textLine(const Line& line) const {
    Segment& segment = segments_[static_cast<size_t>(line.segment)];
    if (!segment.layout) {
        segment.layout = layoutOf(std::exchange(segment.text, {}), segment.rightToLeft);
        naturalWidth_ = std::max(naturalWidth_, segment.layout->lineAt(0).naturalTextWidth());
    }
    return segment.layout->lineAt(line.inSegment);
}

int BlockLayout::lineAt(qreal y) const {
    const auto after =
        std::upper_bound(lines_.begin(), lines_.end(), y, [](qreal at, const Line& line) { return at < line.y; });
    return std::max(0, static_cast<int>(after - lines_.begin()) - 1);
}

int BlockLayout::lineOf(qsizetype position) const {
    const auto after = std::upper_bound(lines_.begin(), lines_.end(), position,
                                        [](qsizetype at, const Line& line) { return at < line.begin; });
    return std::max(0, static_cast<int>(after - lines_.begin()) - 1);
}

qsizetype BlockLayout::positionAt(QPointF point) const {
    const Line& line = lines_[static_cast<size_t>(lineAt(point.y()))];
    const QTextLine shaped = textLine(line);
    const Segment& segment = segments_[static_cast<size_t>(line.segment)];
    int nearest = shaped.xToCursor(point.x());
    const auto distance = [&](int at) { return std::abs(shaped.cursorToX(at) - point.x()); };
    // Qt finds the wrong side of a character where text runs from right to left.
    for (const int other :
         {segment.layout->previousCursorPosition(nearest), segment.layout->nextCursorPosition(nearest)})
        if (other >= shaped.textStart() && distance(other) < distance(nearest)) nearest = other;
    return std::clamp(segment.begin + nearest, line.begin, line.end);
}

qsizetype BlockLayout::characterAt(QPointF point) const {
    if (lines_.empty() || point.y() < 0 || point.y() >= height()) return -1;
    const int at = lineAt(point.y());
    const QRectF ink = inkOf(at);
    const Line& line = lines_[static_cast<size_t>(at)];
    if (line.begin == line.end || point.x() < ink.left() || point.x() >= ink.right()) return -1;
    const Segment& segment = segments_[static_cast<size_t>(line.segment)];
    const QTextLine shaped = textLine(line);
    const int nearest = shaped.xToCursor(point.x());
    for (const int first : {segment.layout->previousCursorPosition(nearest), nearest}) {
        const int next = segment.layout->nextCursorPosition(first);
        const qreal edge = shaped.cursorToX(first), other = shaped.cursorToX(next); // either may be the left one
        if (first < next && std::min(edge, other) <= point.x() && point.x() < std::max(edge, other))
            return std::clamp(segment.begin + first, line.begin, line.end - 1);
    }
    return -1;
}

qreal BlockLayout::xOf(qsizetype position) const {
    const Line& line = lines_[static_cast<size_t>(lineOf(position))];
    const qsizetype start = segments_[static_cast<size_t>(line.segment)].begin;
    return textLine(line).cursorToX(static_cast<int>(std::clamp(position, line.begin, line.end) - start));
}

std::vector<QRectF> BlockLayout::rectangles(qsizetype begin, qsizetype end) const {
    std::vector<QRectF> rectangles;
    if (lines_.empty() || begin >= end) return rectangles;
    for (size_t i = static_cast<size_t>(lineOf(begin)); i < lines_.size() && lines_[i].begin < end; ++i) {
        const Line& line = lines_[i];
        const qsizetype start = segments_[static_cast<size_t>(line.segment)].begin;
        const QTextLine shaped = textLine(line);
        const qreal from = shaped.cursorToX(static_cast<int>(std::clamp(begin, line.begin, line.end) - start));
        qreal to = shaped.cursorToX(static_cast<int>(std::clamp(end, line.begin, line.end) - start));
        if (line.breaks && end > line.end) to += (to < from ? -1 : 1) * line.height * kBreakShare;
        rectangles.emplace_back(std::min(from, to), line.y, std::abs(to - from), line.height);
    }
    return rectangles;
}

QRectF BlockLayout::inkOf(int line) const {
    const Line& at = lines_[static_cast<size_t>(line)];
    const QRectF ink = textLine(at).naturalTextRect();
    return {ink.x(), at.y, ink.width(), at.height};
}

void BlockLayout::draw(QPainter& painter, int line, QPointF at) const {
    const Line& drawn = lines_[static_cast<size_t>(line)];
    const QTextLine shaped = textLine(drawn);
    const qreal lead = std::floor((drawn.height - shaped.ascent() - shaped.descent()) / 2);
    shaped.draw(&painter, at + QPointF(0, lead));
}

} // namespace coterie::app
