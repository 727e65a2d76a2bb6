// SPDX-License-Identifier: Apache-2.0
// The figures of a backend and of the decoder above it: counts since the upload, and memory in use now.
#pragma once

#include "decoder/memory_plan.h"
#include "experts/counts.h"

#include <cstdint>

namespace coterie::engine {

struct BackendTelemetry {
    Counts counts;
    SlotUse slots;
    uint64_t residentBytes = 0, keyValueBytes = 0, stateBytes = 0; ///< in memory: what was read or written so far
    uint64_t embeddingRowBytes = 0;                                ///< in memory: rows of per-layer embeddings
    uint64_t scratchBytes = 0; ///< taken from the system; in memory after the longest chunk
};

/// The bytes of the backend are those in main memory.
struct DeviceTelemetry : BackendTelemetry {
    PlaceMemory device;   ///< memory in use of a device that has its own; 0 otherwise
    int64_t position = 0; ///< tokens in the KV cache
};

} // namespace coterie::engine
