// SPDX-License-Identifier: Apache-2.0
// Reader of the table MATH of an OpenType font: the sizes that a formula is laid out with, and the taller and wider
// forms of glyphs. It has the parts that the layout uses; cut-in kerns and device tables are not among them. A damaged
// table gives nothing or fewer entries; nothing is read outside it.
//
//     header:  version | constants | glyph info | variants              (offsets from the start of the table)
//     glyph info: italics corrections | attachment of accents           (each a coverage and values)
//     variants: overlap | coverages | counts | offsets of constructions (each an assembly and a list of variants)
#pragma once

#include <QByteArray>
#include <QHash>

#include <array>
#include <optional>
#include <vector>

namespace coterie::app {

/// Constants of the table, in its order and by its names. Their values are shares of an em, percentages excepted.
enum class MathConstant : uint8_t {
    Leading,
    AxisHeight,
    AccentBaseHeight,
    FlattenedAccentBaseHeight,
    SubscriptShiftDown,
    SubscriptTopMax,
    SubscriptBaselineDropMin,
    SuperscriptShiftUp,
    SuperscriptShiftUpCramped,
    SuperscriptBottomMin,
    SuperscriptBaselineDropMax,
    SubSuperscriptGapMin,
    SuperscriptBottomMaxWithSubscript,
    SpaceAfterScript,
    UpperLimitGapMin,
    UpperLimitBaselineRiseMin,
    LowerLimitGapMin,
    LowerLimitBaselineDropMin,
    StackTopShiftUp,
    StackTopDisplayStyleShiftUp,
    StackBottomShiftDown,
    StackBottomDisplayStyleShiftDown,
    StackGapMin,
    StackDisplayStyleGapMin,
    StretchStackTopShiftUp,
    StretchStackBottomShiftDown,
    StretchStackGapAboveMin,
    StretchStackGapBelowMin,
    FractionNumeratorShiftUp,
    FractionNumeratorDisplayStyleShiftUp,
    FractionDenominatorShiftDown,
    FractionDenominatorDisplayStyleShiftDown,
    FractionNumeratorGapMin,
    FractionNumeratorDisplayStyleGapMin,
    FractionRuleThickness,
    FractionDenominatorGapMin,
    FractionDenominatorDisplayStyleGapMin,
    SkewedFractionHorizontalGap,
    SkewedFractionVerticalGap,
    OverbarVerticalGap,
    OverbarRuleThickness,
    OverbarExtraAscender,
    UnderbarVerticalGap,
    UnderbarRuleThickness,
    UnderbarExtraDescender,
    RadicalVerticalGap,
    RadicalDisplayStyleVerticalGap,
    RadicalRuleThickness,
    RadicalExtraAscender,
    RadicalKernBeforeDegree,
    RadicalKernAfterDegree,
    Count
};

inline constexpr size_t kMathConstantCount = static_cast<size_t>(MathConstant::Count);

/// A piece of a glyph that grows: its length, and whether it may be stretched.
struct MathPart {
    quint32 glyph = 0;
    qreal advance = 0;
    bool extends = false;
};

/// Forms of a glyph that grows, from small to large, and the parts of one of any size, from the bottom or the left.
struct MathForms {
    struct Variant {
        quint32 glyph = 0;
        qreal advance = 0;
    };
    std::vector<Variant> variants{};
    std::vector<MathPart> parts{};
};

struct OpenTypeMath {
    std::array<qreal, kMathConstantCount> constants{};
    qreal scriptScale = 0.7, scriptScriptScale = 0.5;
    qreal displayOperatorHeight = 0;
    qreal degreeRaise = 0.6; ///< share of a root's height at which its index stands
    qreal overlap = 0;       ///< by which the parts of a glyph cover each other
    QHash<quint32, qreal> italics{}, accentPlaces{};
    QHash<quint32, MathForms> vertical{}, horizontal{};

    qreal operator[](MathConstant constant) const { return constants[static_cast<size_t>(constant)]; }
};

/// unitsPerEm: the font's, at least 1. Returns nothing if the table is missing or its constants are cut off.
std::optional<OpenTypeMath> readOpenTypeMath(const QByteArray& table, qreal unitsPerEm);

/// Returns sizes for a font without the table; `xHeight` and `axis` are shares of an em.
OpenTypeMath plainMath(qreal xHeight, qreal axis);

} // namespace coterie::app
