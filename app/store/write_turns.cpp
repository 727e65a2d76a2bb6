// SPDX-License-Identifier: Apache-2.0
// See write_turns.h.
#include "store/write_turns.h"

#include <SQLiteCpp/Database.h>

#include <chrono>
#include <thread>

#include <sqlite3.h>

namespace coterie::app {
namespace {

constexpr int kStepMs = 5; // the store looks this often whether the file is free
// An import goes on if the store has not looked for this long: it writes, or had nothing to write.
constexpr int kQuietMs = 1000;

void sleepOneStep() { std::this_thread::sleep_for(std::chrono::milliseconds(kStepMs)); }

} // namespace

void WriteTurns::take(SQLite::Database& store) {
    sqlite3* const handle = store.getHandle();
    sqlite3_busy_handler(
        handle, [](void* turns, int tries) { return static_cast<WriteTurns*>(turns)->waitOnce(tries) ? 1 : 0; }, this);
    // A write that has waited ends in one of these.
    sqlite3_commit_hook(
        handle,
        [](void* turns) {
            static_cast<WriteTurns*>(turns)->storeWaits_ = false;
            return 0;
        },
        this);
    sqlite3_rollback_hook(
        handle, [](void* turns) { static_cast<WriteTurns*>(turns)->storeWaits_ = false; }, this);
}

/// Returns false if the store has waited for long enough. tries: how often this write has waited before.
bool WriteTurns::waitOnce(int tries) {
    if (tries == 0) waitedMs_ = 0;
    ++refusals_;
    if (!importing_) {
        if (waitedMs_ >= patienceMs_) {
            storeWaits_ = false;
            return false;
        }
        waitedMs_ += kStepMs;
    }
    storeWaits_ = true;
    sleepOneStep();
    return true;
}

WriteTurns::Import::Import(WriteTurns& turns) : turns_(turns) {
    int64_t seen = turns_.refusals_;
    for (int quietMs = 0; turns_.storeWaits_ && quietMs < kQuietMs; quietMs += kStepMs) {
        sleepOneStep();
        if (const int64_t now = turns_.refusals_; now != seen) {
            seen = now;
            quietMs = 0;
        }
    }
    turns_.importing_ = true;
}

} // namespace coterie::app
