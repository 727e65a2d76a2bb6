// SPDX-License-Identifier: Apache-2.0
// Pages of markup, YAML, diffs, Markdown and sessions of a terminal: text whose lines or marks decide, not its words.
#include "text/code_scanner.h"

#include <algorithm>

namespace coterie::app {

using Markup = CodeState::Markup;

// Markup.

void CodeScanner::markup() {
    const LoadedLanguage* const language = state_.language;
    while (!atEnd() && state_.language == language && hostForm() != CodeLanguage::Form::Markup) {
        switch (state_.markup) {
        case Markup::Text:
            markupText();
            break;
        case Markup::Tag:
            markupTag();
            break;
        case Markup::DoubleQuoted:
            markupUntil("\"", CodeColour::String);
            break;
        case Markup::SingleQuoted:
            markupUntil("'", CodeColour::String);
            break;
        case Markup::Comment:
            markupUntil("-->", CodeColour::Comment);
            break;
        case Markup::Data:
            markupUntil("]]>", CodeColour::String);
            break;
        case Markup::Declaration:
            markupUntil(">", CodeColour::Preprocessor);
            break;
        }
    }
}

/// Goes to this end, or to the end of the line.
void CodeScanner::markupUntil(const char* end, CodeColour colour) {
    const QLatin1StringView mark(end);
    const qsizetype found = text_.indexOf(mark, at_);
    if (found >= 0) {
        const bool inTag = state_.markup == Markup::DoubleQuoted || state_.markup == Markup::SingleQuoted;
        state_.markup = inTag ? Markup::Tag : Markup::Text;
    }
    take(found >= 0 ? found + mark.size() : text_.size(), colour);
}

void CodeScanner::markupText() {
    constexpr qsizetype kLongestEntity = 32; // HTML's longest has 33 characters with its signs
    const char16_t sign = look(at_);
    if (sign == u'&') {
        qsizetype end = at_ + 1;
        while (end - at_ < kLongestEntity && (QChar(look(end)).isLetterOrNumber() || look(end) == u'#')) ++end;
        take(look(end) == u';' ? end + 1 : at_ + 1, look(end) == u';' ? CodeColour::Number : CodeColour::Plain);
        return;
    }
    if (sign != u'<') {
        ++at_;
        return;
    }
    if (startsAt(at_, "<!--")) {
        state_.markup = Markup::Comment;
        take(at_ + 4, CodeColour::Comment);
    } else if (startsAt(at_, "<![CDATA[")) {
        state_.markup = Markup::Data;
        take(at_ + 9, CodeColour::Preprocessor);
    } else if (startsAt(at_, "<?php") || startsAt(at_, "<?=")) {
        take(at_ + (startsAt(at_, "<?=") ? 3 : 5), CodeColour::Preprocessor);
        enter(findLanguage(u"php"), state_.host);
    } else if (look(at_ + 1) == u'!' || look(at_ + 1) == u'?') {
        state_.markup = Markup::Declaration;
    } else {
        markupTagName();
    }
}

void CodeScanner::markupTagName() {
    const bool closes = look(at_ + 1) == u'/';
    const qsizetype name = at_ + (closes ? 2 : 1);
    const qsizetype end = endOfWord(name);
    if (end == name || !(text_[name].isLetter() || look(name) == u'_')) {
        ++at_; // less than
        return;
    }
    const QStringView tag = text_.sliced(name, end - name);
    const bool page = !closes && state_.host == nullptr && has(Flag::AnyCase);
    for (const QLatin1StringView embedded : {QLatin1StringView("script"), QLatin1StringView("style")}) {
        if (page && tag.compare(embedded, Qt::CaseInsensitive) == 0)
            state_.hostEnd = QLatin1StringView("</") + embedded;
    }
    at_ = name;
    take(end, CodeColour::Keyword);
    state_.markup = Markup::Tag;
    last_ = 0;
}

void CodeScanner::markupTag() {
    const char16_t sign = look(at_);
    if (sign == u'"' || sign == u'\'') {
        state_.markup = sign == u'"' ? Markup::DoubleQuoted : Markup::SingleQuoted;
        take(at_ + 1, CodeColour::String);
    } else if (sign == u'>' || (sign == u'/' && look(at_ + 1) == u'>')) {
        if (sign == u'/') {
            ++at_;
            if (state_.host == nullptr) state_.hostEnd.clear();
        }
        ++at_;
        state_.markup = Markup::Text;
        markupTagEnd();
    } else if (text_[at_].isSpace() || sign == u'=' || sign == u'/') {
        last_ = text_[at_].isSpace() ? last_ : sign;
        ++at_;
    } else {
        qsizetype end = at_;
        while (end < text_.size() && !text_[end].isSpace() && !isOneOf(look(end), "=>\"'") && !startsAt(end, "/>"))
            ++end;
        take(std::max(end, at_ + 1), last_ == u'=' ? CodeColour::String : CodeColour::Variable);
        last_ = u'a';
    }
}

/// Begins the script or the style that the tag opened.
void CodeScanner::markupTagEnd() {
    if (state_.hostEnd.isEmpty() || state_.host != nullptr) return;
    const bool style = state_.hostEnd.endsWith(QLatin1StringView("style"));
    enter(style ? findLanguage(u"css") : findLanguage(u"javascript"), state_.language);
}

// YAML.

void CodeScanner::yaml() {
    if (at_ == 0 && state_.frameCount == 0) {
        if (yamlBlock()) return;
        if (startsAt(0, "---") || startsAt(0, "...") || startsAt(0, "%"))
            return take(text_.size(), CodeColour::Preprocessor);
        column_ = skipBlanks(0);
        while (!atEnd() && (text_[at_].isSpace() || (isOneOf(look(at_), "-?") && QChar(look(at_ + 1)).isSpace())))
            ++at_;
        if (state_.braces == 0) yamlKey();
    }
    while (!atEnd()) {
        if (top() != nullptr)
            inString();
        else
            yamlValue();
    }
}

/// Takes a line of a block text, which is deeper than the line that began it.
bool CodeScanner::yamlBlock() {
    if (state_.indent < 0) return false;
    const qsizetype first = skipBlanks(0);
    if (first < text_.size() && first <= state_.indent) {
        state_.indent = -1;
        return false;
    }
    at_ = first;
    take(text_.size(), CodeColour::String);
    return true;
}

/// Takes a key up to its colon.
void CodeScanner::yamlKey() {
    if (isOneOf(look(at_), "\"'#[{&*!|>")) return;
    column_ = at_;
    for (qsizetype end = at_; end < text_.size(); ++end) {
        const char16_t next = look(end + 1);
        if (look(end) == u'#' && end > 0 && text_[end - 1].isSpace()) return;
        if (look(end) != u':' || (next != 0 && !QChar(next).isSpace())) continue;
        take(end, CodeColour::Variable);
        at_ = end + 1;
        last_ = u':';
        return;
    }
}

void CodeScanner::yamlValue() {
    at_ = skipBlanks(at_);
    if (atEnd()) return;
    const char16_t sign = look(at_);
    const bool begins = last_ == 0 || isOneOf(last_, ":,[{-");
    if (sign == u'#' && (at_ == 0 || text_[at_ - 1].isSpace())) return take(text_.size(), CodeColour::Comment);
    if (begins && string(at_, {})) return;
    if (isOneOf(sign, "[{]},") || (sign == u':' && (state_.braces > 0 || last_ == u'"'))) {
        if (sign == u'[' || sign == u'{') ++state_.braces;
        if ((sign == u']' || sign == u'}') && state_.braces > 0) --state_.braces;
        last_ = sign;
        ++at_;
        return;
    }
    if (begins && (sign == u'|' || sign == u'>')) {
        state_.indent = static_cast<int>(column_);
        take(skipBlanks(at_) + 1, CodeColour::Preprocessor);
        last_ = sign;
        return;
    }
    if (begins && isOneOf(sign, "&*!")) {
        qsizetype end = at_ + 1;
        while (end < text_.size() && !text_[end].isSpace() && !isOneOf(look(end), ",]}")) ++end;
        return take(end, sign == u'!' ? CodeColour::Type : CodeColour::Preprocessor);
    }
    yamlScalar();
}

/// Takes a plain value: a number, a word with a meaning, a key in braces, or text.
void CodeScanner::yamlScalar() {
    qsizetype end = at_;
    bool number = text_[at_].isDigit() || isOneOf(look(at_), "+-.");
    while (end < text_.size()) {
        const char16_t here = look(end);
        if (state_.braces > 0 && (isOneOf(here, ",[]{}") || (here == u':' && !QChar(look(end + 1)).isLetterOrNumber())))
            break;
        if (here == u'#' && end > at_ && text_[end - 1].isSpace()) break;
        number = number && (QChar(here).isLetterOrNumber() || isOneOf(here, "+-._:") || QChar(here).isSpace());
        ++end;
    }
    end = std::max(end, at_ + 1);
    qsizetype trimmed = end;
    while (trimmed > at_ + 1 && text_[trimmed - 1].isSpace()) --trimmed;
    const QStringView value = text_.sliced(at_, trimmed - at_);
    CodeColour colour = state_.language->words.find(value);
    if (colour == CodeColour::Plain && number && !value.contains(u' ') && value.back().isLetterOrNumber())
        colour = CodeColour::Number;
    if (state_.braces > 0 && look(end) == u':') colour = CodeColour::Variable;
    take(trimmed, colour);
    at_ = end;
    last_ = u'a';
}

// Diffs.

void CodeScanner::diff() {
    struct Mark {
        const char* begin;
        CodeColour colour;
    };
    // The first one that fits. A removed line that begins with "-- " looks like the name of a file.
    static constexpr Mark kMarks[] = {
        {"+++ ", CodeColour::Preprocessor},
        {"--- ", CodeColour::Preprocessor},
        {"diff ", CodeColour::Preprocessor},
        {"index ", CodeColour::Preprocessor},
        {"@@", CodeColour::Function},
        {"\\ ", CodeColour::Comment},
        {"+", CodeColour::Added},
        {">", CodeColour::Added},
        {"-", CodeColour::Removed},
        {"<", CodeColour::Removed},
    };
    for (const Mark& mark : kMarks) {
        if (startsAt(0, mark.begin)) return take(text_.size(), mark.colour);
    }
    at_ = text_.size();
}

// Markdown.

/// Begins or ends fenced code, whose language the line names. Returns false if the line is no fence.
bool CodeScanner::fence() {
    const qsizetype first = skipBlanks(0);
    const char16_t sign = look(first);
    qsizetype end = first;
    while (look(end) == sign && (sign == u'`' || sign == u'~')) ++end;
    if (end - first < 3) return false;
    const bool inside = state_.host != nullptr;
    const QStringView info = text_.sliced(end).trimmed();
    if (inside && (end - first < state_.hostEnd.size() || state_.hostEnd.front() != sign || !info.isEmpty()))
        return false;
    if (!inside && info.contains(u'`')) return false;
    const QStringView marks = text_.sliced(first, end - first);
    take(text_.size(), CodeColour::Preprocessor);
    if (inside) {
        leave();
        return true;
    }
    const QStringView name =
        info.first(std::find_if(info.begin(), info.end(), [](QChar c) { return c.isSpace(); }) - info.begin());
    const LoadedLanguage* const named = findLanguage(name);
    const bool itself = named == nullptr || named == state_.language;
    enter(itself ? plainLanguage() : named, state_.language);
    state_.hostEnd = marks.toString();
    return true;
}

void CodeScanner::markdown() {
    if (at_ == 0 && state_.host == nullptr && fence()) return;
    const qsizetype first = skipBlanks(0);
    qsizetype end = first;
    while (look(end) == u'#') ++end;
    if (end > first && end - first <= 6 && QChar(look(end)).isSpace()) return take(text_.size(), CodeColour::Keyword);
    while (at_ < text_.size() && (text_[at_].isSpace() || look(at_) == u'>')) take(at_ + 1, CodeColour::Comment);
    if (isOneOf(look(at_), "-*+") && QChar(look(at_ + 1)).isSpace()) take(at_ + 1, CodeColour::Keyword);
    end = at_;
    while (QChar(look(end)).isDigit()) ++end;
    if (end > at_ && isOneOf(look(end), ".)") && QChar(look(end + 1)).isSpace()) take(end + 1, CodeColour::Keyword);
    while (!atEnd()) markdownText();
}

/// Code between backticks and the address of a link.
void CodeScanner::markdownText() {
    const char16_t sign = look(at_);
    if (sign == u'\\') {
        at_ = std::min(at_ + 2, text_.size());
        return;
    }
    if (sign == u'`' && !tickFailed_) {
        qsizetype end = at_;
        while (look(end) == u'`') ++end;
        // Longer rows of backticks are rare, and looking for them is slow.
        const qsizetype close = end - at_ < 4 ? text_.indexOf(text_.sliced(at_, end - at_), end) : -1;
        if (close >= 0) return take(close + end - at_, CodeColour::String);
        tickFailed_ = true;
    }
    if (sign == u'(' && last_ == u']' && !linkFailed_) {
        const qsizetype close = text_.indexOf(u')', at_);
        if (close >= 0) {
            last_ = u')';
            at_ += 1;
            return take(close, CodeColour::String);
        }
        linkFailed_ = true;
    }
    last_ = sign;
    ++at_;
}

// Terminals.

/// A line that begins with a prompt is a command; all others are its output.
void CodeScanner::console() {
    const LoadedLanguage* const session = state_.language;
    if (!isOneOf(look(0), "$%#>") || !QChar(look(1)).isSpace()) {
        at_ = text_.size();
        return;
    }
    take(1, CodeColour::Preprocessor);
    state_.language = findLanguage(u"bash");
    code();
    at_ = text_.size();
    shift_ = false;
    state_.frameCount = 0;
    state_.terminator.clear();
    state_.language = session;
}

} // namespace coterie::app
