// SPDX-License-Identifier: Apache-2.0
// Computes the memory plan of a model for a given budget and context, and the smallest budget that works, from metadata
// alone. Blocks while files are read. Any thread.
#pragma once

#include "session/session.h"

#include <functional>
#include <optional>

namespace coterie::app {

/// The signature of engine::inspectModel, so that a fake can replace it.
using ModelInspector = std::function<engine::Result<engine::ModelInfo>(const engine::OpenOptions&)>;

struct MemoryOutlook {
    engine::ModelInfo info;             ///< its plan is for the budget, or for leastBudget if the budget is too small
    bool fits = false;                  ///< the budget is enough
    uint64_t leastBudget = 0;           ///< bytes, rounded up to a value that sizeText() shows exactly
    std::optional<engine::Error> error; ///< the model can't run with any budget; the other fields then mean nothing
};

/// Inspects the model at most three times and calls `goOn` in between. Returns nothing if `goOn` returned false.
std::optional<MemoryOutlook> lookAhead(const ModelInspector& inspect, const engine::OpenOptions& options,
                                       const std::function<bool()>& goOn);

} // namespace coterie::app
