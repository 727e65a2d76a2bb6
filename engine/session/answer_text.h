// SPDX-License-Identifier: Apache-2.0
// Turns the bytes of tokens into text that may be shown: whole characters, without an end that may become a stop
// string.
#pragma once

#include "prompt/utf8_stream.h"

#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// The text of one answer. Not thread-safe.
class AnswerText {
  public:
    /// stops: none of them empty. dropLeadingSpace: one space at the very start belongs to the tokenizer and not to the
    /// answer.
    AnswerText(std::vector<std::string> stops, bool dropLeadingSpace);

    /// Returns the text that can be shown now. Nothing more comes after stopped().
    std::string push(std::string_view bytes);
    /// Returns the text that was held back; an unfinished character becomes U+FFFD.
    std::string finish();
    /// A stop string came. The text before it was given out.
    bool stopped() const { return stopped_; }

  private:
    std::string release(bool all);

    std::vector<std::string> stops_;
    bool atStart_;
    bool stopped_ = false;
    Utf8Stream characters_;
    std::string held_; ///< whole characters that may begin a stop string
};

} // namespace coterie::engine
