// SPDX-License-Identifier: Apache-2.0
// See expert_rates.h.
#include "models/expert_rates.h"

#include <algorithm>

namespace coterie::app {
namespace {

/// Short enough to follow an answer, long enough for tokens that take half a second each.
constexpr double kWindowSeconds = 1;

bool wentBack(const engine::Counts& now, const engine::Counts& before) {
    return now.hits < before.hits || now.fromDisk() < before.fromDisk() || now.bytesRead < before.bytesRead ||
           now.waitSeconds < before.waitSeconds;
}

} // namespace

double shareFromMemory(uint64_t asked, uint64_t fromDisk) {
    if (asked == 0) return -1;
    // Counters are read one by one while they change, so fromDisk may be the larger one.
    return 1 - static_cast<double>(std::min(fromDisk, asked)) / static_cast<double>(asked);
}

void ExpertWindow::add(double seconds, const engine::Counts& counted) {
    if (!samples_.empty() && wentBack(counted, samples_.back().counted)) samples_.clear();
    samples_.push_back({seconds, counted});
    while (samples_.size() > 2 && samples_[1].seconds <= seconds - kWindowSeconds) samples_.pop_front();
}

ExpertRates ExpertWindow::rates() const {
    if (samples_.size() < 2) return {};
    const auto& [from, before] = samples_.front();
    const auto& [to, now] = samples_.back();
    if (to <= from) return {};
    const uint64_t asked = now.asked() - before.asked();
    ExpertRates rates;
    rates.fromMemory = shareFromMemory(asked, now.fromDisk() - before.fromDisk());
    rates.bytesPerSecond = static_cast<double>(now.bytesRead - before.bytesRead) / (to - from);
    rates.waitShare = std::min(1.0, (now.waitSeconds - before.waitSeconds) / (to - from));
    rates.working = asked > 0 || now.bytesRead != before.bytesRead || now.waitSeconds > before.waitSeconds;
    return rates;
}

} // namespace coterie::app
