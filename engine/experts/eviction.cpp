// SPDX-License-Identifier: Apache-2.0
// Least recently used, as a list through the slots from the oldest to the newest.
#include "experts/eviction.h"

#include <vector>

namespace coterie::engine {

namespace {

class LeastRecentlyUsed final : public EvictionPolicy {
  public:
    explicit LeastRecentlyUsed(uint32_t slots) : ends_(slots), links_(size_t{slots} + 1) {
        for (uint32_t i = 0; i <= slots; ++i) links_[i] = {i, i};
    }

    void used(uint32_t slot, int, int) override {
        unlink(slot);
        const uint32_t newest = links_[ends_].older;
        links_[slot] = {newest, ends_};
        links_[newest].newer = slot;
        links_[ends_].older = slot;
    }
    void emptied(uint32_t slot) override { unlink(slot); }

    std::optional<uint32_t> victim(const std::function<bool(uint32_t)>& mayGo) const override {
        for (uint32_t slot = links_[ends_].newer; slot != ends_; slot = links_[slot].newer)
            if (mayGo(slot)) return slot;
        return std::nullopt;
    }

  private:
    struct Link {
        uint32_t older = 0, newer = 0; // a slot outside the list points to itself
    };

    void unlink(uint32_t slot) {
        const Link link = links_[slot];
        links_[link.older].newer = link.newer;
        links_[link.newer].older = link.older;
        links_[slot] = {slot, slot};
    }

    uint32_t ends_; // one link more than there are slots: before the oldest and behind the newest
    std::vector<Link> links_;
};

} // namespace

std::unique_ptr<EvictionPolicy> createLeastRecentlyUsed(uint32_t slots) {
    return std::make_unique<LeastRecentlyUsed>(slots);
}

} // namespace coterie::engine
