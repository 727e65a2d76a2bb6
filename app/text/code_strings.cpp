// SPDX-License-Identifier: Apache-2.0
// Strings: how they begin, what is inside, and how they end.
#include "text/code_scanner.h"

#include <algorithm>
#include <cstring>

namespace coterie::app {

namespace {

using Opener = StringRule::Opener;

// Longest names and longest rows of signs that a string's beginning may have. C++ allows 16, Rust 255 and shells
// anything; nobody writes more than this, and text that only looks like a string costs no more.
constexpr qsizetype kLongestName = 64;

qsizetype length(const char* text) { return static_cast<qsizetype>(std::strlen(text)); }

/// prefixes: words that blanks separate; empty means that there must be no prefix.
bool allowsPrefix(const char* prefixes, QStringView prefix) {
    if (*prefixes == 0 || prefix.isEmpty()) return *prefixes == 0 && prefix.isEmpty();
    while (*prefixes != 0) {
        const auto size = static_cast<qsizetype>(std::strcspn(prefixes, " "));
        if (prefix.compare(QLatin1StringView(prefixes, size), Qt::CaseInsensitive) == 0) return true;
        prefixes += size + (prefixes[size] == ' ' ? 1 : 0);
    }
    return false;
}

/// Returns the sign that ends what this one begins.
QChar partner(char16_t sign) {
    switch (sign) {
    case u'(':
        return u')';
    case u'[':
        return u']';
    case u'{':
        return u'}';
    case u'<':
        return u'>';
    default:
        return sign;
    }
}

} // namespace

/// Begins the string whose first sign after its prefix is at place, if there is one. The prefix is at at_.
bool CodeScanner::string(qsizetype place, QStringView prefix) {
    const auto rules = row().strings;
    for (size_t i = 0; i < rules.size(); ++i) {
        const StringRule& rule = rules[i];
        if (!allowsPrefix(rule.prefixes, prefix)) continue;
        if ((rule.flags & StringRule::LineStart) != 0 && at_ != 0) continue;
        if (rule.namesItsEnd() && !state_.terminator.isEmpty()) continue;
        qsizetype end = place;
        int parts = 1;
        if (!opens(rule, place, prefix, end, parts)) continue;
        expect_ = Expect::Nothing;
        if (rule.opener == Opener::Heredoc) {
            shift_ = true;
            heredocRule_ = static_cast<uint8_t>(i);
        } else if (rule.opener != Opener::OneLetter) {
            if (!push({.kind = Frame::Kind::String, .rule = static_cast<uint8_t>(i), .depth = parts})) {
                if (rule.namesItsEnd()) state_.terminator.clear();
                return false;
            }
        }
        stringBegin_ = at_;
        take(end, rule.colour);
        afterValue_ = true;
        last_ = u'"';
        return true;
    }
    return false;
}

bool CodeScanner::opens(const StringRule& rule, qsizetype place, QStringView prefix, qsizetype& end, int& parts) {
    switch (rule.opener) {
    case Opener::Plain:
        end = place + length(rule.begin);
        return startsAt(place, rule.begin);
    case Opener::OneLetter:
        end = oneLetterEnd(rule, place);
        return end > place;
    case Opener::Hashes:
    case Opener::LongBrackets:
        return opensCounted(rule, place, end);
    case Opener::CppRaw:
        return opensNamed(rule, place, end);
    case Opener::Heredoc:
        return opensHeredoc(rule, place, end);
    case Opener::Quote:
    case Opener::Percent:
        return opensQuote(place, prefix, end, parts);
    }
    return false;
}

/// r##"..."## and [==[ ... ]==]
bool CodeScanner::opensCounted(const StringRule& rule, qsizetype place, qsizetype& end) {
    if (!startsAt(place, rule.begin)) return false;
    const bool hashes = rule.opener == Opener::Hashes;
    const QChar counted = hashes ? u'#' : u'=';
    end = place + length(rule.begin);
    const qsizetype first = hashes ? place : end;
    while (look(end) == counted && end - first < kLongestName) ++end;
    if (look(end) != (hashes ? u'"' : u'[')) return false;
    const QString row(end - first, counted);
    state_.terminator = hashes ? u'"' + row : u']' + row + u']';
    ++end;
    return true;
}

/// R"name(...)name"
bool CodeScanner::opensNamed(const StringRule& rule, qsizetype place, qsizetype& end) {
    if (!startsAt(place, rule.begin)) return false;
    const qsizetype name = place + length(rule.begin);
    end = name;
    while (end < text_.size() && end - name < kLongestName &&
           (text_[end].isLetterOrNumber() || isOneOf(look(end), "_-.")))
        ++end;
    if (look(end) != u'(') return false;
    const QStringView called = text_.sliced(name, end - name);
    state_.terminator = u')' + called.toString() + u'"';
    ++end;
    return true;
}

/// <<NAME, <<-'NAME', <<~NAME: the text begins in the next line.
bool CodeScanner::opensHeredoc(const StringRule& rule, qsizetype place, qsizetype& end) {
    qsizetype name = place + length(rule.begin);
    if (!startsAt(place, rule.begin) || look(name) == u'<' || shift_) return false;
    bool clear = has(Flag::LooseHeredoc);
    if (look(name) == u'-' || look(name) == u'~') {
        clear = true;
        ++name;
    }
    if (has(Flag::LooseHeredoc) || startsAt(place, "<<<")) name = skipBlanks(name);
    const char16_t quote = look(name) == u'"' || look(name) == u'\'' ? look(name) : u'\0';
    if (quote != 0) ++name;
    end = name;
    while (end < text_.size() && end - name < kLongestName && (text_[end].isLetterOrNumber() || look(end) == u'_'))
        ++end;
    if (end == name || text_[name].isDigit() || (quote != 0 && look(end) != quote)) return false;
    if (quote == 0 && !clear && !text_[name].isUpper()) return false; // a shift: 1 <<bits
    if (startsAt(end, "))")) return false;                            // the same in a shell: $((1 << bits))
    state_.terminator = text_.sliced(name, end - name).toString();
    if (quote != 0) ++end;
    return true;
}

/// q(...), s/../../ and %w[...]. The terminator is one sign.
bool CodeScanner::opensQuote(qsizetype place, QStringView prefix, qsizetype& end, int& parts) {
    end = place;
    if (prefix.isEmpty()) {
        if (look(end) != u'%' || afterValue_) return false;
        ++end;
        if (isOneOf(look(end), "wWiIqQrxs")) ++end;
        if (!isOneOf(look(end), "([{<|")) return false;
    } else {
        if (last_ == u'.' || last_ == u'>' || last_ == u'{' || isOneOf(look(at_ - 1), "$@%&-")) return false;
        if (!isOneOf(look(end), "/|!#({[<~^")) return false;
        const bool two = prefix == u"s" || prefix == u"tr" || prefix == u"y";
        parts = two && partner(look(end)) == look(end) ? 2 : 1;
    }
    state_.terminator = QString(partner(look(end)));
    ++end;
    return true;
}

/// Returns place if no single character between the rule's quotes is there. It may be an escape with braces or digits.
qsizetype CodeScanner::oneLetterEnd(const StringRule& rule, qsizetype place) const {
    constexpr qsizetype kLongestEscape = 12; // '\u{10FFFF}'
    if (!startsAt(place, rule.begin)) return place;
    qsizetype end = place + 1;
    if (look(end) == u'\\') {
        end += 2;
        while (end - place < kLongestEscape && look(end) != 0 && !startsAt(end, rule.end)) ++end;
    } else {
        if (end >= text_.size() || startsAt(end, rule.end)) return place;
        end += QChar(look(end)).isHighSurrogate() ? 2 : 1;
    }
    return startsAt(end, rule.end) ? end + 1 : place;
}

/// Returns the place after the end of a string, or place if it does not end here.
qsizetype CodeScanner::stringEnd(const StringRule& rule, qsizetype place) const {
    if (rule.opener == Opener::Heredoc) return place;
    if (!rule.namesItsEnd()) return startsAt(place, rule.end) ? place + length(rule.end) : place;
    return text_.sliced(place).startsWith(state_.terminator) ? place + state_.terminator.size() : place;
}

/// Ends the text of a heredoc if this line is its name.
bool CodeScanner::heredocEnds() {
    const qsizetype name = skipBlanks(0), end = name + state_.terminator.size();
    const bool named = at_ == 0 && text_.sliced(name).startsWith(state_.terminator);
    if (!named || QChar(look(end)).isLetterOrNumber() || look(end) == u'_') return false;
    take(end, CodeColour::String);
    pop();
    state_.terminator.clear();
    return true;
}

/// Returns the place after the variable that begins at place with $, @ or %, or place if there is none.
qsizetype CodeScanner::variableEnd(qsizetype place) const {
    const char16_t sign = look(place);
    qsizetype end = place + 1;
    const bool dollar = sign == u'$', shell = has(Flag::ShellVariables);
    const bool braces = dollar && (look(end) == u'{' || (look(end) == u'(' && has(Flag::Targets))) && shell;
    if (braces || look(end) == sign) ++end;
    if (braces && isOneOf(look(end), "#!")) ++end;
    const qsizetype name = end;
    while (end < text_.size() && (text_[end].isLetterOrNumber() || look(end) == u'_' || text_[end].isSurrogate()))
        ++end;
    if (braces && (look(end) == u'}' || look(end) == u')')) return end + 1;
    if (end > name && (shell || !text_[name].isDigit())) return end;
    return dollar && shell && isOneOf(look(place + 1), "@#?!*-$<^+%") ? place + 2 : place;
}

/// Reads on in the open string, until it ends, code inside it begins, or the line ends.
void CodeScanner::inString() {
    const size_t frame = static_cast<size_t>(state_.frameCount - 1);
    const StringRule& rule = row().strings[state_.frames[frame].rule];
    if (rule.opener == Opener::Heredoc && heredocEnds()) return;
    const qsizetype inside = length(rule.inside);
    qsizetype place = at_;
    while (place < text_.size()) {
        const bool opensInside = inside > 0 && startsAt(place, rule.inside); // Swift's begins with the escape
        if (!opensInside && rule.escape != 0 && look(place) == static_cast<char16_t>(rule.escape)) {
            escapedEnd_ = place + 1 >= text_.size();
            place = std::min(place + 2, text_.size());
            continue;
        }
        const qsizetype end = stringEnd(rule, place);
        if (end > place) {
            const bool doubled = (rule.flags & StringRule::Doubled) != 0 && stringEnd(rule, end) > end;
            if (!doubled && --state_.frames[frame].depth <= 0) return closeString(rule, end);
            place = doubled ? stringEnd(rule, end) : end;
            continue;
        }
        if (opensInside) {
            const bool doubled = (rule.flags & StringRule::DoubledInside) != 0 && startsAt(place + inside, rule.inside);
            if (!doubled && push({.kind = Frame::Kind::Inside, .rule = state_.frames[frame].rule})) {
                take(place, rule.colour);
                take(place + inside, CodeColour::Preprocessor);
                afterValue_ = false;
                last_ = 0;
                return;
            }
            place += doubled ? 2 * inside : inside;
            continue;
        }
        const bool variable = (rule.flags & StringRule::Variables) != 0 && look(place) == u'$';
        const qsizetype name = variable ? variableEnd(place) : place;
        if (name > place) {
            take(place, rule.colour);
            take(name, CodeColour::Variable);
            place = name;
        } else {
            ++place;
        }
    }
    take(text_.size(), rule.colour);
}

void CodeScanner::closeString(const StringRule& rule, qsizetype end) {
    take(end, rule.colour);
    pop();
    if (rule.namesItsEnd()) state_.terminator.clear();
    if (rule.opener == Opener::Quote) {
        while (QChar(look(end)).isLower()) ++end; // s/../../gi
        take(end, rule.colour);
    }
    const qsizetype after = skipBlanks(end);
    const bool key = look(after) == u':' || (look(after) == u'=' && look(after + 1) != u'=');
    if (has(Flag::KeyStrings) && key && !spans_.empty() && spans_.back().begin == stringBegin_)
        spans_.back().colour = CodeColour::Variable;
    stringBegin_ = -1;
    afterValue_ = true;
    last_ = u'"';
}

} // namespace coterie::app
