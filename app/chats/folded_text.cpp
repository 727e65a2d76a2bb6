// SPDX-License-Identifier: Apache-2.0
// See folded_text.h. A character is taken apart as Unicode decomposes it, and its marks are left out.
#include "chats/folded_text.h"

#include <QStringMatcher>

#include <algorithm>

namespace coterie::app {

void FoldedText::append(QStringView text) {
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool pair = text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        const char32_t code = pair ? QChar::surrogateToUcs4(text[i], text[i + 1]) : text[i].unicode();
        add(code, length_ + i);
        if (pair) ++i;
    }
    length_ += text.size();
}

void FoldedText::truncate(qsizetype length) {
    if (length >= length_) return;
    const qsizetype letters = letterAt(length);
    letters_.truncate(letters);
    places_.resize(static_cast<size_t>(letters));
    length_ = length;
}

void FoldedText::add(char32_t code, qsizetype place) {
    if (code >= 0x80 && QChar::decompositionTag(code) == QChar::Canonical) {
        const QString pieces = QChar::decomposition(code);
        for (const char32_t piece : pieces.toUcs4()) add(piece, place);
        return;
    }
    if (QChar::isMark(code)) return;
    // A line that ends within the words that are looked for is like a space.
    const char32_t folded = QChar::isSpace(code) ? U' ' : QChar::toCaseFolded(code);
    for (const char16_t unit : QChar::fromUcs4(folded)) {
        letters_.append(QChar(unit));
        places_.push_back(place);
    }
}

std::vector<TextRange> FoldedText::find(const QString& words, qsizetype fromLetter, size_t most) const {
    std::vector<TextRange> found;
    if (words.isEmpty()) return found;
    const QStringMatcher matcher(words);
    qsizetype at = std::max<qsizetype>(fromLetter, 0);
    while (found.size() < most && (at = matcher.indexIn(letters_, at)) >= 0) {
        const qsizetype end = at + words.size();
        // The range ends where the next character begins: marks after a letter belong to it, and no character is cut.
        const auto place = [this](qsizetype letter) { return places_[static_cast<size_t>(letter)]; };
        qsizetype after = end;
        while (after < letters_.size() && place(after) == place(end - 1)) ++after;
        const qsizetype last = after < letters_.size() ? place(after) : length_;
        found.push_back({.begin = places_[static_cast<size_t>(at)], .end = last});
        at = end;
    }
    return found;
}

qsizetype FoldedText::letterAt(qsizetype place) const {
    return std::lower_bound(places_.begin(), places_.end(), place) - places_.begin();
}

} // namespace coterie::app
