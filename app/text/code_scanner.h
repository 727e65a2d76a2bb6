// SPDX-License-Identifier: Apache-2.0
// Reads one line of source code by the rows of code_languages.h, and keeps what stays open in a CodeState. CodeColours
// is its only user. Each character is looked at a fixed number of times: looking ahead is limited to a few characters,
// to blanks, or to one try a line.
//
//     CodeScanner(state, line, spans).run();
#pragma once

#include "text/code_languages.h"

namespace coterie::app {

class CodeScanner {
  public:
    /// state and spans outlive the scanner; spans are appended.
    CodeScanner(CodeState& state, QStringView line, std::vector<CodeSpan>& spans)
        : state_(state), text_(line), spans_(spans) {}

    void run();

  private:
    using Flag = CodeLanguage::Flag;
    using Frame = CodeState::Frame;
    enum class Expect : uint8_t { Nothing, Function, Type };

    // Access (code_scanner.cpp).
    const CodeLanguage& row() const { return *state_.language->row; }
    bool has(Flag flag) const { return (row().flags & flag) != 0; }
    bool atEnd() const { return at_ >= text_.size(); }
    char16_t look(qsizetype place) const { return place >= 0 && place < text_.size() ? text_[place].unicode() : u'\0'; }
    CodeLanguage::Form hostForm() const {
        return state_.host != nullptr ? state_.host->row->form : CodeLanguage::Form::Plain;
    }
    /// Both are ASCII signs; 0 is none of them.
    static bool isOneOf(char16_t sign, const char* signs);
    bool startsAt(qsizetype place, const char* what) const;
    qsizetype skipBlanks(qsizetype place) const;
    qsizetype endOfWord(qsizetype place) const;
    bool startsWord(qsizetype place) const;
    bool isMark(char16_t sign, qsizetype place) const;
    Frame* top() {
        return state_.frameCount > 0 ? &state_.frames[static_cast<size_t>(state_.frameCount - 1)] : nullptr;
    }
    bool push(Frame frame);
    void pop() { --state_.frameCount; }
    /// Gives the characters from at_ to end a colour, and goes there.
    void take(qsizetype end, CodeColour colour);
    void enter(const LoadedLanguage* language, const LoadedLanguage* host);
    void leave();
    void embedded();
    void endLine();

    // Code (code_scanner.cpp, code_tokens.cpp).
    void code();
    void lineStart();
    bool lineKey(qsizetype first);
    void token();
    bool comment();
    void inComment();
    void sign(char16_t sign);
    bool insideBracket(char16_t sign);
    bool mark(char16_t sign);
    bool variable(char16_t sign);
    bool regex();
    void number();
    void word();
    CodeColour meaning(QStringView word, qsizetype end);
    CodeColour styleMeaning(qsizetype end) const;
    void styleSign(char16_t sign);
    void expectAfter(QStringView keyword);

    // Strings (code_strings.cpp).
    bool string(qsizetype place, QStringView prefix);
    bool opens(const StringRule& rule, qsizetype place, QStringView prefix, qsizetype& end, int& parts);
    bool opensHeredoc(const StringRule& rule, qsizetype place, qsizetype& end);
    bool opensCounted(const StringRule& rule, qsizetype place, qsizetype& end);
    bool opensNamed(const StringRule& rule, qsizetype place, qsizetype& end);
    bool opensQuote(qsizetype place, QStringView prefix, qsizetype& end, int& parts);
    qsizetype oneLetterEnd(const StringRule& rule, qsizetype place) const;
    void inString();
    bool heredocEnds();
    qsizetype stringEnd(const StringRule& rule, qsizetype place) const;
    qsizetype variableEnd(qsizetype place) const;
    void closeString(const StringRule& rule, qsizetype end);

    // Other forms (code_forms.cpp).
    void markup();
    void markupText();
    void markupTag();
    void markupUntil(const char* end, CodeColour colour);
    void markupTagName();
    void markupTagEnd();
    void yaml();
    bool yamlBlock();
    void yamlKey();
    void yamlValue();
    void yamlScalar();
    void diff();
    void markdown();
    bool fence();
    void markdownText();
    void console();

    CodeState& state_;
    QStringView text_; ///< the line, or the part of it up to the end of an embedded language
    std::vector<CodeSpan>& spans_;
    qsizetype at_ = 0;
    char16_t last_ = 0;        ///< the last character before at_ that is not blank; 0: the line starts here
    bool afterValue_ = false;  ///< a value ends before at_, so that a slash divides
    bool escapedEnd_ = false;  ///< the line ends in an escape, so that a string goes on
    bool regexFailed_ = false; ///< a slash without partner was met; none is looked for again in this line
    bool tickFailed_ = false;  ///< the same for a backtick of Markdown
    bool linkFailed_ = false;  ///< the same for the address of a link
    bool shift_ = false;       ///< a heredoc began in this line; its text begins in the next one
    uint8_t heredocRule_ = 0;
    qsizetype stringBegin_ = -1; ///< begin of the string that is open; -1: an earlier line
    qsizetype column_ = 0;       ///< place of a key of YAML; the lines of its block text begin farther right
    Expect expect_ = Expect::Nothing;
};

} // namespace coterie::app
