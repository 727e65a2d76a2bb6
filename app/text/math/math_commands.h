// SPDX-License-Identifier: Apache-2.0
// The listed set: every command and environment that a formula may have. README.md shows it to people.
#pragma once

#include "text/math/math_node.h"

#include <QStringView>

#include <span>

namespace coterie::app {

enum class MathCommandKind : uint8_t {
    Symbol,
    BigOperator, ///< limits above and below in display style
    Integral,    ///< limits beside it
    Name,        ///< an operator with a name
    LimitName,   ///< the same, with limits below
    Accent,
    WideAccent,
    Line, ///< overline, underline
    Brace,
    Arrow,
    Alphabet, ///< amount is the MathAlphabet
    TextFont, ///< text in the body's font; amount is the MathAlphabet
    Space,    ///< amount in mu
    Style,    ///< amount is the MathStyle
    Size,     ///< \big and its like: amount is the size, atom its class
    Fraction, ///< amount is the MathStyle, or -1
    Binomial, ///< the same
    Root,
    OperatorName,
    Left,
    Middle,
    Right,
    Begin,
    End,
    NewLine,
    Rule, ///< hline
    Not,
    Boxed,
    Cancel,
    Ignored,         ///< says nothing about the picture
    IgnoredArgument, ///< so does it and its argument
    Coloured,        ///< its first argument is ignored
    Tag,
    Stack, ///< one argument above (or below) the other
    Substack,
    Limits, ///< amount is the MathLimits
    Modulo, ///< amount: 0 within a row, 1 in brackets, 2 after a space
};

struct MathCommand {
    const char* name;
    MathCommandKind kind;
    char32_t character = 0;
    MathClass atom = MathClass::Ordinary;
    const char* words = nullptr; ///< said aloud; null: its name
    int amount = 0;
};

struct MathEnvironment {
    const char* name;
    TableForm form;
    const char* columns; ///< "*" before it: repeated for as many columns as there are
    char16_t left, right;
    MathStyle style;
};

/// All commands, sorted by nothing.
std::span<const MathCommand> mathCommands();
std::span<const MathEnvironment> mathEnvironments();

/// Returns null if the command (without its backslash) is not listed.
const MathCommand* mathCommand(QStringView name);
const MathEnvironment* mathEnvironment(QStringView name);
/// Finds a character that stands in the source itself: ASCII signs and the characters of listed symbols. Letters and
/// digits are not among them.
const MathCommand* mathCharacter(char32_t character);
bool isMathFence(char32_t character);

} // namespace coterie::app
