// SPDX-License-Identifier: Apache-2.0
// Many short texts in one block of memory, numbered in the order of their arrival and found through a flat hash table.
// It opens a vocabulary of 150,000 tokens in milliseconds. Not a general map: texts are never removed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// Not thread-safe while texts are added; read-only afterwards.
class TextTable {
  public:
    TextTable() = default;
    /// Reserves memory for `count` texts with `bytes` bytes together (less than 4 GiB). The table can still grow.
    TextTable(size_t count, size_t bytes);

    /// Returns the number of the new text. find() then gives this number for the text, also if an equal text was added
    /// before. An empty text is never found.
    uint32_t add(std::string_view text);
    std::optional<uint32_t> find(std::string_view text) const;
    /// Adds the text unless it is there.
    uint32_t intern(std::string_view text);

    std::string_view text(uint32_t number) const {
        return std::string_view(bytes_).substr(offsets_[number], offsets_[number + 1] - offsets_[number]);
    }
    size_t size() const { return offsets_.size() - 1; }
    uint64_t memoryBytes() const;

  private:
    struct Entry {
        uint32_t hash = 0;
        uint32_t number = 0; ///< counted from 1; 0: free
    };
    size_t placeOf(uint32_t hash, std::string_view text) const;
    void grow();

    std::string bytes_;
    std::vector<uint32_t> offsets_{0}; ///< [size() + 1]
    std::vector<Entry> entries_;       ///< a power of two, at most three quarters full
    size_t used_ = 0;
};

} // namespace coterie::engine
