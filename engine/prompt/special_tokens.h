// SPDX-License-Identifier: Apache-2.0
// Finds the tokens that are taken out of a text before it is cut into words: control tokens such as "<|im_end|>", and
// tokens that a vocabulary calls user-defined.
#pragma once

#include "prompt/tokenizer.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// Read-only after its construction. Owns its texts.
class SpecialTokens {
  public:
    struct Entry {
        std::string text; ///< not empty
        TokenId token = 0;
        bool control = false; ///< counts only in text of our own
    };
    struct Match {
        size_t position = 0, length = 0; ///< length 0: none
        TokenId token = 0;
    };

    explicit SpecialTokens(std::vector<Entry> entries = {});
    /// Returns the first place at or after `from` that holds a token, and the longest token there. A control token must
    /// lie wholly in one of `own`: ascending ranges of the text that do not touch. The reference engine looks for the
    /// longest token first, wherever it is. The two differ only if tokens overlap ("ab" and "bcd" in "abcd"), and then
    /// published tokenizers do the same as this code.
    Match next(std::string_view text, size_t from, std::span<const ByteRange> own) const;

  private:
    Match longestAt(std::string_view text, size_t position, size_t ownEnd) const;

    std::vector<Entry> entries_; ///< sorted by text
    std::array<bool, 256> firstBytes_{};
};

} // namespace coterie::engine
