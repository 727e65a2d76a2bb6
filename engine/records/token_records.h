// SPDX-License-Identifier: Apache-2.0
// Finds out which bytes of an answer's parts each token wrote. Text may be held back for a while (in the middle of a
// character, before a stop string, at a marker), so a token's record is final only when all its text has come out or
// has been dropped.
//
// The answer's text is what AnswerText gives out and what AnswerParser reads; places in it are counted in bytes from
// its start, the prefix included:
//
//   text    ... prefix | token 0 | token 1 | ...        a token's text ends where the next one's begins
//   events       [ part 0 ........ )    [ part 1 ...    what lies between events was dropped
#pragma once

#include "prompt/answer_parser.h"
#include "records/token_record.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace coterie::engine {

/// The records of one answer. Not thread-safe.
class TokenRecords {
  public:
    /// The prefix's text ends at `prefixEnd`; its bytes belong to no token.
    explicit TokenRecords(size_t prefixEnd = 0) : begin_(prefixEnd) {}

    /// Adds the next token, whose text ends at `end`.
    void add(TokenRecord record, size_t end);
    /// Call this if the answer is over and its last character was never completed: that character ends at `end`.
    void extendLast(size_t end);
    /// Adds an event, in the parser's order. partBytes: size of its part's text before it.
    void place(const AnswerEvent& event, size_t partBytes);
    /// Returns the records that have become final since the last call. All text before `settled` has been placed or
    /// dropped. endsInCharacter: bytes of a character have come whose place is not known, so the tokens that end where
    /// the text ends now are not final. The span lives until the next add().
    std::span<const TokenRecord> settle(size_t settled, bool endsInCharacter);
    std::vector<TokenRecord> take() { return std::move(records_); }

  private:
    size_t beginOf(size_t token) const { return token == 0 ? begin_ : ends_[token - 1]; }

    size_t begin_;
    std::vector<TokenRecord> records_;
    std::vector<size_t> ends_; ///< [records_]
    size_t final_ = 0;         ///< number of records that are final
};

} // namespace coterie::engine
