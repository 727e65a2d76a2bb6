// SPDX-License-Identifier: Apache-2.0
// Places of the blocks of a message, one below the other, and of their lines. It needs no window, and it does no work
// for blocks that did not change. Places are in pixels from the message's upper left corner. Lives on the GUI thread.
//
//     MessageLayout layout;
//     layout.layOut(document, style, 600);
//     const TextPosition clicked = layout.positionAt({12, 40});
#pragma once

#include "text/text_document.h"
#include "text/text_lines.h"
#include "text/text_style.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace coterie::app {

class MessageLayout {
  public:
    /// The mark of a list item, beside the first line of a block.
    struct Mark {
        TextNest nest{};
        qreal right = 0; ///< its right edge
    };
    /// One block: its whole place, and the place of its text in it.
    struct Block {
        std::unique_ptr<TextLines> lines{};
        qreal y = 0, height = 0;
        qreal left = 0; ///< beside the quotes and lists around it
        std::vector<Mark> marks{};
        std::vector<qreal> bars{}; ///< left edges of the bars of the quotes around it
        QRectF text{};             ///< the room that its text has; wider lines are cut off there
        qreal scroll = 0;          ///< how far its text is moved to the left
        qreal footer = 0;          ///< room below its text for what the window adds
        bool wrapped = false;      ///< lines of code are broken instead
        bool scrollable = false;   ///< some lines are wider than their room
        bool shown = true;         ///< false: folded

        qreal bottom() const { return y + height; }
    };

    /// Lays out the whole document. Both objects outlive the layout, or clear() is called before.
    void layOut(const TextDocument& document, const TextStyle& style, qreal width);
    void clear();
    /// The document has one more block.
    void addBlock();
    /// The block has other text, or another look of it, from `kept` on. Returns its first line that changed.
    int change(int block, qsizetype kept);
    /// Only the first blocks are left.
    void keep(int count);
    /// The block was folded or unfolded.
    void refold(int block);
    /// Sets the room below a block for what the window adds there.
    void setFooter(int block, qreal height);
    /// Breaks the lines of code at the edge of their room, or does not.
    void wrap(int block, bool wrapped);
    /// Moves the lines of a block to the left by this much, as far as that shows more of them.
    void scrollTo(int block, qreal x);

    bool empty() const { return blocks_.empty(); }
    const std::vector<Block>& blocks() const { return blocks_; }
    const Block& block(int index) const { return blocks_[static_cast<size_t>(index)]; }
    qreal height() const { return blocks_.empty() ? 0 : blocks_.back().bottom(); }
    qreal naturalWidth() const;
    /// Returns the number of lines on the screen.
    int lineCount() const;

    /// Returns the block at this height, or the nearest one; -1 if there is none.
    int blockAt(qreal y) const;
    /// Whether the point belongs to a text: neither above the text of a block with a header nor below it.
    bool overText(QPointF point) const;
    TextPosition positionAt(QPointF point) const;
    /// Returns the place of the character under the point, if there is one.
    std::optional<TextPosition> characterAt(QPointF point) const;
    /// The place of a caret at this position; it has no width.
    QRectF caretAt(TextPosition position) const;
    /// Returns the rectangles of a range between two heights, cut to the room of their blocks.
    std::vector<QRectF> rectangles(const TextSpan& range, qreal top, qreal bottom) const;
    std::vector<QRectF> rectangles(const TextSpan& range) const { return rectangles(range, 0, height()); }
    /// Returns the place of a line, cut to the room of its block, with the marks beside it.
    QRectF placeOf(int block, int line) const;
    /// Draws a line and the marks beside it; the message's upper left corner is at `at`, and the line's upper edge at
    /// 0.
    void draw(QPainter& painter, int block, int line, qreal at) const;
    /// Returns what is drawn under the text between two heights: the bars of quotes, rules, and
    /// the lines of tables.
    std::vector<QRectF> bars(qreal top, qreal bottom) const;
    /// Calls `visit` for each line that is shown between these heights.
    void forLines(qreal top, qreal bottom, const std::function<void(int block, int line)>& visit) const;

  private:
    const TextBlock& content(const Block& block) const;
    void measureAll(const std::vector<Block>& before);
    void measure(Block& block, std::optional<qsizetype> kept = {});
    void indent(Block& block, const TextBlock& shown) const;
    void stack(size_t first);
    qreal spacingBefore(size_t index) const;
    QRectF marksOf(const Block& block) const;
    void addRules(std::vector<QRectF>& rules, const Block& table, qreal top, qreal bottom) const;

    const TextDocument* document_ = nullptr;
    const TextStyle* style_ = nullptr;
    qreal width_ = 0;
    std::vector<Block> blocks_;
};

} // namespace coterie::app
