// SPDX-License-Identifier: Apache-2.0
// See block_layout.h. A line break between two lines on the screen depends on the text before it and on the first word
// after it. So when a long segment is cut, its last line goes to the next segment, and the lines before it are final.
#include "text/block_layout.h"

#include "text/letter_forms.h"
#include "text/math_delimiters.h"

#include <QFontMetricsF>
#include <QTextOption>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace coterie::app {
namespace {

// A segment is laid out for each update while it grows, and the lines before its last one are final: so it is short.
constexpr qsizetype kLongestSegment = 250;
constexpr qreal kUnlimited = 1e6; // px; wider than any segment
constexpr int kTabColumns = 4;
constexpr qreal kBreakShare = 0.25; // width of a selected line break, as a share of the line's height
constexpr qreal kGroundMargin = 3;  // px; the ground of inline code is wider than its characters
constexpr qreal kGroundCorner = 4;  // px

constexpr QChar kNothing = u'\u2060';  // a word joiner: it is not seen, and nothing breaks there
constexpr QChar kFormulaLetter = u'x'; // stands for a formula in a line; it is not drawn

/// Returns the ranges that have some of the characters [begin, end). They are sorted, so that each segment of a long
/// line costs the same.
template <typename Range>
std::span<const Range> within(const std::vector<Range>& ranges, qsizetype begin, qsizetype end) {
    const auto first =
        std::partition_point(ranges.begin(), ranges.end(), [&](const Range& r) { return r.begin + r.length <= begin; });
    const auto last = std::partition_point(first, ranges.end(), [&](const Range& range) { return range.begin < end; });
    return {first, last};
}

} // namespace

void BlockLayout::layOut(const TextBlock& block, const LineLook& look, qreal width) {
    look_ = look;
    width_ = width;
    columnWidth_ = QFontMetricsF(look.font).horizontalAdvance(u'x');
    naturalWidth_ = 0;
    lines_.clear();
    segments_.clear();
    lineColours_.clear();
    grounds_.clear();
    formulas_.clear();
    grows_ = false;
    layOutFrom(block, 0);
    firstChanged_ = 0;
}

/// Whether a change of the text at this place, or behind it, changes the lines of the segment.
bool BlockLayout::touches(const Segment& segment, qsizetype place) {
    // A piece of a long line depends on all characters from which it was cut.
    return place <= (segment.cut ? segment.begin + kLongestSegment : segment.end);
}

void BlockLayout::change(const TextBlock& block, qsizetype kept) {
    std::vector<Line> before;
    qsizetype begin = 0;
    while (!segments_.empty() && touches(segments_.back(), kept)) {
        begin = segments_.back().begin;
        segments_.pop_back();
        auto first = lines_.end();
        while (first != lines_.begin() && std::prev(first)->segment == static_cast<int>(segments_.size())) --first;
        before.insert(before.begin(), first, lines_.end());
        lines_.erase(first, lines_.end());
    }
    while (!grounds_.empty() && grounds_.back().begin >= begin) grounds_.pop_back();
    while (!formulas_.empty() && formulas_.back().place >= begin) formulas_.pop_back();
    const size_t unchanged = lines_.size();
    grows_ = true;
    layOutFrom(block, begin);
    size_t same = 0; // a line that ends at `kept` or behind it has other text now
    while (same < before.size() && unchanged + same < lines_.size() &&
           lines_[unchanged + same].begin == before[same].begin && lines_[unchanged + same].end == before[same].end &&
           lines_[unchanged + same].y == before[same].y && before[same].end <= kept)
        ++same;
    firstChanged_ = static_cast<int>(unchanged + same);
}

/// Goes on with the colours of code at the line in which `begin` is.
void BlockLayout::readColours(const TextBlock& block, qsizetype begin) {
    if (look_.language.isEmpty()) return;
    if (colours_ && begin >= colouredTo_) return;
    colours_.emplace(look_.language);
    colouredTo_ = 0;
    for (qsizetype end; (end = block.text.indexOf(u'\n', colouredTo_)) >= 0 && end < begin; colouredTo_ = end + 1)
        colours_->nextLine(QStringView(block.text).mid(colouredTo_, end - colouredTo_));
}

/// Reads the colours of a line. whole: it will not grow; the colours of the last line are read again when it does.
void BlockLayout::colourLine(QStringView line, bool whole) {
    CodeColours after = *colours_;
    lineColours_ = after.nextLine(line);
    for (CodeSpan& span : lineColours_) span.begin += colouredTo_;
    if (!whole) return;
    colours_ = std::move(after);
    colouredTo_ += line.size() + 1;
}

void BlockLayout::layOutFrom(const TextBlock& block, qsizetype begin) {
    readColours(block, begin);
    for (;;) {
        const qsizetype lineBreak = block.text.indexOf(u'\n', begin);
        const qsizetype lineEnd = lineBreak < 0 ? block.text.size() : lineBreak;
        if (colours_ && colours_->known()) {
            const QStringView line = QStringView(block.text).mid(colouredTo_, lineEnd - colouredTo_);
            colourLine(line, lineBreak >= 0);
        }
        layOutHardLine(block, begin, lineEnd);
        if (lineBreak < 0) return;
        lines_.back().breaks = true;
        begin = lineBreak + 1;
    }
}

/// Adds the lines of the text up to a line break, or the rest of them if its beginning is in the segments before.
void BlockLayout::layOutHardLine(const TextBlock& block, qsizetype begin, qsizetype end) {
    const bool continued = begin > 0 && block.text[begin - 1] != u'\n';
    const QStringView text = QStringView(block.text).mid(begin, end - begin);
    const bool turned =
        block.direction == TextDirection::ByLine ? text.isRightToLeft() : block.direction == TextDirection::RightToLeft;
    const bool rightToLeft = look_.wraps && (continued ? segments_.back().rightToLeft : turned);
    do {
        qsizetype next = std::min(end, begin + kLongestSegment);
        if (look_.wraps) {
            next = addWrapped(block, begin, end, rightToLeft);
        } else {
            if (next < end && block.text[next - 1].isHighSurrogate()) --next;
            addCut(block, begin, next);
        }
        begin = next;
    } while (begin < end);
}

/// Adds the next segment with wrapped lines; returns its end.
qsizetype BlockLayout::addWrapped(const TextBlock& block, qsizetype begin, qsizetype end, bool rightToLeft) {
    const bool whole = end - begin <= kLongestSegment;
    const qsizetype tried = whole ? end : begin + kLongestSegment;
    addFormulas(block, begin, tried);
    std::unique_ptr<QTextLayout> layout =
        layoutOf(textOf(block, begin, tried), formatsOf(block, begin, tried), rightToLeft);
    const int count = whole ? layout->lineCount() : std::max(1, layout->lineCount() - 1);
    qsizetype reached = begin;
    for (int i = 0; i < count; ++i) {
        const QTextLine line = layout->lineAt(i);
        const qsizetype from = begin + line.textStart();
        reached = from + line.textLength();
        qreal ascent = line.ascent(), descent = line.descent();
        for (const Formula& formula : formulasIn(from, reached)) {
            ascent = std::max(ascent, formula.size.ascent);
            descent = std::max(descent, formula.size.descent);
        }
        const qreal height = std::max(look_.lineHeight, std::ceil(ascent + descent));
        addLine({.begin = from,
                 .end = reached,
                 .height = height,
                 .segment = static_cast<int>(segments_.size()),
                 .inSegment = i,
                 .baseline = std::floor((height - ascent - descent) / 2) + ascent});
        naturalWidth_ = std::max(naturalWidth_, line.naturalTextWidth());
    }
    if (whole) reached = end;
    for (const TextFormat& format : within(block.formats, begin, reached))
        if (format.style & TextFormat::Code)
            grounds_.push_back({std::max(begin, format.begin), std::min(reached, format.end())});
    segments_.push_back(
        {.begin = begin, .end = reached, .cut = !whole, .rightToLeft = rightToLeft, .layout = std::move(layout)});
    return reached;
}

/// Adds a segment that is one line.
void BlockLayout::addCut(const TextBlock& block, qsizetype begin, qsizetype end) {
    addLine({.begin = begin, .end = end, .height = look_.lineHeight, .segment = static_cast<int>(segments_.size())});
    segments_.push_back(
        {.begin = begin, .end = end, .text = textOf(block, begin, end), .formats = formatsOf(block, begin, end)});
    naturalWidth_ = std::max(naturalWidth_, columnWidth_ * static_cast<qreal>(end - begin));
}

/// Returns the look of characters.
QTextCharFormat BlockLayout::charFormat(const TextFormat& shown) const {
    const uint16_t style = shown.style;
    QFont font = look_.font;
    QTextCharFormat format;
    if (shown.isFormula()) { // a letter that is as wide as the formula
        for (const Formula& formula : formulasIn(shown.begin, shown.begin + 1))
            font.setLetterSpacing(QFont::AbsoluteSpacing,
                                  formula.size.width - QFontMetricsF(font).horizontalAdvance(kFormulaLetter));
        format.setFont(font);
        format.setForeground(Qt::transparent);
        return format;
    }
    if (style & TextFormat::Code) { // as large beside a heading as beside the body's text
        font = look_.codeFont;
        font.setWeight(look_.font.weight());
    }
    if (style & TextFormat::Strong) font.setWeight(QFont::DemiBold);
    if (style & TextFormat::Emphasis) font.setItalic(!font.italic());
    if (style & TextFormat::Strike) font.setStrikeOut(true);
    format.setFont(font);
    if (style & (TextFormat::Link | TextFormat::Image)) {
        format.setForeground(look_.link);
        format.setFontUnderline(true);
    }
    return format;
}

/// Reads the formulas of a piece of text before it is laid out.
void BlockLayout::addFormulas(const TextBlock& block, qsizetype begin, qsizetype end) {
    while (!formulas_.empty() && formulas_.back().place >= begin) formulas_.pop_back();
    for (const TextFormat& format : within(block.formats, begin, end)) {
        if (!format.isFormula() || format.begin < begin) continue;
        if (auto drawn = MathFormula::parse(withoutDelimiters(format.target)))
            formulas_.push_back({format.begin, *drawn, drawn->size(look_.font, false)});
    }
}

/// Returns the formulas that stand at the characters [begin, end).
std::span<const BlockLayout::Formula> BlockLayout::formulasIn(qsizetype begin, qsizetype end) const {
    const auto before = [](const Formula& formula, qsizetype place) { return formula.place < place; };
    const auto first = std::lower_bound(formulas_.begin(), formulas_.end(), begin, before);
    return {first, std::lower_bound(first, formulas_.end(), end, before)};
}

/// Returns the characters that are laid out. Those that turn others round are not: the text would seem to be another
/// one.
QString BlockLayout::textOf(const TextBlock& block, qsizetype begin, qsizetype end) const {
    QString text = block.text.mid(begin, end - begin);
    std::replace_if(text.begin(), text.end(), turnsText, kNothing);
    for (const Formula& formula : formulasIn(begin, end)) text[formula.place - begin] = kFormulaLetter;
    return text;
}

/// Returns the looks of the characters [begin, end), from `begin` on.
BlockLayout::Formats BlockLayout::formatsOf(const TextBlock& block, qsizetype begin, qsizetype end) const {
    Formats ranges;
    for (const TextFormat& format : within(block.formats, begin, end)) {
        const qsizetype from = std::max(begin, format.begin), to = std::min(end, format.end());
        ranges.append({static_cast<int>(from - begin), static_cast<int>(to - from), charFormat(format)});
    }
    for (const CodeSpan& span : within(lineColours_, begin, end)) {
        const qsizetype from = std::max(begin, span.begin), to = std::min(end, span.begin + span.length);
        QTextCharFormat colour;
        colour.setForeground(look_.codeColours[static_cast<size_t>(span.colour)]);
        ranges.append({static_cast<int>(from - begin), static_cast<int>(to - from), colour});
    }
    for (const qsizetype place : shapedAlone(QStringView(block.text).mid(begin, end - begin)))
        ranges.append({static_cast<int>(place), 1, QTextCharFormat()});
    return ranges;
}

void BlockLayout::addLine(const Line& line) {
    const qreal y = height();
    lines_.push_back(line);
    lines_.back().y = y;
}

std::unique_ptr<QTextLayout> BlockLayout::layoutOf(const QString& text, const Formats& formats,
                                                   bool rightToLeft) const {
    auto layout = std::make_unique<QTextLayout>(text, look_.font);
    if (!formats.isEmpty()) layout->setFormats(formats);
    QTextOption option(rightToLeft ? Qt::AlignRight : Qt::AlignLeft);
    option.setTextDirection(rightToLeft ? Qt::RightToLeft : Qt::LeftToRight);
    option.setWrapMode(look_.wraps ? QTextOption::WrapAtWordBoundaryOrAnywhere : QTextOption::NoWrap);
    option.setTabStopDistance(kTabColumns * columnWidth_);
    layout->setTextOption(option);
    layout->setCacheEnabled(grows_); // the line that has just grown is drawn next, which would shape the text again
    layout->beginLayout();
    for (QTextLine line = layout->createLine(); line.isValid(); line = layout->createLine())
        line.setLineWidth(look_.wraps ? width_ : kUnlimited);
    layout->endLayout();
    return layout;
}

QTextLine BlockLayout::textLine(const Line& line) const {
    Segment& segment = segments_[static_cast<size_t>(line.segment)];
    if (!segment.layout) {
        segment.layout =
            layoutOf(std::exchange(segment.text, {}), std::exchange(segment.formats, {}), segment.rightToLeft);
        naturalWidth_ = std::max(naturalWidth_, segment.layout->lineAt(0).naturalTextWidth());
    }
    return segment.layout->lineAt(line.inSegment);
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

QRectF BlockLayout::caretAt(qsizetype position) const {
    const Line& line = lines_[static_cast<size_t>(lineOf(position))];
    return {xOf(position), line.y, 0, line.height};
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

qreal BlockLayout::baselineOf(int line) const {
    const Line& at = lines_[static_cast<size_t>(line)];
    if (at.baseline >= 0) return at.baseline;
    const QTextLine shaped = textLine(at);
    return std::floor((at.height - shaped.ascent() - shaped.descent()) / 2) + shaped.ascent();
}

void BlockLayout::draw(QPainter& painter, int line, QPointF at) const {
    const Line& drawn = lines_[static_cast<size_t>(line)];
    const QTextLine shaped = textLine(drawn);
    const QPointF corner = at + QPointF(0, baselineOf(line) - shaped.ascent());
    drawGrounds(painter, drawn, shaped, corner);
    shaped.draw(&painter, corner - QPointF(0, shaped.y()));
    drawFormulas(painter, drawn, shaped, at + QPointF(0, baselineOf(line)));
}

/// Draws the formulas of a line; `at` is the left end of its baseline.
void BlockLayout::drawFormulas(QPainter& painter, const Line& line, const QTextLine& shaped, QPointF at) const {
    const qsizetype start = segments_[static_cast<size_t>(line.segment)].begin;
    for (const Formula& formula : formulasIn(line.begin, line.end)) {
        const int place = static_cast<int>(formula.place - start);
        const qreal left = std::min(shaped.cursorToX(place), shaped.cursorToX(place + 1));
        formula.drawn.draw(painter, at + QPointF(left, 0), look_.font, false);
    }
}

void BlockLayout::drawGrounds(QPainter& painter, const Line& line, const QTextLine& shaped, QPointF at) const {
    auto ground = std::upper_bound(grounds_.begin(), grounds_.end(), line.begin,
                                   [](qsizetype place, const Ground& g) { return place < g.end; });
    if (ground == grounds_.end() || ground->begin >= line.end) return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look_.codeGround);
    const qsizetype start = segments_[static_cast<size_t>(line.segment)].begin;
    for (; ground != grounds_.end() && ground->begin < line.end; ++ground) {
        const qreal from = shaped.cursorToX(static_cast<int>(std::max(ground->begin, line.begin) - start));
        const qreal to = shaped.cursorToX(static_cast<int>(std::min(ground->end, line.end) - start));
        const QRectF place(std::min(from, to), 0, std::abs(to - from), shaped.ascent() + shaped.descent());
        painter.drawRoundedRect(place.adjusted(-kGroundMargin, 0, kGroundMargin, 0).translated(at), kGroundCorner,
                                kGroundCorner);
    }
    painter.restore();
}

} // namespace coterie::app
