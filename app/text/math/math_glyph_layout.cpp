// SPDX-License-Identifier: Apache-2.0
// Boxes of characters and text, and of what grows: operators, fences, roots, braces and arrows. See math_layout.h.
// A font for mathematics has larger forms of a glyph and parts of a still larger one; from any other font the outline
// of the glyph itself is stretched.
#include "text/math/math_layout.h"

#include <QFontMetricsF>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

constexpr char32_t kThinSpace = 0x2009;
constexpr qreal kOperatorGrowth = 1.4; ///< larger operators in display style, if the font has no larger form
constexpr qreal kBarMargin = 0.06;     ///< em at each side of a bar that is a fence
constexpr qreal kBraceHeight = 0.3, kBraceCurve = 0.35, kBracketHeight = 0.2; ///< em
constexpr qreal kEnough = 0.98; ///< share of the height that a form must have, because of rounding

} // namespace

MathBox MathLayout::glyphBox(MathGlyph glyph, Style style) const {
    const MathShape& shape = font_.shape(glyph);
    const qreal size = em(style);
    MathBox made{.width = shape.advance * size,
                 .ascent = -shape.ink.top() * size,
                 .descent = shape.ink.bottom() * size,
                 .italic = std::max(0.0, shape.italic) * size,
                 .accent = shape.accent * size,
                 .glyph = true};
    made.inks.push_back(
        {.what = GlyphInk{.font = font_.rawFont(glyph.face, style.size), .face = glyph.face, .index = glyph.index},
         .covers = {shape.ink.topLeft() * size, shape.ink.size() * size}});
    return made;
}

QPainterPath MathLayout::outline(MathGlyph glyph, Style style) const {
    return QTransform::fromScale(em(style), em(style)).map(font_.outline(glyph));
}

/// Makes a box of an outline; its origin is that of the outline.
MathBox MathLayout::outlineBox(QPainterPath path) const {
    const QRectF covers = path.boundingRect();
    MathBox made{
        .width = covers.right(), .ascent = -covers.top(), .descent = covers.bottom(), .accent = covers.center().x()};
    made.inks.push_back({.what = OutlineInk{.path = std::move(path), .ruleTop = 0}, .covers = covers});
    return made;
}

MathBox MathLayout::character(char32_t code, MathAlphabet alphabet, Style style) const {
    const MathGlyph glyph = font_.find(code, alphabet);
    if (!glyph.valid()) return text(QString::fromUcs4(&code, 1), alphabet, style);
    MathBox made = glyphBox(glyph, style);
    const bool letter = mathAlphanumeric(code, alphabet) != code;
    made.slanted = letter && (alphabet == MathAlphabet::Normal || alphabet == MathAlphabet::Italic ||
                              alphabet == MathAlphabet::BoldItalic);
    if (made.slanted) made.reach = std::max(0.0, -font_.shape(glyph).ink.left()) * em(style);
    return made;
}

MathBox MathLayout::symbol(const MathNode& node, Style style) const {
    if (node.atom == MathClass::Operator) return bigOperator(node.character, style);
    return character(node.character, node.alphabet, style);
}

MathBox MathLayout::name(const QString& text, Style style) const {
    MathBox made;
    for (const char32_t code : text.toUcs4()) {
        if (code == kThinSpace)
            made.width += mu(3, style);
        else
            made.append(character(code, MathAlphabet::Roman, style));
    }
    made.accent = made.width / 2;
    return made;
}

MathBox MathLayout::text(const QString& text, MathAlphabet alphabet, Style style) const {
    QFont font = font_.body();
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(font_.bodySize(style.size)))));
    if (alphabet == MathAlphabet::Bold || alphabet == MathAlphabet::BoldItalic) font.setBold(true);
    if (alphabet == MathAlphabet::Italic || alphabet == MathAlphabet::BoldItalic) font.setItalic(true);
    QTextLayout layout(text, font);
    QTextOption option;
    option.setWrapMode(QTextOption::NoWrap);
    option.setFlags(QTextOption::IncludeTrailingSpaces);
    layout.setTextOption(option);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    layout.endLayout();
    MathBox made;
    if (!line.isValid()) return made;
    made.width = line.horizontalAdvance();
    const QFontMetricsF metrics(font);
    made.ascent = metrics.capHeight();
    for (const QGlyphRun& run : layout.glyphRuns())
        made.inks.push_back(
            {.what = RunInk{.run = run}, .at = QPointF(0, -line.ascent()), .covers = run.boundingRect()});
    const QRectF tight = metrics.tightBoundingRect(text);
    made.ascent = std::max(made.ascent, -tight.top());
    made.descent = std::max(0.0, tight.bottom());
    made.accent = made.width / 2;
    return made;
}

/// Operators are centred on the axis, and larger in display style.
MathBox MathLayout::bigOperator(char32_t code, Style style) const {
    MathGlyph glyph = font_.find(code, MathAlphabet::Roman);
    if (!glyph.valid()) return text(QString::fromUcs4(&code, 1), MathAlphabet::Roman, style);
    MathBox made;
    const MathForms* forms = font_.verticalForms(glyph);
    if (style.display() && forms) {
        for (const MathForms::Variant& form : forms->variants) {
            glyph.index = form.glyph;
            if (form.advance >= font_.sizes().displayOperatorHeight * kEnough) break;
        }
    }
    if (style.display() && !forms)
        made = outlineBox(
            QTransform::fromScale(em(style) * kOperatorGrowth, em(style) * kOperatorGrowth).map(font_.outline(glyph)));
    else
        made = glyphBox(glyph, style);
    MathBox centred;
    const qreal up = axis(style) - (made.ascent - made.descent) / 2;
    centred.width = made.width;
    centred.italic = made.italic;
    centred.ascent = made.ascent + up;
    centred.descent = made.descent - up;
    centred.accent = centred.width / 2;
    centred.parts.emplace_back(QPointF(0, -up), std::move(made));
    return centred;
}

/// Returns a form of the glyph that is at least this tall, at any place relative to the baseline.
MathBox MathLayout::tall(char32_t code, qreal height, Style style) const {
    const MathGlyph glyph = font_.find(code, MathAlphabet::Roman);
    if (!glyph.valid()) return text(QString::fromUcs4(&code, 1), MathAlphabet::Roman, style);
    MathBox made = glyphBox(glyph, style);
    if (made.height() >= height * kEnough) return made;
    const MathForms* forms = font_.verticalForms(glyph);
    MathGlyph largest = glyph;
    if (forms) {
        for (const MathForms::Variant& form : forms->variants) {
            largest.index = form.glyph;
            if (form.advance * em(style) >= height * kEnough) return glyphBox(largest, style);
        }
        if (!forms->parts.empty()) return assembled(forms->parts, height, style, true);
    }
    return stretched(largest, height, style, true);
}

/// Draws a horizontal brace or bracket as a stroke: fonts' own are flat and made of parts that show.
MathBox MathLayout::spanningBrace(char32_t code, qreal width, Style style) const {
    const bool brace = code == 0x23DE || code == 0x23DF, below = code == 0x23DF || code == 0x23B5;
    const qreal height = (brace ? kBraceHeight : kBracketHeight) * em(style), middle = brace ? -height / 2 : -height;
    const qreal curve = std::min(kBraceCurve * em(style), width / 4);
    QPainterPath line;
    line.moveTo(0, 0);
    if (brace) {
        line.quadTo(0, middle, curve, middle);
        line.lineTo(width / 2 - curve, middle);
        line.quadTo(width / 2, middle, width / 2, -height);
        line.quadTo(width / 2, middle, width / 2 + curve, middle);
        line.lineTo(width - curve, middle);
        line.quadTo(width, middle, width, 0);
    } else {
        line.lineTo(0, -height);
        line.lineTo(width, -height);
        line.lineTo(width, 0);
    }
    QPainterPathStroker stroker;
    stroker.setWidth(size(MathConstant::OverbarRuleThickness, style));
    stroker.setCapStyle(brace ? Qt::RoundCap : Qt::FlatCap);
    stroker.setJoinStyle(brace ? Qt::RoundJoin : Qt::MiterJoin);
    stroker.setCurveThreshold(0.05); // px; the strokes are small
    QPainterPath outline = stroker.createStroke(line);
    if (below) outline = QTransform::fromScale(1, -1).map(outline);
    outline.setFillRule(Qt::WindingFill);
    MathBox made = outlineBox(std::move(outline));
    made.width = width;
    return made;
}

/// Returns the widest form of the glyph that is no wider than this; one with parts is exactly as wide.
MathBox MathLayout::wide(char32_t code, qreal width, Style style) const {
    const MathGlyph glyph = font_.find(code, MathAlphabet::Roman);
    if (!glyph.valid()) return text(QString::fromUcs4(&code, 1), MathAlphabet::Roman, style);
    const MathForms* forms = font_.horizontalForms(glyph);
    if (!forms) {
        const bool grows = width > font_.shape(glyph).ink.width() * em(style);
        return grows ? stretched(glyph, width, style, false) : glyphBox(glyph, style);
    }
    MathGlyph best = glyph;
    qreal largest = font_.shape(glyph).advance * em(style);
    for (const MathForms::Variant& form : forms->variants) {
        if (form.advance * em(style) > width) break;
        best.index = form.glyph;
        largest = form.advance * em(style);
    }
    if (!forms->parts.empty() && width > largest) return assembled(forms->parts, width, style, false);
    return glyphBox(best, style);
}

/// Joins parts to a glyph of this length. Those that extend are stretched: they are straight bars.
MathBox MathLayout::assembled(const std::vector<MathPart>& parts, qreal length, Style style, bool vertical) const {
    struct Piece {
        QPainterPath path;
        QRectF covers;
        bool extends;
    };
    std::vector<Piece> pieces;
    qreal fixed = 0;
    int extending = 0;
    for (const MathPart& part : parts) {
        const MathGlyph glyph{.face = 0, .index = part.glyph};
        Piece piece{.path = outline(glyph, style), .covers = {}, .extends = part.extends};
        piece.covers = piece.path.boundingRect();
        if (piece.extends)
            ++extending;
        else
            fixed += vertical ? piece.covers.height() : piece.covers.width();
        pieces.push_back(std::move(piece));
    }
    const qreal overlap = font_.sizes().overlap * em(style);
    const qreal joints = overlap * static_cast<qreal>(pieces.size() - 1);
    const qreal bar = extending > 0 ? std::max(0.0, (length - fixed + joints) / extending) : 0;
    QPainterPath whole;
    whole.setFillRule(Qt::WindingFill);
    qreal at = 0; // upwards, or to the right
    for (const Piece& piece : pieces) {
        const qreal own = std::max(vertical ? piece.covers.height() : piece.covers.width(), 0.001);
        const qreal used = piece.extends ? bar : own;
        QTransform place;
        if (vertical)
            place.translate(0, -at).scale(1, used / own).translate(0, -piece.covers.bottom());
        else
            place.translate(at, 0).scale(used / own, 1).translate(-piece.covers.left(), 0);
        whole.addPath(place.map(piece.path));
        at += used - overlap;
    }
    MathBox made = outlineBox(std::move(whole));
    if (vertical) made.width = font_.shape({.face = 0, .index = parts.front().glyph}).advance * em(style);
    return made;
}

MathBox MathLayout::stretched(MathGlyph glyph, qreal length, Style style, bool vertical) const {
    const QPainterPath path = outline(glyph, style);
    const QRectF covers = path.boundingRect();
    const qreal growth = length / std::max(vertical ? covers.height() : covers.width(), 0.001);
    QTransform place;
    if (vertical)
        place.scale(1, growth);
    else
        place.scale(growth, 1).translate(-covers.left(), 0);
    MathBox made = outlineBox(place.map(path));
    if (vertical) made.width = font_.shape(glyph).advance * em(style);
    return made;
}

/// Returns a delimiter of this height, centred on the axis. The point stands for none.
MathBox MathLayout::fence(char32_t code, qreal height, Style style) const {
    MathBox centred;
    if (code == kNoFence.unicode()) {
        centred.width = 0.12 * em(style); // \nulldelimiterspace
        return centred;
    }
    MathBox made = tall(code, height, style);
    const qreal up = axis(style) - (made.ascent - made.descent) / 2;
    const bool bar = code == U'|' || code == 0x2016; // they have no white of their own when they are tall
    const qreal margin = bar ? kBarMargin * em(style) : 0;
    centred.width = made.width + 2 * margin;
    centred.ascent = made.ascent + up;
    centred.descent = made.descent - up;
    centred.parts.emplace_back(QPointF(margin, -up), std::move(made));
    return centred;
}

} // namespace coterie::app
