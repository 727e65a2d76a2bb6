// SPDX-License-Identifier: Apache-2.0
// See chat_reader.h. SQLite asks between two steps of a query whether to continue.
#include "store/chat_reader.h"

#include "store/connection.h"

#include <sqlite3.h>

namespace coterie::app {
namespace {

/// Steps of SQLite's virtual machine between two questions: a small part of a millisecond.
constexpr int kStepsBetween = 1000;

int isCancelled(void* connection) { return static_cast<const Connection*>(connection)->cancelled() ? 1 : 0; }

} // namespace

ChatReader::ChatReader(std::unique_ptr<Connection> connection) : ChatReads(std::move(connection)) {
    sqlite3_progress_handler(connection_->db().getHandle(), kStepsBetween, isCancelled, connection_.get());
}

ChatReader::~ChatReader() { sqlite3_progress_handler(connection_->db().getHandle(), 0, nullptr, nullptr); }

quint64 ChatReader::cancel() { return ++connection_->firstJob; }

void ChatReader::begin(quint64 job) { connection_->job = job; }

} // namespace coterie::app
