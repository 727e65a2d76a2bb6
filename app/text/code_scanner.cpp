// SPDX-License-Identifier: Apache-2.0
// The frame of the scanner: languages inside others, comments, and what begins a line. code_tokens.cpp reads words and
// signs, code_strings.cpp strings, and code_forms.cpp what is no program.
#include "text/code_scanner.h"

#include <cstring>

namespace coterie::app {

bool CodeScanner::isOneOf(char16_t sign, const char* signs) {
    return sign != 0 && sign <= u'~' && std::strchr(signs, static_cast<char>(sign)) != nullptr;
}

bool CodeScanner::startsAt(qsizetype place, const char* what) const {
    for (; *what != 0; ++what, ++place) {
        if (look(place) != static_cast<char16_t>(*what)) return false;
    }
    return true;
}

qsizetype CodeScanner::skipBlanks(qsizetype place) const {
    while (place < text_.size() && text_[place].isSpace()) ++place;
    return place;
}

bool CodeScanner::startsWord(qsizetype place) const {
    if (place >= text_.size()) return false;
    const QChar sign = text_[place];
    if (sign.isLetter() || sign == u'_' || sign.isSurrogate()) return true;
    // A dash begins a word in style sheets only, a dollar sign wherever words may have one.
    if (sign == u'-') return has(Flag::Stylesheet) && (look(place + 1) == u'-' || QChar(look(place + 1)).isLetter());
    return sign == u'$' && isOneOf(u'$', row().wordMarks);
}

bool CodeScanner::isMark(char16_t sign, qsizetype place) const {
    return isOneOf(sign, row().wordMarks) && ((sign != u'!' && sign != u'?') || look(place + 1) != u'='); // a != b
}

qsizetype CodeScanner::endOfWord(qsizetype place) const {
    while (place < text_.size()) {
        const QChar sign = text_[place];
        if (!sign.isLetterOrNumber() && sign != u'_' && !sign.isSurrogate() && !isMark(sign.unicode(), place)) break;
        ++place;
    }
    return place;
}

bool CodeScanner::push(Frame frame) {
    if (state_.frameCount >= CodeState::kDeepest) return false;
    state_.frames[static_cast<size_t>(state_.frameCount++)] = frame;
    return true;
}

void CodeScanner::take(qsizetype end, CodeColour colour) {
    end = std::min(end, text_.size());
    if (colour != CodeColour::Plain && end > at_) {
        if (!spans_.empty() && spans_.back().colour == colour && spans_.back().begin + spans_.back().length == at_)
            spans_.back().length += end - at_;
        else
            spans_.push_back({at_, end - at_, colour});
    }
    at_ = std::max(at_, end);
}

void CodeScanner::enter(const LoadedLanguage* language, const LoadedLanguage* host) {
    state_.language = language;
    state_.host = host;
    state_.frameCount = 0;
    state_.terminator.clear();
    state_.braces = 0;
    state_.inValue = false;
    state_.indent = -1;
    state_.markup = CodeState::Markup::Text;
    last_ = 0;
    afterValue_ = false;
    shift_ = false;
    expect_ = Expect::Nothing;
}

void CodeScanner::leave() {
    enter(state_.host, nullptr);
    state_.hostEnd.clear();
}

/// A script or a style in a page, until its closing tag.
void CodeScanner::embedded() {
    const QStringView whole = text_;
    const qsizetype end = whole.indexOf(state_.hostEnd, at_, Qt::CaseInsensitive);
    if (end >= 0) text_ = whole.first(end);
    if (row().form == CodeLanguage::Form::Code)
        code();
    else
        take(text_.size(), CodeColour::Plain);
    text_ = whole;
    if (end >= 0) {
        at_ = end;
        leave();
    }
}

void CodeScanner::run() {
    do {
        if (hostForm() == CodeLanguage::Form::Markup) {
            embedded();
            continue;
        }
        if (hostForm() == CodeLanguage::Form::Markdown && at_ == 0 && fence()) break;
        switch (row().form) {
        case CodeLanguage::Form::Code:
            code();
            break;
        case CodeLanguage::Form::Markup:
            markup();
            break;
        case CodeLanguage::Form::Yaml:
            yaml();
            break;
        case CodeLanguage::Form::Diff:
            diff();
            break;
        case CodeLanguage::Form::Markdown:
            markdown();
            break;
        case CodeLanguage::Form::Console:
            console();
            break;
        case CodeLanguage::Form::Plain:
            at_ = text_.size();
            break;
        }
    } while (!atEnd());
    endLine();
}

/// Closes what ends with the line: strings that are on one line only, and all that is open inside them.
void CodeScanner::endLine() {
    state_.started = true;
    bool named = false; // a string is open that needs the terminator
    for (int i = 0; i < state_.frameCount; ++i) {
        const Frame& frame = state_.frames[static_cast<size_t>(i)];
        if (frame.kind != Frame::Kind::String) continue;
        const StringRule& rule = row().strings[frame.rule];
        const bool goesOn = (rule.flags & StringRule::ManyLines) != 0 || (escapedEnd_ && i == state_.frameCount - 1);
        if (!goesOn)
            state_.frameCount = i;
        else if (rule.namesItsEnd())
            named = true;
    }
    if (shift_) named = push({.kind = Frame::Kind::String, .rule = heredocRule_});
    if (!named) state_.terminator.clear();
}

void CodeScanner::code() {
    if (at_ == 0 && state_.frameCount == 0) lineStart();
    while (!atEnd()) {
        const LoadedLanguage* const language = state_.language;
        const Frame* const frame = top();
        if (frame != nullptr && frame->kind == Frame::Kind::Comment)
            inComment();
        else if (frame != nullptr && frame->kind == Frame::Kind::String)
            inString();
        else
            token();
        if (state_.language != language) return;
    }
}

/// Signs that have a meaning only where a line begins.
void CodeScanner::lineStart() {
    const qsizetype first = skipBlanks(0);
    if (has(Flag::TemplateEnd) && !state_.started && look(first) == u'<' && look(first + 1) != u'?') {
        enter(findLanguage(u"html"), state_.host); // a page with code in it
        return;
    }
    if (has(Flag::Directives) && look(first) == u'#' && look(first + 1) != u'!') {
        at_ = first;
        const qsizetype name = skipBlanks(first + 1);
        const qsizetype end = endOfWord(name);
        const QStringView directive = text_.sliced(name, end - name);
        const bool includes = directive == u"include" || directive == u"import";
        take(end, CodeColour::Preprocessor);
        const qsizetype file = skipBlanks(end);
        const qsizetype close = includes && look(file) == u'<' ? text_.indexOf(u'>', file) : -1;
        if (close >= 0) {
            at_ = file;
            take(close + 1, CodeColour::String);
        }
        last_ = u'#';
        return;
    }
    if (has(Flag::Sections) && look(first) == u'[') {
        const qsizetype close = text_.lastIndexOf(u']');
        at_ = first;
        if (close > first && look(skipBlanks(close + 1)) != u',') take(close + 1, CodeColour::Type);
        return;
    }
    lineKey(first);
}

/// A key of a line "key = value" or "target: value".
bool CodeScanner::lineKey(qsizetype first) {
    if (!has(Flag::Keys) && !has(Flag::ColonKeys) && !has(Flag::Targets)) return false;
    if (look(first) == u'\t' || (has(Flag::Targets) && first > 0)) return false; // a recipe
    const char* const signs = has(Flag::Targets) ? " _.-/*%$(){}+?" : has(Flag::Keys) ? " _.-/+" : "._";
    qsizetype end = first;
    while (end < text_.size() &&
           (text_[end].isLetterOrNumber() || text_[end].isSurrogate() || isOneOf(look(end), signs)))
        ++end;
    const char16_t sign = look(end);
    const bool assigns = sign == u'=' || (sign == u':' && (look(end + 1) == u'=' || startsAt(end, "::=")));
    const bool key = (assigns && has(Flag::Keys)) || (sign == u':' && has(Flag::ColonKeys));
    const bool target = sign == u':' && !assigns && has(Flag::Targets);
    qsizetype trimmed = end;
    while (trimmed > first && (text_[trimmed - 1].isSpace() || (key && look(trimmed - 1) == u'?'))) --trimmed;
    if ((!key && !target) || trimmed == first) return false;
    const qsizetype firstEnd = endOfWord(first);
    if (firstEnd < trimmed && state_.language->words.find(text_.sliced(first, firstEnd - first)) != CodeColour::Plain)
        return false; // export NAME = value
    at_ = first;
    take(trimmed, key ? CodeColour::Variable : CodeColour::Function);
    at_ = end + 1;
    last_ = sign;
    return true;
}

/// Begins a comment at at_, if there is one.
bool CodeScanner::comment() {
    const CodeLanguage& language = row();
    if (*language.blockBegin != 0 && startsAt(at_, language.blockBegin)) {
        const qsizetype end = at_ + static_cast<qsizetype>(std::strlen(language.blockBegin));
        if (push({.kind = Frame::Kind::Comment, .depth = 1})) {
            take(end, CodeColour::Comment);
            return true;
        }
    }
    const bool atWord = at_ == 0 || text_[at_ - 1].isSpace() || isOneOf(look(at_ - 1), ";(|&)");
    if (has(Flag::CommentNeedsBlank) && !atWord) return false;
    if (has(Flag::Attributes) && startsAt(at_, "#[")) return false;
    for (const char* rest = language.lineComments; *rest != 0;) {
        const auto length = static_cast<qsizetype>(std::strcspn(rest, " "));
        // "rem" is a word, and "remove" is another one.
        const bool whole = !QChar(rest[length - 1]).isLetter() || !QChar(look(at_ + length)).isLetterOrNumber();
        if (whole && text_.sliced(at_).startsWith(QLatin1StringView(rest, length))) {
            take(text_.size(), CodeColour::Comment);
            return true;
        }
        rest += length + (rest[length] == ' ' ? 1 : 0);
    }
    return false;
}

void CodeScanner::inComment() {
    const CodeLanguage& language = row();
    const auto beginLength = static_cast<qsizetype>(std::strlen(language.blockBegin));
    const auto endLength = static_cast<qsizetype>(std::strlen(language.blockEnd));
    Frame& frame = *top();
    qsizetype place = at_;
    while (place < text_.size() && frame.depth > 0) {
        if (startsAt(place, language.blockEnd)) {
            --frame.depth;
            place += endLength;
        } else if (has(Flag::NestedComments) && startsAt(place, language.blockBegin)) {
            ++frame.depth;
            place += beginLength;
        } else {
            ++place;
        }
    }
    if (frame.depth == 0) pop();
    take(place, CodeColour::Comment);
}

} // namespace coterie::app
