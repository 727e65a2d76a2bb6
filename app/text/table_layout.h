// SPDX-License-Identifier: Apache-2.0
// Places of the cells of a table. A row is one line; each cell is a BlockLayout of its own. A row more lays out its own
// cells, and of the others only those whose text does not fit into a column that has become narrower or wider. Columns
// are as wide as their text if there is room. Otherwise the wide ones share the room, down to a smallest width; the
// table may then be wider than its room. Places are in pixels from the table's upper left corner. Lives on one thread.
#pragma once

#include "text/block_layout.h"

#include <vector>

namespace coterie::app {

class TableLayout : public TextLines {
  public:
    void layOut(const TextBlock& block, const LineLook& look, qreal width) override;
    void change(const TextBlock& block, qsizetype kept) override;

    qreal naturalWidth() const override { return tableWidth_; }
    qsizetype positionAt(QPointF point) const override;
    qsizetype characterAt(QPointF point) const override;
    QRectF caretAt(qsizetype position) const override;
    std::vector<QRectF> rectangles(qsizetype begin, qsizetype end) const override;
    QRectF inkOf(int line) const override;
    qreal baselineOf(int line) const override;
    void draw(QPainter& painter, int line, QPointF at) const override;

  private:
    struct Cell {
        qsizetype begin = 0, end = 0;
        BlockLayout lines{};
        qreal natural = 0; ///< width of its text without wrapping
        qreal room = 0;    ///< width for which it was laid out
        TextBlock text{};  ///< kept to lay it out for another width
    };
    struct Row {
        std::vector<Cell> cells{};
        std::vector<qreal> widest{}; ///< [columns] of this row and those before it
    };

    void addRows(const TextBlock& block, qsizetype begin);
    void addRow(const TextBlock& block, qsizetype begin, qsizetype end);
    bool shareRoom();
    void fit(Cell& cell, size_t column);
    void stack(size_t first);
    LineLook lookOf(size_t row) const;
    QPointF originOf(size_t row, size_t column) const;
    size_t columnAt(size_t row, qreal x) const;
    size_t columnOf(size_t row, qsizetype position) const;

    LineLook look_;
    qreal width_ = 0;
    qreal tableWidth_ = 0;
    std::vector<TextAlign> align_;
    std::vector<qreal> columns_; ///< widths
    std::vector<qreal> lefts_;   ///< left edges
    std::vector<Row> rows_;      ///< as many as lines_
};

} // namespace coterie::app
