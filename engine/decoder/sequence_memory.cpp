// SPDX-License-Identifier: Apache-2.0
// See sequence_memory.h.
#include "decoder/sequence_memory.h"

#include <algorithm>

namespace coterie::engine {

Result<SequenceMemory> SequenceMemory::create(const ModelShape& shape, const MemoryPlan& plan) {
    Result<KvCache> cache = KvCache::create(shape, plan.keyValueFormat, plan.context, plan.chunk);
    if (!cache) return cache.error();
    Result<StateCopies> states = StateCopies::create(shape, plan.stateCopies);
    if (!states) return states.error();
    SequenceMemory memory;
    memory.keysAndValues_ = std::move(cache).value();
    memory.states_ = std::move(states).value();
    return memory;
}

void SequenceMemory::begin(int64_t tokens) {
    working_ = committed_ + tokens;
    keysAndValues_.extend(working_);
    if (states_.needed()) states_.begin();
}

void SequenceMemory::commit() {
    committed_ = working_;
    if (states_.needed()) states_.commit();
}

int64_t SequenceMemory::rewind(int64_t position) {
    position = std::min(position, committed_);
    const auto usable = [this](int64_t kept) { return keysAndValues_.keeps(kept); };
    if (states_.needed() && (position < committed_ || !usable(position))) position = states_.restore(position, usable);
    committed_ = keysAndValues_.rewind(position);
    return committed_;
}

} // namespace coterie::engine
