// SPDX-License-Identifier: Apache-2.0
// Lays out the tree of a formula by the rules of TeX (The TeXbook, appendix G) with the sizes that an OpenType font
// gives. Time is linear in the number of nodes times the depth of the tree, which the parser limits. GUI thread.
#pragma once

#include "text/math/math_font.h"
#include "text/math/math_node.h"
#include "text/math/math_picture.h"

#include <span>

namespace coterie::app {

class MathLayout {
  public:
    explicit MathLayout(const MathFont& font) : font_(font) {}

    MathBox layOut(const MathNode& root, bool display) const;

  private:
    /// cramped: superscripts are raised less, as under a line.
    struct Style {
        MathStyle size = MathStyle::Text;
        bool cramped = false;

        bool display() const { return size == MathStyle::Display; }
        bool script() const { return size >= MathStyle::Script; }
        Style crampedOne() const { return {.size = size, .cramped = true}; }
        Style above() const;
        Style below() const { return above().crampedOne(); }
        Style numerator() const;
        Style denominator() const { return numerator().crampedOne(); }
    };
    struct Atom;

    qreal em(Style style) const { return font_.em(style.size); }
    qreal size(MathConstant constant, Style style) const { return font_[constant] * em(style); }
    qreal axis(Style style) const { return size(MathConstant::AxisHeight, style); }
    qreal mu(qreal count, Style style) const { return count * em(style) / 18; }

    MathBox node(const MathNode& node, Style style) const;
    MathBox row(std::span<const MathNode> nodes, Style style, bool afterOrdinary = false) const;
    void collect(std::span<const MathNode> nodes, Style style, std::vector<Atom>& atoms) const;

    // Characters and text.
    MathBox glyphBox(MathGlyph glyph, Style style) const;
    QPainterPath outline(MathGlyph glyph, Style style) const;
    MathBox outlineBox(QPainterPath path) const;
    MathBox character(char32_t code, MathAlphabet alphabet, Style style) const;
    MathBox symbol(const MathNode& node, Style style) const;
    MathBox name(const QString& text, Style style) const;
    MathBox text(const QString& text, MathAlphabet alphabet, Style style) const;
    MathBox bigOperator(char32_t code, Style style) const;

    // Glyphs that grow.
    MathBox tall(char32_t code, qreal height, Style style) const;
    MathBox wide(char32_t code, qreal width, Style style) const;
    MathBox spanningBrace(char32_t code, qreal width, Style style) const;
    MathBox assembled(const std::vector<MathPart>& parts, qreal length, Style style, bool vertical) const;
    MathBox stretched(MathGlyph glyph, qreal length, Style style, bool vertical) const;
    MathBox fence(char32_t code, qreal height, Style style) const;
    qreal fenceHeight(const MathBox& content, Style style) const;

    // Structures.
    MathBox fraction(const MathNode& node, Style style) const;
    MathBox root(const MathNode& node, Style style) const;
    MathBox scripts(const MathNode& node, Style style) const;
    MathBox besideScripts(MathBox base, const MathNode& below, const MathNode& above, Style style) const;
    MathBox superscript(const MathNode& above, const MathBox& base, Style style, qreal* up) const;
    MathBox limits(MathBox base, const MathNode& below, const MathNode& above, Style style) const;
    MathBox accent(const MathNode& node, Style style) const;
    MathBox line(const MathNode& node, Style style) const;
    MathBox brace(const MathNode& node, Style style) const;
    MathBox arrow(const MathNode& node, Style style) const;
    MathBox fenced(const MathNode& node, Style style) const;
    MathBox framed(const MathNode& node, Style style) const;
    MathBox struck(const MathNode& node, Style style) const;
    MathBox negated(const MathNode& node, Style style) const;

    // Tables, in math_table_layout.cpp.
    struct Table;
    MathBox table(const MathNode& node, Style style) const;
    void fillCells(const MathNode& node, Style style, Table& table) const;
    void placeColumns(TableForm form, Style style, Table& table) const;
    void placeRows(const MathNode& node, Style style, Table& table) const;

    const MathFont& font_;
};

} // namespace coterie::app
