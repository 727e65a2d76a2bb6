// SPDX-License-Identifier: Apache-2.0
// Cuts text into the pieces inside which BPE merges. Hand-written splitters give the same pieces as the
// regular expressions that the models were trained with, in linear time. Not for SentencePiece, which has no pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// A character of a text, or one byte that is not UTF-8 and has no class.
struct Character {
    uint32_t begin; ///< byte offset
    uint32_t codePoint : 24;
    uint32_t classes : 8; ///< bits of CharacterClass
};

/// One pass over a range of characters. Returns the end of the piece that begins at `position`: a piece is a match, or
/// the text between two matches.
using SplitStage = size_t (*)(std::span<const Character> text, size_t position, size_t end);

/// An entry of the table of known pre-tokenizers. Any thread may use it.
struct Pretokenizer {
    std::string_view name;              ///< its name in tokenizer.ggml.pre
    std::span<const SplitStage> stages; ///< each stage splits the pieces of the stage before
    bool wholeWordsFirst = false;       ///< a piece that is a token becomes it without merging ("ignore_merges")
    bool addsBeginning = false;         ///< used if the file does not say
    bool byteAlphabet = true; ///< the vocabulary writes bytes as characters; false: it has the characters themselves

    /// Returns the pieces in order; joined, they are the text. The text must be smaller than 4 GiB.
    std::vector<std::string_view> split(std::string_view text) const;
};

/// Returns nullptr for an unknown name.
const Pretokenizer* findPretokenizer(std::string_view name);

} // namespace coterie::engine
