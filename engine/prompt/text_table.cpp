// SPDX-License-Identifier: Apache-2.0
// Open addressing with linear steps. A slot keeps its hash, so that most misses never look at the text.
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

size_t slotsFor(size_t count) { return std::bit_ceil(count + count / 3 + 16); }

} // namespace

TextTable::TextTable(size_t count, size_t bytes) {
    bytes_.reserve(bytes);
    offsets_.reserve(count + 1);
    slots_.resize(slotsFor(count));
}

size_t TextTable::slotFor(uint32_t hash, std::string_view wanted) const {
    size_t at = hash & (slots_.size() - 1);
    while (slots_[at].number != 0 && (slots_[at].hash != hash || text(slots_[at].number - 1) != wanted))
        at = (at + 1) & (slots_.size() - 1);
    return at;
}

void TextTable::grow() {
    const std::vector<Slot> old = std::move(slots_);
    slots_.assign(slotsFor(2 * used_), Slot());
    for (const Slot& slot : old) {
        if (slot.number == 0) continue;
        size_t at = slot.hash & (slots_.size() - 1);
        while (slots_[at].number != 0) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = slot;
    }
}

uint32_t TextTable::add(std::string_view text) {
    const auto number = static_cast<uint32_t>(size());
    bytes_.append(text);
    offsets_.push_back(static_cast<uint32_t>(bytes_.size()));
    if (text.empty()) return number;
    if (slots_.size() < slotsFor(used_)) grow();
    const uint32_t hash = hashOf(text);
    Slot& slot = slots_[slotFor(hash, text)];
    if (slot.number == 0) ++used_;
    slot = {hash, number + 1};
    return number;
}

std::optional<uint32_t> TextTable::find(std::string_view text) const {
    if (slots_.empty() || text.empty()) return std::nullopt;
    const Slot& slot = slots_[slotFor(hashOf(text), text)];
    return slot.number == 0 ? std::nullopt : std::optional(slot.number - 1);
}

uint32_t TextTable::intern(std::string_view text) {
    const std::optional<uint32_t> known = find(text);
    return known ? *known : add(text);
}

uint64_t TextTable::memoryBytes() const {
    return bytes_.capacity() + offsets_.capacity() * sizeof(uint32_t) + slots_.capacity() * sizeof(Slot);
}

} // namespace coterie::engine
