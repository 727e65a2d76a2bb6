// SPDX-License-Identifier: Apache-2.0
// See replay.h. A policy is replayed through the border that the store uses too.
#include "experts/replay.h"

#include "experts/expert_index.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace coterie::engine {

namespace {

Error unusable(Sentence why, Sentence action) {
    return {ErrorKind::BadInput, "The trace can't be replayed", std::move(why), std::move(action)};
}

/// Nothing if a token can use these experts.
std::optional<Sentence> whatIsWrong(int layer, std::span<const int> experts) {
    if (layer < 0 || layer >= RoutingTrace::kMostLayers) return Sentence("No model has a layer %1", layer);
    if (experts.size() > RoutingTrace::kMostAtATime)
        return Sentence("No layer uses %1 experts for a token", experts.size());
    for (auto expert = experts.begin(); expert != experts.end(); ++expert) {
        if (*expert < 0) return Sentence("There is no expert %1", *expert);
        if (std::find(experts.begin(), expert, *expert) != expert)
            return Sentence("Expert %1 of layer %2 is used twice", *expert, layer);
    }
    return std::nullopt;
}

} // namespace

Status RoutingTrace::add(int layer, std::span<const int> experts) {
    if (std::optional<Sentence> why = whatIsWrong(layer, experts)) return unusable(std::move(*why), "Record it again");
    const auto at = static_cast<size_t>(layer);
    if (expertsOfLayer_.size() <= at) expertsOfLayer_.resize(at + 1);
    for (const int expert : experts) {
        const uint64_t id = uint64_t{at} << 32 | static_cast<uint32_t>(expert);
        const auto [number, fresh] = numbers_.try_emplace(id, expertsOfLayer_[at]);
        if (fresh) ++expertsOfLayer_[at];
        experts_.push_back(number->second);
    }
    if (numbers_.size() > kMostExperts) return unusable("No model has so many experts", "Record it again");
    if (layers_.empty() || layer <= layers_.back()) ++tokens_;
    layers_.push_back(layer);
    starts_.push_back(experts_.size());
    mostAtOnce_ = std::max(mostAtOnce_, experts.size());
    return {};
}

size_t RoutingTrace::denseLayers() const {
    return SlotLayout(expertsOfLayer_, std::vector<uint64_t>(expertsOfLayer_.size())).own();
}

double RoutingTrace::tokenCycle() const {
    return tokens_ == 0 ? 0 : static_cast<double>(uses()) / static_cast<double>(tokens_);
}

/// A trace whose experts have one common numbering, and slots that hold some of them.
class Replayer {
  public:
    Replayer(const RoutingTrace& trace, uint64_t slots, const StoreSlots* model)
        : trace_(trace),
          slots_(static_cast<uint32_t>(std::min<uint64_t>(slots, model ? model->most() : trace.distinctExperts()))),
          layout_(model ? model->layout(slots_) : allShared(trace)), experts_(trace.expertsOfLayer_), index_(experts_) {
        if (model) experts_.resize(model->experts.size()); // the policy's way round goes through all of its layers
    }

    static Status check(const RoutingTrace& trace, const StoreSlots* model) {
        if (trace.uses() == 0) return unusable("No token of it uses an expert", "Record a model that has experts");
        for (size_t layer = 0; model && layer < trace.expertsOfLayer_.size(); ++layer) {
            const int used = trace.expertsOfLayer_[layer];
            if (layer >= model->experts.size() || used > model->experts[layer])
                return unusable({"It uses %1 experts of layer %2, and the model has fewer", used, layer},
                                "Name the model that it was recorded with");
        }
        return {};
    }
    Status checkRoom() const {
        for (size_t visit = 0; visit < trace_.visits(); ++visit) {
            const int layer = trace_.layers_[visit];
            const size_t together = trace_.starts_[visit + 1] - trace_.starts_[visit];
            if (slots_ < layout_.own() || (!isOwn(layer) && together > room(layout_.sizeFor(layer))))
                return unusable(
                    {"%1 slots can't hold the %2 experts that one layer uses for a token", slots_, together},
                    "Give it a larger budget");
        }
        return {};
    }

    ReplayCounts run(EvictionKind kind);
    ReplayCounts runClairvoyant() const;

  private:
    /// The slots of one size, as the store's table has them.
    struct Pool {
        std::vector<uint8_t> held;  // [slots] 1: not to be given up, as own slots and those of the other size
        std::vector<uint32_t> free; // slots that hold nothing; the last one is taken next
    };
    static constexpr uint32_t kNowhere = std::numeric_limits<uint32_t>::max();

    static SlotLayout allShared(const RoutingTrace& trace) {
        const size_t layers = trace.expertsOfLayer_.size();
        return {std::vector<int>(layers), std::vector<uint64_t>(layers)};
    }
    size_t number(size_t visit, size_t use) const { return index_.number(trace_.layers_[visit], trace_.experts_[use]); }
    bool isOwn(int layer) const { return layout_.ownSlotOf(layer).has_value(); }
    uint64_t room(SlotSize size) const { return layout_.countOf(size, slots_); }
    std::array<Pool, 2> emptyPools() const;
    uint32_t take(int layer, Pool& pool, EvictionPolicy& policy);
    std::vector<size_t> nextVisits() const;
    ReplayCounts clairvoyant(SlotSize size, std::span<const size_t> next) const;

    const RoutingTrace& trace_;
    const uint32_t slots_;
    const SlotLayout layout_;
    std::vector<int> experts_; // [layers] different ones in the trace
    const ExpertIndex index_;
    std::vector<uint32_t> slotOf_; // [experts] of the index, or kNowhere
    std::vector<size_t> expertIn_; // [slots]
};

std::array<Replayer::Pool, 2> Replayer::emptyPools() const {
    std::array<Pool, 2> pools;
    for (Pool& pool : pools) pool.held.assign(slots_, 1);
    for (uint32_t slot = slots_; slot > layout_.own(); --slot) {
        Pool& pool = pools[placeOf(layout_.sizeOf(slot - 1))];
        pool.held[slot - 1] = 0;
        pool.free.push_back(slot - 1);
    }
    return pools;
}

/// Returns a slot that holds nothing. There is one: no more experts are held than checkRoom() allows.
uint32_t Replayer::take(int layer, Pool& pool, EvictionPolicy& policy) {
    if (const auto own = layout_.ownSlotOf(layer)) return *own;
    if (pool.free.empty()) {
        pool.free.push_back(*policy.victim(pool.held));
        slotOf_[expertIn_[pool.free.back()]] = kNowhere;
        policy.emptied(pool.free.back());
    }
    const uint32_t slot = pool.free.back();
    pool.free.pop_back();
    return slot;
}

ReplayCounts Replayer::run(EvictionKind kind) {
    const auto policy = createEviction(kind, {experts_, slots_});
    std::array<Pool, 2> pools = emptyPools();
    std::vector<ExpertDemand> demands;
    slotOf_.assign(index_.experts(), kNowhere);
    expertIn_.assign(slots_, 0);
    ReplayCounts counts;
    for (size_t visit = 0; visit < trace_.visits(); ++visit) {
        const size_t begin = trace_.starts_[visit], end = trace_.starts_[visit + 1];
        const int layer = trace_.layers_[visit];
        Pool& pool = pools[placeOf(layout_.sizeFor(layer))];
        demands.clear();
        for (size_t use = begin; use < end; ++use) {
            demands.push_back({trace_.experts_[use], 1});
            if (const uint32_t slot = slotOf_[number(visit, use)]; slot != kNowhere) pool.held[slot] = 1;
        }
        policy->layerReached(layer, demands, 1);
        for (size_t use = begin; use < end; ++use) {
            const size_t expert = number(visit, use);
            const bool hit = slotOf_[expert] != kNowhere;
            ++(hit ? counts.hits : counts.misses);
            if (hit) continue;
            const uint32_t slot = take(layer, pool, *policy);
            slotOf_[expert] = slot;
            expertIn_[slot] = expert;
            pool.held[slot] = 1;
            policy->filled(slot, layer, trace_.experts_[use]);
        }
        for (size_t use = begin; use < end; ++use) pool.held[slotOf_[number(visit, use)]] = isOwn(layer);
    }
    return counts;
}

/// For each use, the visit in which the expert is used next; visits() if there is none.
std::vector<size_t> Replayer::nextVisits() const {
    std::vector<size_t> next(trace_.uses()), seen(index_.experts(), trace_.visits());
    for (size_t visit = trace_.visits(); visit-- > 0;)
        for (size_t use = trace_.starts_[visit]; use < trace_.starts_[visit + 1]; ++use)
            next[use] = std::exchange(seen[number(visit, use)], visit);
    return next;
}

/// Experts of one size compete with each other only, so each size has a bound of its own.
ReplayCounts Replayer::runClairvoyant() const {
    const std::vector<size_t> next = nextVisits();
    ReplayCounts counts;
    for (const SlotSize size : kSlotSizes) {
        const ReplayCounts some = clairvoyant(size, next);
        counts.hits += some.hits;
        counts.misses += some.misses;
    }
    return counts;
}

/// Counts the uses of the layers whose experts are in slots of this size. Keeps a heap of (next use, expert). An entry
/// whose use has come is out of date, and is below all others. The experts that are held now are pushed last, so
/// whatever is on top may be evicted.
ReplayCounts Replayer::clairvoyant(SlotSize size, std::span<const size_t> next) const {
    using Entry = std::pair<size_t, size_t>;
    std::vector<Entry> heap;
    std::vector<bool> resident(index_.experts());
    size_t filled = 0;
    ReplayCounts counts;
    for (size_t visit = 0; visit < trace_.visits(); ++visit) {
        const size_t begin = trace_.starts_[visit], end = trace_.starts_[visit + 1];
        const int layer = trace_.layers_[visit];
        if (layout_.sizeFor(layer) != size) continue;
        for (size_t use = begin; use < end; ++use) {
            const bool hit = resident[number(visit, use)];
            ++(hit ? counts.hits : counts.misses);
            if (hit) continue;
            resident[number(visit, use)] = true;
            if (isOwn(layer)) continue;
            if (filled < room(size)) {
                ++filled;
                continue;
            }
            std::pop_heap(heap.begin(), heap.end());
            resident[heap.back().second] = false;
            heap.pop_back();
        }
        if (isOwn(layer)) continue;
        for (size_t use = begin; use < end; ++use) {
            heap.emplace_back(next[use], number(visit, use));
            std::push_heap(heap.begin(), heap.end());
        }
        if (heap.size() <= 4 * size_t{slots_} + 64) continue;
        std::erase_if(heap, [visit](const Entry& entry) { return entry.first <= visit; });
        std::make_heap(heap.begin(), heap.end());
    }
    return counts;
}

Result<ReplayCounts> replay(const RoutingTrace& trace, EvictionKind kind, uint64_t slots, const StoreSlots* model) {
    if (Status status = Replayer::check(trace, model); !status) return status.error();
    Replayer replayer(trace, slots, model);
    if (Status status = replayer.checkRoom(); !status) return status.error();
    return replayer.run(kind);
}

Result<ReplayCounts> replayClairvoyant(const RoutingTrace& trace, uint64_t slots, const StoreSlots* model) {
    if (Status status = Replayer::check(trace, model); !status) return status.error();
    const Replayer replayer(trace, slots, model);
    if (Status status = replayer.checkRoom(); !status) return status.error();
    return replayer.runClairvoyant();
}

} // namespace coterie::engine
