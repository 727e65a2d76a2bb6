// SPDX-License-Identifier: Apache-2.0
// See markdown_math.h. A dollar sign begins a formula if no space follows it, and ends one if no space is before it and
// no digit follows it, so that prices stay prices (the rule of pandoc's manual).
#include "markdown/markdown_math.h"

#include <algorithm>

namespace coterie::app {

bool MathFinder::nextLine() {
    if (place_ >= text_.size()) return false;
    const qsizetype found = text_.indexOf(u'\n', place_);
    qsizetype lineEnd = found < 0 ? text_.size() : found;
    qsizetype at = place_;
    if (!takesFence(text_.mid(place_, lineEnd - place_))) {
        while (at < lineEnd) {
            const QChar c = text_[at];
            if (c == u'`') {
                const qsizetype run = runOf(text_.mid(at), u'`');
                qsizetype close = at + run;
                while (close < lineEnd && runOf(text_.mid(close), u'`') != run)
                    close += std::max<qsizetype>(1, runOf(text_.mid(close), u'`'));
                at = close < lineEnd ? close + run : at + run;
            } else if (c == u'$' || c == u'\\') {
                at = spanAt(at, lineEnd);
                if (at > lineEnd) { // a formula took more lines
                    const qsizetype next = text_.indexOf(u'\n', at);
                    lineEnd = next < 0 ? text_.size() : next;
                }
            } else {
                ++at;
            }
        }
    }
    place_ = std::min(lineEnd + 1, text_.size());
    return true;
}

/// Returns whether the line is part of fenced code, or a fence.
bool MathFinder::takesFence(QStringView line) {
    const QStringView rest = withoutMarks(line);
    if (fence_) {
        if (closesFence(rest, *fence_)) fence_.reset();
        return true;
    }
    fence_ = fenceIn(rest);
    return fence_.has_value();
}

/// Looks for a formula that begins at this dollar sign or backslash. Returns the place to go on from.
qsizetype MathFinder::spanAt(qsizetype at, qsizetype lineEnd) {
    const QChar next = at + 1 < text_.size() ? text_[at + 1] : QChar();
    const bool backslash = text_[at] == u'\\';
    if (backslash && next != u'(' && next != u'[') return std::min(at + 2, lineEnd);
    const bool display = next == (backslash ? u'[' : u'$');
    const qsizetype delimiter = backslash || display ? 2 : 1;
    bool reachesEnd = false;
    const bool alone = display && withoutMarks(text_.mid(place_, lineEnd - place_)).data() == text_.data() + at;
    const qsizetype limit = alone ? displayLimit(at, reachesEnd) : lineEnd;
    qsizetype end = -1;
    if (backslash)
        end = bracketEnd(at + 2, display ? u']' : u')', limit);
    else
        end = display ? dollarsEnd(at + 2, limit) : inlineEnd(at, lineEnd);
    if (end < 0) {
        open_ = open_ || reachesEnd;
        return at + delimiter;
    }
    spans_.push_back({.begin = at, .end = end, .delimiter = delimiter, .display = display});
    return end;
}

qsizetype MathFinder::inlineEnd(qsizetype at, qsizetype lineEnd) const {
    if (at + 1 >= lineEnd || text_[at + 1].isSpace()) return -1;
    for (qsizetype i = at + 1; i < lineEnd; ++i) {
        if (text_[i] == u'\\') {
            ++i;
        } else if (text_[i] == u'$') {
            if (text_[i - 1].isSpace()) return -1;
            return i + 1 < text_.size() && text_[i + 1].isDigit() ? -1 : i + 1;
        }
    }
    return -1;
}

qsizetype MathFinder::bracketEnd(qsizetype at, QChar close, qsizetype limit) const {
    bool empty = true;
    for (qsizetype i = at; i + 1 < limit; ++i) {
        if (text_[i] != u'\\') {
            empty = empty && text_[i].isSpace();
            continue;
        }
        if (text_[i + 1] == close) return empty ? -1 : i + 2;
        empty = false;
        ++i;
    }
    return -1;
}

qsizetype MathFinder::dollarsEnd(qsizetype at, qsizetype limit) const {
    bool empty = true;
    for (qsizetype i = at; i + 1 < limit; ++i) {
        if (text_[i] == u'\\')
            ++i;
        else if (text_[i] == u'$')
            return empty || text_[i + 1] != u'$' ? -1 : i + 2;
        empty = empty && text_[i].isSpace();
    }
    return -1;
}

/// Returns the place of the first empty line behind `at`, or the end of the text.
qsizetype MathFinder::displayLimit(qsizetype at, bool& reachesEnd) const {
    for (qsizetype lineBreak = text_.indexOf(u'\n', at); lineBreak >= 0;) {
        const qsizetype next = text_.indexOf(u'\n', lineBreak + 1);
        if (next < 0) break;
        if (isBlank(text_.mid(lineBreak + 1, next - lineBreak - 1))) return lineBreak;
        lineBreak = next;
    }
    reachesEnd = true;
    return text_.size();
}

} // namespace coterie::app
