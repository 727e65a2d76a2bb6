// SPDX-License-Identifier: Apache-2.0
// A connection for reading chats.db on another thread, beside the store that writes it: for searches, exports and other
// queries that take long. ChatStore::openReader() makes it. It sees every change once the store's call has returned,
// and it never keeps the store waiting.
//
//     const quint64 job = reader->cancel();                  // any thread: earlier jobs end
//     post(worker, [=] { reader->begin(job); show(reader->search(request)); });
//
// Threads: one thread at a time makes all calls except cancel(), which any thread may make while the reader lives. Jobs
// have numbers, so that a cancel() is not lost if its query has not begun yet, and does not end the query of a later
// job. With sqlite3_interrupt() alone both could happen.
#pragma once

#include "store/chat_reads.h"

#include <memory>

namespace coterie::app {

class ChatReader : public ChatReads {
  public:
    ~ChatReader();

    /// Ends the call that runs, and all calls until begin() with the number that this returns: they fail with
    /// ErrorKind::Cancelled.
    quint64 cancel();
    /// Says which job the next calls belong to.
    void begin(quint64 job);

  private:
    friend class ChatStore;
    explicit ChatReader(std::unique_ptr<Connection> connection);
};

} // namespace coterie::app
