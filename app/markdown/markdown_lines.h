// SPDX-License-Identifier: Apache-2.0
// Kinds of Markdown lines, judged from the line alone (CommonMark's chapter numbers are in the comments). The
// parser itself is md4c; this is for finding places where an answer that streams can be cut. Pure functions.
//
//     if (const auto item = listMarkIn(u"- words")) use(item->contentIndent); // 2
#pragma once

#include <QString>
#include <QStringView>

#include <optional>

namespace coterie::app {

/// The opening fence of a code block (4.5).
struct MarkdownFence {
    QChar mark;           ///< ` or ~
    qsizetype length = 0; ///< number of marks
    qsizetype indent = 0; ///< spaces before it
    QString label{};      ///< the first word behind it

    bool operator==(const MarkdownFence& other) const = default;
};

/// The mark of a list item (5.2).
struct MarkdownListMark {
    QChar mark;                  ///< - + * or the character behind a number
    int number = -1;             ///< -1: a bullet
    qsizetype indent = 0;        ///< columns before the mark
    qsizetype contentIndent = 0; ///< columns before what belongs to the item
    bool empty = false;          ///< nothing follows on the line
};

qsizetype runOf(QStringView text, QChar c);
/// Returns the columns of white space before the first other character. A tab goes to the next multiple of four.
qsizetype indentOf(QStringView line);
/// Whether there is nothing but white space, and marks of quotes.
bool isBlank(QStringView line);
/// Returns the line without white space and the marks of quotes and lists at its beginning.
QStringView withoutMarks(QStringView line);

std::optional<MarkdownFence> fenceIn(QStringView line);
bool closesFence(QStringView line, const MarkdownFence& fence);
std::optional<MarkdownListMark> listMarkIn(QStringView line);
bool isHeading(QStringView line);
bool isRule(QStringView line);
/// Whether more characters at the end of this line could still make it another kind of line.
bool isUndecided(QStringView line);

} // namespace coterie::app
