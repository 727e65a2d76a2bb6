// SPDX-License-Identifier: Apache-2.0
// See memory_outlook.h.
#include "engine_link/memory_outlook.h"

#include <algorithm>

namespace coterie::app {
namespace {

using engine::ModelInfo;

constexpr uint64_t kMiB = 1 << 20, kGiB = 1 << 30;
constexpr uint64_t kGrowth = 16 * kMiB;         // the program itself may grow so much until the model is opened
constexpr uint64_t kPlenty = uint64_t{1} << 50; // more than any machine has

/// Rounds up to a value that sizeText() shows exactly, so that the budget shown is enough.
uint64_t roundedUp(uint64_t bytes) {
    const uint64_t step = bytes >= kGiB ? (kGiB + 9) / 10 : 16 * kMiB;
    return (bytes + step - 1) / step * step;
}

bool planned(const engine::Result<ModelInfo>& looked) { return looked && looked.value().memory.budget > 0; }

engine::Error whyNot(const engine::Result<ModelInfo>& looked) {
    if (!looked) return looked.error();
    const std::vector<engine::Error>& problems = looked.value().problems;
    engine::Sentence why = problems.empty() ? engine::Sentence() : problems.front().sentence();
    return {engine::ErrorKind::Unsupported, "This model can't run", std::move(why), "Choose another model"};
}

/// The same options with unlimited memory. An automatic context becomes the shortest one, which it would be with little
/// memory.
engine::OpenOptions withPlenty(engine::OpenOptions options, int64_t trainedContext) {
    options.memory = kPlenty;
    if (options.context == 0) options.context = std::min(engine::kMinimumAutomaticContext, trainedContext);
    return options;
}

} // namespace

std::optional<MemoryOutlook> lookAhead(const ModelInspector& inspect, const engine::OpenOptions& options,
                                       const std::function<bool()>& goOn) {
    engine::Result<ModelInfo> asked = inspect(options);
    if (!goOn()) return std::nullopt;
    MemoryOutlook outlook{.info = {}, .fits = planned(asked), .error = {}};
    if (!asked) return outlook.error = whyNot(asked), outlook;
    const engine::Result<ModelInfo> most = inspect(withPlenty(options, asked.value().trainedContext));
    if (!goOn()) return std::nullopt;
    if (!planned(most)) return outlook.fits = false, outlook.error = whyNot(asked), outlook;
    outlook.leastBudget = roundedUp(most.value().memory.minimumTotal + kGrowth);
    if (!outlook.fits) {
        engine::OpenOptions least = options;
        least.memory = outlook.leastBudget;
        asked = inspect(least);
        if (!goOn()) return std::nullopt;
        if (!planned(asked)) return outlook.error = whyNot(asked), outlook;
    }
    outlook.info = std::move(asked).value();
    return outlook;
}

} // namespace coterie::app
