// SPDX-License-Identifier: Apache-2.0
// Text in the form in which a search compares letters: without case and without diacritics, like the search in all
// chats. It remembers where each letter stood, and it can grow at its end. Plain value.
//
//     FoldedText text(u"Caf\u00e9");
//     text.find(FoldedText::fold(u"CAFE"), 0); // one range: the whole word
#pragma once

#include "store/chat_rows.h"

#include <QString>

#include <vector>

namespace coterie::app {

class FoldedText {
  public:
    FoldedText() = default;
    explicit FoldedText(QStringView text) { append(text); }

    /// Adds text at the end. A piece must not begin within a character.
    void append(QStringView text);
    /// Removes the characters from this place on, which must not be within a character.
    void truncate(qsizetype length);
    /// Number of characters that were added.
    qsizetype length() const { return length_; }
    /// Number of letters, of which some have several characters.
    qsizetype letters() const { return letters_.size(); }
    /// Returns the places of `words`, which fold() made, whose first letter is at least `fromLetter`. No two overlap.
    /// `most`: no more than these are returned.
    std::vector<TextRange> find(const QString& words, qsizetype fromLetter, size_t most) const;
    /// Returns the letter that has the character at this place.
    qsizetype letterAt(qsizetype place) const;

    static QString fold(QStringView text) { return FoldedText(text).letters_; }

  private:
    void add(char32_t code, qsizetype place);

    QString letters_;
    std::vector<qsizetype> places_; ///< [letters_] where the character begins that it stands for
    qsizetype length_ = 0;
};

} // namespace coterie::app
