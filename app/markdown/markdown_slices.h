// SPDX-License-Identifier: Apache-2.0
// Finds places where a Markdown text that arrives piece by piece can be cut, so that each slice can be parsed alone:
// the beginnings of blocks that lie in no other block, and of the items of their lists. It is careful: it misses some
// of these places, and never names another. Only whole lines count. Use each object on one thread only.
//
//     MarkdownSlices slices;
//     while (const qsizetype end = slices.next(text, false)) use(text.left(end)), remove it from text;
#pragma once

#include "markdown/markdown_lines.h"
#include "markdown/markdown_math.h"

#include <QStringView>

#include <optional>

namespace coterie::app {

class MarkdownSlices {
  public:
    /// `text` begins with the current slice; each call gets the same text with more at its end, until a slice ends.
    /// Returns the end of the slice and starts the next one, or 0 if the end is not there yet. atEnd: nothing follows.
    qsizetype next(QStringView text, bool atEnd);

  private:
    qsizetype endHere();
    bool beginsSlice(QStringView line) const;
    bool beginsItem(const MarkdownListMark& mark) const;
    void take(QStringView line);
    void takeItemFence(QStringView line);

    qsizetype place_ = 0; ///< the first line that was not looked at
    MathFinder math_;
    bool started_ = false;                   ///< a line with text was there
    bool blank_ = false;                     ///< the last line was empty
    bool closed_ = false;                    ///< the fenced code has ended
    bool mixed_ = false;                     ///< there may be a list inside a slice that begins with something else
    bool bare_ = false;                      ///< nothing but its mark was there of the last item of that list
    bool headed_ = false;                    ///< the line before is a heading
    bool lazy_ = false;                      ///< a line is less indented than the item with which the slice begins
    std::optional<MarkdownFence> fence_;     ///< the fence of the code that is the slice
    std::optional<MarkdownListMark> item_;   ///< the mark of the item with which the slice begins
    std::optional<MarkdownFence> itemFence_; ///< the fence of code in it, or in a list inside the slice, that is open
};

} // namespace coterie::app
