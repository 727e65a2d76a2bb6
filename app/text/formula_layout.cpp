// SPDX-License-Identifier: Apache-2.0
// See formula_layout.h.
#include "text/formula_layout.h"

#include "text/math_delimiters.h"

#include <algorithm>
#include <cmath>

namespace coterie::app {

void FormulaLayout::layOut(const TextBlock& block, const LineLook& look, qreal width) {
    look_ = look;
    width_ = width;
    length_ = block.text.size();
    formula_.reset();
    size_ = {};
    if (!block.formats.empty()) formula_ = MathFormula::parse(withoutDelimiters(block.formats.front().target));
    if (formula_) size_ = formula_->size(look_.font, true);
    const qreal height = std::max(look_.lineHeight, std::ceil(size_.ascent + size_.descent) + 2 * look_.cellMargin);
    lines_ = {{.begin = 0, .end = length_, .height = height}};
    firstChanged_ = 0;
}

qreal FormulaLayout::left() const { return std::max(0.0, std::floor((width_ - size_.width) / 2)); }

QRectF FormulaLayout::caretAt(qsizetype position) const {
    return {left() + (position > 0 ? size_.width : 0), 0, 0, height()};
}

std::vector<QRectF> FormulaLayout::rectangles(qsizetype begin, qsizetype end) const {
    if (begin >= end) return {};
    return {inkOf(0)};
}

void FormulaLayout::draw(QPainter& painter, int, QPointF at) const {
    if (formula_) formula_->draw(painter, at + QPointF(left(), baselineOf(0)), look_.font, true);
}

} // namespace coterie::app
