// SPDX-License-Identifier: Apache-2.0
// Follows a Markdown text byte by byte: whether a place lies within a fenced block of code, whether a line begins
// there, and whether code within the line begins there. It knows fences (CommonMark 4.5), with any indentation, since
// lists indent them, and code spans (6.1), each line for itself.
#pragma once

#include <cstddef>

namespace coterie::engine {

class CodeFences {
  public:
    /// Whether the next byte lies within a fenced block, or in the line that opens one.
    bool within() const { return fence_ != 0 || run_ >= kShortest; }
    /// Whether only blanks stand before the next byte in its line.
    bool atLineStart() const { return place_ == Place::Indent; }
    /// Whether code within the line begins right before the next byte: backticks stand there that close no other code.
    bool behindOpenTicks() const { return ticks_ > 0 && ticks_ != span_; }
    /// A line begins here: something else than text came before.
    void beginLine() {
        if (opens()) fence_ = mark_, fenceRun_ = run_;
        place_ = Place::Indent;
        mark_ = 0, run_ = 0;
        tail_ = false, ticked_ = false;
        ticks_ = 0, span_ = 0;
    }
    void take(char c) {
        takeTicks(c);
        if (c == '\n') {
            const bool closes = fence_ != 0 && mark_ == fence_ && run_ >= fenceRun_ && !tail_;
            beginLine();
            if (closes) fence_ = 0;
            return;
        }
        const bool blank = c == ' ' || c == '\t' || c == '\r';
        if (place_ == Place::Indent && blank) return;
        if (place_ == Place::Indent && (c == '`' || c == '~')) place_ = Place::Run, mark_ = c;
        if (place_ == Place::Run && c == mark_) {
            ++run_;
            return;
        }
        place_ = Place::Rest;
        tail_ = tail_ || !blank;
        ticked_ = ticked_ || c == '`';
        if (mark_ == '`' && ticked_ && fence_ == 0) run_ = 0; // code within the line, not a fence
    }

  private:
    enum class Place { Indent, Run, Rest };
    static constexpr size_t kShortest = 3;

    bool opens() const { return fence_ == 0 && run_ >= kShortest; }
    void takeTicks(char c) {
        if (c == '`') {
            ++ticks_;
        } else if (ticks_ > 0) {
            if (span_ == 0 || span_ == ticks_) span_ = span_ == 0 ? ticks_ : 0;
            ticks_ = 0;
        }
    }

    Place place_ = Place::Indent; ///< in the line
    char mark_ = 0;               ///< '`' or '~' if the line begins with it, else 0
    size_t run_ = 0;              ///< how many of them
    bool tail_ = false;           ///< something other than blanks follows them
    bool ticked_ = false;         ///< a '`' is among it
    char fence_ = 0;              ///< the mark of the block that is open, 0 if none is
    size_t fenceRun_ = 0;
    size_t ticks_ = 0; ///< backticks right before the next byte
    size_t span_ = 0;  ///< how many backticks end the code that is open in this line, 0 if none is
};

} // namespace coterie::engine
