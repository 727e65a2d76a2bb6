// SPDX-License-Identifier: Apache-2.0
// The policies by name, and the two that only look back: at the last use, and at the number of uses.
#include "experts/eviction.h"

#include "experts/expected_use.h"
#include "experts/resident_experts.h"

#include <algorithm>

namespace coterie::engine {

namespace {

/// Knows how often each expert was used, and when last. Evicts the least used one if byUses, otherwise the one whose
/// last use is oldest.
template <bool byUses>
class LeastUsed final : public EvictionPolicy {
  public:
    explicit LeastUsed(const EvictionShape& shape)
        : residents_(shape), history_(residents_.index().experts()), historyOf_(shape.slots) {}

    void layerReached(int layer, std::span<const ExpertDemand> demands, int64_t tokens) override {
        ++layersReached_;
        tokens_ += static_cast<uint64_t>(std::max<int64_t>(tokens, 0));
        for (const ExpertDemand& demand : demands) {
            const size_t number = residents_.index().number(layer, demand.expert);
            history_[number].uses += static_cast<uint64_t>(std::max<int64_t>(demand.tokens, 0));
            touch(number);
        }
    }
    void filled(uint32_t slot, int layer, int expert) override {
        const size_t number = residents_.index().number(layer, expert);
        residents_.fill(slot, number);
        touch(number); // a prefetch counts as a use: else it would be evicted next
    }
    void emptied(uint32_t slot) override { residents_.empty(slot); }

    std::optional<uint32_t> victim(std::span<const uint8_t> held) const override {
        std::optional<uint32_t> found;
        for (uint32_t slot = 0; slot < historyOf_.size(); ++slot) {
            if (held[slot] != 0 || residents_.expertIn(slot) == ResidentExperts::kNone) continue;
            if (!found || goesBefore(historyOf_[slot], historyOf_[*found])) found = slot;
        }
        return found;
    }

    double expectedWait(int layer, int expert) const override {
        const History& history = history_[residents_.index().number(layer, expert)];
        const auto layers = static_cast<double>(residents_.index().layers());
        if constexpr (byUses)
            return (static_cast<double>(tokens_) / layers + 1) / (static_cast<double>(history.uses) + 1);
        else
            return static_cast<double>(layersReached_ - history.layersReached) / layers;
    }

  private:
    struct History {
        uint64_t uses = 0;          ///< in tokens
        uint64_t touched = 0;       ///< larger is later; 0: never
        uint64_t layersReached = 0; ///< when it was touched last
    };

    static bool goesBefore(const History& a, const History& b) {
        if (byUses && a.uses != b.uses) return a.uses < b.uses;
        return a.touched < b.touched;
    }
    void touch(size_t number) {
        history_[number].touched = ++touches_;
        history_[number].layersReached = layersReached_;
        if (const int32_t slot = residents_.slotOf(number); slot != ResidentExperts::kNone)
            historyOf_[static_cast<size_t>(slot)] = history_[number];
    }

    ResidentExperts residents_;
    std::vector<History> history_;   // [experts]
    std::vector<History> historyOf_; // [slots] copies side by side, so that victim() is one scan
    uint64_t touches_ = 0, layersReached_ = 0, tokens_ = 0;
};

} // namespace

const char* evictionName(EvictionKind kind) {
    for (const auto& [name, named] : kEvictionNames)
        if (named == kind) return name;
    return "";
}

std::unique_ptr<EvictionPolicy> createEviction(EvictionKind kind, const EvictionShape& shape) {
    switch (kind) {
    case EvictionKind::LeastRecentlyUsed:
        return std::make_unique<LeastUsed<false>>(shape);
    case EvictionKind::LeastFrequentlyUsed:
        return std::make_unique<LeastUsed<true>>(shape);
    case EvictionKind::ExpectedUse:
        break;
    }
    return std::make_unique<ExpectedUse>(shape);
}

} // namespace coterie::engine
