// SPDX-License-Identifier: Apache-2.0
// A formula in LaTeX, laid out by TeX's rules: its size, its picture, and words for screen readers. It is no TeX: it
// knows the commands that README.md lists and no macros. Source with anything else is shown as it is by the caller.
//
// Threads: GUI thread. Ownership: a value, cheap to copy. Errors: parse() returns nothing; the rest can't fail.
//
//     if (const auto formula = MathFormula::parse(QStringLiteral("\\frac{a}{b}"))) {
//         const MathSize size = formula->size(font, true); // the room that it needs
//         formula->draw(painter, {x, y + size.ascent}, font, true);
//     }
#pragma once

#include <QFont>
#include <QPainter>
#include <QString>

#include <memory>
#include <optional>

namespace coterie::app {

struct MathNode;
class MathPicture;

/// Sizes in whole px. All ink lies within the width, above the descent and below the ascent.
struct MathSize {
    qreal width = 0, ascent = 0, descent = 0;

    bool operator==(const MathSize& other) const = default;
};

class MathFormula {
  public:
    /// Reads LaTeX without its dollar signs or brackets. Returns nothing if the source has a mistake, a command outside
    /// the listed set, or more than the limits in math_parser.h.
    static std::optional<MathFormula> parse(const QString& source);

    /// display: the formula has a line of its own; otherwise it stands within text and is kept low.
    MathSize size(const QFont& body, bool display) const;
    /// Draws with the colour of the painter's pen. The painter's other settings are not used.
    void draw(QPainter& painter, QPointF baselineLeft, const QFont& body, bool display) const;
    /// Says the formula in words, such as "x squared plus the square root of y".
    QString spoken() const;

  private:
    explicit MathFormula(MathNode root);
    const MathPicture& picture(const QFont& body, bool display) const;

    std::shared_ptr<const MathNode> root_;
    mutable std::shared_ptr<const MathPicture> picture_; ///< the last one that was needed
    mutable QFont pictureFont_;
    mutable bool pictureDisplay_ = false;
};

} // namespace coterie::app
