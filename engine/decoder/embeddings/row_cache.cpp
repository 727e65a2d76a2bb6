// SPDX-License-Identifier: Apache-2.0
// See row_cache.h.
#include "decoder/embeddings/row_cache.h"

#include <algorithm>

namespace coterie::engine {

RowCache::RowCache(std::span<std::byte> room, size_t rowBytes)
    : room_(room), rowBytes_(rowBytes), capacity_(room.size() / rowBytes) {
    places_.reserve(capacity_);
}

const std::byte* RowCache::find(TokenId row) const {
    const auto place = places_.find(row);
    return place == places_.end() ? nullptr : place->second->bytes;
}

bool RowCache::use(TokenId row) {
    const auto place = places_.find(row);
    if (place == places_.end()) return false;
    rows_.splice(rows_.begin(), rows_, place->second);
    return true;
}

void RowCache::insert(TokenId row, const std::byte* bytes) {
    if (capacity_ == 0) return;
    if (rows_.size() < capacity_) {
        rows_.push_front({row, room_.data() + rows_.size() * rowBytes_});
    } else {
        places_.erase(rows_.back().number);
        rows_.splice(rows_.begin(), rows_, std::prev(rows_.end()));
        rows_.front().number = row;
    }
    places_.insert_or_assign(row, rows_.begin());
    std::copy_n(bytes, rowBytes_, rows_.front().bytes);
}

} // namespace coterie::engine
