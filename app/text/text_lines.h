// SPDX-License-Identifier: Apache-2.0
// Lines of one block of text: where they break, how they are drawn, and which character is where. BlockLayout has them
// for text, TableLayout for the rows of a table. Places are in pixels from the block's upper left corner. Lives on one
// thread.
//
//     std::unique_ptr<TextLines> lines = std::make_unique<BlockLayout>();
//     lines->layOut(block, look, 600);
#pragma once

#include "text/code_colours.h"
#include "text/text_block.h"

#include <QColor>
#include <QFont>
#include <QPainter>
#include <QRectF>

#include <algorithm>
#include <array>
#include <vector>

namespace coterie::app {

constexpr size_t kCodeColours = static_cast<size_t>(CodeColour::Removed) + 1;

/// How the lines of a block look.
struct LineLook {
    QFont font{};
    QFont codeFont{}; ///< font of code within the text
    QColor link{}, codeGround{};
    qreal lineHeight = 0; ///< a line with taller characters gets more
    bool wraps = true;    ///< otherwise lines are as wide as their text, and a very long one is cut
    // The next two are for code only.
    QString language{};
    std::array<QColor, kCodeColours> codeColours{}; ///< one for each CodeColour
    // The rest is for tables only.
    qreal columnGap = 0;      ///< between two columns
    qreal cellMargin = 0;     ///< above and below the text of a cell
    qreal smallestColumn = 0; ///< a column whose text is wider is never narrower than this

    bool operator==(const LineLook& other) const = default;
};

class TextLines {
  public:
    /// One line on the screen. Its text is [begin, end) without the line break.
    struct Line {
        qsizetype begin = 0, end = 0;
        qreal y = 0, height = 0;
        int segment = 0, inSegment = 0; ///< used by BlockLayout
        qreal baseline = -1;            ///< from the upper edge; -1: not known before the line is needed
        bool breaks = false;            ///< a line break follows in the text
    };

    TextLines() = default;
    TextLines(TextLines&&) = default;
    TextLines& operator=(TextLines&&) = default;
    virtual ~TextLines() = default;

    /// Lays out the whole text of the block.
    virtual void layOut(const TextBlock& block, const LineLook& look, qreal width) = 0;
    /// Lays out what changed. `block` is the one from before with other characters, or another look of them, from
    /// `kept` on.
    virtual void change(const TextBlock& block, qsizetype kept) = 0;

    qreal height() const { return lines_.empty() ? 0 : lines_.back().y + lines_.back().height; }
    /// Width of the widest line. Without wrapping it is estimated until all lines were needed once.
    virtual qreal naturalWidth() const = 0;
    const std::vector<Line>& lines() const { return lines_; }
    /// The first line that the last call of layOut() or change() changed.
    int firstChanged() const { return firstChanged_; }

    /// Returns the line at this height: the first or the last one if it is outside. There is at least one line.
    int lineAt(qreal y) const {
        const auto after =
            std::upper_bound(lines_.begin(), lines_.end(), y, [](qreal at, const Line& line) { return at < line.y; });
        return std::max(0, static_cast<int>(after - lines_.begin()) - 1);
    }
    int lineOf(qsizetype position) const {
        const auto after = std::upper_bound(lines_.begin(), lines_.end(), position,
                                            [](qsizetype at, const Line& line) { return at < line.begin; });
        return std::max(0, static_cast<int>(after - lines_.begin()) - 1);
    }
    /// Returns the position between characters that is nearest to the point.
    virtual qsizetype positionAt(QPointF point) const = 0;
    /// Returns the character under the point, or -1 if there is none.
    virtual qsizetype characterAt(QPointF point) const = 0;
    /// Returns the place of a caret; it has no width.
    virtual QRectF caretAt(qsizetype position) const = 0;
    /// Returns the rectangles of the characters [begin, end).
    virtual std::vector<QRectF> rectangles(qsizetype begin, qsizetype end) const = 0;
    /// The place of the line's characters; its height is that of the line.
    virtual QRectF inkOf(int line) const = 0;
    /// Returns the height of the line's baseline, from the upper edge of the line.
    virtual qreal baselineOf(int line) const = 0;
    /// Draws the line with the painter's pen; the line's upper left corner is at `at`.
    virtual void draw(QPainter& painter, int line, QPointF at) const = 0;

  protected:
    std::vector<Line> lines_;
    int firstChanged_ = 0;
};

} // namespace coterie::app
