// SPDX-License-Identifier: Apache-2.0
// See markdown_slices.h. An empty line ends every paragraph, and a line without indentation behind it is in no list and
// no quote. Without an empty line, a block may begin where CommonMark lets it interrupt a paragraph.
#include "markdown/markdown_slices.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

constexpr qsizetype kMostBlockIndent = 3; // CommonMark 4.1 to 5.2: four columns would be indented code

} // namespace

qsizetype MarkdownSlices::next(QStringView text, bool atEnd) {
    math_.setText(atEnd ? text : text.left(text.lastIndexOf(u'\n') + 1));
    while (place_ < text.size()) {
        if (closed_) return endHere(); // whatever follows
        qsizetype lineEnd = text.indexOf(u'\n', place_);
        if (lineEnd < 0 && !atEnd) return 0;
        if (lineEnd < 0) lineEnd = text.size();
        const QStringView line = text.mid(place_, lineEnd - place_);
        if (started_ && beginsSlice(line)) return endHere();
        const bool inCode = fence_ || (!started_ && fenceIn(line));
        const MathFinder before = math_;
        qsizetype after = std::min(lineEnd + 1, text.size());
        if (!inCode) {
            math_.nextLine();
            if (math_.open() && !atEnd) { // its lines may be the lines of a formula
                math_ = before;
                return 0;
            }
            lazy_ = lazy_ || math_.place() > after;
            after = math_.place();
        }
        take(line);
        place_ = after;
    }
    return 0;
}

/// Starts the next slice and returns the end of this one.
qsizetype MarkdownSlices::endHere() {
    const qsizetype end = place_;
    *this = {};
    return end;
}

/// Whether a new slice begins with this line. The current slice has lines with text.
bool MarkdownSlices::beginsSlice(QStringView line) const {
    if (fence_ || isBlank(line)) return false;
    const qsizetype indent = indentOf(line);
    if (mixed_ && itemFence_) return false; // the line may be one of that code
    const bool outside = indent == 0 || (item_ && indent < item_->contentIndent);
    if (bare_ && (outside || blank_)) return true; // only an indented line right behind its mark belongs to it
    // Nothing but a paragraph goes on outside its item.
    if (outside && (blank_ || itemFence_ || (item_ && headed_))) return true;
    // Lines that are indented like this belong to no list and no quote of the slice.
    const qsizetype most = mixed_ ? 0 : item_ ? item_->contentIndent - 1 : kMostBlockIndent;
    if (indent > most || indent > kMostBlockIndent) return false;
    if (blank_ && !item_ && !mixed_) return true;
    if (isHeading(line) || fenceIn(line)) return true;
    if (item_ && isRule(line)) return true;
    const std::optional<MarkdownListMark> mark = listMarkIn(line);
    return mark && !mark->empty && beginsItem(*mark);
}

bool MarkdownSlices::beginsItem(const MarkdownListMark& mark) const {
    if (item_) {
        if (mark.indent > item_->indent) return false;
        return mark.number < 0 || mark.number == 1 || !lazy_; // CommonMark 5.3: other numbers interrupt no paragraph
    }
    return mark.number < 0 || mark.number == 1;
}

/// Remembers what this line means for those that follow.
void MarkdownSlices::take(QStringView line) {
    if (fence_) {
        closed_ = closesFence(line, *fence_);
        return;
    }
    if (isBlank(line) && line.trimmed().isEmpty()) {
        blank_ = true;
        return;
    }
    if (!std::exchange(started_, true)) {
        fence_ = fenceIn(line);
        if (!fence_ && !isRule(line)) item_ = listMarkIn(line);
        bare_ = item_ && item_->empty;
    } else if (item_) {
        lazy_ = lazy_ || indentOf(line) < item_->contentIndent;
        const std::optional<MarkdownListMark> mark = listMarkIn(line);
        bare_ = mark && mark->empty && mark->mark == item_->mark && mark->indent == item_->indent &&
                mark->contentIndent == item_->contentIndent;
        if (mark && mark->indent < item_->contentIndent) item_->contentIndent = mark->contentIndent; // the next item
    } else {
        mixed_ = mixed_ || listMarkIn(line).has_value();
    }
    headed_ = isHeading(withoutMarks(line));
    if (item_ || mixed_) takeItemFence(line);
    blank_ = false;
}

/// Remembers whether code of the item, or of one that may be in the slice, is open after this line.
void MarkdownSlices::takeItemFence(QStringView line) {
    const qsizetype indent = indentOf(line);
    if (!itemFence_) {
        const QStringView words = withoutMarks(line);
        const qsizetype most = item_ ? item_->contentIndent + kMostBlockIndent : line.size();
        const bool inItem = !item_ || indent == item_->indent || indent >= item_->contentIndent;
        if (inItem && line.size() - words.size() <= most) itemFence_ = fenceIn(words); // else it is indented code
    } else if (closesFence(line.trimmed(), *itemFence_)) {
        itemFence_.reset();
    }
}

} // namespace coterie::app
