// SPDX-License-Identifier: Apache-2.0
#include "access_tracker.h"

#include <algorithm>

namespace coterie::gpu {
namespace {

bool conflict(const Access& one, const Access& other) {
    return (one.writes || other.writes) && one.buffer == other.buffer && one.begin < other.end && other.begin < one.end;
}

} // namespace

bool AccessTracker::add(std::span<const Access> command) {
    const bool waits = std::ranges::any_of(since_, [command](const Access& before) {
        return std::ranges::any_of(command, [&before](const Access& now) { return conflict(before, now); });
    });
    if (waits) since_.clear();
    since_.insert(since_.end(), command.begin(), command.end());
    return waits;
}

} // namespace coterie::gpu
