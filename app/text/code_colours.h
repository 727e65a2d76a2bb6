// SPDX-License-Identifier: Apache-2.0
// Colours of source code, line by line: keywords, strings, comments and so on in the languages of code_languages.h. It
// is made for reading, not for compiling: it knows no grammar, and wrong code gets some colours too. Each line is read
// once, so that the time rises with the text alone. Use each object on one thread at a time; different objects may be
// on different threads. Nothing fails: text that no rule matches is plain.
//
//     CodeColours colours(QStringLiteral("cpp"));
//     for (QStringView line : lines) paint(line, colours.nextLine(line));
//
// An object is small. To colour a last line again while it grows, keep a copy of the object from before that line:
//
//     CodeColours again = before;
//     paint(line, again.nextLine(line));
#pragma once

#include <QString>

#include <array>
#include <vector>

namespace coterie::app {

struct LoadedLanguage;

/// Each but Plain has a colour in ui/Style/Theme.qml.
enum class CodeColour : uint8_t {
    Plain,        ///< everything else, in the colour of text
    Keyword,      ///< also values with a name (true, null), tags, instructions, headings
    Type,         ///< also selectors and sections
    Function,     ///< also commands and targets
    String,       ///< also regular expressions, formulas, block texts
    Number,       ///< also colours and entities
    Comment,      ///< also documentation
    Preprocessor, ///< also attributes, annotations, marks between text and code
    Variable,     ///< variables that a sign marks, keys, attributes of tags
    Added,        ///< added lines of a diff
    Removed,      ///< removed lines of a diff
};

/// Characters of a line with one colour.
struct CodeSpan {
    qsizetype begin = 0, length = 0;
    CodeColour colour = CodeColour::Plain;

    bool operator==(const CodeSpan& other) const = default;
};

/// The constructs that are open at the end of a line. Only code_scanner.h reads it.
struct CodeState {
    /// Number of constructs inside each other that are distinguished. Strings in code in strings seldom go deeper than
    /// two; what lies deeper than this is coloured as its surroundings.
    static constexpr int kDeepest = 8;

    struct Frame {
        enum class Kind : uint8_t { Comment, String, Inside };
        Kind kind = Kind::Comment;
        uint8_t rule = 0; ///< index in the strings of the language
        int depth = 0;    ///< comments or brackets open inside; parts of a string that are left
    };
    /// Parts of a markup page between which text is different.
    enum class Markup : uint8_t { Text, Tag, DoubleQuoted, SingleQuoted, Comment, Data, Declaration };

    const LoadedLanguage* language = nullptr; ///< nothing: unknown, so everything is plain
    const LoadedLanguage* host = nullptr;     ///< the language to which the end of an embedded one returns
    std::array<Frame, kDeepest> frames{};
    int frameCount = 0;
    QString terminator{};         ///< end of a string whose end its beginning names
    QString hostEnd{};            ///< end of a part in another language: a closing tag or a fence
    Markup markup = Markup::Text; ///< place in a page
    int indent = -1;              ///< columns before a block text of YAML; -1: there is none
    int braces = 0;               ///< braces and brackets open in a style sheet and in YAML
    bool inValue = false;         ///< a style sheet is after the colon of a property
    bool started = false;         ///< a line was read
};

class CodeColours {
  public:
    /// language: the name after a fence ("cpp", "Python", "{.rust}") or of a file ("main.go"), in any case.
    explicit CodeColours(const QString& language);

    /// Returns false if the language is not known: all lines are then plain.
    bool known() const { return state_.language != nullptr; }
    /// Returns the colours of the next line, which has no line break. Spans are sorted, none is empty or plain, and no
    /// two overlap.
    std::vector<CodeSpan> nextLine(QStringView line);

  private:
    CodeState state_;
};

} // namespace coterie::app
