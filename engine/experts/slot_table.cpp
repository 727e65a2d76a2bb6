// SPDX-License-Identifier: Apache-2.0
// See slot_table.h.
#include "experts/slot_table.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace coterie::engine {
SlotTable::SlotTable(const ExpertSource& source, SlotLayout layout, Buffer arena, uint32_t slots, uint64_t minimumSlots,
                     EvictionKind eviction)
    : source_(source), layout_(std::move(layout)), arena_(std::move(arena)),
      minimum_(std::clamp<uint64_t>(minimumSlots, 1, slots)), index_(source.experts()), experts_(index_.experts()),
      slots_(slots), held_(slots), written_(slots), policy_(createEviction(eviction, {source.experts(), slots})),
      limit_(slots), ownFree_(layout_.own()), ownFreeBytes_(layout_.ownBytes()) {
    for (uint32_t slot = slots; slot > layout_.own(); --slot) fresh_.push_back(slot - 1);
    for (uint32_t slot = 0; slot < layout_.own(); ++slot) updateHeld(slot);
    empty_.reserve(slots);
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

bool SlotTable::anyArrivesUnpinned() const {
    return std::any_of(slots_.begin() + layout_.own(), slots_.end(),
                       [](const Slot& slot) { return slot.arriving() && slot.pins == 0; });
}

SlotUse SlotTable::use() const {
    const uint64_t used = used_.load(std::memory_order_relaxed), lent = lent_.load(std::memory_order_relaxed);
    const uint64_t ownFree = ownFree_.load(std::memory_order_relaxed);
    const uint64_t held = bytesHeld_.load(std::memory_order_relaxed);
    const uint64_t sharedFree = limit() - std::min(limit(), used + lent + ownFree);
    const uint64_t most = held + ownFreeBytes_.load(std::memory_order_relaxed) + sharedFree * layout_.sharedBytes();
    return {.used = used,
            .usable = limit(),
            .lent = lent,
            .bytesEach = layout_.sharedBytes(),
            .bytesHeld = held,
            .bytesMost = std::min(most, layout_.arenaBytes(limit()))};
}

std::optional<uint32_t> SlotTable::takeUnused(int layer) {
    if (const auto own = layout_.ownSlotOf(layer)) return own;
    if (empty_.empty()) return withMemory() < limit() ? takeFresh() : std::nullopt;
    const uint32_t slot = empty_.back();
    empty_.pop_back();
    return slot;
}

std::optional<uint32_t> SlotTable::takeFresh() {
    if (fresh_.empty()) return std::nullopt;
    const uint32_t slot = fresh_.back();
    fresh_.pop_back();
    return slot;
}

void SlotTable::fill(uint32_t slot, int layer, int expert) {
    Expert& owner = experts_[index_.number(layer, expert)];
    owner.slot = static_cast<int32_t>(slot);
    slots_[slot] = {};
    slots_[slot].expert = &owner;
    slots_[slot].layer = layer;
    slots_[slot].number = expert;
    policy_->filled(slot, layer, expert);
    used_.fetch_add(1, std::memory_order_relaxed);
    if (!isOwn(slot)) return;
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
    used_.fetch_sub(1, std::memory_order_relaxed);
    if (!isOwn(slot)) return empty_.push_back(slot);
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
    std::erase(empty_, to);
    fill(to, moved.layer, moved.number);
    slots_[to].reason = moved.reason;
    slots_[to].uses = moved.uses;
    slots_[to].arranged = moved.arranged;
    moved.expert->state.store(ExpertState::InMemory, std::memory_order_release);
}

void SlotTable::withdraw(uint32_t slot) {
    std::erase(empty_, slot);
    held_[slot] = 1;
}

void SlotTable::memoryGone(uint32_t slot) {
    held_[slot] = 0;
    bytesHeld_.fetch_sub(std::exchange(written_[slot], 0), std::memory_order_relaxed);
    fresh_.push_back(slot);
}

std::optional<uint32_t> SlotTable::takeUnusedBefore(uint32_t first) {
    const auto found = std::find_if(empty_.begin(), empty_.end(), [first](uint32_t slot) { return slot < first; });
    if (found != empty_.end()) {
        const uint32_t slot = *found;
        empty_.erase(found);
        return slot;
    }
    return !fresh_.empty() && fresh_.back() < first && withMemory() < limit() ? takeFresh() : std::nullopt;
}

void SlotTable::lend(uint32_t slot, uint32_t first) {
    while (slots_[slot].expert != nullptr) {
        if (const auto to = takeUnusedBefore(first))
            move(slot, *to);
        else
            vacate(*victim());
    }
    std::erase(empty_, slot);
    std::erase(fresh_, slot);
    held_[slot] = 1;
    noteWritten(slot, layout_.bytes(slot));
    lent_.fetch_add(1, std::memory_order_relaxed);
}

std::span<std::byte> SlotTable::lentMemory() const {
    const uint64_t count = lent_.load(std::memory_order_relaxed);
    if (count == 0) return {};
    return {data(static_cast<uint32_t>(slots_.size() - count)), static_cast<size_t>(count * layout_.sharedBytes())};
}

void SlotTable::endLoan() {
    for (uint64_t count = lent_.exchange(0, std::memory_order_relaxed); count > 0; --count) {
        const auto slot = static_cast<uint32_t>(slots_.size() - count);
        held_[slot] = 0;
        empty_.push_back(slot);
    }
}

void startReading(SlotTable& slots, ExpertReader& reader, uint32_t slot, ReadReason reason) {
    std::array<ReadExtent, kMostReadsPerExpert> reads;
    const size_t count = slots.beginReading(slot, reason, reads);
    reader.start(slot, std::span(reads).first(count), reason);
}

} // namespace coterie::engine
