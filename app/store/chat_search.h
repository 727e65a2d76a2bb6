// SPDX-License-Identifier: Apache-2.0
// Full-text search over titles and text parts of all branches, without what was deleted. Words are compared without
// case and diacritics, in any order; the last one may be incomplete. Everything here throws what SQLite throws.
#pragma once

#include "store/chat_rows.h"
#include "store/connection.h"

#include <unordered_map>

namespace coterie::app {

/// Returns a query in FTS5's language that asks for all words; empty if there are none. Each word is quoted.
std::string matchExpression(const QString& words);

/// Titles come before messages, and in both the greater id before the smaller: this order does not change while chats
/// are used, so that a cursor stays right.
SearchPage searchPage(SQLite::Database& database, const SearchRequest& request);

/// Returns the chats that are not in the bin and whose title, or one of whose messages, matches, with an excerpt of the
/// newest such message.
std::unordered_map<qint64, QString> chatsThatMatch(SQLite::Database& database, const std::string& match);

/// Cuts an excerpt around the first range. It is one line; "..." stands for words that were left out.
void addSnippet(SearchHit& hit, const QString& text);

} // namespace coterie::app
