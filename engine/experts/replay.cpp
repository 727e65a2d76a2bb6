// SPDX-License-Identifier: Apache-2.0
// See replay.h. A policy is replayed through the border that the store uses too.
#include "experts/replay.h"

#include "experts/expert_index.h"
#include "experts/slot_layout.h"

#include <algorithm>
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
    Replayer(const RoutingTrace& trace, uint64_t slots)
        : trace_(trace), slots_(static_cast<uint32_t>(std::min<uint64_t>(slots, trace.distinctExperts()))),
          index_(trace.expertsOfLayer_) {}

    static Status check(const RoutingTrace& trace, uint64_t slots) {
        if (trace.uses() == 0) return unusable("No token of it uses an expert", "Record a model that has experts");
        if (slots < trace.mostAtOnce())
            return unusable(
                {"%1 slots can't hold the %2 experts that one layer uses for a token", slots, trace.mostAtOnce()},
                "Give it a larger budget");
        return {};
    }

    ReplayCounts run(EvictionKind kind);
    ReplayCounts runClairvoyant();

  private:
    size_t number(size_t visit, size_t use) const { return index_.number(trace_.layers_[visit], trace_.experts_[use]); }
    std::vector<size_t> nextVisits() const;

    const RoutingTrace& trace_;
    const uint32_t slots_;
    const ExpertIndex index_;
};

ReplayCounts Replayer::run(EvictionKind kind) {
    constexpr uint32_t nowhere = std::numeric_limits<uint32_t>::max();
    const auto policy = createEviction(kind, {trace_.expertsOfLayer_, slots_});
    std::vector<uint32_t> slotOf(index_.experts(), nowhere);
    std::vector<size_t> expertIn(slots_);
    std::vector<uint8_t> held(slots_);
    std::vector<ExpertDemand> demands;
    uint32_t taken = 0;
    ReplayCounts counts;
    for (size_t visit = 0; visit < trace_.visits(); ++visit) {
        const size_t begin = trace_.starts_[visit], end = trace_.starts_[visit + 1];
        const int layer = trace_.layers_[visit];
        demands.clear();
        for (size_t use = begin; use < end; ++use) {
            demands.push_back({trace_.experts_[use], 1});
            if (const uint32_t slot = slotOf[number(visit, use)]; slot != nowhere) held[slot] = 1;
        }
        policy->layerReached(layer, demands, 1);
        for (size_t use = begin; use < end; ++use) {
            uint32_t& slot = slotOf[number(visit, use)];
            if (slot != nowhere) {
                ++counts.hits;
                continue;
            }
            ++counts.misses;
            if (taken < slots_) {
                slot = taken++;
            } else {
                slot = *policy->victim(held); // there is one: at most mostAtOnce() are held
                slotOf[expertIn[slot]] = nowhere;
                policy->emptied(slot);
            }
            expertIn[slot] = number(visit, use);
            held[slot] = 1;
            policy->filled(slot, layer, trace_.experts_[use]);
        }
        for (size_t use = begin; use < end; ++use) held[slotOf[number(visit, use)]] = 0;
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

/// Keeps a heap of (next use, expert). An entry whose use has come is out of date, and is below all others. The
/// experts that are held now are pushed last, so whatever is on top may be evicted.
ReplayCounts Replayer::runClairvoyant() {
    using Entry = std::pair<size_t, size_t>;
    const std::vector<size_t> next = nextVisits();
    std::vector<Entry> heap;
    std::vector<bool> resident(index_.experts());
    size_t filled = 0;
    ReplayCounts counts;
    for (size_t visit = 0; visit < trace_.visits(); ++visit) {
        const size_t begin = trace_.starts_[visit], end = trace_.starts_[visit + 1];
        for (size_t use = begin; use < end; ++use) {
            const bool hit = resident[number(visit, use)];
            ++(hit ? counts.hits : counts.misses);
            if (hit) continue;
            if (filled < slots_) {
                ++filled;
            } else {
                std::pop_heap(heap.begin(), heap.end());
                resident[heap.back().second] = false;
                heap.pop_back();
            }
            resident[number(visit, use)] = true;
        }
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

Result<ReplayCounts> replay(const RoutingTrace& trace, EvictionKind kind, uint64_t slots) {
    if (Status status = Replayer::check(trace, slots); !status) return status.error();
    return Replayer(trace, slots).run(kind);
}

Result<ReplayCounts> replayClairvoyant(const RoutingTrace& trace, uint64_t slots) {
    if (Status status = Replayer::check(trace, slots); !status) return status.error();
    return Replayer(trace, slots).runClairvoyant();
}

} // namespace coterie::engine
