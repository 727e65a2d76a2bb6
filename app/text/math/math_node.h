// SPDX-License-Identifier: Apache-2.0
// The tree of a formula, as the parser makes it and the layout and the speech read it.
#pragma once

#include <QString>

#include <cstdint>
#include <vector>

namespace coterie::app {

/// Classes of atoms, in the order of the table of spaces in chapter 18 of The TeXbook.
enum class MathClass : uint8_t { Ordinary, Operator, Binary, Relation, Open, Close, Punctuation, Inner };

/// Shapes of letters. Normal is italic for Latin and small Greek letters, upright for digits and capital Greek ones.
enum class MathAlphabet : uint8_t {
    Normal,
    Roman,
    Bold,
    Italic,
    BoldItalic,
    DoubleStruck,
    Script,
    Fraktur,
    Sans,
    Typewriter
};

/// Sizes: a line of its own, within a line, in a script, in a script's script.
enum class MathStyle : uint8_t { Display, Text, Script, ScriptScript };

/// Places of an operator's scripts. Automatic is above and below in display style and beside it otherwise.
enum class MathLimits : uint8_t { Beside, Automatic, Above };

struct MathNode {
    enum class Kind : uint8_t {
        Row,      ///< children from left to right; none: nothing
        Symbol,   ///< character in alphabet; an operator among them grows in display style
        Name,     ///< text as the name of an operator
        Text,     ///< text in the body's font, bold or italic by alphabet
        Fraction, ///< numerator, denominator; ruled unless it is a binomial; styled: in `style`
        Root,     ///< radicand, and the index if there is one
        Scripts,  ///< base, below, above; an empty row where there is none
        Accent,   ///< base below the character; wide: the accent grows with it
        Line,     ///< base with a line above it; below: under it
        Brace,    ///< base with a brace, an arrow or a bracket (character) that spans it, above or below
        Arrow,    ///< an arrow (character) that grows with its labels: below, above
        Fence,    ///< a delimiter (character) of a fixed size (amount, 1 to 4)
        Fenced,   ///< contents between the delimiters in text, which grow with them; there is one more delimiter
        Table,    ///< rows of cells; see TableForm
        Space,    ///< amount in mu; 18 are one em
        Styled,   ///< the rest of a row in `style`
        Framed,   ///< base in a box
        Struck,   ///< base with a stroke from corner to corner: character is '/', '\\' or 'X'
        Negated,  ///< a relation with a stroke
    };

    Kind kind = Kind::Row;
    MathClass atom = MathClass::Ordinary;
    MathAlphabet alphabet = MathAlphabet::Normal;
    MathStyle style = MathStyle::Text;
    MathLimits limits = MathLimits::Beside;
    bool ruled = false; ///< a fraction has its line; a row of a table has a line above it, a table one at its end
    bool styled = false, wide = false, below = false;
    int8_t form = 0; ///< a table's TableForm
    char32_t character = 0;
    int amount = 0;
    const char* words = nullptr; ///< an accent, a brace or an arrow in speech, before translation
    QString text{};              ///< a table has its columns here, such as "l|cr"
    std::vector<MathNode> children{};

    bool empty() const { return kind == Kind::Row && children.empty(); }
};

/// Looks of tables.
enum class TableForm : int8_t { Matrix, Small, Cases, Aligned, Array, Stacked };

/// The delimiter that is not drawn, in the text of fenced contents.
inline constexpr QChar kNoFence = u'.';

} // namespace coterie::app
