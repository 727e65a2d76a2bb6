// SPDX-License-Identifier: Apache-2.0
// The counters of experts and of the forward pass: the one struct of all levels from the expert store to the statistics
// of an answer. Each level fills in what it counts. It holds no memory figures of the present; SlotUse has those.
#pragma once

#include <cstdint>

namespace coterie::engine {

/// Counts since a model was opened, or the difference of two such moments. A dense model's layers count as its experts.
struct Counts {
    uint64_t hits = 0; ///< requests that found their expert in a slot, or arriving
    uint64_t misses = 0;
    uint64_t prefetched = 0;     ///< experts that were read before a layer asked for them
    uint64_t prefetchedUsed = 0; ///< those of them that a layer asked for afterwards
    uint64_t bytesRead = 0;      ///< bytes read from disk
    double waitSeconds = 0;      ///< time that layers waited for reads

    uint64_t weightBytesRead = 0;            ///< bytes that kernels had to read
    uint64_t activeNeurons = 0, neurons = 0; ///< neurons of ReGLU experts that ran
    uint64_t headRows = 0, headRowsPossible = 0;
    uint64_t choices = 0;        ///< choices of experts, one per token and layer that has experts
    uint64_t choicesChanged = 0; ///< choices for which approximate routing took other or fewer experts

    uint64_t asked() const { return hits + misses; }
    /// Requests whose expert was read from disk for them: it was not there at all, or it had been prefetched.
    uint64_t fromDisk() const { return misses + prefetchedUsed; }

    Counts& operator+=(const Counts& other) {
        forEach(other, [](auto& mine, auto theirs) { mine += theirs; });
        return *this;
    }
    /// The counts since `earlier`.
    Counts operator-(const Counts& earlier) const {
        Counts since = *this;
        since.forEach(earlier, [](auto& mine, auto theirs) { mine -= theirs; });
        return since;
    }

  private:
    template <typename Function>
    void forEach(const Counts& other, Function f) {
        f(hits, other.hits);
        f(misses, other.misses);
        f(prefetched, other.prefetched);
        f(prefetchedUsed, other.prefetchedUsed);
        f(bytesRead, other.bytesRead);
        f(waitSeconds, other.waitSeconds);
        f(weightBytesRead, other.weightBytesRead);
        f(activeNeurons, other.activeNeurons);
        f(neurons, other.neurons);
        f(headRows, other.headRows);
        f(headRowsPossible, other.headRowsPossible);
        f(choices, other.choices);
        f(choicesChanged, other.choicesChanged);
    }
};

/// The expert slots as they are now.
struct SlotUse {
    uint64_t used = 0;   ///< slots that hold an expert, or are about to
    uint64_t usable = 0; ///< slots that may be used
    uint64_t lent = 0;   ///< usable slots whose memory is lent: they hold no experts meanwhile
    /// Room in one slot, on average if they have two sizes, except those that dense layers have for themselves
    uint64_t bytesEach = 0;
    uint64_t bytesHeld = 0; ///< bytes of slots that were written: less than their room if layers differ in size
    uint64_t bytesMost = 0; ///< bytes that usable slots can hold: `bytesHeld`, and the room of those that hold nothing
};

} // namespace coterie::engine
