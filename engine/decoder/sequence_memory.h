// SPDX-License-Identifier: Apache-2.0
// Everything that a conversation leaves in the layers for its next tokens: the keys and values of past tokens, whole or
// in the ring of a window (kv_cache.h), and the states of recurrent layers (state_copies.h). Layers write while a chunk
// runs; the chunk's tokens belong to the conversation only after commit(). So a chunk that was stopped half way leaves
// nothing behind.
//
//     memory.begin(n);      // a chunk of n tokens follows the committed ones
//     ... the layers read and write ...
//     memory.commit();      // without it the next begin() forgets the chunk
//
// One thread at a time may use it; the counts of bytes may be called from any thread. Inside decoder/ only.
#pragma once

#include "decoder/kv_cache.h"
#include "decoder/memory_plan.h"
#include "decoder/state_copies.h"

namespace coterie::engine {

class SequenceMemory {
  public:
    static Result<SequenceMemory> create(const ModelShape& shape, const MemoryPlan& plan);

    /// Makes room for chunks of so many tokens, more than usual, until shorten(). memory: longBytesNeeded().
    void lengthen(const ModelShape& shape, const MemoryPlan& plan, int64_t tokens, std::span<std::byte> memory) {
        keysAndValues_.lengthen(shape, plan.context, tokens, committed_, memory);
    }
    static uint64_t longBytesNeeded(const ModelShape& shape, const MemoryPlan& plan, int64_t tokens) {
        return KvCache::longBytesNeeded(shape, plan.keyValueFormat, plan.context, plan.chunk, tokens).value();
    }
    void shorten() { keysAndValues_.shorten(committed_); }

    /// Announces a chunk of so many tokens. Forgets the chunk before it, unless that was committed.
    void begin(int64_t tokens);
    /// The chunk's tokens belong to the conversation from now on.
    void commit();
    /// Keeps a copy of the states after the committed tokens, so that rewind() can go back to them. stays: it is kept
    /// in any case until another one stays; the others go when there are too many, the oldest first.
    void keepState(bool stays) { states_.keep(committed_, stays); }
    /// Forgets the tokens after the first `position` ones, and a chunk that was not committed. Returns how many tokens
    /// are kept: fewer, down to 0, if a ring has overwritten what those need, or if there is no copy of the states
    /// after them.
    int64_t rewind(int64_t position);
    /// Number of committed tokens.
    int64_t committed() const { return committed_; }

    KvCache& keysAndValues() { return keysAndValues_; }
    /// The state of a layer that has one, for the chunk that was announced. continues: for a part of it that is not the
    /// first; before that part the state is as the part before left it.
    LayerState state(int64_t layer, bool continues = false) const {
        const LayerState state = states_.layer(layer);
        return continues ? LayerState{.before = state.after, .after = state.after} : state;
    }
    uint64_t keyValueBytes() const { return keysAndValues_.touchedBytes(); } ///< those that were touched
    uint64_t stateBytes() const { return states_.touchedBytes(); }           ///< those that were touched

  private:
    KvCache keysAndValues_;
    StateCopies states_;
    int64_t committed_ = 0; // tokens of the conversation
    int64_t working_ = 0;   // tokens after the chunk that runs
};

} // namespace coterie::engine
