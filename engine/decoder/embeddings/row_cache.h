// SPDX-License-Identifier: Apache-2.0
// Rows of bytes by their number, of which the least recently used makes room for a new one. Inside decoder/ only.
#pragma once

#include "gguf/token_id.h"

#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <unordered_map>

namespace coterie::engine {

class RowCache {
  public:
    /// Bytes of the records of a row, besides its own.
    static constexpr uint64_t kRecordBytes = 128;

    RowCache() = default;
    /// room: for whole rows of rowBytes. It outlives this object.
    RowCache(std::span<std::byte> room, size_t rowBytes);

    bool holds(TokenId row) const { return places_.contains(row); }
    /// Returns null if it does not hold the row.
    const std::byte* find(TokenId row) const;
    /// The row counts as used last. Returns false if it is not held.
    bool use(TokenId row);
    /// Copies a row that is not held, which then counts as used last. Does nothing without room.
    void insert(TokenId row, const std::byte* bytes);
    size_t size() const { return rows_.size(); } ///< number of rows that are held

  private:
    struct Row {
        TokenId number = 0;
        std::byte* bytes = nullptr;
    };
    using Rows = std::list<Row>;

    std::span<std::byte> room_;
    size_t rowBytes_ = 0, capacity_ = 0;
    Rows rows_; // the one used last is the first
    std::unordered_map<TokenId, Rows::iterator> places_;
};

} // namespace coterie::engine
