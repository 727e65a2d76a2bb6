// SPDX-License-Identifier: Apache-2.0
// The expert store: a fixed arena of slots, each holding one expert of one layer, filled by positioned reads on threads
// of its own. Every expert goes through it, whether the model fits or not; a model that fits simply never misses twice.
// It knows bytes and layers, nothing of what an expert computes.
//
//     store->request(layer, chosen);                          // pins hits, queues reads for misses, returns at once
//     ... attention ...
//     for (int expert : chosen) if (auto bytes = store->wait(layer, expert)) compute(bytes.value());
//     store->release(layer, chosen);
#pragma once

#include "base/memory.h"
#include "gguf/model_file.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace coterie::engine {

/// Where the parts of one layer's experts lie: expert e's part p is at tensor offset e * bytes[p].
struct ExpertLayer {
    struct Part {
        const gguf::Tensor* tensor = nullptr;
        uint64_t bytes = 0;      ///< of one expert
        uint64_t slotOffset = 0; ///< where it goes in a slot, 64-byte aligned
        /// What is made of it where it lies, as soon as it is read; on read thread 0, 1, ..., and it must not throw.
        std::function<void(std::byte* part, int thread)> arrange{};
    };
    std::vector<Part> parts; ///< gate, up, down
    int experts = 0;
    uint64_t slotBytes() const;
};

struct ExpertStoreOptions {
    uint64_t slots = 0; ///< at least the experts one layer uses for one token
    int readThreads = 4;
};

/// Counted since the store was created.
struct ExpertStoreStatistics {
    uint64_t hits = 0; ///< requests that found their expert in a slot, or arriving
    uint64_t misses = 0;
    uint64_t bytesRead = 0;
    double waitSeconds = 0; ///< what callers of wait() waited
    uint64_t slotsUsed = 0;
    uint64_t slots = 0;
    uint64_t slotBytes = 0;
};

enum class ExpertState : uint8_t { OnDisk, Arriving, InMemory };

/// request/wait/release come from one thread at a time; statistics() and state() from any.
class ExpertStore {
  public:
    /// OutOfMemory where the arena can't be had. `file` must outlive the store.
    static Result<std::unique_ptr<ExpertStore>> create(const ModelFile& file, std::vector<ExpertLayer> layers,
                                                       const ExpertStoreOptions& options);
    virtual ~ExpertStore() = default;

    /// Pins each expert (its slot stays until released) and queues a read where it is missing. At most slots() pinned
    /// at a time: one more is an Internal error. hit[i], where given, tells whether experts[i] needed no new read.
    virtual Status request(int layer, std::span<const int> experts, std::span<bool> hit = {}) = 0;
    /// Blocks until a requested expert is in memory; its parts lie at the layer's slotOffsets. Io where its read failed
    /// (a later request tries again).
    virtual Result<const std::byte*> wait(int layer, int expert) = 0;
    /// Whether wait() would return at once.
    virtual bool arrived(int layer, int expert) const = 0;
    virtual void release(int layer, std::span<const int> experts) = 0;

    virtual uint64_t slots() const = 0;
    virtual ExpertState state(int layer, int expert) const = 0;
    virtual ExpertStoreStatistics statistics() const = 0;
};

} // namespace coterie::engine
