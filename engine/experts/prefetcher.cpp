// SPDX-License-Identifier: Apache-2.0
// See prefetcher.h.
#include "experts/prefetcher.h"

#include <algorithm>
#include <array>
#include <limits>

namespace coterie::engine {
namespace {

/// Prefetched experts that are kept in slots, and those being read, at a time: so much can be lost if hints are wrong.
constexpr size_t kMostKept = 16, kMostReading = 2;
/// Sequential hints always come true, and an expert arrives soonest if it is read alone.
constexpr size_t kMostSequentialReading = 1;
/// Idle fills being read at a time: whatever is needed next waits for so many.
constexpr size_t kMostFills = 2;

} // namespace

Prefetcher::Prefetcher(SlotTable& slots, ExpertReader& reader, bool sequential)
    : slots_(slots), reader_(reader), sequential_(sequential) {
    hints_.reserve(sequential ? slots.experts() : kMostKept);
}

void Prefetcher::beginLayer(int layer, std::span<const ExpertDemand> demands) {
    now_ = layer;
    layerWillAsk_ = true;
    idle_ = false;
    std::erase_if(hints_, [layer](const PrefetchHint& hint) { return hint.layer == layer; });
    for (size_t i = slots_.keptForLayer().size(); i > 0; --i) {
        const uint32_t slot = slots_.keptForLayer()[i - 1];
        if (slots_[slot].layer != layer) continue;
        const int number = slots_[slot].number;
        const bool needed = std::any_of(demands.begin(), demands.end(),
                                        [number](const ExpertDemand& demand) { return demand.expert == number; });
        keepNoLonger(slot, needed);
    }
}

void Prefetcher::setHints(std::span<const PrefetchHint> hints) {
    hints_.clear();
    for (size_t i = sequential_ ? hints.size() : std::min(hints.size(), kMostKept); i > 0; --i)
        if (slots_.known(hints[i - 1].layer, hints[i - 1].expert)) hints_.push_back(hints[i - 1]);
    // A prefetch that is on its way and no longer among the hints makes room for them.
    for (size_t i = slots_.keptForLayer().size(); i > 0; --i)
        if (const uint32_t slot = slots_.keptForLayer()[i - 1]; slots_[slot].arriving() && !isHinted(slots_[slot]))
            keepNoLonger(slot, false);
    startReads();
}

bool Prefetcher::isHinted(const Slot& slot) const {
    return std::any_of(hints_.begin(), hints_.end(), [&slot](const PrefetchHint& hint) {
        return hint.layer == slot.layer && hint.expert == slot.number;
    });
}

void Prefetcher::startReads() {
    if (layerWillAsk_) return;
    const std::span<const uint32_t> kept = slots_.keptForLayer();
    auto reading = static_cast<size_t>(
        std::count_if(kept.begin(), kept.end(), [this](uint32_t slot) { return slots_[slot].arriving(); }));
    const size_t mostReading = sequential_ ? kMostSequentialReading : kMostReading;
    std::array<bool, 2> full{}; // [SlotSize] no more can be kept until one is released
    const auto findFull = [&] {
        for (const SlotSize size : kSlotSizes)
            full[placeOf(size)] = full[placeOf(size)] || slots_.keptForLayer(size) >= mostKept(size);
    };
    findFull();
    for (size_t i = hints_.size(); i > 0 && reading < mostReading && !(full[0] && full[1]); --i) {
        const PrefetchHint hint = hints_[i - 1];
        bool& sizeIsFull = full[placeOf(slots_.sizeFor(hint.layer))];
        if (sizeIsFull || slots_.slotOf(hint.layer, hint.expert)) continue;
        const auto slot = takeFor(hint);
        if (!slot) {
            sizeIsFull = true; // a hint about the other size may have room
            continue;
        }
        hints_.erase(hints_.begin() + static_cast<std::ptrdiff_t>(i - 1));
        slots_.fill(*slot, hint.layer, hint.expert);
        slots_.keepForLayer(*slot);
        started_.fetch_add(1, std::memory_order_relaxed);
        startReading(slots_, reader_, *slot, ReadReason::Prefetched);
        ++reading;
        findFull();
    }
}

/// The most slots of a size that are kept for layers to come.
size_t Prefetcher::mostKept(SlotSize size) const {
    const uint64_t usable = slots_.usable(size);
    if (sequential_) return usable;
    const SlotSize other = size == SlotSize::Large ? SlotSize::Small : SlotSize::Large;
    const size_t room = (usable - std::min(usable, slots_.minimum(size))) / 2;
    return std::min(kMostKept - std::min(kMostKept, slots_.keptForLayer(other)), room);
}

/// A slot that is unused, or whose expert is expected later than the hint.
std::optional<uint32_t> Prefetcher::takeFor(const PrefetchHint& hint) {
    if (const auto slot = slots_.takeUnused(hint.layer)) return slot;
    const auto victim = slots_.victim(slots_.sizeFor(hint.layer));
    if (!victim) return std::nullopt;
    const int layers = static_cast<int>(slots_.layers());
    const int ahead = (hint.layer - now_ - 1 + layers) % layers + 1;
    const Slot& slot = slots_[*victim];
    if (slots_.policy().expectedWait(slot.layer, slot.number) <= static_cast<double>(ahead) / layers)
        return std::nullopt;
    slots_.vacate(*victim);
    return slots_.takeUnused(hint.layer);
}

void Prefetcher::keepNoLonger(uint32_t slot, bool needed) {
    slots_.keepNoLonger(slot);
    if (!needed && slots_[slot].arriving() && reader_.cancel(slot)) slots_.forgetReading(slot);
}

void Prefetcher::drop(SlotSize size) {
    std::erase_if(hints_, [&](const PrefetchHint& hint) { return slots_.sizeFor(hint.layer) == size; });
    for (size_t i = slots_.keptForLayer().size(); i > 0; --i)
        if (const uint32_t slot = slots_.keptForLayer()[i - 1]; slots_.sizeOf(slot) == size) keepNoLonger(slot, false);
}

void Prefetcher::fillWhileIdle() {
    idle_ = true;
    startFills();
}

void Prefetcher::startFills() {
    std::array<bool, 2> full{}; // [SlotSize]
    while (idle_ && filling_ < kMostFills) {
        const auto next = soonestOnDisk(full);
        if (!next) return;
        const auto slot = slots_.takeUnused(next->layer);
        if (!slot) {
            full[placeOf(slots_.sizeFor(next->layer))] = true; // until there is more room
            continue;
        }
        slots_.fill(*slot, next->layer, next->expert);
        ++filling_;
        startReading(slots_, reader_, *slot, ReadReason::FilledWhileIdle);
    }
}

/// The expert on disk that is expected to be used soonest, of those whose size is not full. full: [SlotSize]
std::optional<PrefetchHint> Prefetcher::soonestOnDisk(std::span<const bool, 2> full) const {
    std::optional<PrefetchHint> found;
    double soonest = std::numeric_limits<double>::infinity();
    for (int layer = 0; layer < static_cast<int>(slots_.layers()); ++layer)
        for (int expert = 0; slots_.known(layer, expert); ++expert) {
            if (full[placeOf(slots_.sizeFor(layer))] || slots_.slotOf(layer, expert)) continue;
            const double wait = slots_.policy().expectedWait(layer, expert);
            if (wait >= soonest) continue;
            soonest = wait;
            found = {layer, expert};
        }
    return found;
}

} // namespace coterie::engine
