// SPDX-License-Identifier: Apache-2.0
// Which expert makes room for another: the one decision of the store that is worth replacing. It knows slots and their
// experts, nothing of reads or memory. Called under the store's lock, so it must not block; memory is taken at creation
// alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace coterie::engine {

class EvictionPolicy {
  public:
    virtual ~EvictionPolicy() = default;
    /// `expert` of `layer` was asked for and lives in `slot` (from now on, where it was a miss).
    virtual void used(uint32_t slot, int layer, int expert) = 0;
    /// The slot holds nothing any more.
    virtual void emptied(uint32_t slot) = 0;
    /// The slot to give up, among those in use for which mayGo() is true; nothing where there is none.
    virtual std::optional<uint32_t> victim(const std::function<bool(uint32_t slot)>& mayGo) const = 0;
};

/// The least recently used goes. Its known limit: with less room than one token cycle it never hits, as the oldest is
/// the next one needed.
std::unique_ptr<EvictionPolicy> createLeastRecentlyUsed(uint32_t slots);

} // namespace coterie::engine
