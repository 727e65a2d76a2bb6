// SPDX-License-Identifier: Apache-2.0
// A new seed mixes the clocks and a counter. std::random_device is not used because it may throw.
#include "sampling/random.h"

#include <atomic>
#include <chrono>

namespace coterie::engine {

uint64_t freshSeed() {
    static std::atomic<uint64_t> calls{0};
    const auto wall = std::chrono::system_clock::now().time_since_epoch().count();
    const auto steady = std::chrono::steady_clock::now().time_since_epoch().count();
    SplitMix64 mix(static_cast<uint64_t>(wall) ^ (static_cast<uint64_t>(steady) << 20));
    mix = SplitMix64(mix.next() + calls.fetch_add(1, std::memory_order_relaxed));
    return mix.next();
}

} // namespace coterie::engine
