// SPDX-License-Identifier: Apache-2.0
// See message_layout.h.
#include "text/message_layout.h"

#include <algorithm>

namespace coterie::app {
namespace {

using Kind = TextBlock::Kind;

bool isCode(Kind kind) { return kind == Kind::Code || kind == Kind::ToolCall || kind == Kind::ToolResult; }

LineLook lookOf(Kind kind, const TextStyle& style) {
    if (isCode(kind)) return {.font = style.codeFont, .lineHeight = style.codeLine, .wraps = false};
    if (kind == Kind::Thought) return {.font = style.thoughtFont, .lineHeight = style.thoughtLine};
    return {.font = style.bodyFont, .lineHeight = style.bodyLine};
}

} // namespace

void MessageLayout::layOut(const TextDocument& document, const TextStyle& style, qreal width) {
    const std::vector<Block> before = std::move(blocks_);
    clear();
    document_ = &document;
    style_ = &style;
    width_ = width;
    for (int i = 0; i < document.count(); ++i) {
        blocks_.emplace_back();
        if (static_cast<size_t>(i) < before.size()) blocks_.back().footer = before[static_cast<size_t>(i)].footer;
        measure(blocks_.back(), false);
    }
    stack(0);
}

void MessageLayout::clear() {
    blocks_.clear();
    document_ = nullptr;
    style_ = nullptr;
}

void MessageLayout::addBlock() {
    blocks_.emplace_back();
    measure(blocks_.back(), false);
    stack(blocks_.size() - 1);
}

int MessageLayout::growLast() {
    if (blocks_.empty()) return 0;
    measure(blocks_.back(), true);
    stack(blocks_.size() - 1);
    return blocks_.back().shown ? blocks_.back().lines.firstChanged() : 0;
}

void MessageLayout::refold(int block) {
    measure(blocks_[static_cast<size_t>(block)], false);
    stack(static_cast<size_t>(block));
}

void MessageLayout::setFooter(int block, qreal height) {
    blocks_[static_cast<size_t>(block)].footer = height;
    stack(static_cast<size_t>(block));
}

void MessageLayout::scrollTo(int block, qreal x) {
    Block& moved = blocks_[static_cast<size_t>(block)];
    moved.scroll = std::clamp(x, 0.0, std::max(0.0, moved.lines.naturalWidth() - moved.text.width()));
}

const TextBlock& MessageLayout::content(const Block& block) const {
    return document_->block(static_cast<int>(&block - blocks_.data()));
}

/// Lays out the text of a block. `grown`: it only has more text at its end.
void MessageLayout::measure(Block& block, bool grown) {
    const TextBlock& shown = content(block);
    block.shown = !shown.folded;
    if (!block.shown) return;
    const bool code = isCode(shown.kind), thought = shown.kind == Kind::Thought;
    const qreal left = code ? style_->codeInset : thought ? style_->thoughtInset : 0;
    const qreal right = code ? style_->codeInset : 0;
    block.text.setLeft(left);
    block.text.setWidth(std::max(1.0, width_ - left - right));
    if (grown && !block.lines.lines().empty())
        block.lines.grow(shown.text);
    else
        block.lines.layOut(shown.text, lookOf(shown.kind, *style_), block.text.width());
    block.scrollable = code && block.lines.naturalWidth() > block.text.width();
}

/// Places the blocks from this one on below the blocks before them.
void MessageLayout::stack(size_t first) {
    for (size_t i = first; i < blocks_.size(); ++i) {
        Block& block = blocks_[i];
        const Kind kind = content(block).kind;
        block.y = i > 0 ? blocks_[i - 1].bottom() + style_->spacing : 0;
        qreal above = 0, below = block.footer;
        if (isCode(kind)) {
            above = style_->codeHeader;
            below += style_->codeBottom + (block.scrollable ? style_->scrollBar : 0);
        } else if (kind == Kind::Thought) {
            above = style_->thoughtHeader + (block.shown ? style_->thoughtGap : 0);
        }
        const qreal text = block.shown ? block.lines.height() : 0;
        block.text = {block.text.x(), block.y + above, block.text.width(), text};
        block.height = above + text + below;
    }
}

qreal MessageLayout::naturalWidth() const {
    qreal width = 0;
    for (const Block& block : blocks_) {
        const bool full = content(block).kind != Kind::Paragraph;
        width = std::max(width, full ? width_ : block.lines.naturalWidth());
    }
    return width;
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
    if (content(found).kind == Kind::Paragraph) return true;
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
    return {at, found.lines.positionAt({point.x() - found.text.x() + found.scroll, point.y() - found.text.y()})};
}

std::optional<TextPosition> MessageLayout::characterAt(QPointF point) const {
    const int at = blockAt(point.y());
    if (at < 0 || !block(at).shown || !block(at).text.contains(point)) return {};
    const Block& found = block(at);
    const qsizetype character =
        found.lines.characterAt({point.x() - found.text.x() + found.scroll, point.y() - found.text.y()});
    if (character < 0) return {};
    return TextPosition{at, character};
}

QRectF MessageLayout::caretAt(TextPosition position) const {
    if (position.block < 0 || position.block >= static_cast<int>(blocks_.size())) return {};
    const Block& at = block(position.block);
    if (!at.shown) return {0, at.y, 0, at.height};
    const BlockLayout::Line& line = at.lines.lines()[static_cast<size_t>(at.lines.lineOf(position.offset))];
    const qreal x = at.text.x() + at.lines.xOf(position.offset) - at.scroll;
    return {x, at.text.y() + line.y, 0, line.height};
}

std::vector<QRectF> MessageLayout::rectangles(const TextSpan& range, qreal top, qreal bottom) const {
    std::vector<QRectF> rectangles;
    const int last = std::min(range.end.block, static_cast<int>(blocks_.size()) - 1);
    for (int i = std::max({0, range.begin.block, blockAt(top)}); i <= last && block(i).y < bottom; ++i) {
        const Block& at = block(i);
        if (!at.shown || at.text.bottom() <= top || at.text.top() >= bottom) continue;
        const auto& lines = at.lines.lines();
        const auto& first = lines[static_cast<size_t>(at.lines.lineAt(top - at.text.y()))];
        const auto& final = lines[static_cast<size_t>(at.lines.lineAt(bottom - at.text.y()))];
        const qsizetype begin = i == range.begin.block ? range.begin.offset : 0;
        const qsizetype end = i == range.end.block ? range.end.offset : content(at).text.size();
        for (const QRectF& inBlock : at.lines.rectangles(std::max(begin, first.begin), std::min(end, final.end + 1))) {
            const QRectF cut = inBlock.translated(at.text.x() - at.scroll, at.text.y()).intersected(at.text);
            if (!cut.isEmpty()) rectangles.push_back(cut);
        }
    }
    return rectangles;
}

QRectF MessageLayout::placeOf(int index, int line) const {
    const Block& at = block(index);
    return at.lines.inkOf(line).translated(at.text.x() - at.scroll, at.text.y()).intersected(at.text);
}

void MessageLayout::forLines(qreal top, qreal bottom, const std::function<void(int, int)>& visit) const {
    for (int i = std::max(0, blockAt(top)); i < static_cast<int>(blocks_.size()) && block(i).y < bottom; ++i) {
        const Block& at = block(i);
        if (!at.shown || at.text.bottom() <= top) continue;
        const int count = static_cast<int>(at.lines.lines().size());
        for (int line = at.lines.lineAt(top - at.text.y()); line < count; ++line) {
            if (at.text.y() + at.lines.lines()[static_cast<size_t>(line)].y >= bottom) return;
            visit(i, line);
        }
    }
}

} // namespace coterie::app
