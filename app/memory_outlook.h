// SPDX-License-Identifier: Apache-2.0
// What a budget and a context would do with a model, from its metadata alone: the plan, and the smallest budget that
// works. Blocks while files are read; any thread.
#pragma once

#include "session/session.h"

#include <functional>
#include <optional>

namespace coterie::app {

/// engine::inspectModel, so that a fake can stand in its place.
using ModelInspector = std::function<engine::Result<engine::ModelInfo>(const engine::OpenOptions&)>;

struct MemoryOutlook {
    engine::ModelInfo info;             ///< its plan is for the budget, or where that is too little, for the least
    bool fits = false;                  ///< the budget is enough
    uint64_t leastBudget = 0;           ///< bytes, a little more than needed: rounded up to what one can say
    std::optional<engine::Error> error; ///< the model can't run, whatever the memory; nothing else holds then
};

/// `goOn` is asked between looks, of which there are three at most; nothing comes back where it said no.
std::optional<MemoryOutlook> lookAhead(const ModelInspector& inspect, const engine::OpenOptions& options,
                                       const std::function<bool()>& goOn);

} // namespace coterie::app
