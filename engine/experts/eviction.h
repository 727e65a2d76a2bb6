// SPDX-License-Identifier: Apache-2.0
// Which expert makes room for another: the one decision of the store that is worth replacing. It knows slots and their
// experts and when layers come by, nothing of reads or memory. Called under the store's lock, so it must not block;
// memory is taken at creation alone. Given the same calls, a policy decides the same.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace coterie::engine {

enum class EvictionKind {
    ExpectedUse,       ///< "expected": whoever is expected to be used last goes; the default
    LeastRecentlyUsed, ///< "lru": never hits with less room than one token cycle, as the oldest is the next one needed
    LeastFrequentlyUsed, ///< "lfu": by tokens since the start, the least recent of equals; slow to leave an old topic
};

/// "expected", "lru", "lfu".
const char* evictionName(EvictionKind kind);
/// BadInput names those that there are.
Result<EvictionKind> parseEviction(std::string_view name);

/// How many of a pass's tokens use an expert.
struct ExpertDemand {
    int expert = 0;
    int64_t tokens = 1;
};

struct EvictionShape {
    std::vector<int> expertsOfLayer; ///< [layers] 0 where a layer has none
    uint32_t slots = 0;
};

/// One thread at a time. Layers, experts and slots must be of the shape.
class EvictionPolicy {
  public:
    virtual ~EvictionPolicy() = default;
    /// A pass of `tokens` tokens came to `layer`: who is used, by how many of them; the layer's experts that are not
    /// named are used by none. Once a layer and pass, before its misses take slots.
    virtual void layerReached(int layer, std::span<const ExpertDemand> demands, int64_t tokens) = 0;
    /// From now on the slot is that expert's, whoever had it before. An expert has one slot at a time.
    virtual void filled(uint32_t slot, int layer, int expert) = 0;
    /// The slot holds nothing any more; nothing changes where it did not.
    virtual void emptied(uint32_t slot) = 0;
    /// The slot to give up among the filled ones with held[slot] == 0; nothing where there is none. held: [slots]
    virtual std::optional<uint32_t> victim(std::span<const uint8_t> held) const = 0;
    /// How soon an expert is expected to be used, in passes through the model, for comparing a guess with a victim:
    /// smaller is sooner. Finite.
    virtual double expectedWait(int layer, int expert) const = 0;
};

std::unique_ptr<EvictionPolicy> createEviction(EvictionKind kind, const EvictionShape& shape);

} // namespace coterie::engine
