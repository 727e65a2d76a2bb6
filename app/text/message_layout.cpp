// SPDX-License-Identifier: Apache-2.0
// See message_layout.h.
#include "text/message_layout.h"

#include "text/block_layout.h"
#include "text/formula_layout.h"
#include "text/table_layout.h"

#include <QFontMetricsF>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

using Kind = TextBlock::Kind;

constexpr qreal kMostIndent = 0.5; // share of the width that quotes and lists around a block may take

bool isCode(Kind kind) { return kind == Kind::Code || kind == Kind::ToolCall || kind == Kind::ToolResult; }

/// Returns the colours in the order of CodeColour.
std::array<QColor, kCodeColours> codeColours(const TextStyle& style) {
    std::array<QColor, kCodeColours> colours;
    for (size_t i = 0; i < kCodeColours; ++i) colours[i] = style.codeColour(static_cast<CodeColour>(i));
    return colours;
}

LineLook lookOf(const TextBlock& block, const TextStyle& style) {
    if (isCode(block.kind))
        return {.font = style.codeFont,
                .lineHeight = style.codeLine,
                .wraps = false,
                .language = block.kind == Kind::ToolCall ? QStringLiteral("json") : block.label,
                .codeColours = codeColours(style)};
    LineLook look{.font = style.bodyFont,
                  .codeFont = style.codeFont,
                  .link = style.link,
                  .codeGround = style.codeGround,
                  .lineHeight = style.bodyLine,
                  .columnGap = style.columnGap,
                  .cellMargin = style.cellMargin,
                  .smallestColumn = style.smallestColumn};
    if (block.kind == Kind::Thought) {
        look.font = style.thoughtFont;
        look.lineHeight = style.thoughtLine;
    } else if (block.kind == Kind::Rule) {
        look.lineHeight = style.ruleHeight;
        look.font.setPixelSize(1); // nothing is written on it
    } else if (block.kind == Kind::Heading) {
        look.font = block.level == 1   ? style.largeHeadingFont
                    : block.level == 2 ? style.headingFont
                                       : style.smallHeadingFont;
        look.lineHeight = block.level == 1   ? style.largeHeadingLine
                          : block.level == 2 ? style.headingLine
                                             : style.smallHeadingLine;
    }
    return look;
}

std::unique_ptr<TextLines> newLines(Kind kind) {
    if (kind == Kind::Table) return std::make_unique<TableLayout>();
    if (kind == Kind::Formula) return std::make_unique<FormulaLayout>();
    return std::make_unique<BlockLayout>();
}

QString numberText(const TextNest& nest) { return QString::number(nest.number) + u'.'; }

/// Draws the mark of a list item; `at` is the left end of the first line's baseline.
void drawMark(QPainter& painter, const MessageLayout::Mark& mark, QPointF at, const TextStyle& style) {
    const QFontMetricsF metrics(style.bodyFont);
    const bool task = mark.nest.kind == TextNest::Kind::Open || mark.nest.kind == TextNest::Kind::Done;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(style.bodyFont);
    if (mark.nest.kind == TextNest::Kind::Number) {
        const QString number = numberText(mark.nest);
        painter.drawText(at + QPointF(mark.right - metrics.horizontalAdvance(number), 0), number);
    } else if (task) {
        const qreal side = std::round(metrics.capHeight());
        const QRectF box(at.x() + mark.right - side, at.y() - side, side, side);
        painter.setPen(QPen(style.quiet, style.hairline));
        painter.drawRoundedRect(box.translated(-0.5, 0.5), side / 5, side / 5);
        if (mark.nest.kind == TextNest::Kind::Done) {
            painter.setPen(QPen(style.text, side / 7, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter.drawPolyline(QPolygonF({box.topLeft() + QPointF(side * 0.2, side * 0.55),
                                            box.topLeft() + QPointF(side * 0.42, side * 0.78),
                                            box.topLeft() + QPointF(side * 0.8, side * 0.25)}));
        }
    } else {
        const qreal radius = metrics.xHeight() / 4.5;
        painter.setBrush(painter.pen().color());
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(at + QPointF(mark.right - radius, -metrics.xHeight() / 2), radius, radius);
    }
    painter.restore();
}

} // namespace

void MessageLayout::layOut(const TextDocument& document, const TextStyle& style, qreal width) {
    const std::vector<Block> before = std::move(blocks_);
    clear();
    document_ = &document;
    style_ = &style;
    width_ = width;
    measureAll(before);
    // Lines of a prompt that begin at the right lie at the right edge of the room: it is no wider than they are, as the
    // bubble around them.
    const auto& shown = document.blocks();
    const bool turned = std::any_of(shown.begin(), shown.end(), [](const TextBlock& block) {
        return block.direction == TextDirection::RightToLeft;
    });
    if (turned && naturalWidth() < width) {
        width_ = std::ceil(naturalWidth());
        blocks_.clear();
        measureAll(before);
    }
    stack(0);
}

/// Lays out all blocks. before: those of the layout before, with what the reader chose for them.
void MessageLayout::measureAll(const std::vector<Block>& before) {
    for (size_t i = 0; i < static_cast<size_t>(document_->count()); ++i) {
        blocks_.emplace_back();
        if (i < before.size()) {
            blocks_.back().footer = before[i].footer;
            blocks_.back().wrapped = before[i].wrapped;
        }
        measure(blocks_.back());
    }
}

void MessageLayout::clear() {
    blocks_.clear();
    document_ = nullptr;
    style_ = nullptr;
}

void MessageLayout::addBlock() {
    blocks_.emplace_back();
    measure(blocks_.back());
    stack(blocks_.size() - 1);
}

int MessageLayout::change(int index, qsizetype kept) {
    Block& block = blocks_[static_cast<size_t>(index)];
    measure(block, kept);
    stack(static_cast<size_t>(index));
    return block.shown ? block.lines->firstChanged() : 0;
}

void MessageLayout::keep(int count) { blocks_.resize(static_cast<size_t>(count)); }

void MessageLayout::refold(int block) {
    measure(blocks_[static_cast<size_t>(block)]);
    stack(static_cast<size_t>(block));
}

void MessageLayout::wrap(int block, bool wrapped) {
    blocks_[static_cast<size_t>(block)].wrapped = wrapped;
    blocks_[static_cast<size_t>(block)].scroll = 0;
    measure(blocks_[static_cast<size_t>(block)]);
    stack(static_cast<size_t>(block));
}

void MessageLayout::setFooter(int block, qreal height) {
    blocks_[static_cast<size_t>(block)].footer = height;
    stack(static_cast<size_t>(block));
}

void MessageLayout::scrollTo(int block, qreal x) {
    Block& moved = blocks_[static_cast<size_t>(block)];
    moved.scroll = std::clamp(x, 0.0, std::max(0.0, moved.lines->naturalWidth() - moved.text.width()));
}

const TextBlock& MessageLayout::content(const Block& block) const {
    return document_->block(static_cast<int>(&block - blocks_.data()));
}

/// Lays out the text of a block. kept: only what is behind these characters has changed.
void MessageLayout::measure(Block& block, std::optional<qsizetype> kept) {
    const TextBlock& shown = content(block);
    const bool code = isCode(shown.kind), thought = shown.kind == Kind::Thought;
    const bool scrolls = shown.kind == Kind::Table || shown.kind == Kind::Formula;
    if (!block.lines) block.lines = newLines(shown.kind);
    block.shown = !shown.folded;
    if (!block.shown) return;
    indent(block, shown);
    const qreal left = block.left + (code ? style_->codeInset : thought ? style_->thoughtInset : 0);
    const qreal right = code ? style_->codeInset : 0;
    block.text.setLeft(left);
    block.text.setWidth(std::max(1.0, width_ - left - right));
    if (kept && !block.lines->lines().empty())
        block.lines->change(shown, *kept);
    else {
        LineLook look = lookOf(shown, *style_);
        look.wraps = look.wraps || block.wrapped;
        block.lines->layOut(shown, look, block.text.width());
    }
    block.scrollable = ((code && !block.wrapped) || scrolls) && block.lines->naturalWidth() > block.text.width();
}

/// Makes room for the quotes and lists around a block. Deep ones share the room: the text keeps some of it.
void MessageLayout::indent(Block& block, const TextBlock& shown) const {
    block.left = 0;
    block.marks.clear();
    block.bars.clear();
    for (const TextNest& nest : shown.nesting) {
        if (nest.kind == TextNest::Kind::Quote) {
            block.bars.push_back(block.left);
            block.left += style_->quoteInset;
            continue;
        }
        const qreal number = nest.kind == TextNest::Kind::Number
                                 ? QFontMetricsF(style_->bodyFont).horizontalAdvance(numberText(nest))
                                 : 0;
        block.left += std::max(style_->itemInset, std::ceil(number) + style_->markGap);
        if (nest.first) block.marks.push_back({nest, block.left - style_->markGap});
    }
    const qreal most = std::floor(width_ * kMostIndent);
    if (shown.nesting.size() < 2 || block.left <= most) return;
    const qreal share = most / block.left;
    for (Mark& mark : block.marks) mark.right *= share;
    for (qreal& bar : block.bars) bar *= share;
    block.left = most;
}

/// Returns the space between a block and the one before it.
qreal MessageLayout::spacingBefore(size_t index) const {
    if (index == 0) return 0;
    const TextBlock& shown = document_->block(static_cast<int>(index));
    if (shown.tight) return style_->itemSpacing;
    if (shown.kind == Kind::Heading) return style_->headingSpacing;
    const bool underHeading = document_->block(static_cast<int>(index) - 1).kind == Kind::Heading;
    return underHeading ? style_->spacing / 2 : style_->spacing;
}

/// Places the blocks from this one on below the blocks before them.
void MessageLayout::stack(size_t first) {
    for (size_t i = first; i < blocks_.size(); ++i) {
        Block& block = blocks_[i];
        const Kind kind = content(block).kind;
        block.y = i > 0 ? blocks_[i - 1].bottom() + spacingBefore(i) : 0;
        qreal above = 0, below = block.footer;
        if (isCode(kind)) {
            above = style_->codeHeader;
            below += style_->codeBottom;
        } else if (kind == Kind::Thought) {
            above = style_->thoughtHeader + (block.shown ? style_->thoughtGap : 0);
        }
        if (block.scrollable) below += style_->scrollBar;
        const qreal text = block.shown ? block.lines->height() : 0;
        block.text = {block.text.x(), block.y + above, block.text.width(), text};
        block.height = above + text + below;
    }
}

qreal MessageLayout::naturalWidth() const {
    qreal width = 0;
    for (const Block& block : blocks_) {
        const Kind kind = content(block).kind;
        const bool full = kind != Kind::Paragraph && kind != Kind::Heading;
        width = std::max(width, full ? width_ : block.left + block.lines->naturalWidth());
    }
    return width;
}

int MessageLayout::lineCount() const {
    size_t count = 0;
    for (const Block& block : blocks_) count += block.shown ? block.lines->lines().size() : 0;
    return static_cast<int>(count);
}

int MessageLayout::blockAt(qreal y) const {
    const auto after =
        std::upper_bound(blocks_.begin(), blocks_.end(), y, [](qreal at, const Block& block) { return at < block.y; });
    return blocks_.empty() ? -1 : std::max(0, static_cast<int>(after - blocks_.begin()) - 1);
}

bool MessageLayout::overText(QPointF point) const {
    const int at = blockAt(point.y());
    if (at < 0) return false;
    const Block& found = block(at);
    if (!isCode(content(found).kind) && content(found).kind != Kind::Thought) return true;
    const bool inside = point.y() >= found.y && point.y() < found.bottom();
    return !inside || (found.shown && point.y() >= found.text.top() && point.y() < found.text.bottom());
}

TextPosition MessageLayout::positionAt(QPointF point) const {
    int at = blockAt(point.y());
    if (at < 0) return {};
    if (!block(at).shown || point.y() < block(at).text.top()) { // the header of a block belongs to its beginning
        while (at + 1 < static_cast<int>(blocks_.size()) && !block(at).shown) ++at;
        return {at, 0};
    }
    const Block& found = block(at);
    return {at, found.lines->positionAt({point.x() - found.text.x() + found.scroll, point.y() - found.text.y()})};
}

std::optional<TextPosition> MessageLayout::characterAt(QPointF point) const {
    const int at = blockAt(point.y());
    if (at < 0 || !block(at).shown || !block(at).text.contains(point)) return {};
    const Block& found = block(at);
    const qsizetype character =
        found.lines->characterAt({point.x() - found.text.x() + found.scroll, point.y() - found.text.y()});
    if (character < 0) return {};
    return TextPosition{at, character};
}

QRectF MessageLayout::caretAt(TextPosition position) const {
    if (position.block < 0 || position.block >= static_cast<int>(blocks_.size())) return {};
    const Block& at = block(position.block);
    if (!at.shown) return {0, at.y, 0, at.height};
    return at.lines->caretAt(position.offset).translated(at.text.x() - at.scroll, at.text.y());
}

std::vector<QRectF> MessageLayout::rectangles(const TextSpan& range, qreal top, qreal bottom) const {
    std::vector<QRectF> rectangles;
    const int last = std::min(range.end.block, static_cast<int>(blocks_.size()) - 1);
    for (int i = std::max({0, range.begin.block, blockAt(top)}); i <= last && block(i).y < bottom; ++i) {
        const Block& at = block(i);
        if (!at.shown || at.text.bottom() <= top || at.text.top() >= bottom) continue;
        const auto& lines = at.lines->lines();
        const auto& first = lines[static_cast<size_t>(at.lines->lineAt(top - at.text.y()))];
        const auto& final = lines[static_cast<size_t>(at.lines->lineAt(bottom - at.text.y()))];
        const qsizetype begin = i == range.begin.block ? range.begin.offset : 0;
        const qsizetype end = i == range.end.block ? range.end.offset : content(at).text.size();
        for (const QRectF& inBlock : at.lines->rectangles(std::max(begin, first.begin), std::min(end, final.end + 1))) {
            const QRectF cut = inBlock.translated(at.text.x() - at.scroll, at.text.y()).intersected(at.text);
            if (!cut.isEmpty()) rectangles.push_back(cut);
        }
    }
    return rectangles;
}

QRectF MessageLayout::placeOf(int index, int line) const {
    const Block& at = block(index);
    const QRectF text = at.lines->inkOf(line).translated(at.text.x() - at.scroll, at.text.y()).intersected(at.text);
    return line == 0 && !at.marks.empty() ? text.united(marksOf(at)) : text;
}

/// Returns the place of the marks beside the first line of a block.
QRectF MessageLayout::marksOf(const Block& block) const {
    const QFontMetricsF metrics(style_->bodyFont);
    const Mark& first = block.marks.front();
    const qreal width = first.nest.kind == TextNest::Kind::Number ? metrics.horizontalAdvance(numberText(first.nest))
                                                                  : metrics.ascent();
    const qreal left = first.right - width;
    return {left, block.text.y(), block.marks.back().right - left, block.lines->lines().front().height};
}

void MessageLayout::draw(QPainter& painter, int index, int line, qreal at) const {
    const Block& drawn = block(index);
    drawn.lines->draw(painter, line, {at + drawn.text.x() - drawn.scroll, 0});
    if (line > 0) return;
    const qreal baseline = drawn.lines->baselineOf(0);
    for (const Mark& mark : drawn.marks) drawMark(painter, mark, {at, baseline}, *style_);
}

/// Adds the lines below the rows of a table.
void MessageLayout::addRules(std::vector<QRectF>& rules, const Block& table, qreal top, qreal bottom) const {
    const auto& rows = table.lines->lines();
    const qreal width = std::min(table.lines->naturalWidth(), table.text.width());
    for (auto row = static_cast<size_t>(table.lines->lineAt(top - table.text.y())); row < rows.size(); ++row) {
        const qreal y = table.text.y() + rows[row].y + rows[row].height - style_->hairline;
        if (y > bottom) return;
        rules.emplace_back(table.text.x(), y, width, style_->hairline);
    }
}

std::vector<QRectF> MessageLayout::bars(qreal top, qreal bottom) const {
    std::vector<QRectF> bars;
    for (int i = std::max(0, blockAt(top)); i < static_cast<int>(blocks_.size()) && block(i).y < bottom; ++i) {
        const Block& at = block(i);
        const TextBlock& shown = content(at);
        if (shown.kind == Kind::Rule)
            bars.emplace_back(at.text.x(), at.y + std::floor(at.height / 2), at.text.width(), style_->hairline);
        if (shown.kind == Kind::Table) addRules(bars, at, top, bottom);
        size_t quote = 0;
        for (const TextNest& nest : shown.nesting) {
            if (nest.kind != TextNest::Kind::Quote || quote >= at.bars.size()) continue;
            const qreal begin = nest.first || i == 0 ? at.y : block(i - 1).bottom();
            bars.emplace_back(at.bars[quote++], begin, style_->quoteBar, at.bottom() - begin);
        }
    }
    return bars;
}

void MessageLayout::forLines(qreal top, qreal bottom, const std::function<void(int, int)>& visit) const {
    for (int i = std::max(0, blockAt(top)); i < static_cast<int>(blocks_.size()) && block(i).y < bottom; ++i) {
        const Block& at = block(i);
        if (!at.shown || at.text.bottom() <= top) continue;
        const int count = static_cast<int>(at.lines->lines().size());
        for (int line = at.lines->lineAt(top - at.text.y()); line < count; ++line) {
            if (at.text.y() + at.lines->lines()[static_cast<size_t>(line)].y >= bottom) return;
            visit(i, line);
        }
    }
}

} // namespace coterie::app
