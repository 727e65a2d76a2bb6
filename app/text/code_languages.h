// SPDX-License-Identifier: Apache-2.0
// The languages that CodeColours knows. A language is a row of a table: how its comments, strings, words and variables
// look. code_scanner.h reads all of them with the same code. Add a language by adding a row to the file that fits and a
// snippet to tests/text/tst_code_colours.cpp. Thread-safe.
//
//     if (const LoadedLanguage* language = findLanguage(u"c++")) use(language->row->names); // "cpp c++ cc ..."
#pragma once

#include "text/code_colours.h"

#include <span>
#include <string_view>
#include <utility>

namespace coterie::app {

/// How a string begins and ends, and what may be inside.
struct StringRule {
    /// Its end: `end` of the rule, or one that the beginning names.
    enum class Opener : uint8_t {
        Plain,        ///< `begin` and `end` as they are
        OneLetter,    ///< one character or escape between `begin` and `end`; otherwise it is no string
        CppRaw,       ///< R"name( until )name"
        Hashes,       ///< any number of # before ", the same number after the closing "
        LongBrackets, ///< [==[ until ]==]; `begin` has everything before the first =
        Heredoc,      ///< <<NAME, until a line that is NAME
        Quote,        ///< q(...), qw[...], s/../../: the prefix, then a sign whose partner ends it
        Percent,      ///< %w[...]
    };
    enum Flag : uint8_t {
        ManyLines = 1,
        Doubled = 2,       ///< `end` written twice stands for itself
        Variables = 4,     ///< $name inside is a variable
        LineStart = 8,     ///< it begins at the start of a line only
        DoubledInside = 16 ///< the first sign of `inside` written twice stands for itself
    };
    const char* begin = "";
    const char* end = "";
    char escape = '\\'; ///< the next character is part of the string; 0: there is none
    uint8_t flags = 0;
    const char* inside = "";   ///< begins code inside the string, which the partner of its last sign ends
    const char* prefixes = ""; ///< words directly before `begin`, in any case, one of which is needed
    Opener opener = Opener::Plain;
    CodeColour colour = CodeColour::String;

    /// Its beginning names its end.
    bool namesItsEnd() const { return opener != Opener::Plain && opener != Opener::OneLetter; }
};

struct CodeLanguage {
    enum class Form : uint8_t { Code, Markup, Yaml, Diff, Markdown, Console, Plain };
    enum Flag : uint32_t {
        AnyCase = 1u << 0,           ///< words have their meaning in capitals too
        NestedComments = 1u << 1,    ///< block comments may be inside each other
        CommentNeedsBlank = 1u << 2, ///< a line comment begins at the start of a word only
        CapitalTypes = 1u << 3,      ///< a word that begins with a capital is a type
        CapitalCalls = 1u << 4,      ///< also before a parenthesis
        Directives = 1u << 5,        ///< # and a word at the start of a line
        Annotations = 1u << 6,       ///< @ and a word
        Attributes = 1u << 7,        ///< #[ and a word
        Macros = 1u << 8,            ///< a word and ! is a call
        Lifetimes = 1u << 9,         ///< ' and a word
        Regexes = 1u << 10,          ///< /.../ where no value is before it
        Symbols = 1u << 11,          ///< : and a word
        HeadIsCall = 1u << 12,       ///< the word after ( is a function
        Assignments = 1u << 13,      ///< a word directly before = is a variable
        Keys = 1u << 14,             ///< the text before the first = of a line is a key
        ColonKeys = 1u << 15,        ///< the same for :
        KeyStrings = 1u << 16,       ///< a string before : or = is a key
        Sections = 1u << 17,         ///< a line that begins with [ names a section
        Targets = 1u << 18,          ///< the text before the first : of a line is a target
        ShellVariables = 1u << 19,   ///< $1, $?, ${name}
        QuotesInNumbers = 1u << 20,  ///< 1'000
        NoNumbers = 1u << 21,        ///< digits are text
        Commands = 1u << 22,         ///< a backslash and a word is a keyword
        Stylesheet = 1u << 23,       ///< words are selectors, properties or values
        DashCalls = 1u << 24,        ///< a word with a dash is a function
        LooseHeredoc = 1u << 25,     ///< <<name in any case and after blanks; otherwise it could be a shift
        TemplateEnd = 1u << 26,      ///< ?> returns to the page around the code
    };
    const char* names = ""; ///< names of fences and files, separated by blanks; the usual name is the first
    const char* lineComments = "";
    const char* blockBegin = "";
    const char* blockEnd = "";
    std::span<const StringRule> strings{}; ///< the first one that matches is taken
    const char* keywords = "";
    const char* types = "";
    const char* functions = ""; ///< words that are functions also without a parenthesis
    const char* wordMarks = ""; ///< signs that words may have, besides letters, digits and _
    const char* sigils = "";    ///< signs that begin the name of a variable
    uint32_t flags = 0;
    Form form = Form::Code;
};

/// The words of a language, sorted so that they are found quickly.
class CodeWords {
  public:
    explicit CodeWords(const CodeLanguage& language);
    /// Returns Plain if the word has no meaning.
    CodeColour find(QStringView word) const;

  private:
    std::vector<std::pair<std::string_view, CodeColour>> words_;
    size_t longest_ = 0;
    bool anyCase_;
};

struct LoadedLanguage {
    const CodeLanguage* row;
    CodeWords words;
};

/// Returns nothing if no language has this name. The result lives as long as the program.
const LoadedLanguage* findLanguage(QStringView name);
/// Returns a language whose text has no colours.
const LoadedLanguage* plainLanguage();

/// All rows, by file.
std::span<const CodeLanguage> compiledLanguages();
std::span<const CodeLanguage> scriptLanguages();
std::span<const CodeLanguage> dataLanguages();

} // namespace coterie::app
