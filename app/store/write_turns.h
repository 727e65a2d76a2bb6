// SPDX-License-Identifier: Apache-2.0
// Turns of the two connections of this process that write to chats.db: the store's, and that of an import, which adds
// one chat after the other on its own thread. SQLite alone is not fair to the store: an import takes the file again as
// soon as it has added a chat, and a large chat takes longer than the store waits for other programs. So an import lets
// the store go first, and the store waits for as long as an import adds a chat. It uses no message, and no chat.
//
//     turns.take(database);                 // the store's connection
//     const WriteTurns::Import turn(turns); // on the import's thread: a chat is added while this lives
//
// Threads: take() and the waiting of the store are on the store's thread; one other thread has an Import.
#pragma once

#include <atomic>
#include <cstdint>

namespace SQLite {
class Database;
}

namespace coterie::app {

class WriteTurns {
  public:
    /// patienceMs: how long the store waits for another program.
    explicit WriteTurns(int patienceMs) : patienceMs_(patienceMs) {}
    WriteTurns(const WriteTurns&) = delete;
    WriteTurns& operator=(const WriteTurns&) = delete;

    /// Makes this the connection of the store. This object outlives it.
    void take(SQLite::Database& store);
    /// Number of times that the store has found the file taken. Any thread.
    int64_t refusals() const { return refusals_; }

    /// While it lives, an import adds a chat. It begins when the store does not wait.
    class Import {
      public:
        explicit Import(WriteTurns& turns);
        ~Import() { turns_.importing_ = false; }
        Import(const Import&) = delete;
        Import& operator=(const Import&) = delete;

      private:
        WriteTurns& turns_;
    };

  private:
    bool waitOnce(int tries);

    const int patienceMs_;
    int waitedMs_ = 0; ///< without an import; of the store's write that waits now
    std::atomic<bool> importing_{false};
    std::atomic<bool> storeWaits_{false};
    std::atomic<int64_t> refusals_{0};
};

} // namespace coterie::app
