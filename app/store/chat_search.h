// SPDX-License-Identifier: Apache-2.0
// Full-text search over titles and text parts of all branches, without what was deleted. Words are compared without
// case and diacritics, in any order; the last one may be incomplete. The indexes make one word of a run of letters
// without spaces: if a word has letters of Chinese, Japanese, Thai or another such script, the texts themselves are
// read and all words are found without case, also within longer words. Everything here throws what SQLite throws.
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

/// Returns the chats that are not in the bin and whose title, or one of whose messages, has all words, with an excerpt
/// of the newest such message. words: at least one.
std::unordered_map<qint64, QString> chatsThatMatch(SQLite::Database& database, const QString& words);

/// Cuts an excerpt around the first range. It is one line; "..." stands for words that were left out.
void addSnippet(SearchHit& hit, const QString& text);

} // namespace coterie::app
