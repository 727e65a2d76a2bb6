// SPDX-License-Identifier: Apache-2.0
// The eviction policy: which expert makes room for another. It is the one decision of the store that is worth
// replacing. A policy knows slots, their experts and the order of layers, and nothing of reads or memory. It is called
// under the store's lock, so it must not block, and it allocates memory only at creation. Its decisions depend on its
// calls only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace coterie::engine {

enum class EvictionKind {
    ExpectedUse,         ///< "expected": evicts the expert that is expected to be used last; the default
    LeastRecentlyUsed,   ///< "lru": with less room than one token cycle it never hits, as the oldest is needed next
    LeastFrequentlyUsed, ///< "lfu": counts tokens since the start; of equals, evicts the least recently used. Slow to
                         ///< leave an old topic
};

struct EvictionName {
    const char* name = "";
    EvictionKind kind{};
};
/// All policies by name: "expected", "lru", "lfu".
inline constexpr EvictionName kEvictionNames[] = {{"expected", EvictionKind::ExpectedUse},
                                                  {"lru", EvictionKind::LeastRecentlyUsed},
                                                  {"lfu", EvictionKind::LeastFrequentlyUsed}};
const char* evictionName(EvictionKind kind);

/// How many tokens of a pass use an expert.
struct ExpertDemand {
    int expert = 0;
    int64_t tokens = 1;
};

struct EvictionShape {
    std::vector<int> expertsOfLayer; ///< [layers] 0 for a layer without experts
    uint32_t slots = 0;
};

/// One thread at a time. Layers, experts and slots must lie within the shape.
class EvictionPolicy {
  public:
    virtual ~EvictionPolicy() = default;
    /// A pass of `tokens` tokens has come to `layer`. demands: the experts that it uses, and by how many tokens; no
    /// token uses the layer's other experts. Called once per layer and pass, before its misses take slots.
    virtual void layerReached(int layer, std::span<const ExpertDemand> demands, int64_t tokens) = 0;
    /// The slot holds this expert from now on, whatever it held before. An expert has one slot at a time.
    virtual void filled(uint32_t slot, int layer, int expert) = 0;
    /// The slot holds nothing any more. Does nothing if it held nothing before.
    virtual void emptied(uint32_t slot) = 0;
    /// The slot to give up, among the filled ones with held[slot] == 0; nothing if there is none. held: [slots]
    virtual std::optional<uint32_t> victim(std::span<const uint8_t> held) const = 0;
    /// How soon an expert is expected to be used, in passes through the model: smaller is sooner. Finite. The store
    /// compares a prefetch hint with a victim by it.
    virtual double expectedWait(int layer, int expert) const = 0;
};

std::unique_ptr<EvictionPolicy> createEviction(EvictionKind kind, const EvictionShape& shape);

} // namespace coterie::engine
