// SPDX-License-Identifier: Apache-2.0
// The fonts of a formula beside text in a given font: a font made for mathematics if one is installed, then the body's
// font and DejaVu for what it lacks. Metrics are shares of an em and the same at every size. Lives on the GUI thread.
#pragma once

#include "text/math/math_node.h"
#include "text/math/opentype_math.h"

#include <QFont>
#include <QPainterPath>
#include <QRawFont>

#include <memory>
#include <vector>

namespace coterie::app {

struct MathGlyph {
    int face = -1; ///< negative: no font has the character
    quint32 index = 0;

    bool valid() const { return face >= 0; }
};

/// Measures of a glyph in ems; `ink` has y downwards from the baseline.
struct MathShape {
    qreal advance = 0;
    QRectF ink{};
    qreal italic = 0; ///< the lean at its upper right
    qreal accent = 0; ///< x at which an accent belongs above it
};

class MathFont {
  public:
    /// Returns the fonts for this body font. Those that were used last are kept.
    static std::shared_ptr<const MathFont> of(const QFont& body);
    /// The same without a font for mathematics, as if none were installed.
    explicit MathFont(const QFont& body, const QString& family);

    const QFont& body() const { return body_; }
    /// Returns the size of an em in px.
    qreal em(MathStyle style) const { return em_[static_cast<size_t>(style)]; }
    /// Returns the size of the body's font in px in this style.
    qreal bodySize(MathStyle style) const { return bodySize_ * em(style) / em_[0]; }
    const OpenTypeMath& sizes() const { return sizes_; }
    qreal operator[](MathConstant constant) const { return sizes_[constant]; }
    bool hasMathTable() const { return hasTable_; }

    MathGlyph find(char32_t character, MathAlphabet alphabet) const;
    const MathShape& shape(MathGlyph glyph) const;
    /// Returns the outline with y downwards, one em being 1.
    QPainterPath outline(MathGlyph glyph) const;
    /// Returns the forms of a glyph that grows, or null if the font has none.
    const MathForms* verticalForms(MathGlyph glyph) const;
    const MathForms* horizontalForms(MathGlyph glyph) const;
    const QRawFont& rawFont(int face, MathStyle style) const;

  private:
    struct Face {
        QRawFont design{};               ///< large, without hinting, for measures and outlines
        std::array<QRawFont, 4> sized{}; ///< one for each style
    };

    void addFace(QFont font);
    bool supports(size_t face, char32_t character) const;
    MathGlyph glyphOf(size_t face, char32_t character) const;
    MathShape measure(MathGlyph glyph) const;

    QFont asked_; ///< the font for which it was made
    QFont body_;  ///< the same, drawn smoothly
    qreal bodySize_ = 0;
    std::array<qreal, 4> em_{};
    OpenTypeMath sizes_;
    bool hasTable_ = false;
    std::vector<Face> faces_;
    mutable QHash<quint64, MathShape> shapes_;
    /// Outlines are read once: Qt reads them with hinting from a face that all sizes share, and after a glyph was drawn
    /// at another size FreeType gives outlines that differ by a quarter of a unit.
    mutable QHash<quint64, QPainterPath> outlines_;
};

/// Returns the character of Unicode's mathematical alphabets, or the character itself if it has no such shape.
char32_t mathAlphanumeric(char32_t character, MathAlphabet alphabet);

} // namespace coterie::app
