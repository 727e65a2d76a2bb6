// SPDX-License-Identifier: Apache-2.0
// Everything that a conversation leaves in the layers for its next tokens: the keys and values of past tokens, whole or
// in the ring of a window (kv_cache.h). Layers write while a chunk runs; the chunk's tokens belong to the conversation
// only after commit(). So a chunk that was stopped half way leaves nothing behind.
//
//     memory.begin(n);      // a chunk of n tokens follows the committed ones
//     ... the layers read and write ...
//     memory.commit();      // without it the next begin() forgets the chunk
//
// One thread at a time may use it; touchedBytes() may be called from any thread. Inside decoder/ only.
#pragma once

#include "decoder/kv_cache.h"
#include "decoder/memory_plan.h"

namespace coterie::engine {

class SequenceMemory {
  public:
    static Result<SequenceMemory> create(const ModelShape& shape, const MemoryPlan& plan);

    /// Announces a chunk of so many tokens. Forgets the chunk before it, unless that was committed.
    void begin(int64_t tokens);
    /// The chunk's tokens belong to the conversation from now on.
    void commit() { committed_ = working_; }
    /// Forgets the tokens after the first `position` ones, and a chunk that was not committed. Returns how many tokens
    /// are kept: fewer, down to 0, if a ring has overwritten what those need.
    int64_t rewind(int64_t position);
    /// Number of committed tokens.
    int64_t committed() const { return committed_; }

    KvCache& keysAndValues() { return keysAndValues_; }
    uint64_t touchedBytes() const { return keysAndValues_.touchedBytes(); }

  private:
    KvCache keysAndValues_;
    int64_t committed_ = 0; // tokens of the conversation
    int64_t working_ = 0;   // tokens after the chunk that runs
};

} // namespace coterie::engine
