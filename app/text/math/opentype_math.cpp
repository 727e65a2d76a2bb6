// SPDX-License-Identifier: Apache-2.0
// See opentype_math.h. The layout of the table is that of the OpenType specification, chapter MATH.
#include "text/math/opentype_math.h"

#include <algorithm>

namespace coterie::app {
namespace {

constexpr size_t kHeader = 10, kFirstValue = 8; ///< bytes before the offsets' end, and before the first value record
constexpr size_t kValueRecord = 4;              ///< a number and an offset to corrections for devices
constexpr size_t kPartRecord = 10;
constexpr int kMaxParts = 16;    ///< parts of an assembly; fonts have up to five
constexpr int kMaxVariants = 32; ///< forms of a glyph; fonts have up to fifteen

/// A font's numbers are big-endian. Places outside the table read as 0.
class Reader {
  public:
    Reader(const QByteArray& table, qreal unitsPerEm) : table_(table), unitsPerEm_(unitsPerEm) {}

    bool has(size_t at, size_t length) const {
        const auto size = static_cast<size_t>(table_.size());
        return at <= size && length <= size - at;
    }
    quint16 number(size_t at) const {
        if (!has(at, 2)) return 0;
        const auto byte = [&](size_t i) { return static_cast<quint8>(table_[static_cast<qsizetype>(i)]); };
        return static_cast<quint16>(byte(at) << 8 | byte(at + 1));
    }
    qreal length(size_t at) const { return number(at) / unitsPerEm_; }
    qreal value(size_t at) const { return static_cast<qint16>(number(at)) / unitsPerEm_; }

    /// Glyphs of a coverage table, in its order; no more than `most`.
    std::vector<quint32> coverage(size_t at, size_t most) const {
        std::vector<quint32> glyphs;
        const quint16 format = number(at), count = number(at + 2);
        if (format == 1) {
            for (size_t i = 0; i < count && glyphs.size() < most; ++i) glyphs.push_back(number(at + 4 + 2 * i));
        } else if (format == 2) {
            for (size_t i = 0; i < count; ++i) {
                const size_t range = at + 4 + 6 * i;
                if (!has(range, 6)) break;
                for (quint32 glyph = number(range); glyph <= number(range + 2) && glyphs.size() < most; ++glyph)
                    glyphs.push_back(glyph);
            }
        }
        return glyphs;
    }

  private:
    const QByteArray& table_;
    qreal unitsPerEm_;
};

/// Reads a coverage, a count and as many value records.
QHash<quint32, qreal> readValues(const Reader& reader, size_t at) {
    QHash<quint32, qreal> values;
    const size_t count = reader.number(at + 2);
    const std::vector<quint32> glyphs = reader.coverage(at + reader.number(at), count);
    for (size_t i = 0; i < glyphs.size(); ++i) values.insert(glyphs[i], reader.value(at + 4 + kValueRecord * i));
    return values;
}

MathForms readForms(const Reader& reader, size_t at) {
    MathForms forms;
    const int variants = std::min<int>(reader.number(at + 2), kMaxVariants);
    for (int i = 0; i < variants; ++i) {
        const size_t record = at + 4 + 4 * static_cast<size_t>(i);
        if (!reader.has(record, 4)) break;
        forms.variants.push_back({.glyph = reader.number(record), .advance = reader.length(record + 2)});
    }
    const quint16 offset = reader.number(at);
    if (offset == 0) return forms;
    const size_t assembly = at + offset;
    const int parts = std::min<int>(reader.number(assembly + kValueRecord), kMaxParts);
    for (int i = 0; i < parts; ++i) {
        const size_t record = assembly + kValueRecord + 2 + kPartRecord * static_cast<size_t>(i);
        if (!reader.has(record, kPartRecord)) break;
        forms.parts.push_back({.glyph = reader.number(record),
                               .advance = reader.length(record + 6),
                               .extends = (reader.number(record + 8) & 1) != 0});
    }
    return forms;
}

void readConstants(const Reader& reader, size_t at, OpenTypeMath& math) {
    math.scriptScale = std::clamp(static_cast<qint16>(reader.number(at)) / 100.0, 0.3, 1.0);
    math.scriptScriptScale = std::clamp(static_cast<qint16>(reader.number(at + 2)) / 100.0, 0.3, 1.0);
    math.displayOperatorHeight = reader.length(at + 6);
    for (size_t i = 0; i < kMathConstantCount; ++i)
        math.constants[i] = reader.value(at + kFirstValue + kValueRecord * i);
    math.degreeRaise = static_cast<qint16>(reader.number(at + kFirstValue + kValueRecord * kMathConstantCount)) / 100.0;
}

// Proportions of Computer Modern (The TeXbook, appendix G), under OpenType's names.
using enum MathConstant;
constexpr qreal kRule = 0.05, kTeXHeight = 0.431;
struct Proportion {
    MathConstant constant;
    qreal share;
};
constexpr Proportion kProportions[] = {
    {AccentBaseHeight, kTeXHeight},
    {SubscriptShiftDown, 0.2},
    {SubscriptTopMax, 0.345},
    {SubscriptBaselineDropMin, 0.1},
    {SuperscriptShiftUp, 0.4},
    {SuperscriptShiftUpCramped, 0.29},
    {SuperscriptBottomMin, 0.108},
    {SuperscriptBaselineDropMax, 0.3},
    {SubSuperscriptGapMin, 4 * kRule},
    {SuperscriptBottomMaxWithSubscript, 0.345},
    {SpaceAfterScript, 0.05},
    {UpperLimitGapMin, 0.12},
    {UpperLimitBaselineRiseMin, 0.2},
    {LowerLimitGapMin, 0.167},
    {LowerLimitBaselineDropMin, 0.6},
    {StackTopShiftUp, 0.444},
    {StackTopDisplayStyleShiftUp, 0.677},
    {StackBottomShiftDown, 0.345},
    {StackBottomDisplayStyleShiftDown, 0.686},
    {StackGapMin, 3 * kRule},
    {StackDisplayStyleGapMin, 7 * kRule},
    {FractionNumeratorShiftUp, 0.394},
    {FractionNumeratorDisplayStyleShiftUp, 0.677},
    {FractionDenominatorShiftDown, 0.345},
    {FractionDenominatorDisplayStyleShiftDown, 0.686},
    {FractionNumeratorGapMin, kRule},
    {FractionNumeratorDisplayStyleGapMin, 3 * kRule},
    {FractionRuleThickness, kRule},
    {FractionDenominatorGapMin, kRule},
    {FractionDenominatorDisplayStyleGapMin, 3 * kRule},
    {OverbarVerticalGap, 3 * kRule},
    {OverbarRuleThickness, kRule},
    {OverbarExtraAscender, kRule},
    {UnderbarVerticalGap, 3 * kRule},
    {UnderbarRuleThickness, kRule},
    {UnderbarExtraDescender, kRule},
    {RadicalVerticalGap, 1.25 * kRule},
    {RadicalDisplayStyleVerticalGap, kRule + kTeXHeight / 4},
    {RadicalRuleThickness, kRule},
    {RadicalExtraAscender, kRule},
    {RadicalKernBeforeDegree, 0.28},
    {RadicalKernAfterDegree, -0.5},
};

} // namespace

std::optional<OpenTypeMath> readOpenTypeMath(const QByteArray& table, qreal unitsPerEm) {
    const Reader reader(table, unitsPerEm);
    if (!reader.has(0, kHeader)) return std::nullopt;
    const size_t constants = reader.number(4), glyphs = reader.number(6), variants = reader.number(8);
    if (constants == 0 || !reader.has(constants, kFirstValue + kValueRecord * kMathConstantCount + 2))
        return std::nullopt;
    OpenTypeMath math;
    readConstants(reader, constants, math);
    if (glyphs != 0) {
        if (const size_t italics = reader.number(glyphs)) math.italics = readValues(reader, glyphs + italics);
        if (const size_t accents = reader.number(glyphs + 2)) math.accentPlaces = readValues(reader, glyphs + accents);
    }
    if (variants == 0) return math;
    math.overlap = reader.length(variants);
    const size_t vertical = reader.number(variants + 6), horizontal = reader.number(variants + 8);
    const auto read = [&](size_t coverage, size_t first, size_t count, QHash<quint32, MathForms>& to) {
        if (coverage == 0) return;
        const std::vector<quint32> covered = reader.coverage(variants + coverage, count);
        for (size_t i = 0; i < covered.size(); ++i)
            if (const size_t offset = reader.number(variants + 10 + 2 * (first + i)))
                to.insert(covered[i], readForms(reader, variants + offset));
    };
    read(reader.number(variants + 2), 0, vertical, math.vertical);
    read(reader.number(variants + 4), vertical, horizontal, math.horizontal);
    return math;
}

OpenTypeMath plainMath(qreal xHeight, qreal axis) {
    OpenTypeMath math;
    for (const Proportion& one : kProportions) math.constants[static_cast<size_t>(one.constant)] = one.share;
    math.constants[static_cast<size_t>(MathConstant::AccentBaseHeight)] = xHeight;
    math.constants[static_cast<size_t>(MathConstant::AxisHeight)] = axis;
    math.displayOperatorHeight = 1.3;
    return math;
}

} // namespace coterie::app
