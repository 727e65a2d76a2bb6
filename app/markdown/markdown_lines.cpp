// SPDX-License-Identifier: Apache-2.0
// See markdown_lines.h.
#include "markdown/markdown_lines.h"

#include "markdown/markdown_entities.h"

#include <algorithm>

namespace coterie::app {
namespace {

constexpr qsizetype kFenceLength = 3;   // 4.5
constexpr qsizetype kMostIndent = 3;    // 4.1 to 5.2: four columns would be indented code
constexpr qsizetype kTab = 4;           // 2.2
constexpr qsizetype kMostDigits = 9;    // 5.2
constexpr qsizetype kMostPadding = 4;   // 5.2: more is indented code in the item
constexpr qsizetype kHeadingLevels = 6; // 4.2

bool isSpace(QChar c) { return c == u' ' || c == u'\t' || c == u'\r'; }

qsizetype spacesOf(QStringView text) {
    qsizetype length = 0;
    while (length < text.size() && isSpace(text[length])) ++length;
    return length;
}

/// Returns the length of a bullet or a number with its delimiter; 0: there is none.
qsizetype markLength(QStringView text) {
    if (text.isEmpty()) return 0;
    if (text[0] == u'-' || text[0] == u'+' || text[0] == u'*') return 1;
    qsizetype digits = 0;
    while (digits < text.size() && text[digits] >= u'0' && text[digits] <= u'9') ++digits;
    if (digits == 0 || digits > kMostDigits || digits == text.size()) return 0;
    return text[digits] == u'.' || text[digits] == u')' ? digits + 1 : 0;
}

/// Returns the word behind a fence without backslashes, and with characters for their names (4.5).
QString plainInfo(QStringView word) {
    QString plain;
    for (qsizetype i = 0; i < word.size(); ++i) {
        const bool escapes = word[i] == u'\\' && i + 1 < word.size() && word[i + 1] < QChar(0x80) &&
                             word[i + 1].isPrint() && !word[i + 1].isLetterOrNumber();
        if (escapes) ++i;
        const qsizetype end = !escapes && word[i] == u'&' ? word.indexOf(u';', i) + 1 : 0;
        const QString known = end > 0 ? characterOfEntity(word.mid(i, end - i)) : QString();
        plain += known.isEmpty() ? QString(word[i]) : known;
        if (!known.isEmpty()) i = end - 1;
    }
    return plain;
}

} // namespace

qsizetype runOf(QStringView text, QChar c) {
    qsizetype length = 0;
    while (length < text.size() && text[length] == c) ++length;
    return length;
}

qsizetype indentOf(QStringView line) {
    qsizetype columns = 0;
    for (qsizetype i = 0; i < line.size() && isSpace(line[i]); ++i)
        columns += line[i] == u'\t' ? kTab - columns % kTab : 1;
    return columns;
}

bool isBlank(QStringView line) {
    return std::all_of(line.begin(), line.end(), [](QChar c) { return isSpace(c) || c == u'>'; });
}

QStringView withoutMarks(QStringView line) {
    for (;;) {
        line = line.mid(spacesOf(line));
        const qsizetype mark = line.startsWith(u'>') ? 1 : markLength(line);
        if (mark == 0 || (!line.startsWith(u'>') && mark < line.size() && !isSpace(line[mark]))) return line;
        line = line.mid(mark);
    }
}

std::optional<MarkdownFence> fenceIn(QStringView line) {
    const qsizetype indent = indentOf(line);
    const QStringView rest = line.mid(spacesOf(line));
    if (indent > kMostIndent || rest.isEmpty() || (rest[0] != u'`' && rest[0] != u'~')) return {};
    const qsizetype run = runOf(rest, rest[0]);
    const QStringView info = rest.mid(run).trimmed();
    if (run < kFenceLength || (rest[0] == u'`' && info.contains(u'`'))) return {};
    qsizetype word = 0;
    while (word < info.size() && !info[word].isSpace()) ++word;
    return MarkdownFence{.mark = rest[0], .length = run, .indent = indent, .label = plainInfo(info.left(word))};
}

bool closesFence(QStringView line, const MarkdownFence& fence) {
    const QStringView rest = line.mid(spacesOf(line));
    const qsizetype run = runOf(rest, fence.mark);
    return indentOf(line) <= kMostIndent && run >= fence.length && rest.mid(run).trimmed().isEmpty();
}

std::optional<MarkdownListMark> listMarkIn(QStringView line) {
    const qsizetype indent = indentOf(line);
    const QStringView rest = line.mid(spacesOf(line));
    const qsizetype length = markLength(rest);
    if (indent > kMostIndent || length == 0 || (length < rest.size() && !isSpace(rest[length]))) return {};
    const bool bullet = length == 1;
    const qsizetype content = length + spacesOf(rest.mid(length));
    const bool empty = content == rest.size();
    // A tab behind the mark reaches to a multiple of four columns of the line, not of the rest.
    const QString columns = QString(indent + length, u' ') + rest.mid(length, content - length).toString();
    const qsizetype padding = indentOf(columns) - indent - length;
    const bool code = empty || padding > kMostPadding;
    return MarkdownListMark{.mark = rest[length - 1],
                            .number = bullet ? -1 : rest.left(length - 1).toInt(),
                            .indent = indent,
                            .contentIndent = indent + length + (code ? 1 : padding),
                            .empty = empty};
}

bool isHeading(QStringView line) {
    if (indentOf(line) > kMostIndent) return false;
    const QStringView rest = line.mid(spacesOf(line));
    const qsizetype run = runOf(rest, u'#');
    return run > 0 && run <= kHeadingLevels && (run == rest.size() || isSpace(rest[run]));
}

bool isRule(QStringView line) {
    if (indentOf(line) > kMostIndent) return false;
    const QStringView rest = line.trimmed();
    if (rest.isEmpty() || (rest[0] != u'*' && rest[0] != u'-' && rest[0] != u'_')) return false;
    qsizetype marks = 0;
    for (const QChar c : rest) {
        if (c != rest[0] && !isSpace(c)) return false;
        marks += c == rest[0] ? 1 : 0;
    }
    return marks >= 3; // 4.1
}

bool isUndecided(QStringView line) {
    const QStringView rest = withoutMarks(line);
    if (rest.isEmpty()) return true;
    if (runOf(rest, u'`') >= kFenceLength || runOf(rest, u'~') >= kFenceLength) return true;
    const qsizetype digits =
        std::find_if(rest.begin(), rest.end(), [](QChar c) { return c < u'0' || c > u'9'; }) - rest.begin();
    if (digits > 0 && digits <= kMostDigits && digits + 1 >= rest.size())
        return digits == rest.size() || rest[digits] == u'.' || rest[digits] == u')';
    return std::all_of(rest.begin(), rest.end(),
                       [](QChar c) { return isSpace(c) || QStringLiteral("-+*#=~`_|:").contains(c); });
}

} // namespace coterie::app
