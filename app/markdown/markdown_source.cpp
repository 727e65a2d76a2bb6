// SPDX-License-Identifier: Apache-2.0
// See markdown_source.h. What is replaced, always by one byte that means nothing to md4c:
//   characters of a formula           a letter, so that its marks are not emphasis and its lines are no lists
//   the colon behind a bracket        a comma, so that nothing is a definition of a link
//   a carriage return, a null         a space, a letter
// One thing is added: md4c 0.4.8 wants three characters in each cell of the row under a table's head, and models also
// write one or two dashes. Such a run becomes three dashes.
#include "markdown/markdown_source.h"

#include "markdown/markdown_lines.h"

#include <algorithm>
#include <cstddef>

namespace coterie::app {
namespace {

constexpr char kLetter = 'M';

void addUtf8(std::string& to, char32_t c) {
    if (c < 0x80) {
        to += static_cast<char>(c);
        return;
    }
    if (c < 0x800) {
        to += static_cast<char>(0xC0 | (c >> 6));
    } else {
        if (c < 0x10000) {
            to += static_cast<char>(0xE0 | (c >> 12));
        } else {
            to += static_cast<char>(0xF0 | (c >> 18));
            to += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
        }
        to += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    }
    to += static_cast<char>(0x80 | (c & 0x3F));
}

/// Whether the line may be the row under a table's head.
bool isDelimiterRow(QStringView line) {
    return line.contains(u'|') && line.contains(u'-') &&
           std::all_of(line.begin(), line.end(), [](QChar c) { return QStringView(u" \t\r|:->").contains(c); });
}

/// Returns how many dashes the run that begins here lacks.
qsizetype missingDashes(QStringView line, qsizetype at) {
    constexpr qsizetype kFewest = 3;
    if (line[at] != u'-' || (at > 0 && line[at - 1] == u'-')) return 0;
    const bool bullet = isBlank(line.left(at)) && at + 1 < line.size() && line[at + 1].isSpace();
    return bullet ? 0 : std::max<qsizetype>(0, kFewest - runOf(line.mid(at), u'-'));
}

} // namespace

MarkdownSource::MarkdownSource(QStringView text) : text_(text) {
    MathFinder finder(text);
    while (finder.nextLine()) {
    }
    formulas_ = finder.spans();
    encode();
}

void MarkdownSource::encode() {
    bytes_.reserve(static_cast<size_t>(text_.size()));
    places_.reserve(static_cast<size_t>(text_.size()) + 1);
    auto formula = formulas_.begin();
    bool lineStart = true; // only white space and marks of quotes so far
    qsizetype lineBegin = 0;
    QStringView row; // the line, if it is one under a table's head
    for (qsizetype i = 0; i < text_.size(); ++i) {
        const QChar c = text_[i];
        if (i == 0 || text_[i - 1] == u'\n') {
            lineBegin = i;
            const qsizetype lineBreak = text_.indexOf(u'\n', i);
            const QStringView line = text_.mid(i, lineBreak < 0 ? -1 : lineBreak - i);
            row = isDelimiterRow(line) ? line : QStringView();
        }
        while (formula != formulas_.end() && i >= formula->end) ++formula;
        const bool inFormula = formula != formulas_.end() && i >= formula->begin;
        lineStart = c == u'\n' || (lineStart && (c == u' ' || c == u'\t' || c == u'>'));
        qsizetype length = 1;
        const size_t before = bytes_.size();
        if (!row.isEmpty() && !inFormula) bytes_.append(static_cast<size_t>(missingDashes(row, i - lineBegin)), '-');
        if (c == u'\r') {
            bytes_ += ' ';
        } else if (c.isNull() || (inFormula && !lineStart)) {
            bytes_ += kLetter;
        } else if (c == u':' && i > 0 && text_[i - 1] == u']') {
            bytes_ += ',';
        } else if (c.isHighSurrogate() && i + 1 < text_.size() && text_[i + 1].isLowSurrogate()) {
            addUtf8(bytes_, QChar::surrogateToUcs4(c, text_[i + 1]));
            length = 2;
        } else {
            addUtf8(bytes_, c.isSurrogate() ? char32_t{QChar::ReplacementCharacter} : char32_t{c.unicode()});
        }
        places_.resize(places_.size() + (bytes_.size() - before), static_cast<int>(i));
        i += length - 1;
    }
    places_.push_back(static_cast<int>(text_.size()));
}

qsizetype MarkdownSource::placeOf(const char* pointer) const {
    const std::ptrdiff_t byte = pointer - bytes_.data();
    if (byte < 0 || byte > static_cast<std::ptrdiff_t>(bytes_.size())) return -1;
    return places_[static_cast<size_t>(byte)];
}

} // namespace coterie::app
