// SPDX-License-Identifier: Apache-2.0
// From the bytes of tokens to the text that may be shown: whole characters, and nothing that may yet become a stop
// string.
#pragma once

#include "prompt/utf8_stream.h"

#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// One answer's text. Not thread-safe.
class AnswerText {
  public:
    /// `stops`: none of them empty. `dropLeadingSpace`: one space at the very start is the tokenizer's, not the
    /// answer's.
    AnswerText(std::vector<std::string> stops, bool dropLeadingSpace);

    /// What can be shown now. Nothing more comes after stopped().
    std::string push(std::string_view bytes);
    /// What was held back; an unfinished character becomes U+FFFD.
    std::string finish();
    /// A stop string came; what precedes it has been given out.
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
