// SPDX-License-Identifier: Apache-2.0
// Functions that check the memory of lent slots: tests fill it, and nobody else writes to it while the store is used
// and gets other limits.
#pragma once

#include "experts/expert_store.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <thread>

namespace coterie::test {

/// Tests fill lent memory with it.
inline constexpr std::byte kOurs{0xA5};

inline bool allOurs(std::span<const std::byte> memory) {
    return std::all_of(memory.begin(), memory.end(), [](std::byte byte) { return byte == kOurs; });
}

/// Lends so many bytes again and again, and calls use() with the number of the round meanwhile: it uses experts and
/// returns what is wrong, or "". Another thread changes the limit at any time, as a session's watch over memory does.
/// Returns what was wrong, or "".
inline std::string lendUnderChangingLimits(engine::ExpertStore& store, uint64_t bytes,
                                           const std::function<std::string(int)>& use) {
    const uint64_t slots = store.slotUse().usable;
    std::atomic<bool> stop{false};
    std::thread other([&] {
        for (uint64_t i = 0; !stop; ++i) store.limitSlots(i % 2 == 0 ? slots : i / 2 % slots);
    });
    std::string wrong;
    for (int round = 0; round < 60; ++round) {
        store.fillWhileIdle(); // its reads are waited for
        const std::span<std::byte> memory = store.lend(bytes);
        std::fill(memory.begin(), memory.end(), kOurs);
        if (const std::string result = use(round); !result.empty()) wrong = result;
        if (!allOurs(memory)) wrong = "lent memory was written to";
        store.endLoan();
    }
    stop = true;
    other.join();
    return wrong;
}

} // namespace coterie::test
