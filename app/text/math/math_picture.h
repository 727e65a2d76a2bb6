// SPDX-License-Identifier: Apache-2.0
// A formula that was laid out: boxes while it is being made, then a list of what is drawn, in px. It knows nothing of
// LaTeX. Boxes have their origin at the left end of their baseline; y goes down, as in QPainter.
#pragma once

#include "text/math/math_formula.h"

#include <QGlyphRun>
#include <QPainterPath>
#include <QRawFont>

#include <variant>
#include <vector>

namespace coterie::app {

struct GlyphInk {
    QRawFont font{};
    int face = 0; ///< number of the font among those of the formula
    quint32 index = 0;
};

struct RunInk {
    QGlyphRun run{};
};

/// A straight line, which covers whole pixels.
struct RuleInk {
    QSizeF size{};
};

/// An outline. `ruleTop` is the place of a line that it joins; both move together to whole pixels.
struct OutlineInk {
    QPainterPath path{};
    qreal ruleTop = 0;
};

struct MathInk {
    std::variant<GlyphInk, RunInk, RuleInk, OutlineInk> what{};
    QPointF at{};    ///< the baseline's left end of a glyph or a run, the upper left corner of a rule
    QRectF covers{}; ///< relative to `at`
};

struct MathBox {
    qreal width = 0, ascent = 0, descent = 0;
    qreal italic = 0;     ///< how far it leans beyond its width at the top
    qreal reach = 0;      ///< how far it reaches over its left end
    qreal accent = 0;     ///< x at which an accent belongs
    bool glyph = false;   ///< one character
    bool slanted = false; ///< one slanted character
    std::vector<MathInk> inks{};
    std::vector<std::pair<QPointF, MathBox>> parts{};

    /// Adds a box with its origin at (x, -up) and grows in height around it. The width is the caller's.
    void put(MathBox box, qreal x, qreal up);
    /// Adds a box at the right end.
    void append(MathBox box);
    void addRule(const QRectF& rule);
    qreal height() const { return ascent + descent; }
};

class MathPicture {
  public:
    explicit MathPicture(MathBox box);

    const MathSize& size() const { return size_; }
    void draw(QPainter& painter, QPointF baselineLeft) const;
    const std::vector<MathInk>& inks() const { return inks_; }

  private:
    void flatten(MathBox& box, QPointF at);

    MathSize size_;
    qreal left_ = 0; ///< room at the left for what reaches over the box's edge
    std::vector<MathInk> inks_;
};

} // namespace coterie::app
