// SPDX-License-Identifier: Apache-2.0
// See math_layout.h. This file has rows, fractions, roots, scripts and what stands above or around; characters and what
// grows are in math_glyph_layout.cpp, tables in math_table_layout.cpp.
#include "text/math/math_layout.h"

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

using Kind = MathNode::Kind;
using enum MathConstant;

constexpr qreal kNullFence = 0.12;  ///< em beside a fraction (\nulldelimiterspace of plain TeX)
constexpr qreal kFrame = 0.3;       ///< em between a frame and its content (\fboxsep of LaTeX)
constexpr qreal kFrameRule = 0.04;  ///< em (\fboxrule)
constexpr qreal kArrowMargin = 0.5; ///< em that an arrow reaches beyond its labels at each side
constexpr char32_t kPrime = 0x2032;

/// Spaces between atoms in mu, rows left and columns right (The TeXbook, chapter 18). Negative: not in scripts.
constexpr int kSpaces[8][8] = {
    {0, 3, -4, -5, 0, 0, 0, -3},     // ordinary
    {3, 3, 0, -5, 0, 0, 0, -3},      // operator
    {-4, -4, 0, 0, -4, 0, 0, -4},    // binary
    {-5, -5, 0, 0, -5, 0, 0, -5},    // relation
    {0, 0, 0, 0, 0, 0, 0, 0},        // open
    {0, 3, -4, -5, 0, 0, 0, -3},     // close
    {-3, -3, 0, -3, -3, -3, -3, -3}, // punctuation
    {-3, 3, -4, -5, -3, 0, -3, -3},  // inner
};

/// Goes through groups of one to what they hold.
const MathNode& core(const MathNode& node) {
    const MathNode* inner = &node;
    while (inner->kind == Kind::Row && inner->children.size() == 1) inner = &inner->children.front();
    return *inner;
}

} // namespace

MathLayout::Style MathLayout::Style::above() const {
    return {.size = size <= MathStyle::Text ? MathStyle::Script : MathStyle::ScriptScript, .cramped = cramped};
}

MathLayout::Style MathLayout::Style::numerator() const {
    if (size == MathStyle::Display) return {.size = MathStyle::Text, .cramped = cramped};
    return above();
}

struct MathLayout::Atom {
    MathBox box{};
    MathClass atom = MathClass::Ordinary;
    Style style{};
    bool isSpace = false;
};

MathBox MathLayout::layOut(const MathNode& root, bool display) const {
    return node(root, {.size = display ? MathStyle::Display : MathStyle::Text, .cramped = false});
}

MathBox MathLayout::node(const MathNode& node, Style style) const {
    switch (node.kind) {
    case Kind::Row:
        return row(node.children, style);
    case Kind::Symbol:
        return symbol(node, style);
    case Kind::Name:
        return name(node.text, style);
    case Kind::Text:
        return text(node.text, node.alphabet, style);
    case Kind::Fraction:
        return fraction(node, style);
    case Kind::Root:
        return root(node, style);
    case Kind::Scripts:
        return scripts(node, style);
    case Kind::Accent:
        return accent(node, style);
    case Kind::Line:
        return line(node, style);
    case Kind::Brace:
        return brace(node, style);
    case Kind::Arrow:
        return arrow(node, style);
    case Kind::Fence: {
        constexpr qreal kSizes[] = {1.2, 1.8, 2.4, 3.0}; // em, as in plain TeX
        return fence(node.character, kSizes[std::clamp(node.amount, 1, 4) - 1] * em(style), style);
    }
    case Kind::Fenced:
        return fenced(node, style);
    case Kind::Table:
        return table(node, style);
    case Kind::Space: {
        MathBox gap;
        gap.width = mu(node.amount, style);
        return gap;
    }
    case Kind::Styled:
        return row(node.children, {.size = node.style, .cramped = style.cramped});
    case Kind::Framed:
        return framed(node, style);
    case Kind::Struck:
        return struck(node, style);
    case Kind::Negated:
        return negated(node, style);
    }
    return {};
}

void MathLayout::collect(std::span<const MathNode> nodes, Style style, std::vector<Atom>& atoms) const {
    for (const MathNode& one : nodes) {
        if (one.kind == Kind::Styled)
            collect(one.children, {.size = one.style, .cramped = style.cramped}, atoms);
        else
            atoms.push_back(
                {.box = node(one, style), .atom = one.atom, .style = style, .isSpace = one.kind == Kind::Space});
    }
}

/// Sets atoms beside each other. afterOrdinary: an ordinary atom of no width stands before the first one.
MathBox MathLayout::row(std::span<const MathNode> nodes, Style style, bool afterOrdinary) const {
    std::vector<Atom> atoms;
    atoms.reserve(nodes.size());
    collect(nodes, style, atoms);
    // A binary operator without an operand at one side is a sign.
    Atom* before = nullptr;
    const auto takesSign = [](const Atom& atom) {
        return atom.atom == MathClass::Binary || atom.atom == MathClass::Operator || atom.atom == MathClass::Relation ||
               atom.atom == MathClass::Open || atom.atom == MathClass::Punctuation;
    };
    for (Atom& atom : atoms) {
        if (atom.isSpace) continue;
        const bool first = !before && !afterOrdinary;
        if (atom.atom == MathClass::Binary && (first || (before && takesSign(*before))))
            atom.atom = MathClass::Ordinary;
        const bool ends =
            atom.atom == MathClass::Relation || atom.atom == MathClass::Close || atom.atom == MathClass::Punctuation;
        if (before && before->atom == MathClass::Binary && ends) before->atom = MathClass::Ordinary;
        before = &atom;
    }
    if (before && before->atom == MathClass::Binary) before->atom = MathClass::Ordinary;

    if (atoms.size() == 1 && !afterOrdinary) return std::move(atoms.front().box);
    MathBox made;
    bool any = afterOrdinary;
    MathClass last = MathClass::Ordinary;
    bool slanted = false;
    qreal lean = 0; // the last character's; the next one leans too or makes room for it
    for (Atom& atom : atoms) {
        if (!atom.box.slanted) made.width += lean;
        if (!slanted) made.width += atom.box.reach;
        slanted = atom.box.slanted;
        lean = atom.box.slanted ? atom.box.italic : 0;
        if (!atom.isSpace) {
            const int gap = any ? kSpaces[static_cast<size_t>(last)][static_cast<size_t>(atom.atom)] : 0;
            if (gap > 0 || !atom.style.script()) made.width += mu(std::abs(gap), atom.style);
            last = atom.atom;
            any = true;
        }
        made.append(std::move(atom.box));
    }
    made.width += lean;
    made.accent = made.width / 2;
    return made;
}

MathBox MathLayout::fraction(const MathNode& node, Style outer) const {
    const Style style = node.styled ? Style{.size = node.style, .cramped = outer.cramped} : outer;
    MathBox top = this->node(node.children[0], style.numerator());
    MathBox bottom = this->node(node.children[1], style.denominator());
    const bool display = style.display();
    const qreal middle = axis(style), rule = node.ruled ? size(FractionRuleThickness, style) : 0;
    qreal up = 0, down = 0;
    if (node.ruled) {
        const qreal topGap = size(display ? FractionNumeratorDisplayStyleGapMin : FractionNumeratorGapMin, style);
        const qreal bottomGap =
            size(display ? FractionDenominatorDisplayStyleGapMin : FractionDenominatorGapMin, style);
        up = std::max(size(display ? FractionNumeratorDisplayStyleShiftUp : FractionNumeratorShiftUp, style),
                      middle + rule / 2 + topGap + top.descent);
        down = std::max(size(display ? FractionDenominatorDisplayStyleShiftDown : FractionDenominatorShiftDown, style),
                        bottomGap + rule / 2 - middle + bottom.ascent);
    } else {
        up = size(display ? StackTopDisplayStyleShiftUp : StackTopShiftUp, style);
        down = size(display ? StackBottomDisplayStyleShiftDown : StackBottomShiftDown, style);
        const qreal lacks =
            size(display ? StackDisplayStyleGapMin : StackGapMin, style) - (up - top.descent + down - bottom.ascent);
        up += std::max(0.0, lacks / 2);
        down += std::max(0.0, lacks / 2);
    }
    MathBox made;
    const qreal width = std::max(top.width, bottom.width), margin = kNullFence * em(style);
    const qreal topX = margin + (width - top.width) / 2, bottomX = margin + (width - bottom.width) / 2;
    made.put(std::move(top), topX, up);
    made.put(std::move(bottom), bottomX, -down);
    made.width = width + 2 * margin;
    if (node.ruled) {
        made.addRule({margin, -middle - rule / 2, width, rule});
        return made;
    }
    MathBox within;
    const qreal height = fenceHeight(made, style);
    made.width = width;
    for (auto& [place, part] : made.parts) place.rx() -= margin;
    within.append(fence(U'(', height, style));
    within.append(std::move(made));
    within.append(fence(U')', height, style));
    return within;
}

MathBox MathLayout::root(const MathNode& node, Style style) const {
    MathBox content = this->node(node.children[0], style.crampedOne());
    const qreal rule = size(RadicalRuleThickness, style);
    qreal gap = size(style.display() ? RadicalDisplayStyleVerticalGap : RadicalVerticalGap, style);
    MathBox sign = tall(0x221A, content.height() + gap + rule, style);
    gap = std::max(gap, (gap + sign.height() - rule - content.height()) / 2);
    const qreal top = content.ascent + gap + rule;

    MathBox made;
    qreal x = 0;
    if (node.children.size() > 1) {
        MathBox degree = this->node(node.children[1], {.size = MathStyle::ScriptScript, .cramped = style.cramped});
        const qreal raise = top - sign.height() + font_.sizes().degreeRaise * sign.height() + degree.descent;
        x = std::max(0.0, size(RadicalKernBeforeDegree, style)) + degree.width + size(RadicalKernAfterDegree, style);
        const qreal left = std::max(0.0, x - degree.width - size(RadicalKernAfterDegree, style));
        x = std::max(x, 0.0);
        made.put(std::move(degree), left, raise);
    }
    const qreal up = top - sign.ascent, signWidth = sign.width, contentWidth = content.width;
    // The sign moves with its line, so that they meet.
    for (MathInk& ink : sign.inks) {
        if (const auto* glyph = std::get_if<GlyphInk>(&ink.what)) {
            const MathGlyph form{.face = glyph->face, .index = glyph->index};
            ink.what = OutlineInk{.path = outline(form, style), .ruleTop = 0};
        }
        if (auto* path = std::get_if<OutlineInk>(&ink.what)) path->ruleTop = -sign.ascent;
    }
    made.put(std::move(sign), x, up);
    made.put(std::move(content), x + signWidth, 0);
    made.addRule({x + signWidth, -top, contentWidth, rule});
    made.width = x + signWidth + contentWidth + mu(1, style);
    made.ascent += size(RadicalExtraAscender, style);
    return made;
}

MathBox MathLayout::scripts(const MathNode& node, Style style) const {
    const MathNode &base = node.children[0], &below = node.children[1], &above = node.children[2];
    const bool stacked = node.limits == MathLimits::Above || (node.limits == MathLimits::Automatic && style.display());
    MathBox made = this->node(base, style);
    if (stacked) return limits(std::move(made), below, above, style);
    return besideScripts(std::move(made), below, above, style);
}

/// Lays out the superscript. Primes among it have a height of their own: they are drawn as tall as the base.
MathBox MathLayout::superscript(const MathNode& above, const MathBox& base, Style style, qreal* up) const {
    size_t primes = 0;
    if (above.kind == Kind::Row)
        while (primes < above.children.size() && above.children[primes].kind == Kind::Symbol &&
               above.children[primes].character == kPrime)
            ++primes;
    MathBox raised;
    if (primes == 0)
        raised = node(above, style.above());
    else if (primes < above.children.size())
        raised = row(std::span(above.children).subspan(primes), style.above());
    const bool tallBase = !base.glyph;
    *up = std::max({tallBase ? base.ascent - size(SuperscriptBaselineDropMax, style) : 0.0,
                    size(style.cramped ? SuperscriptShiftUpCramped : SuperscriptShiftUp, style),
                    raised.descent + size(SuperscriptBottomMin, style)});
    if (primes == 0) return raised;
    MathBox made;
    for (size_t i = 0; i < primes; ++i) {
        MathBox prime = character(kPrime, MathAlphabet::Normal, style);
        const qreal lift = std::max(0.0, base.ascent - prime.ascent), x = made.width;
        made.width += prime.width;
        made.put(std::move(prime), x, lift - *up);
    }
    const qreal x = made.width;
    made.width += raised.width;
    made.put(std::move(raised), x, 0);
    return made;
}

MathBox MathLayout::besideScripts(MathBox base, const MathNode& below, const MathNode& above, Style style) const {
    qreal up = 0, down = 0;
    MathBox raised, lowered;
    if (!above.empty()) raised = superscript(above, base, style, &up);
    if (!below.empty()) {
        lowered = node(below, style.below());
        down = std::max({base.glyph ? 0.0 : base.descent + size(SubscriptBaselineDropMin, style),
                         size(SubscriptShiftDown, style), lowered.ascent - size(SubscriptTopMax, style)});
    }
    if (!above.empty() && !below.empty()) {
        const qreal lacks = size(SubSuperscriptGapMin, style) - (up - raised.descent + down - lowered.ascent);
        if (lacks > 0) {
            // The superscript rises first, but not so far that it hangs in the air.
            const qreal room = size(SuperscriptBottomMaxWithSubscript, style) - (up - raised.descent);
            const qreal rise = std::clamp(room, 0.0, lacks);
            up += rise;
            down += lacks - rise;
        }
    }
    MathBox made;
    const qreal aboveX = base.width + base.italic, belowX = base.width;
    made.reach = base.reach;
    const qreal width = std::max(above.empty() ? 0 : aboveX + raised.width, below.empty() ? 0 : belowX + lowered.width);
    made.put(std::move(base), 0, 0);
    if (!above.empty()) made.put(std::move(raised), aboveX, up);
    if (!below.empty()) made.put(std::move(lowered), belowX, -down);
    made.width = width + size(SpaceAfterScript, style);
    made.accent = made.width / 2;
    return made;
}

MathBox MathLayout::limits(MathBox base, const MathNode& below, const MathNode& above, Style style) const {
    MathBox over, under;
    if (!above.empty()) over = node(above, style.above());
    if (!below.empty()) under = node(below, style.below());
    const qreal lean = base.italic / 2, width = std::max({base.width, over.width, under.width});
    const qreal baseX = (width - base.width) / 2, overX = (width - over.width) / 2 + lean,
                underX = (width - under.width) / 2 - lean;
    const qreal up =
        base.ascent + std::max(size(UpperLimitGapMin, style) + over.descent, size(UpperLimitBaselineRiseMin, style));
    const qreal down =
        base.descent + std::max(size(LowerLimitGapMin, style) + under.ascent, size(LowerLimitBaselineDropMin, style));
    MathBox made;
    made.put(std::move(base), baseX, 0);
    if (!above.empty()) made.put(std::move(over), overX, up);
    if (!below.empty()) made.put(std::move(under), underX, -down);
    made.width = width;
    made.accent = width / 2;
    return made;
}

MathBox MathLayout::accent(const MathNode& node, Style style) const {
    const MathNode& inner = core(node.children[0]);
    MathBox base;
    // The accent takes the place of the dot.
    const bool dotted = inner.kind == Kind::Symbol && (inner.character == U'i' || inner.character == U'j');
    if (dotted)
        base = character(inner.character == U'i' ? 0x131 : 0x237, inner.alphabet, style.crampedOne());
    else
        base = this->node(inner, style.crampedOne());
    if (!base.glyph) base.accent = base.width / 2;
    MathBox mark = node.wide ? wide(node.character, base.width, style) : character(node.character, {}, style);
    const qreal up = base.ascent - std::min(base.ascent, size(AccentBaseHeight, style));
    const qreal x = base.accent - mark.accent;
    MathBox made;
    made.width = base.width;
    made.italic = base.italic;
    made.glyph = base.glyph;
    made.slanted = base.slanted;
    made.reach = base.reach;
    made.accent = base.accent;
    made.put(std::move(base), 0, 0);
    made.put(std::move(mark), x, up);
    return made;
}

MathBox MathLayout::line(const MathNode& node, Style style) const {
    MathBox base = this->node(node.children[0], node.below ? style : style.crampedOne());
    const qreal rule = size(node.below ? UnderbarRuleThickness : OverbarRuleThickness, style);
    const qreal gap = size(node.below ? UnderbarVerticalGap : OverbarVerticalGap, style);
    const qreal width = base.width + (base.glyph ? base.italic : 0);
    const qreal y = node.below ? base.descent + gap : -base.ascent - gap - rule;
    MathBox made;
    made.put(std::move(base), 0, 0);
    made.addRule({0, y, width, rule});
    made.width = width;
    made.accent = width / 2;
    (node.below ? made.descent : made.ascent) +=
        size(node.below ? UnderbarExtraDescender : OverbarExtraAscender, style);
    return made;
}

MathBox MathLayout::brace(const MathNode& node, Style style) const {
    MathBox base = this->node(node.children[0], style);
    const bool arrow = node.character >= 0x2190 && node.character <= 0x2194;
    MathBox mark = arrow ? wide(node.character, base.width, style) : spanningBrace(node.character, base.width, style);
    const qreal gap = size(node.below ? UnderbarVerticalGap : OverbarVerticalGap, style);
    const qreal width = std::max(base.width, mark.width);
    const qreal up = node.below ? -base.descent - gap - mark.ascent : base.ascent + gap + mark.descent;
    const qreal baseX = (width - base.width) / 2, markX = (width - mark.width) / 2;
    MathBox made;
    made.put(std::move(base), baseX, 0);
    made.put(std::move(mark), markX, up);
    made.width = width;
    made.accent = width / 2;
    return made;
}

MathBox MathLayout::arrow(const MathNode& node, Style style) const {
    MathBox under, over;
    if (!node.children[0].empty()) under = this->node(node.children[0], style.below());
    if (!node.children[1].empty()) over = this->node(node.children[1], style.above());
    const qreal labels = std::max(under.width, over.width);
    MathBox mark = wide(node.character, std::max(labels + 2 * kArrowMargin * em(style), 1.6 * em(style)), style);
    const qreal width = mark.width, gap = size(UpperLimitGapMin, style) * 0.8;
    const qreal up = mark.ascent + gap + over.descent, down = mark.descent + gap + under.ascent;
    const qreal overX = (width - over.width) / 2, underX = (width - under.width) / 2;
    MathBox made;
    made.put(std::move(mark), 0, 0);
    if (!node.children[1].empty()) made.put(std::move(over), overX, up);
    if (!node.children[0].empty()) made.put(std::move(under), underX, -down);
    made.width = width;
    return made;
}

/// Returns the height that a fence around the content needs (rule 19): nearly all of it, even about the axis.
qreal MathLayout::fenceHeight(const MathBox& content, Style style) const {
    constexpr qreal kShare = 0.901, kShortfall = 0.5; // \delimiterfactor, and \delimitershortfall in em
    const qreal half = std::max(content.ascent - axis(style), content.descent + axis(style));
    return std::max(2 * half * kShare, 2 * half - kShortfall * em(style));
}

MathBox MathLayout::fenced(const MathNode& node, Style style) const {
    std::vector<MathBox> contents;
    contents.reserve(node.children.size());
    qreal height = 0;
    for (const MathNode& child : node.children) {
        contents.push_back(this->node(child, style));
        height = std::max(height, fenceHeight(contents.back(), style));
    }
    MathBox made;
    for (size_t i = 0; i < contents.size(); ++i) {
        made.append(fence(node.text[static_cast<qsizetype>(i)].unicode(), height, style));
        contents[i].width += contents[i].glyph ? contents[i].italic : 0;
        made.append(std::move(contents[i]));
    }
    made.append(fence(node.text.back().unicode(), height, style));
    made.accent = made.width / 2;
    return made;
}

MathBox MathLayout::framed(const MathNode& node, Style style) const {
    MathBox content = this->node(node.children[0], style);
    const qreal gap = kFrame * em(style), rule = kFrameRule * em(style);
    const qreal width = content.width + 2 * (gap + rule);
    const qreal top = content.ascent + gap + rule, bottom = content.descent + gap;
    MathBox made;
    made.put(std::move(content), gap + rule, 0);
    made.addRule({0, -top, width, rule});
    made.addRule({0, bottom, width, rule});
    made.addRule({0, -top, rule, top + bottom + rule});
    made.addRule({width - rule, -top, rule, top + bottom + rule});
    made.width = width;
    return made;
}

MathBox MathLayout::struck(const MathNode& node, Style style) const {
    MathBox made = this->node(node.children[0], style);
    const qreal reach = 0.1 * em(style), half = size(OverbarRuleThickness, style) / 2;
    const QRectF area(-reach, -made.ascent - reach, made.width + 2 * reach, made.height() + 2 * reach);
    const auto stroke = [&](QPointF from, QPointF to) {
        const QLineF along(from, to);
        const QPointF side = QPointF(along.dy(), -along.dx()) * half / std::max(along.length(), 1.0);
        QPainterPath path;
        path.addPolygon(QPolygonF({from + side, to + side, to - side, from - side}));
        path.closeSubpath();
        const QRectF covers = path.boundingRect();
        made.inks.push_back({.what = OutlineInk{.path = std::move(path), .ruleTop = 0}, .covers = covers});
    };
    if (node.character != U'\\') stroke(area.bottomLeft(), area.topRight());
    if (node.character != U'/') stroke(area.topLeft(), area.bottomRight());
    made.glyph = false;
    return made;
}

MathBox MathLayout::negated(const MathNode& node, Style style) const {
    MathBox relation = this->node(node.children[0], style);
    MathBox slash = character(U'/', MathAlphabet::Roman, style);
    const qreal x = (relation.width - slash.width) / 2;
    const qreal up = (relation.ascent - relation.descent) / 2 - (slash.ascent - slash.descent) / 2;
    MathBox made;
    made.width = relation.width;
    made.put(std::move(relation), 0, 0);
    made.put(std::move(slash), x, up);
    return made;
}

} // namespace coterie::app
