// SPDX-License-Identifier: Apache-2.0
// Finds tokens that are taken out of a text before anything else looks at it: "<|im_end|>" and what a vocabulary
// defines by hand.
#pragma once

#include "prompt/tokenizer.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// Read-only once made. Owns its texts.
class SpecialTokens {
  public:
    struct Entry {
        std::string text; ///< not empty
        TokenId token = 0;
    };
    struct Match {
        size_t position = 0, length = 0; ///< length 0: none
        TokenId token = 0;
    };

    explicit SpecialTokens(std::vector<Entry> entries = {});
    /// The first place at or after `from` where a token stands, and the longest one there. The reference engine looks
    /// for the longest token first, wherever it stands; the two differ only where tokens overlap ("ab" and "bcd" in
    /// "abcd"), and there published tokenizers do as is done here.
    Match next(std::string_view text, size_t from) const;

  private:
    Match longestAt(std::string_view text, size_t position) const;

    std::vector<Entry> entries_; ///< sorted by text
    std::array<bool, 256> firstBytes_{};
};

} // namespace coterie::engine
