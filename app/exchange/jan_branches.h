// SPDX-License-Identifier: Apache-2.0
// Finds which message of a thread of Jan's follows which one. Since Jan has versions of messages, it writes into the
// "metadata" of each:
//
//     "parentId":      the message before it; null: it is a first message
//     "activeChildId": the one that is shown of those that follow it, or else the newest one is
//
// and "activeRootId" into that of the thread: the first message that is shown, or else the newest one is. If no message
// of a thread has a "parentId", they are a list.
//
//     const JanBranches branches = janBranches(thread, lines);
//     const qsizetype before = branches.parents[0]; // lines[before] comes before lines[0]
//
// The lines may hold anything: none is left out, and there are no circles. Threads: any.
#pragma once

#include <QJsonObject>
#include <QJsonValue>

#include <vector>

namespace coterie::app {

struct JanBranches {
    std::vector<qsizetype> parents; ///< index of the line before each; -1: it is a first one
    std::vector<qint64> times;      ///< when each was written, in milliseconds since 1970
    qsizetype leaf = -1;            ///< index of the last line that is shown; -1: there are no lines
};

/// thread: thread.json; may be empty. lines: those of messages.jsonl.
JanBranches janBranches(const QJsonObject& thread, const std::vector<QJsonObject>& lines);

/// The value in the metadata of a thread or a message.
QJsonValue janMetadata(const QJsonObject& object, const char* key);

} // namespace coterie::app
