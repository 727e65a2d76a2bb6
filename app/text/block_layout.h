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
// Only the last segments change when text is added or changes at the end. Without wrapping, a segment is laid out when
// it is first needed.
#pragma once

#include "text/math/math_formula.h"
#include "text/text_lines.h"

#include <QGlyphRun>
#include <QTextLayout>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace coterie::app {

class BlockLayout : public TextLines {
  public:
    BlockLayout() = default;
    BlockLayout(BlockLayout&&) = default;
    BlockLayout& operator=(BlockLayout&&) = default;

    void layOut(const TextBlock& block, const LineLook& look, qreal width) override;
    void change(const TextBlock& block, qsizetype kept) override;
    /// Lays out the whole text with the look from before.
    void layOutAgain(const TextBlock& block, qreal width) { layOut(block, LineLook(look_), width); }

    qreal naturalWidth() const override { return naturalWidth_; }
    qsizetype positionAt(QPointF point) const override;
    qsizetype characterAt(QPointF point) const override;
    QRectF caretAt(qsizetype position) const override;
    std::vector<QRectF> rectangles(qsizetype begin, qsizetype end) const override;
    QRectF inkOf(int line) const override;
    qreal baselineOf(int line) const override;
    void draw(QPainter& painter, int line, QPointF at) const override;
    qreal xOf(qsizetype position) const;
    /// The forms of the characters of a line as the font draws them, for tests.
    QList<QGlyphRun> glyphRuns(int line) const { return textLine(lines_[static_cast<size_t>(line)]).glyphRuns(); }

  private:
    using Formats = QList<QTextLayout::FormatRange>;

    struct Segment {
        qsizetype begin = 0, end = 0;
        bool cut = false; ///< the next segment is on the same line of the text
        bool rightToLeft = false;
        std::unique_ptr<QTextLayout> layout{}; ///< null: not needed yet
        QString text{};                        ///< its characters, until it has a layout
        Formats formats{};                     ///< their looks, until then
    };
    /// Characters of inline code on a line, which have a ground of their own.
    struct Ground {
        qsizetype begin = 0, end = 0;
    };
    struct Formula {
        qsizetype place = 0;
        MathFormula drawn;
        MathSize size{};
    };

    static bool touches(const Segment& segment, qsizetype place);
    void readColours(const TextBlock& block, qsizetype begin);
    void colourLine(QStringView line, bool whole);
    void layOutFrom(const TextBlock& block, qsizetype begin);
    void layOutHardLine(const TextBlock& block, qsizetype begin, qsizetype end);
    qsizetype addWrapped(const TextBlock& block, qsizetype begin, qsizetype end, bool rightToLeft);
    void addCut(const TextBlock& block, qsizetype begin, qsizetype end);
    void addLine(const Line& line);
    void addFormulas(const TextBlock& block, qsizetype begin, qsizetype end);
    std::span<const Formula> formulasIn(qsizetype begin, qsizetype end) const;
    QString textOf(const TextBlock& block, qsizetype begin, qsizetype end) const;
    Formats formatsOf(const TextBlock& block, qsizetype begin, qsizetype end) const;
    QTextCharFormat charFormat(const TextFormat& format) const;
    std::unique_ptr<QTextLayout> layoutOf(const QString& text, const Formats& formats, bool rightToLeft) const;
    QTextLine textLine(const Line& line) const;
    void drawFormulas(QPainter& painter, const Line& line, const QTextLine& shaped, QPointF at) const;
    void drawGrounds(QPainter& painter, const Line& line, const QTextLine& shaped, QPointF at) const;

    // The text itself is not kept: the document could not add to characters that are shared without a copy of them all.
    LineLook look_;
    qreal width_ = 0;
    qreal columnWidth_ = 0; ///< estimate of a character's width
    mutable qreal naturalWidth_ = 0;
    mutable std::vector<Segment> segments_;
    bool grows_ = false;                 ///< text is added, or changes at the end
    std::optional<CodeColours> colours_; ///< the colours up to the last line of code
    qsizetype colouredTo_ = 0;           ///< the beginning of that line
    std::vector<CodeSpan> lineColours_;  ///< colours of the line that is laid out, from the beginning of the text on
    std::vector<Ground> grounds_;        ///< sorted
    std::vector<Formula> formulas_;      ///< sorted
};

} // namespace coterie::app
