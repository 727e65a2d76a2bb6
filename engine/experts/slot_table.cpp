// SPDX-License-Identifier: Apache-2.0
// See slot_table.h.
#include "experts/slot_table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <utility>

namespace coterie::engine {
SlotTable::SlotTable(const ExpertSource& source, SlotLayout layout, Buffer arena, uint32_t slots, uint64_t minimumSlots,
                     EvictionKind eviction)
    : source_(source), layout_(std::move(layout)), arena_(std::move(arena)),
      minimum_(std::clamp<uint64_t>(std::max(minimumSlots, layout_.least()), 1, slots)), index_(source.experts()),
      experts_(index_.experts()), slots_(slots), written_(slots),
      policy_(createEviction(eviction, {source.experts(), slots})), limit_(slots), ownFree_(layout_.own()),
      ownFreeBytes_(layout_.ownBytes()) {
    for (Pool& each : pools_) {
        each.held.assign(slots, 1);
        each.empty.reserve(slots);
    }
    for (uint32_t slot = slots; slot > layout_.own(); --slot) poolOf(slot - 1).fresh.push_back(slot - 1);
    for (uint32_t slot = 0; slot < slots; ++slot) updateHeld(slot);
    kept_.reserve(slots);
}

ExpertState SlotTable::state(int layer, int expert) const {
    return known(layer, expert) ? at(layer, expert).state.load(std::memory_order_acquire) : ExpertState::OnDisk;
}

void SlotTable::states(std::span<uint8_t> out) const {
    const size_t count = std::min(out.size(), experts_.size());
    for (size_t i = 0; i < count; ++i) out[i] = static_cast<uint8_t>(experts_[i].state.load(std::memory_order_relaxed));
}

std::optional<uint32_t> SlotTable::slotOf(int layer, int expert) const {
    const int32_t slot = at(layer, expert).slot;
    return slot == kNoSlot ? std::nullopt : std::optional(static_cast<uint32_t>(slot));
}

uint64_t SlotTable::lent(SlotSize size) const {
    return countOf(size) - layout_.countOf(size, slots_.size() - lent_.load(std::memory_order_relaxed));
}

uint64_t SlotTable::usable(SlotSize size) const {
    const uint64_t most = limit(size), least = minimum(size), gone = lent(size);
    return most > gone + least ? most - gone : std::min(most, least);
}

bool SlotTable::anyArrivesUnpinned(SlotSize size) const {
    for (uint32_t slot = layout_.own(); slot < slots_.size(); ++slot)
        if (slots_[slot].arriving() && slots_[slot].pins == 0 && sizeOf(slot) == size) return true;
    return false;
}

size_t SlotTable::keptForLayer(SlotSize size) const {
    return static_cast<size_t>(
        std::count_if(kept_.begin(), kept_.end(), [&](uint32_t slot) { return sizeOf(slot) == size; }));
}

SlotUse SlotTable::use() const {
    const uint64_t held = bytesHeld_.load(std::memory_order_relaxed);
    uint64_t used = layout_.own() - ownFree_.load(std::memory_order_relaxed);
    uint64_t most = held + ownFreeBytes_.load(std::memory_order_relaxed);
    for (const SlotSize size : kSlotSizes) {
        const uint64_t filled = pool(size).used.load(std::memory_order_relaxed), may = limit(size);
        used += filled;
        most += (may - std::min(may, filled + lent(size))) * layout_.bytesOf(size);
    }
    return {.used = used,
            .usable = limit(),
            .lent = lent_.load(std::memory_order_relaxed),
            .bytesEach = layout_.meanBytes(slots_.size()),
            .bytesHeld = held,
            .bytesMost = std::min(most, layout_.arenaBytes(limit()))};
}

std::optional<uint32_t> SlotTable::takeUnused(int layer) {
    if (const auto own = layout_.ownSlotOf(layer)) return own;
    const SlotSize size = sizeFor(layer);
    std::vector<uint32_t>& empty = pool(size).empty;
    if (empty.empty()) return withMemory(size) < limit(size) ? takeFresh(size) : std::nullopt;
    const uint32_t slot = empty.back();
    empty.pop_back();
    return slot;
}

std::optional<uint32_t> SlotTable::takeFresh(SlotSize size) {
    std::vector<uint32_t>& fresh = pool(size).fresh;
    if (fresh.empty()) return std::nullopt;
    const uint32_t slot = fresh.back();
    fresh.pop_back();
    return slot;
}

void SlotTable::fill(uint32_t slot, int layer, int expert) {
    assert(slots_[slot].expert == nullptr && !slots_[slot].held());
    Expert& owner = experts_[index_.number(layer, expert)];
    owner.slot = static_cast<int32_t>(slot);
    slots_[slot] = {};
    slots_[slot].expert = &owner;
    slots_[slot].layer = layer;
    slots_[slot].number = expert;
    policy_->filled(slot, layer, expert);
    if (!isOwn(slot)) {
        poolOf(slot).used.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    ownFree_.fetch_sub(1, std::memory_order_relaxed);
    ownFreeBytes_.fetch_sub(layout_.bytes(slot), std::memory_order_relaxed);
}

void SlotTable::vacate(uint32_t slot) {
    Slot& left = slots_[slot];
    if (left.keptForLayer) std::erase(kept_, slot);
    left.expert->slot = kNoSlot;
    left.expert->state.store(ExpertState::OnDisk, std::memory_order_relaxed);
    left = {};
    updateHeld(slot);
    policy_->emptied(slot);
    if (!isOwn(slot)) {
        poolOf(slot).used.fetch_sub(1, std::memory_order_relaxed);
        return poolOf(slot).empty.push_back(slot);
    }
    ownFree_.fetch_add(1, std::memory_order_relaxed);
    ownFreeBytes_.fetch_add(layout_.bytes(slot), std::memory_order_relaxed);
}

void SlotTable::pin(uint32_t slot) {
    ++slots_[slot].pins;
    ++slots_[slot].uses;
    updateHeld(slot);
}

bool SlotTable::unpin(uint32_t slot) {
    if (slots_[slot].pins == 0 || --slots_[slot].pins > 0) return false;
    updateHeld(slot);
    return true;
}

size_t SlotTable::beginReading(uint32_t slot, ReadReason reason, std::span<ReadExtent, kMostReadsPerExpert> out) {
    Slot& into = slots_[slot];
    into.error.reset();
    into.work = Slot::Work::Reading;
    into.reason = reason;
    updateHeld(slot);
    into.expert->state.store(ExpertState::Arriving, std::memory_order_relaxed);
    const size_t count = source_.extents(into.layer, into.number, data(slot), out);
    into.readBytes = 0;
    for (const ReadExtent& extent : out.first(count)) into.readBytes += extent.to.size();
    const std::span<std::byte> last = out[count - 1].to; // the extents follow each other in the slot
    noteWritten(slot, static_cast<uint64_t>(last.data() + last.size() - data(slot)));
    return count;
}

void SlotTable::noteWritten(uint32_t slot, uint64_t bytes) {
    if (bytes <= written_[slot]) return;
    bytesHeld_.fetch_add(bytes - std::exchange(written_[slot], bytes), std::memory_order_relaxed);
}

void SlotTable::beginArranging(uint32_t slot) {
    slots_[slot].work = Slot::Work::Arranging;
    slots_[slot].expert->state.store(ExpertState::Arriving, std::memory_order_relaxed);
    updateHeld(slot);
}

void SlotTable::endWork(uint32_t index, bool arranged, std::optional<Error> error) {
    Slot& slot = slots_[index];
    slot.work = Slot::Work::None;
    slot.arranged = arranged;
    slot.error = std::move(error);
    // A thread that sees InMemory without the mutex must see the bytes too.
    slot.expert->state.store(slot.error ? ExpertState::OnDisk : ExpertState::InMemory, std::memory_order_release);
    updateHeld(index);
}

void SlotTable::forgetReading(uint32_t slot) {
    slots_[slot].work = Slot::Work::None;
    vacate(slot);
}

void SlotTable::keepForLayer(uint32_t slot) {
    slots_[slot].keptForLayer = true;
    updateHeld(slot);
    kept_.push_back(slot);
}

void SlotTable::keepNoLonger(uint32_t slot) {
    std::erase(kept_, slot);
    slots_[slot].keptForLayer = false;
    updateHeld(slot);
}

void SlotTable::setLimit(uint64_t slots) { limit_ = std::clamp<uint64_t>(slots, minimum_, slots_.size()); }

void SlotTable::move(uint32_t from, uint32_t to) {
    const Slot moved = slots_[from];
    std::memcpy(data(to), data(from), written_[from]);
    noteWritten(to, written_[from]);
    vacate(from);
    std::erase(poolOf(to).empty, to);
    fill(to, moved.layer, moved.number);
    slots_[to].reason = moved.reason;
    slots_[to].uses = moved.uses;
    slots_[to].arranged = moved.arranged;
    moved.expert->state.store(ExpertState::InMemory, std::memory_order_release);
}

void SlotTable::withdraw(uint32_t slot) {
    std::erase(poolOf(slot).empty, slot);
    slots_[slot].work = Slot::Work::Discarding;
    updateHeld(slot);
}

void SlotTable::memoryGone(uint32_t slot) {
    slots_[slot].work = Slot::Work::None;
    updateHeld(slot);
    bytesHeld_.fetch_sub(std::exchange(written_[slot], 0), std::memory_order_relaxed);
    poolOf(slot).fresh.push_back(slot);
}

std::optional<uint32_t> SlotTable::takeUnusedBefore(uint32_t first, SlotSize size) {
    std::vector<uint32_t>& empty = pool(size).empty;
    const std::vector<uint32_t>& fresh = pool(size).fresh;
    const auto found = std::find_if(empty.begin(), empty.end(), [first](uint32_t slot) { return slot < first; });
    if (found != empty.end()) {
        const uint32_t slot = *found;
        empty.erase(found);
        return slot;
    }
    return !fresh.empty() && fresh.back() < first && withMemory(size) < limit(size) ? takeFresh(size) : std::nullopt;
}

void SlotTable::lend(uint32_t slot, uint32_t first) {
    assert(!slots_[slot].held());
    const SlotSize size = sizeOf(slot);
    while (slots_[slot].expert != nullptr) {
        if (const auto to = takeUnusedBefore(first, size))
            move(slot, *to);
        else
            vacate(*victim(size));
    }
    std::erase(pool(size).empty, slot);
    std::erase(pool(size).fresh, slot);
    pool(size).held[slot] = 1;
    noteWritten(slot, layout_.bytes(slot));
    lent_.fetch_add(1, std::memory_order_relaxed);
}

std::span<std::byte> SlotTable::lentMemory() const {
    const uint64_t count = lent_.load(std::memory_order_relaxed);
    if (count == 0) return {};
    const auto first = static_cast<uint32_t>(slots_.size() - count);
    return {data(first), static_cast<size_t>(layout_.arenaBytes(slots_.size()) - layout_.offset(first))};
}

void SlotTable::endLoan() {
    for (uint64_t count = lent_.exchange(0, std::memory_order_relaxed); count > 0; --count) {
        const auto slot = static_cast<uint32_t>(slots_.size() - count);
        poolOf(slot).held[slot] = 0;
        poolOf(slot).empty.push_back(slot);
    }
}

void startReading(SlotTable& slots, ExpertReader& reader, uint32_t slot, ReadReason reason) {
    std::array<ReadExtent, kMostReadsPerExpert> reads;
    const size_t count = slots.beginReading(slot, reason, reads);
    reader.start(slot, std::span(reads).first(count), reason);
}

} // namespace coterie::engine
