// SPDX-License-Identifier: Apache-2.0
// Turns the bytes of tokens into the text that may be shown: whole characters only, and nothing that may yet become a
// stop string.
#pragma once

#include "prompt/utf8_stream.h"

#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// The text of one answer. Not thread-safe.
class AnswerText {
  public:
    /// `stops`: none of them empty. `dropLeadingSpace`: one space at the very start belongs to the tokenizer, not to
    /// the answer, and is dropped.
    AnswerText(std::vector<std::string> stops, bool dropLeadingSpace);

    /// Takes a token's bytes and returns the text that can be shown now. Returns nothing more after stopped().
    std::string push(std::string_view bytes);
    /// Returns the text that was held back; an unfinished character becomes U+FFFD.
    std::string finish();
    /// Whether a stop string came. The text before it has then been given out.
    bool stopped() const { return stopped_; }
    /// Returns the bytes of all whole characters so far, including those held back and those of a stop string. A
    /// token's text ends here, counted in the text that push() and finish() return together.
    size_t taken() const { return taken_; }
    /// Whether the bytes so far end within a character.
    bool endsInCharacter() const { return characters_.endsInCharacter(); }

  private:
    void hold(std::string text);
    std::string release(bool all);

    std::vector<std::string> stops_;
    bool atStart_;
    bool stopped_ = false;
    size_t taken_ = 0;
    Utf8Stream characters_;
    std::string held_; ///< whole characters that may begin a stop string
};

} // namespace coterie::engine
