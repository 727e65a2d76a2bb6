// SPDX-License-Identifier: Apache-2.0
// See math_font.h.
#include "text/math/math_font.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QFontMetricsF>

#include <algorithm>

namespace coterie::app {
namespace {

/// Fonts for mathematics, the ones that go best with the body's first: sturdy strokes beside Inter.
constexpr const char* kFamilies[] = {
    "TeX Gyre Pagella Math", "STIX Two Math", "TeX Gyre Termes Math", "Cambria Math", "Latin Modern Math",
    "DejaVu Math TeX Gyre",  "STIX Math"};
constexpr qreal kDesignSize = 1000; ///< px; most of these fonts have 1,000 units to the em
constexpr size_t kKept = 6;         ///< body, thought and headings, at two scales
constexpr qreal kSmallestPx = 7;    ///< smaller scripts can't be read

/// Faces after the one for mathematics.
enum Fallback : size_t { Body, BodyItalic, BodyBold, BodyBoldItalic, Signs, SignsItalic, FallbackCount };

std::vector<std::shared_ptr<const MathFont>>& kept() {
    static std::vector<std::shared_ptr<const MathFont>> fonts;
    return fonts;
}

// Fonts must be gone before the application is.
void forgetFonts() { kept().clear(); }

QString installedFamily() {
    for (const char* family : kFamilies)
        if (QFontDatabase::hasFamily(QString::fromLatin1(family))) return QString::fromLatin1(family);
    return {};
}

bool isLatin(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'); }
bool isSmallGreek(char32_t c) {
    return (c >= 0x3B1 && c <= 0x3C9) || c == 0x2202 || c == 0x3D1 || c == 0x3D5 || c == 0x3D6 || c == 0x3F0 ||
           c == 0x3F1 || c == 0x3F5;
}
bool isCapitalGreek(char32_t c) { return (c >= 0x391 && c <= 0x3A9) || c == 0x2207; }

/// The letters that Unicode had before it had the alphabets.
char32_t earlierLetter(char32_t c, MathAlphabet alphabet) {
    struct Letter {
        char32_t letter;
        MathAlphabet alphabet;
        char32_t code;
    };
    using enum MathAlphabet;
    constexpr Letter kLetters[] = {
        {U'h', Italic, 0x210E},       {U'B', Script, 0x212C},       {U'E', Script, 0x2130},
        {U'F', Script, 0x2131},       {U'H', Script, 0x210B},       {U'I', Script, 0x2110},
        {U'L', Script, 0x2112},       {U'M', Script, 0x2133},       {U'R', Script, 0x211B},
        {U'e', Script, 0x212F},       {U'g', Script, 0x210A},       {U'o', Script, 0x2134},
        {U'C', Fraktur, 0x212D},      {U'H', Fraktur, 0x210C},      {U'I', Fraktur, 0x2111},
        {U'R', Fraktur, 0x211C},      {U'Z', Fraktur, 0x2128},      {U'C', DoubleStruck, 0x2102},
        {U'H', DoubleStruck, 0x210D}, {U'N', DoubleStruck, 0x2115}, {U'P', DoubleStruck, 0x2119},
        {U'Q', DoubleStruck, 0x211A}, {U'R', DoubleStruck, 0x211D}, {U'Z', DoubleStruck, 0x2124},
    };
    for (const Letter& one : kLetters)
        if (one.letter == c && one.alphabet == alphabet) return one.code;
    return 0;
}

/// The first letters and digits of an alphabet in Unicode's block Mathematical Alphanumeric Symbols; 0: it has none.
struct Alphabet {
    char32_t latin = 0, greek = 0, digits = 0;
};
constexpr Alphabet kAlphabets[] = {
    {},                                                      // Normal
    {},                                                      // Roman
    {.latin = 0x1D400, .greek = 0x1D6A8, .digits = 0x1D7CE}, // Bold
    {.latin = 0x1D434, .greek = 0x1D6E2},                    // Italic
    {.latin = 0x1D468, .greek = 0x1D71C, .digits = 0x1D7CE}, // BoldItalic
    {.latin = 0x1D538, .digits = 0x1D7D8},                   // DoubleStruck
    {.latin = 0x1D49C},                                      // Script
    {.latin = 0x1D504},                                      // Fraktur
    {.latin = 0x1D5A0, .digits = 0x1D7E2},                   // Sans
    {.latin = 0x1D670, .digits = 0x1D7F6},                   // Typewriter
};
const Alphabet& of(MathAlphabet alphabet) { return kAlphabets[static_cast<size_t>(alphabet)]; }

char32_t latin(char32_t c, MathAlphabet alphabet) {
    if (const char32_t earlier = earlierLetter(c, alphabet)) return earlier;
    const char32_t first = of(alphabet).latin, place = c >= U'a' ? c - U'a' + 26 : c - U'A';
    return first != 0 ? first + place : c;
}

/// The alphabets have 58 places: 25 capital letters and nabla, 25 small ones, then seven variants.
char32_t greekPlace(char32_t c) {
    constexpr char32_t kVariants[] = {0x2202, 0x3F5, 0x3D1, 0x3F0, 0x3D5, 0x3F1, 0x3D6};
    if (c == 0x2207) return 25;
    if (c <= 0x3A9) return c - 0x391;
    if (c >= 0x3B1 && c <= 0x3C9) return 26 + c - 0x3B1;
    return 51 + static_cast<char32_t>(std::find(std::begin(kVariants), std::end(kVariants), c) - kVariants);
}

char32_t greek(char32_t c, MathAlphabet alphabet) {
    const char32_t first = of(alphabet).greek;
    return first != 0 ? first + greekPlace(c) : c;
}

char32_t digit(char32_t c, MathAlphabet alphabet) {
    const char32_t first = of(alphabet).digits;
    return first != 0 ? first + c - U'0' : c;
}

quint64 keyOf(MathGlyph glyph) { return static_cast<quint64>(glyph.face) << 32 | glyph.index; }

bool isBold(MathAlphabet alphabet) { return alphabet == MathAlphabet::Bold || alphabet == MathAlphabet::BoldItalic; }

bool isItalic(char32_t c, MathAlphabet alphabet) {
    if (alphabet == MathAlphabet::Normal) return isLatin(c) || isSmallGreek(c);
    return alphabet == MathAlphabet::Italic || alphabet == MathAlphabet::BoldItalic;
}

} // namespace

char32_t mathAlphanumeric(char32_t c, MathAlphabet alphabet) {
    const bool italic = isItalic(c, alphabet) && alphabet == MathAlphabet::Normal;
    const MathAlphabet used = italic ? MathAlphabet::Italic : alphabet;
    if (isLatin(c)) return latin(c, used);
    if (isSmallGreek(c) || isCapitalGreek(c)) return greek(c, used);
    if (c >= U'0' && c <= U'9') return digit(c, used);
    if (c == 0x131 && used != MathAlphabet::Roman) return 0x1D6A4; // i and j without their dots
    if (c == 0x237 && used != MathAlphabet::Roman) return 0x1D6A5;
    return c;
}

std::shared_ptr<const MathFont> MathFont::of(const QFont& body) {
    auto& fonts = kept();
    const auto found = std::find_if(fonts.begin(), fonts.end(), [&](const auto& one) { return one->asked_ == body; });
    if (found != fonts.end()) {
        std::rotate(fonts.begin(), found, found + 1);
        return fonts.front();
    }
    static const bool forgets = [] {
        qAddPostRoutine(forgetFonts);
        return true;
    }();
    Q_UNUSED(forgets);
    if (fonts.size() >= kKept) fonts.pop_back();
    fonts.insert(fonts.begin(), std::make_shared<const MathFont>(body, installedFamily()));
    return fonts.front();
}

MathFont::MathFont(const QFont& body, const QString& family) : asked_(body), body_(body) {
    body_.setStyleStrategy(QFont::PreferAntialias);
    bodySize_ = std::max(1, QFontInfo(body_).pixelSize());
    QFont first = body_;
    if (!family.isEmpty()) first.setFamilies({family});
    first.setBold(false);
    first.setItalic(false);
    first.setPixelSize(static_cast<int>(kDesignSize));
    const QFontMetricsF own(first);
    QFont large = body_;
    large.setPixelSize(static_cast<int>(kDesignSize));
    const QFontMetricsF bodys(large);
    // Small letters are a little smaller than the body's and capital ones a little larger, so that neither stands out.
    qreal scale = 1;
    if (!family.isEmpty() && own.xHeight() > 0 && own.capHeight() > 0)
        scale = std::clamp((bodys.xHeight() / own.xHeight() + bodys.capHeight() / own.capHeight()) / 2, 0.8, 1.25);

    const QRawFont design = QRawFont::fromFont(first);
    std::optional<OpenTypeMath> table;
    if (!family.isEmpty() && design.unitsPerEm() >= 1)
        table = readOpenTypeMath(design.fontTable("MATH"), design.unitsPerEm());
    hasTable_ = table.has_value();
    const qreal axis = QFontMetricsF(large).tightBoundingRect(QString(QChar(0x2212))).center().y() / -kDesignSize;
    sizes_ = table ? std::move(*table) : plainMath(bodys.xHeight() / kDesignSize, axis);
    const qreal em = bodySize_ * scale;
    em_ = {em, em, std::max(kSmallestPx, em * sizes_.scriptScale),
           std::max(kSmallestPx, em * sizes_.scriptScriptScale)};

    addFace(first);
    QFont italic = body_, bold = body_;
    italic.setItalic(true);
    bold.setBold(true);
    QFont boldItalic = italic;
    boldItalic.setBold(true);
    QFont signs(QStringLiteral("DejaVu Sans")), signsItalic = signs;
    signsItalic.setItalic(true);
    for (const QFont& font : {body_, italic, bold, boldItalic, signs, signsItalic}) addFace(font);
}

void MathFont::addFace(QFont font) {
    Face face;
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setPixelSize(static_cast<int>(kDesignSize));
    face.design = QRawFont::fromFont(font);
    // Hinting in height alone keeps lines sharp and leaves the places of glyphs as they are.
    font.setHintingPreference(QFont::PreferVerticalHinting);
    face.sized[0] = QRawFont::fromFont(font);
    for (const MathStyle style : {MathStyle::Text, MathStyle::Script, MathStyle::ScriptScript})
        face.sized[static_cast<size_t>(style)] = face.sized[0];
    // The body's own faces have the body's size; the font for mathematics is scaled to it.
    for (size_t style = 0; style < face.sized.size(); ++style) face.sized[style].setPixelSize(em_[style]);
    faces_.push_back(std::move(face));
}

bool MathFont::supports(size_t face, char32_t character) const {
    return face < faces_.size() && faces_[face].design.isValid() && faces_[face].design.supportsCharacter(character);
}

MathGlyph MathFont::glyphOf(size_t face, char32_t character) const {
    const QList<quint32> glyphs = faces_[face].design.glyphIndexesForString(QString::fromUcs4(&character, 1));
    if (glyphs.isEmpty() || glyphs.front() == 0) return {};
    return {.face = static_cast<int>(face), .index = glyphs.front()};
}

MathGlyph MathFont::find(char32_t character, MathAlphabet alphabet) const {
    const char32_t mapped = mathAlphanumeric(character, alphabet);
    if (hasTable_ && supports(0, mapped)) return glyphOf(0, mapped);
    if (hasTable_ && supports(0, character)) return glyphOf(0, character);
    const bool italic = isItalic(character, alphabet), bold = isBold(alphabet);
    const size_t face = bold ? (italic ? BodyBoldItalic : BodyBold) : (italic ? BodyItalic : Body);
    const bool lettered =
        alphabet == MathAlphabet::DoubleStruck || alphabet == MathAlphabet::Script || alphabet == MathAlphabet::Fraktur;
    if (lettered && mapped != character && supports(1 + Signs, mapped)) return glyphOf(1 + Signs, mapped);
    if (supports(1 + face, character)) return glyphOf(1 + face, character);
    const size_t signs = 1 + (italic ? SignsItalic : Signs);
    if (supports(signs, character)) return glyphOf(signs, character);
    return {};
}

const MathShape& MathFont::shape(MathGlyph glyph) const {
    const auto found = shapes_.constFind(keyOf(glyph));
    return found != shapes_.constEnd() ? *found : *shapes_.insert(keyOf(glyph), measure(glyph));
}

MathShape MathFont::measure(MathGlyph glyph) const {
    MathShape shape;
    const QRawFont& design = faces_[static_cast<size_t>(glyph.face)].design;
    const QList<QPointF> advances = design.advancesForGlyphIndexes({glyph.index});
    shape.advance = advances.isEmpty() ? 0 : advances.front().x() / kDesignSize;
    shape.ink = outline(glyph).boundingRect();
    shape.accent = shape.ink.center().x();
    if (glyph.face == 0 && hasTable_) {
        shape.italic = sizes_.italics.value(glyph.index, 0);
        shape.accent = sizes_.accentPlaces.value(glyph.index, shape.accent);
    } else {
        shape.italic = std::max(0.0, shape.ink.right() - shape.advance);
    }
    return shape;
}

QPainterPath MathFont::outline(MathGlyph glyph) const {
    const auto found = outlines_.constFind(keyOf(glyph));
    if (found != outlines_.constEnd()) return *found;
    const QPainterPath large = faces_[static_cast<size_t>(glyph.face)].design.pathForGlyph(glyph.index);
    QPainterPath path = QTransform::fromScale(1 / kDesignSize, 1 / kDesignSize).map(large);
    path.setFillRule(Qt::WindingFill);
    return *outlines_.insert(keyOf(glyph), path);
}

const MathForms* MathFont::verticalForms(MathGlyph glyph) const {
    if (!hasTable_ || glyph.face != 0) return nullptr;
    const auto found = sizes_.vertical.constFind(glyph.index);
    return found == sizes_.vertical.constEnd() ? nullptr : &*found;
}

const MathForms* MathFont::horizontalForms(MathGlyph glyph) const {
    if (!hasTable_ || glyph.face != 0) return nullptr;
    const auto found = sizes_.horizontal.constFind(glyph.index);
    return found == sizes_.horizontal.constEnd() ? nullptr : &*found;
}

const QRawFont& MathFont::rawFont(int face, MathStyle style) const {
    return faces_[static_cast<size_t>(face)].sized[static_cast<size_t>(style)];
}

} // namespace coterie::app
