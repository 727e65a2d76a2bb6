// SPDX-License-Identifier: Apache-2.0
// See table_layout.h.
#include "text/table_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coterie::app {
namespace {

constexpr qreal kUnlimited = 1e6; // px; wider than any cell

/// Returns the characters [begin, end) of a block with their looks.
TextBlock pieceOf(const TextBlock& block, qsizetype begin, qsizetype end) {
    TextBlock piece{.text = block.text.mid(begin, end - begin)};
    auto format = std::upper_bound(block.formats.begin(), block.formats.end(), begin,
                                   [](qsizetype at, const TextFormat& f) { return at < f.end(); });
    for (; format != block.formats.end() && format->begin < end; ++format) {
        const qsizetype from = std::max(begin, format->begin), to = std::min(end, format->end());
        piece.formats.push_back(
            {.begin = from - begin, .length = to - from, .style = format->style, .target = format->target});
    }
    return piece;
}

} // namespace

void TableLayout::layOut(const TextBlock& block, const LineLook& look, qreal width) {
    look_ = look;
    width_ = width;
    align_ = block.columns;
    columns_.assign(align_.size(), 0);
    rows_.clear();
    lines_.clear();
    addRows(block, 0);
    shareRoom();
    for (Row& row : rows_)
        for (size_t column = 0; column < row.cells.size(); ++column) fit(row.cells[column], column);
    stack(0);
    firstChanged_ = 0;
}

void TableLayout::change(const TextBlock& block, qsizetype kept) {
    const bool newRow = kept < block.text.size() && block.text[kept] == u'\n';
    while (!lines_.empty() && (lines_.back().end > kept || (lines_.back().end == kept && !newRow))) {
        lines_.pop_back();
        rows_.pop_back();
    }
    if (!lines_.empty()) lines_.back().breaks = true;
    const qsizetype begin = lines_.empty() ? 0 : lines_.back().end + 1;
    const size_t first = rows_.size();
    addRows(block, begin);
    const std::vector<qreal> before = columns_;
    const bool moved = shareRoom();
    for (size_t i = 0; i < rows_.size(); ++i) {
        if (i < first && !moved) continue;
        for (size_t column = 0; column < rows_[i].cells.size(); ++column) {
            Cell& cell = rows_[i].cells[column];
            const bool same = before[column] == columns_[column] ||
                              (cell.natural <= before[column] && cell.natural <= columns_[column]);
            if (i >= first || !same) fit(cell, column);
        }
    }
    stack(moved ? 0 : first);
    firstChanged_ = moved ? 0 : static_cast<int>(first);
}

void TableLayout::addRows(const TextBlock& block, qsizetype begin) {
    for (;;) {
        const qsizetype lineBreak = block.text.indexOf(u'\n', begin);
        const qsizetype end = lineBreak < 0 ? block.text.size() : lineBreak;
        addRow(block, begin, end);
        if (lineBreak < 0) return;
        lines_.back().breaks = true;
        begin = lineBreak + 1;
    }
}

void TableLayout::addRow(const TextBlock& block, qsizetype begin, qsizetype end) {
    Row row;
    if (!rows_.empty()) row.widest = rows_.back().widest;
    row.widest.resize(align_.size());
    for (qsizetype at = begin; at <= end;) {
        const qsizetype tab = block.text.indexOf(u'\t', at);
        const qsizetype cellEnd = tab < 0 || tab > end ? end : tab;
        Cell cell{.begin = at, .end = cellEnd, .room = kUnlimited, .text = pieceOf(block, at, cellEnd)};
        cell.lines.layOut(cell.text, lookOf(rows_.size()), kUnlimited);
        cell.natural = std::ceil(cell.lines.naturalWidth());
        const size_t column = row.cells.size();
        if (column < row.widest.size()) row.widest[column] = std::max(row.widest[column], cell.natural);
        if (column < align_.size()) row.cells.push_back(std::move(cell));
        at = cellEnd + 1;
    }
    rows_.push_back(std::move(row));
    lines_.push_back({.begin = begin, .end = end});
}

/// Gives each column its width. Returns whether one has changed.
bool TableLayout::shareRoom() {
    const std::vector<qreal> before = columns_;
    columns_ = rows_.back().widest;
    const qreal gaps = look_.columnGap * static_cast<qreal>(std::max<size_t>(1, columns_.size()) - 1);
    qreal room = width_ - gaps;
    if (std::accumulate(columns_.begin(), columns_.end(), 0.0) > room) {
        std::vector<size_t> order(columns_.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return columns_[a] < columns_[b]; });
        for (size_t i = 0; i < order.size(); ++i) { // a narrow column leaves room for the wider ones
            const qreal share = std::floor(room / static_cast<qreal>(order.size() - i));
            qreal& column = columns_[order[i]];
            column = std::min(column, std::max(share, look_.smallestColumn));
            room -= column;
        }
    }
    lefts_.clear();
    qreal left = 0;
    for (const qreal column : columns_) {
        lefts_.push_back(left);
        left += column + look_.columnGap;
    }
    tableWidth_ = std::max(0.0, left - look_.columnGap);
    return columns_ != before;
}

/// Lays out a cell in its column.
void TableLayout::fit(Cell& cell, size_t column) {
    // Text from right to left is laid out from the right edge of its room.
    const bool narrow = cell.text.text.isRightToLeft() || cell.natural > columns_[column];
    const qreal room = narrow ? std::max(1.0, std::min(columns_[column], cell.natural)) : kUnlimited;
    if (room == cell.room) return;
    cell.room = room;
    cell.lines.layOutAgain(cell.text, room);
}

/// Places the rows from this one on below each other.
void TableLayout::stack(size_t first) {
    for (size_t i = first; i < rows_.size(); ++i) {
        qreal height = look_.lineHeight;
        for (const Cell& cell : rows_[i].cells) height = std::max(height, cell.lines.height());
        lines_[i].y = i > 0 ? lines_[i - 1].y + lines_[i - 1].height : 0;
        lines_[i].height = height + 2 * look_.cellMargin;
    }
}

/// The look of a row's cells: the first one is the head.
LineLook TableLayout::lookOf(size_t row) const {
    LineLook look = look_;
    if (row == 0) look.font.setWeight(QFont::DemiBold);
    return look;
}

/// Returns the upper left corner of a cell's text.
QPointF TableLayout::originOf(size_t row, size_t column) const {
    const qreal slack = columns_[column] - std::min(columns_[column], rows_[row].cells[column].lines.naturalWidth());
    const TextAlign align = align_[column];
    const qreal moved = align == TextAlign::Right ? slack : align == TextAlign::Centre ? std::floor(slack / 2) : 0;
    return {lefts_[column] + moved, lines_[row].y + look_.cellMargin};
}

size_t TableLayout::columnAt(size_t row, qreal x) const {
    size_t column = 0;
    while (column + 1 < rows_[row].cells.size() && x >= lefts_[column + 1] - look_.columnGap / 2) ++column;
    return column;
}

size_t TableLayout::columnOf(size_t row, qsizetype position) const {
    const std::vector<Cell>& cells = rows_[row].cells;
    size_t column = 0;
    while (column + 1 < cells.size() && position >= cells[column + 1].begin) ++column;
    return column;
}

qsizetype TableLayout::positionAt(QPointF point) const {
    const auto row = static_cast<size_t>(lineAt(point.y()));
    if (rows_[row].cells.empty()) return lines_[row].begin;
    const size_t column = columnAt(row, point.x());
    const Cell& cell = rows_[row].cells[column];
    return cell.begin + cell.lines.positionAt(point - originOf(row, column));
}

qsizetype TableLayout::characterAt(QPointF point) const {
    if (point.y() < 0 || point.y() >= height()) return -1;
    const auto row = static_cast<size_t>(lineAt(point.y()));
    if (rows_[row].cells.empty()) return -1;
    const size_t column = columnAt(row, point.x());
    const Cell& cell = rows_[row].cells[column];
    const qsizetype found = cell.lines.characterAt(point - originOf(row, column));
    return found < 0 ? -1 : cell.begin + found;
}

QRectF TableLayout::caretAt(qsizetype position) const {
    const auto row = static_cast<size_t>(lineOf(position));
    if (rows_[row].cells.empty()) return {0, lines_[row].y, 0, lines_[row].height};
    const size_t column = columnOf(row, position);
    const Cell& cell = rows_[row].cells[column];
    const qsizetype inCell = std::clamp<qsizetype>(position - cell.begin, 0, cell.end - cell.begin);
    return cell.lines.caretAt(inCell).translated(originOf(row, column));
}

std::vector<QRectF> TableLayout::rectangles(qsizetype begin, qsizetype end) const {
    std::vector<QRectF> rectangles;
    if (begin >= end) return rectangles;
    for (auto row = static_cast<size_t>(lineOf(begin)); row < rows_.size() && lines_[row].begin < end; ++row) {
        for (size_t column = 0; column < rows_[row].cells.size(); ++column) {
            const Cell& cell = rows_[row].cells[column];
            const qsizetype from = std::max(begin, cell.begin), to = std::min(end, cell.end);
            for (const QRectF& place : cell.lines.rectangles(from - cell.begin, to - cell.begin))
                rectangles.push_back(place.translated(originOf(row, column)));
        }
    }
    return rectangles;
}

QRectF TableLayout::inkOf(int line) const {
    const Line& at = lines_[static_cast<size_t>(line)];
    return {0, at.y, at.begin == at.end ? 0 : tableWidth_, at.height};
}

qreal TableLayout::baselineOf(int line) const {
    const Row& row = rows_[static_cast<size_t>(line)];
    return look_.cellMargin + (row.cells.empty() ? 0 : row.cells.front().lines.baselineOf(0));
}

void TableLayout::draw(QPainter& painter, int line, QPointF at) const {
    const auto row = static_cast<size_t>(line);
    for (size_t column = 0; column < rows_[row].cells.size(); ++column) {
        const BlockLayout& lines = rows_[row].cells[column].lines;
        const QPointF origin = originOf(row, column) - QPointF(0, lines_[row].y) + at;
        for (size_t i = 0; i < lines.lines().size(); ++i)
            lines.draw(painter, static_cast<int>(i), origin + QPointF(0, lines.lines()[i].y));
    }
}

} // namespace coterie::app
