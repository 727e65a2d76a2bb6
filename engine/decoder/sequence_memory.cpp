// SPDX-License-Identifier: Apache-2.0
// See sequence_memory.h.
#include "decoder/sequence_memory.h"

#include <algorithm>

namespace coterie::engine {

Result<SequenceMemory> SequenceMemory::create(const ModelShape& shape, const MemoryPlan& plan) {
    Result<KvCache> cache = KvCache::create(shape, plan.keyValueFormat, plan.context, plan.chunk);
    if (!cache) return cache.error();
    SequenceMemory memory;
    memory.keysAndValues_ = std::move(cache).value();
    return memory;
}

void SequenceMemory::begin(int64_t tokens) {
    working_ = committed_ + tokens;
    keysAndValues_.extend(working_);
}

int64_t SequenceMemory::rewind(int64_t position) {
    committed_ = keysAndValues_.rewind(std::min(position, committed_));
    return committed_;
}

} // namespace coterie::engine
