// SPDX-License-Identifier: Apache-2.0
// Files as versions 1 to 7 of the program left them, with 200 chats that hold thoughts, calls, code and branches, and
// a plain reader of what is in such a file, which knows SQL and nothing of the store.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <QByteArray>
#include <QStringList>

#include <map>
#include <string>
#include <vector>

namespace coterie::test {

inline constexpr int kOldChats = 200;

/// A part as the table has it.
struct PlainPart {
    std::string kind, text, meta;
    bool operator==(const PlainPart&) const = default;
};

/// All words of a file, and the tree that they are in.
struct PlainChats {
    std::vector<std::string> chats;                     ///< id, title, times and leaf
    std::map<int64_t, std::string> messages;            ///< chat, parent, role, state, time, model, statistics, error
    std::map<int64_t, std::vector<PlainPart>> parts;    ///< the parts of each message
    std::map<std::string, std::vector<int64_t>> search; ///< the messages that the index finds for a word
    bool operator==(const PlainChats&) const = default;
};

/// Makes a file of this version (1 to 7); returns what it must hold once it is of the newest version.
PlainChats makeOldChats(const std::string& path, int version);
/// Reads a file of version 2 or later.
PlainChats readPlain(SQLite::Database& database);
/// Reads messages with their text from a file of version 1, each on a line.
QStringList readVersion1(SQLite::Database& database);

} // namespace coterie::test
