// SPDX-License-Identifier: Apache-2.0
// Boxes of tables: matrices, cases, aligned equations, arrays. See math_layout.h. Distances are LaTeX's and amsmath's.
#include "text/math/math_layout.h"

#include <algorithm>

namespace coterie::app {
namespace {

constexpr qreal kStrutUp = 0.84, kStrutDown = 0.36; ///< em; a row of ordinary letters has the height of a line of text
constexpr qreal kCasesStretch = 1.2;                ///< \arraystretch in cases
constexpr qreal kRowGap = 0.15;                     ///< em between rows that are taller than a line
constexpr qreal kEquationGap = 0.3;                 ///< em between equations (\jot)
constexpr qreal kColumnGap = 1.0;                   ///< em (twice \arraycolsep)
constexpr qreal kSmallGap = 0.6;                    ///< em of the script in a smallmatrix
constexpr qreal kPairGap = 2.0;                     ///< em between pairs of columns of aligned equations
constexpr qreal kRelationGap = 5.0 / 18;            ///< em beside the middle column of three
constexpr qreal kRule = 0.04;                       ///< em (\arrayrulewidth)

struct Row {
    std::vector<MathBox> cells{};
    qreal ascent = 0, descent = 0;
    qreal baseline = 0; ///< from the top of the table
    bool ruled = false;
};

struct Column {
    char letter = 'c';
    qreal width = 0, x = 0;
};

} // namespace

struct MathLayout::Table {
    std::vector<Row> rows{};
    std::vector<Column> columns{};
    std::vector<int> bars{}; ///< numbers of the columns before which a vertical line stands
    qreal width = 0, height = 0;
    bool ruled = false;
    std::vector<qreal> barPlaces{}, rulePlaces{};
};

MathBox MathLayout::table(const MathNode& node, Style outer) const {
    const auto form = static_cast<TableForm>(node.form);
    Style style{.size = node.style, .cramped = outer.cramped};
    if (outer.script()) style.size = std::max(outer.size, node.style);
    Table table;
    fillCells(node, style, table);
    placeColumns(form, style, table);
    placeRows(node, style, table);

    MathBox made;
    const qreal top = form == TableForm::Stacked && !table.rows.empty() ? table.rows.front().baseline
                                                                        : table.height / 2 + axis(outer);
    for (Row& row : table.rows) {
        for (size_t i = 0; i < row.cells.size(); ++i) {
            const Column& column = table.columns[i];
            const qreal room = column.width - row.cells[i].width;
            const qreal shift = column.letter == 'l' ? 0 : column.letter == 'r' ? room : room / 2;
            made.put(std::move(row.cells[i]), column.x + shift, top - row.baseline);
        }
    }
    const qreal rule = kRule * em(style);
    for (const qreal y : table.rulePlaces) made.addRule({0, y - top - rule / 2, table.width, rule});
    for (const qreal x : table.barPlaces) made.addRule({x - rule / 2, -top, rule, table.height});
    made.width = table.width;
    made.ascent = std::max(made.ascent, top);
    made.descent = std::max(made.descent, table.height - top);
    made.accent = made.width / 2;
    return made;
}

/// Lays out all cells and finds the columns' letters and widths.
void MathLayout::fillCells(const MathNode& node, Style style, Table& table) const {
    size_t count = 0;
    for (const MathNode& line : node.children) count = std::max(count, line.children.size());
    const bool repeats = node.text.startsWith(u'*');
    const QStringView letters = QStringView(node.text).mid(repeats ? 1 : 0);
    for (const QChar letter : letters) {
        if (letter == u'|')
            table.bars.push_back(static_cast<int>(table.columns.size()));
        else
            table.columns.push_back({.letter = letter.toLatin1()});
    }
    const size_t given = table.columns.size();
    if (repeats) table.columns.resize(count);
    for (size_t i = given; i < table.columns.size(); ++i) table.columns[i].letter = table.columns[i % given].letter;

    const bool equations = static_cast<TableForm>(node.form) == TableForm::Aligned;
    for (const MathNode& line : node.children) {
        Row row;
        row.ruled = line.ruled;
        for (size_t i = 0; i < line.children.size(); ++i) {
            Column& column = table.columns[i];
            // The right part of an equation begins with its relation, which keeps its distance from the left part.
            const bool right = equations && column.letter == 'l' && i > 0;
            row.cells.push_back(this->row(line.children[i].children, style, right));
            const MathBox& cell = row.cells.back();
            column.width = std::max(column.width, cell.width);
            row.ascent = std::max(row.ascent, cell.ascent);
            row.descent = std::max(row.descent, cell.descent);
        }
        table.rows.push_back(std::move(row));
    }
}

void MathLayout::placeColumns(TableForm form, Style style, Table& table) const {
    const auto gapBefore = [&](size_t i) {
        const char left = table.columns[i - 1].letter, right = table.columns[i].letter;
        if (form == TableForm::Small) return kSmallGap;
        if (form != TableForm::Aligned) return kColumnGap;
        if (left == 'c' || right == 'c') return kRelationGap;
        return left == 'r' ? 0 : kPairGap;
    };
    const bool outer = form == TableForm::Array && !table.bars.empty();
    qreal x = outer ? kColumnGap / 2 * em(style) : 0;
    for (size_t i = 0; i < table.columns.size(); ++i) {
        const qreal gap = i > 0 ? gapBefore(i) * em(style) : 0;
        if (std::find(table.bars.begin(), table.bars.end(), static_cast<int>(i)) != table.bars.end())
            table.barPlaces.push_back(i > 0 ? x + gap / 2 : 0);
        table.columns[i].x = x + gap;
        x += gap + table.columns[i].width;
    }
    table.width = x + (outer ? kColumnGap / 2 * em(style) : 0);
    if (!table.bars.empty() && table.bars.back() == static_cast<int>(table.columns.size()))
        table.barPlaces.push_back(table.width);
}

void MathLayout::placeRows(const MathNode& node, Style style, Table& table) const {
    const auto form = static_cast<TableForm>(node.form);
    const bool equations = form == TableForm::Aligned, small = form == TableForm::Small || form == TableForm::Stacked;
    const qreal stretch = (form == TableForm::Cases ? kCasesStretch : 1) * em(style) * (small ? 0.95 : 1);
    const bool strutted = table.rows.size() > 1 || !equations;
    const qreal gap = (equations ? kEquationGap : kRowGap) * em(style);
    table.ruled =
        node.ruled || std::any_of(table.rows.begin(), table.rows.end(), [](const Row& row) { return row.ruled; });
    qreal y = 0;
    for (size_t i = 0; i < table.rows.size(); ++i) {
        Row& row = table.rows[i];
        if (row.ruled) table.rulePlaces.push_back(y);
        const qreal least = strutted ? kStrutUp * stretch : 0, deepest = strutted ? kStrutDown * stretch : 0;
        const bool tallRow = row.ascent + row.descent > (kStrutUp + kStrutDown) * stretch;
        const qreal between = equations || tallRow || table.ruled ? gap / 2 : 0;
        const bool first = i == 0 && !row.ruled, last = i + 1 == table.rows.size() && !node.ruled;
        y += first && equations ? 0 : between;
        row.baseline = y + std::max(row.ascent, least);
        y = row.baseline + std::max(row.descent, deepest) + (last && equations ? 0 : between);
    }
    if (node.ruled) table.rulePlaces.push_back(y);
    table.height = y;
}

} // namespace coterie::app
