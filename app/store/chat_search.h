// SPDX-License-Identifier: Apache-2.0
// Full-text search over titles and text parts of all branches, without what was deleted. Words are compared without
// case and diacritics, in any order; the last one may be incomplete. The indexes make one word of a run of letters
// without spaces: if a word has letters of Chinese, Japanese, Thai or another such script, the texts themselves are
// read and all words are found without case, also within longer words.
//
// If neither a title nor a message holds all words, each word is looked for alone: the hits are all places of any of
// the words in the chats that hold every word. Everything here throws what SQLite throws.
#pragma once

#include "store/chat_rows.h"
#include "store/connection.h"

namespace coterie::app {

/// Titles come before messages, and in both the greater id before the smaller: this order does not change while chats
/// are used, so that a cursor stays right. If the words are scattered, the hits of a chat are together, in this order;
/// the first page finds their places, and the cursor keeps them.
SearchPage searchPage(SQLite::Database& database, const SearchRequest& request);

} // namespace coterie::app
