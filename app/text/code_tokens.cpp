// SPDX-License-Identifier: Apache-2.0
// Words, numbers, variables and signs of code.
#include "text/code_scanner.h"

#include <algorithm>
#include <cstring>

namespace coterie::app {

namespace {

// Keywords before the name of a function, and of a type. They count only in languages that have them.
constexpr QStringView kFunctionWords[] = {u"def",   u"defmacro",  u"defmacro-", u"defn", u"defn-",     u"defp",
                                          u"defun", u"fn",        u"fun",       u"func", u"function",  u"macro",
                                          u"proc",  u"procedure", u"rpc",       u"sub",  u"subroutine"};
constexpr QStringView kTypeWords[] = {u"actor",   u"class",     u"contract", u"data",       u"defmodule", u"enum",
                                      u"extends", u"extension", u"impl",     u"implements", u"instance",  u"interface",
                                      u"message", u"mixin",     u"newtype",  u"object",     u"protocol",  u"record",
                                      u"service", u"struct",    u"trait",    u"type",       u"union"};

bool isAmong(QStringView word, std::span<const QStringView> words) {
    const auto same = [word](QStringView one) { return one.compare(word, Qt::CaseInsensitive) == 0; };
    return std::any_of(words.begin(), words.end(), same);
}

bool isDigit(char16_t sign) { return sign >= u'0' && sign <= u'9'; }

/// A constant of C or an abbreviation, which is no type: MAX_SIZE. One capital alone is a type's parameter.
bool isAllCapitals(QStringView word) {
    return word.size() > 1 && std::none_of(word.begin(), word.end(), [](QChar sign) { return sign.isLower(); });
}

} // namespace

void CodeScanner::token() {
    const qsizetype next = skipBlanks(at_);
    if (next > at_) {
        at_ = next;
        return;
    }
    const char16_t here = look(at_);
    if (string(at_, {}) || comment()) return;
    if (mark(here) || variable(here)) return;
    const bool fraction = here == u'.' && isDigit(look(at_ + 1)) && !afterValue_;
    if ((isDigit(here) || fraction) && !has(Flag::NoNumbers)) return number();
    if (startsWord(at_)) return word();
    if (here == u'/' && has(Flag::Regexes) && !afterValue_ && regex()) return;
    sign(here);
}

/// Any other sign: it is plain, but brackets count.
void CodeScanner::sign(char16_t sign) {
    if (insideBracket(sign)) return;
    if (has(Flag::Stylesheet)) styleSign(sign);
    if (sign != u'*' && sign != u'&') expect_ = Expect::Nothing; // struct *name
    afterValue_ = sign == u')' || sign == u']' || sign == u'}';
    last_ = sign;
    ++at_;
}

/// Counts brackets in code that is inside a string, and returns to the string at the last one.
bool CodeScanner::insideBracket(char16_t sign) {
    Frame* const frame = top();
    if (frame == nullptr || frame->kind != Frame::Kind::Inside) return false;
    const char* const inside = row().strings[frame->rule].inside;
    const auto open = static_cast<char16_t>(inside[std::strlen(inside) - 1]);
    const char16_t close = open == u'(' ? u')' : u'}';
    if (sign == open) ++frame->depth;
    if (sign != close || frame->depth-- > 0) return false;
    pop();
    take(at_ + 1, CodeColour::Preprocessor);
    return true;
}

/// Signs that some languages write before a word: annotations, attributes, commands, symbols, lifetimes.
bool CodeScanner::mark(char16_t sign) {
    const char16_t next = look(at_ + 1);
    const bool letter = QChar(next).isLetter() || next == u'_';
    const QChar before(look(at_ - 1));
    if (sign == u'@' && has(Flag::Annotations) && letter && !before.isLetterOrNumber()) {
        qsizetype end = endOfWord(at_ + 1);
        while (look(end) == u'.' && endOfWord(end + 1) > end + 1) end = endOfWord(end + 1);
        take(end, has(Flag::Stylesheet) ? CodeColour::Keyword : CodeColour::Preprocessor);
        state_.inValue = has(Flag::Stylesheet);
    } else if (sign == u'#' && has(Flag::Attributes) && (next == u'[' || startsAt(at_, "#!["))) {
        take(endOfWord(at_ + (next == u'[' ? 2 : 3)), CodeColour::Preprocessor);
    } else if (sign == u'#' && has(Flag::Stylesheet) && state_.inValue && QChar(next).isLetterOrNumber()) {
        take(endOfWord(at_ + 1), CodeColour::Number);
    } else if (sign == u'\\' && has(Flag::Commands) && next != 0) {
        const qsizetype end = endOfWord(at_ + 1);
        const QStringView name = text_.sliced(at_ + 1, end - at_ - 1);
        take(std::max(end, at_ + 2), CodeColour::Keyword);
        const bool environment = name == u"begin" || name == u"end";
        if (environment && look(at_) == u'{' && endOfWord(at_ + 1) > at_ + 1) {
            ++at_;
            take(endOfWord(at_), CodeColour::Type);
        }
    } else if (sign == u':' && has(Flag::Symbols) && letter && before != u':' && !before.isLetterOrNumber()) {
        take(endOfWord(at_ + 1), CodeColour::String);
        afterValue_ = true;
    } else if (sign == u'\'' && has(Flag::Lifetimes) && letter) {
        take(endOfWord(at_ + 1), CodeColour::Preprocessor);
    } else if (sign == u'?' && next == u'>' && has(Flag::TemplateEnd)) {
        take(at_ + 2, CodeColour::Preprocessor);
        enter(findLanguage(u"html"), state_.host);
        return true;
    } else if (sign == u'<' && next == u'?' && has(Flag::TemplateEnd)) {
        take(endOfWord(at_ + (look(at_ + 2) == u'=' ? 3 : 2)), CodeColour::Preprocessor);
    } else {
        return false;
    }
    last_ = u'a';
    return true;
}

bool CodeScanner::variable(char16_t sign) {
    if (!isOneOf(sign, row().sigils)) return false;
    if (sign != u'$' && afterValue_ && !QChar(look(at_ - 1)).isSpace()) return false;
    if (sign == u'%' && afterValue_) return false;
    const qsizetype end = variableEnd(at_);
    if (end == at_) return false;
    take(end, CodeColour::Variable);
    afterValue_ = true;
    expect_ = Expect::Nothing;
    last_ = u'a';
    return true;
}

bool CodeScanner::regex() {
    if (regexFailed_) return false;
    bool inClass = false;
    for (qsizetype place = at_ + 1; place < text_.size(); ++place) {
        const char16_t sign = look(place);
        if (sign == u'\\') ++place;
        if (sign == u'[') inClass = true;
        if (sign == u']') inClass = false;
        if (sign != u'/' || inClass) continue;
        if (place == at_ + 1) break; // two slashes
        qsizetype end = place + 1;
        while (QChar(look(end)).isLower()) ++end;
        take(end, CodeColour::String);
        afterValue_ = true;
        last_ = u'/';
        return true;
    }
    regexFailed_ = true;
    return false;
}

void CodeScanner::number() {
    const bool based = look(at_) == u'0' && isOneOf(look(at_ + 1), "xXbBoO");
    qsizetype end = at_;
    while (end < text_.size()) {
        const char16_t sign = look(end), next = look(end + 1), before = look(end - 1);
        const bool exponent =
            end > at_ && (based ? before == u'p' || before == u'P' : before == u'e' || before == u'E');
        const bool joins = (sign == u'.' && isDigit(next)) ||
                           (sign == u'\'' && has(Flag::QuotesInNumbers) && isDigit(next)) ||
                           ((sign == u'+' || sign == u'-') && exponent && isDigit(next));
        if (!joins && !QChar(sign).isLetterOrNumber() && sign != u'_') break;
        ++end;
    }
    if (has(Flag::Stylesheet) && look(end) == u'%') ++end;
    take(std::max(end, at_ + 1), CodeColour::Number);
    afterValue_ = true;
    expect_ = Expect::Nothing;
    last_ = u'0';
}

void CodeScanner::word() {
    const qsizetype begin = at_;
    qsizetype end = std::max(endOfWord(at_), at_ + 1);
    const QStringView word = text_.sliced(begin, end - begin);
    if (string(end, word)) return;
    const CodeColour colour = has(Flag::Stylesheet) ? styleMeaning(end) : meaning(word, end);
    if (colour == CodeColour::Function && has(Flag::Macros) && look(end) == u'!') ++end;
    take(end, colour);
    afterValue_ = colour != CodeColour::Keyword;
    last_ = u'a';
    if (colour == CodeColour::Keyword)
        expectAfter(word);
    else
        expect_ = Expect::Nothing;
}

void CodeScanner::expectAfter(QStringView keyword) {
    if (isAmong(keyword, kFunctionWords))
        expect_ = Expect::Function;
    else if (isAmong(keyword, kTypeWords))
        expect_ = Expect::Type;
    else
        expect_ = Expect::Nothing;
}

/// Returns the colour of the word from at_ to end.
CodeColour CodeScanner::meaning(QStringView word, qsizetype end) {
    const char16_t next = look(end);
    const bool member = last_ == u'.' && look(at_ - 2) != u'.';
    const CodeColour known = member ? CodeColour::Plain : state_.language->words.find(word);
    const char16_t after = look(skipBlanks(end));
    if (has(Flag::Assignments) && after == u'=' && look(skipBlanks(end) + 1) != u'=') return CodeColour::Variable;
    if (known != CodeColour::Plain) return known;
    if (has(Flag::ColonKeys) && after == u':' && isOneOf(last_, "{;")) return CodeColour::Variable;
    if (expect_ == Expect::Function) return CodeColour::Function;
    if (expect_ == Expect::Type) return CodeColour::Type;
    const bool capital = has(Flag::CapitalTypes) && word.front().isUpper();
    if (next == u'(')
        return capital && has(Flag::CapitalCalls) && !isAllCapitals(word) ? CodeColour::Type : CodeColour::Function;
    if (has(Flag::Macros) && next == u'!' && look(end + 1) != u'=') return CodeColour::Function;
    if (has(Flag::HeadIsCall) && last_ == u'(') return CodeColour::Function;
    if (has(Flag::DashCalls) && word.contains(u'-')) return CodeColour::Function;
    if (capital && !isAllCapitals(word)) return CodeColour::Type;
    return CodeColour::Plain;
}

/// Returns the colour of a word of a style sheet: a selector, a property, a value or a function.
CodeColour CodeScanner::styleMeaning(qsizetype end) const {
    const bool property = state_.braces > 0 && !state_.inValue && look(skipBlanks(end)) == u':' && last_ != u':' &&
                          last_ != u'.' && last_ != u'#' && last_ != u'&';
    if (property) return CodeColour::Variable;
    if (look(end) == u'(') return CodeColour::Function;
    if (last_ == u'!') return CodeColour::Keyword;
    if (state_.inValue) return text_.sliced(at_).startsWith(u"--") ? CodeColour::Variable : CodeColour::Plain;
    return last_ == u':' ? CodeColour::Keyword : CodeColour::Type;
}

void CodeScanner::styleSign(char16_t sign) {
    if (sign == u'{') ++state_.braces;
    if (sign == u'}' && state_.braces > 0) --state_.braces;
    if (sign == u'{' || sign == u'}' || sign == u';') state_.inValue = false;
    if (sign == u':' && state_.braces > 0) {
        // A nested "a:hover {" is read as a property too; its brace ends the value.
        state_.inValue = !isOneOf(last_, ":&{};");
    }
}

} // namespace coterie::app
