// SPDX-License-Identifier: Apache-2.0
// A slice of Markdown as md4c reads it: UTF-8, in which characters that md4c must not take for its own are replaced by
// others, and the way back from its bytes to the characters. Plain values.
//
//     const MarkdownSource source(slice);
//     source.placeOf(pointerFromMd4c); // index of a character of the slice, or -1
#pragma once

#include "markdown/markdown_math.h"

#include <QStringView>

#include <string>
#include <vector>

namespace coterie::app {

class MarkdownSource {
  public:
    explicit MarkdownSource(QStringView text);

    const std::string& bytes() const { return bytes_; }
    QStringView text() const { return text_; }
    const std::vector<MathSpan>& formulas() const { return formulas_; }
    /// Returns the character at this pointer into bytes(), or -1 if it points elsewhere. The end is a character too.
    qsizetype placeOf(const char* pointer) const;

  private:
    void encode();

    QStringView text_;
    std::vector<MathSpan> formulas_;
    std::string bytes_;
    std::vector<int> places_; ///< [bytes and one more] the character of each byte
};

} // namespace coterie::app
