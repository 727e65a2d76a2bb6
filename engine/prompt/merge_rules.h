// SPDX-License-Identifier: Apache-2.0
// The merges of a BPE vocabulary: which neighbours become one symbol, and in which order. A symbol is a token's id, or
// a number after the last id for a text that only merges have.
#pragma once

#include "prompt/merge_symbols.h"
#include "prompt/vocabulary.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace coterie::engine {

/// A flat table from (left, right) to Merge.
class MergeTable {
  public:
    explicit MergeTable(size_t count = 0) : entries_(std::bit_ceil(count + count / 3 + 16)) {}

    /// The first of equal pairs counts. Call it at most `count` times (the constructor's argument).
    void add(uint32_t left, uint32_t right, Merge merge) {
        Entry& entry = entries_[placeOf(left, right)];
        if (entry.left == kNoSymbol) entry = {left, right, merge};
    }
    Merge find(uint32_t left, uint32_t right) const { return entries_[placeOf(left, right)].merge; }
    uint64_t memoryBytes() const { return entries_.capacity() * sizeof(Entry); }

  private:
    struct Entry {
        uint32_t left = kNoSymbol, right = kNoSymbol;
        Merge merge;
    };
    size_t placeOf(uint32_t left, uint32_t right) const {
        // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4).
        const uint64_t hash = (static_cast<uint64_t>(left) << 32 | right) * 0x9e3779b97f4a7c15u;
        size_t at = (hash >> 32) & (entries_.size() - 1);
        while (entries_[at].left != kNoSymbol && (entries_[at].left != left || entries_[at].right != right))
            at = (at + 1) & (entries_.size() - 1);
        return at;
    }

    std::vector<Entry> entries_; ///< a power of two, at most three quarters full
};

/// Reads tokenizer.ggml.merges. Adds to the vocabulary the texts that only merges have.
Result<MergeTable> readMerges(const gguf::Header& header, Vocabulary& vocabulary);

} // namespace coterie::engine
