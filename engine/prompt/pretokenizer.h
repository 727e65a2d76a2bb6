// SPDX-License-Identifier: Apache-2.0
// Cuts text into the pieces inside which byte-level BPE merges, as the regular expressions do that the models were
// trained with. Hand-written splitters in linear time; no regular expression is run. Not for SentencePiece, which has
// no pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// A character of a text, or one byte of what is not UTF-8 (of no class then).
struct Character {
    uint32_t begin; ///< byte offset
    uint32_t codePoint : 24;
    uint32_t classes : 8; ///< bits of CharacterClass
};

/// One pass over a range of characters: the end of the piece that begins at `position`. Matches and what lies between
/// them are pieces.
using SplitStage = size_t (*)(std::span<const Character> text, size_t position, size_t end);

/// An entry of the table of known pre-tokenizers. Any thread may use it.
struct Pretokenizer {
    std::string_view name;              ///< as tokenizer.ggml.pre has it
    std::span<const SplitStage> stages; ///< each splits the pieces of the one before
    bool wholeWordsFirst = false; ///< a piece that is a token is that token, whatever the merges say ("ignore_merges")
    bool addsBeginning = false;   ///< where the file doesn't say

    /// The pieces, in order; put together they are the text. Less than 4 GiB at a time.
    std::vector<std::string_view> split(std::string_view text) const;
};

/// Nothing where the name is unknown.
const Pretokenizer* findPretokenizer(std::string_view name);

} // namespace coterie::engine
