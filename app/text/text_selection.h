// SPDX-License-Identifier: Apache-2.0
// Caret and anchor in a message, and how keys and clicks move them. The selection is what lies between the two. Lives
// on the GUI thread.
#pragma once

#include "text/message_layout.h"

class QKeyEvent;

namespace coterie::app {

class TextSelection {
  public:
    enum class Unit { Character, Word, Paragraph };

    TextPosition caret() const { return caret_; }
    TextSpan range() const { return {std::min(anchor_, caret_), std::max(anchor_, caret_)}; }
    bool empty() const { return anchor_ == caret_; }
    /// The unit with which it began.
    TextSpan first() const { return first_; }
    Unit unit() const { return unit_; }

    void set(TextPosition anchor, TextPosition caret);
    void clear() { set(caret_, caret_); }
    /// Selects the unit at this place: the press of the pointer that begins a selection.
    void begin(const TextDocument& document, TextPosition at, Unit unit);
    /// Moves the caret there, by whole units of the kind that begin() got.
    void extend(const TextDocument& document, TextPosition to);
    /// Moves the caret as this key does with Shift. Returns false if it is no such key.
    bool moveBy(const QKeyEvent& key, const TextDocument& document, const MessageLayout& layout);
    /// Returns 1 if this key moves the caret on by a character, a word or a line, -1 if it moves it back, else 0.
    static int direction(const QKeyEvent& key);
    /// Moves what lies outside of the text to its end.
    void keepIn(const TextDocument& document);
    /// Selects the next shown block after `from`, or with step -1 the last one before it. Returns false if there is
    /// none.
    bool selectBlock(const TextDocument& document, int from, int step);

  private:
    TextPosition anchor_, caret_;
    TextSpan first_; ///< the unit with which the selection began
    Unit unit_ = Unit::Character;
};

} // namespace coterie::app
