// SPDX-License-Identifier: Apache-2.0
// A snapshot of a session's own measurements, for gauges. Nothing here is estimated.
#pragma once

#include "decoder/memory_plan.h"

#include <cstdint>
#include <string>

namespace coterie::engine {

/// The experts, counted since the model was opened. A dense model's layers count as its experts.
struct ExpertTelemetry {
    uint64_t hits = 0; ///< requests that found their expert in memory, or arriving
    uint64_t misses = 0;
    uint64_t prefetched = 0;     ///< experts that were read before a layer asked for them
    uint64_t prefetchedUsed = 0; ///< those of them that a layer asked for afterwards
    uint64_t bytesRead = 0;      ///< bytes read from disk
    double waitSeconds = 0;      ///< time that layers waited for reads
    uint64_t slotsUsed = 0;      ///< slots that hold an expert, or are about to
    uint64_t slots = 0;          ///< slots that may be used now
    uint64_t slotBytes = 0;      ///< room in one slot, which is enough for any expert
    uint64_t bytesHeld = 0;      ///< bytes of slots that were written: less than their room if layers differ in size

    uint64_t asked() const { return hits + misses; }
    /// Requests whose expert was read from disk for them: it was not there at all, or it had been prefetched.
    uint64_t fromDisk() const { return misses + prefetchedUsed; }
};

struct Telemetry {
    ExpertTelemetry experts;
    uint64_t residentBytes = 0, keyValueBytes = 0; ///< in memory: what was read or written so far
    uint64_t scratchBytes = 0;                     ///< taken from the system; in memory after the longest chunk
    PlaceMemory device;                            ///< in the memory of a device that has its own; 0 otherwise
    /// Bytes that kernels read since the model was opened. The next three members count since then too.
    uint64_t weightBytesRead = 0;
    uint64_t activeNeurons = 0, neurons = 0; ///< neurons of ReGLU experts that ran
    uint64_t headRows = 0, headRowsPossible = 0;
    /// Choices of experts, one per token and layer, and the number of those that approximate routing changed.
    uint64_t choices = 0, choicesChanged = 0;
    std::string deviceName; ///< the device that computes now; "" while another one takes its place
    MemoryPlan plan;
    int64_t contextUsed = 0, contextSize = 0; ///< tokens
    double tokensPerSecond = 0;               ///< over the last second of decoding; 0 when idle
};

} // namespace coterie::engine
