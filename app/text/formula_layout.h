// SPDX-License-Identifier: Apache-2.0
// The place of a formula that has a line of its own: in the middle if there is room, otherwise at the left and as wide
// as it needs. Places are in pixels from the block's upper left corner. Lives on the GUI thread.
#pragma once

#include "text/math/math_formula.h"
#include "text/text_lines.h"

#include <optional>

namespace coterie::app {

class FormulaLayout : public TextLines {
  public:
    void layOut(const TextBlock& block, const LineLook& look, qreal width) override;
    void change(const TextBlock& block, qsizetype) override { layOut(block, look_, width_); }

    qreal naturalWidth() const override { return size_.width; }
    qsizetype positionAt(QPointF point) const override { return point.x() < left() + size_.width / 2 ? 0 : length_; }
    qsizetype characterAt(QPointF point) const override { return inkOf(0).contains(point) ? 0 : -1; }
    QRectF caretAt(qsizetype position) const override;
    std::vector<QRectF> rectangles(qsizetype begin, qsizetype end) const override;
    QRectF inkOf(int) const override { return {left(), 0, size_.width, height()}; }
    qreal baselineOf(int) const override { return look_.cellMargin + size_.ascent; }
    void draw(QPainter& painter, int line, QPointF at) const override;

  private:
    qreal left() const;

    LineLook look_;
    qreal width_ = 0;
    qsizetype length_ = 0;
    std::optional<MathFormula> formula_;
    MathSize size_;
};

} // namespace coterie::app
