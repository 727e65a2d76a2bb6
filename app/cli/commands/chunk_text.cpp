// SPDX-License-Identifier: Apache-2.0
// See chunk_text.h.
#include "cli/commands/chunk_text.h"

#include "cli/format.h"

namespace coterie::app {

std::string chunkReason(const engine::MemoryPlan& plan) {
    const std::string what = plan.dense ? "layers" : "experts";
    if (plan.longChunk > plan.chunk)
        return (plan.slots == plan.totalExperts ? "all " + what + " are in memory, " : what + " come from disk: ") +
               std::to_string(plan.longSlots) + (plan.longSlots == 1 ? " slot makes" : " slots make") +
               " room, and a token reads at most " + bytesText(plan.longReads) + " instead of " +
               bytesText(plan.chunkReads);
    if (plan.slots == plan.totalExperts) return "all " + what + " are in memory";
    if (!plan.longChunks) return "a device computes them";
    if (plan.rowTable != 0) return "a longer one would need more rows by layer";
    return "a longer one would take more memory from " + what + " than it saves reads";
}

} // namespace coterie::app
