// SPDX-License-Identifier: Apache-2.0
// Lines of one block of text: where they break, how they are drawn, and which character is where. Text that is added at
// its end costs the same however long the block is. Places are in pixels from the block's upper left corner. Lives on
// one thread.
//
// The text is laid out in segments, each with a QTextLayout of its own. A segment is one line of the text (up to a line
// break in it), or a piece of a long one that begins where a line on the screen begins:
//
//     "A first line that is so long that it | needs two on the screen" -> one segment, two lines
//     "a second line"                                                  -> one segment, one line
//
// Only the last segment changes when text is added. Without wrapping, a segment is laid out when it is first needed.
#pragma once

#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>
#include <QTextLayout>

#include <memory>
#include <vector>

namespace coterie::app {

/// How the lines of a block look.
struct LineLook {
    QFont font{};
    qreal lineHeight = 0; ///< a line with taller characters gets more
    bool wraps = true;    ///< otherwise lines are as wide as their text, and a very long one is cut

    bool operator==(const LineLook& other) const = default;
};

class BlockLayout {
  public:
    /// One line on the screen. Its text is [begin, end) without the line break.
    struct Line {
        qsizetype begin = 0, end = 0;
        qreal y = 0, height = 0;
        int segment = 0, inSegment = 0;
        bool breaks = false; ///< a line break follows in the text
    };

    BlockLayout() = default;
    BlockLayout(BlockLayout&&) = default;
    BlockLayout& operator=(BlockLayout&&) = default;

    /// Lays out the whole text.
    void layOut(const QString& text, const LineLook& look, qreal width);
    /// Lays out what changed. `text` is the text from before with more characters at its end.
    void grow(const QString& text);

    qreal height() const { return lines_.empty() ? 0 : lines_.back().y + lines_.back().height; }
    /// Width of the widest line. Without wrapping it is estimated until all lines were needed once.
    qreal naturalWidth() const { return naturalWidth_; }
    const std::vector<Line>& lines() const { return lines_; }
    /// The first line that the last call of layOut() or grow() changed.
    int firstChanged() const { return firstChanged_; }

    /// Returns the line at this height: the first or the last one if it is outside. There is at least one line.
    int lineAt(qreal y) const;
    int lineOf(qsizetype position) const;
    /// Returns the position between characters that is nearest to the point.
    qsizetype positionAt(QPointF point) const;
    /// Returns the character under the point, or -1 if there is none.
    qsizetype characterAt(QPointF point) const;
    qreal xOf(qsizetype position) const;
    /// Returns the rectangles of the characters [begin, end), one for each line that has some.
    std::vector<QRectF> rectangles(qsizetype begin, qsizetype end) const;
    /// The place of the line's characters; its height is that of the line.
    QRectF inkOf(int line) const;
    /// Draws the line with the painter's pen; the line's upper left corner is at `at`.
    void draw(QPainter& painter, int line, QPointF at) const;

  private:
    struct Segment {
        qsizetype begin = 0, end = 0;
        bool rightToLeft = false;
        std::unique_ptr<QTextLayout> layout{}; ///< null: not needed yet
        QString text{};                        ///< its characters, until it has a layout
    };

    void layOutFrom(const QString& text, qsizetype begin);
    void layOutHardLine(QStringView text, qsizetype begin, bool continued);
    qsizetype addWrapped(QStringView text, qsizetype begin, bool rightToLeft);
    void addCut(QStringView text, qsizetype begin);
    void addLine(const Line& line);
    std::unique_ptr<QTextLayout> layoutOf(const QString& text, bool rightToLeft) const;
    QTextLine textLine(const Line& line) const;

    // The text itself is not kept: the document could not add to characters that are shared without a copy of them all.
    LineLook look_;
    qreal width_ = 0;
    qreal columnWidth_ = 0; ///< estimate of a character's width
    mutable qreal naturalWidth_ = 0;
    int firstChanged_ = 0;
    std::vector<Line> lines_;
    mutable std::vector<Segment> segments_;
};

} // namespace coterie::app
