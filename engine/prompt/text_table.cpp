// SPDX-License-Identifier: Apache-2.0
// Open addressing with linear steps. Each entry keeps its hash, so that most misses do not compare texts.
#include "prompt/text_table.h"

#include <bit>
#include <cstring>

namespace coterie::engine {

namespace {

/// Eight bytes at a time, multiplied by 2^64 over the golden ratio (Knuth, The Art of Computer Programming 3, 6.4) and
/// folded.
uint32_t hashOf(std::string_view text) {
    constexpr uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t hash = text.size() * factor;
    for (size_t at = 0; at < text.size(); at += 8) {
        uint64_t word = 0;
        std::memcpy(&word, text.data() + at, std::min<size_t>(8, text.size() - at));
        hash = (hash ^ word) * factor;
        hash ^= hash >> 32;
    }
    hash *= factor;
    return static_cast<uint32_t>(hash >> 32);
}

size_t entriesFor(size_t count) { return std::bit_ceil(count + count / 3 + 16); }

} // namespace

TextTable::TextTable(size_t count, size_t bytes) {
    bytes_.reserve(bytes);
    offsets_.reserve(count + 1);
    entries_.resize(entriesFor(count));
}

size_t TextTable::placeOf(uint32_t hash, std::string_view wanted) const {
    size_t at = hash & (entries_.size() - 1);
    while (entries_[at].number != 0 && (entries_[at].hash != hash || text(entries_[at].number - 1) != wanted))
        at = (at + 1) & (entries_.size() - 1);
    return at;
}

void TextTable::grow() {
    const std::vector<Entry> old = std::move(entries_);
    entries_.assign(entriesFor(2 * used_), Entry());
    for (const Entry& entry : old) {
        if (entry.number == 0) continue;
        size_t at = entry.hash & (entries_.size() - 1);
        while (entries_[at].number != 0) at = (at + 1) & (entries_.size() - 1);
        entries_[at] = entry;
    }
}

uint32_t TextTable::add(std::string_view text) {
    const auto number = static_cast<uint32_t>(size());
    bytes_.append(text);
    offsets_.push_back(static_cast<uint32_t>(bytes_.size()));
    if (text.empty()) return number;
    if (entries_.size() < entriesFor(used_)) grow();
    const uint32_t hash = hashOf(text);
    Entry& entry = entries_[placeOf(hash, text)];
    if (entry.number == 0) ++used_;
    entry = {hash, number + 1};
    return number;
}

std::optional<uint32_t> TextTable::find(std::string_view text) const {
    if (entries_.empty() || text.empty()) return std::nullopt;
    const Entry& entry = entries_[placeOf(hashOf(text), text)];
    return entry.number == 0 ? std::nullopt : std::optional(entry.number - 1);
}

uint32_t TextTable::intern(std::string_view text) {
    const std::optional<uint32_t> known = find(text);
    return known ? *known : add(text);
}

uint64_t TextTable::memoryBytes() const {
    return bytes_.capacity() + offsets_.capacity() * sizeof(uint32_t) + entries_.capacity() * sizeof(Entry);
}

} // namespace coterie::engine
