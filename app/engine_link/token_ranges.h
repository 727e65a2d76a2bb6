// SPDX-License-Identifier: Apache-2.0
// Converts the places of tokens from bytes of UTF-8, as the engine records them, to characters of a message's text. It
// goes on where it was when the answer has grown, so that the length of an answer does not matter. Lives on the GUI
// thread.
//
//     ranges.grow(answer.tokens(), parts);
//     const PartRange place = ranges.all()[12];
#pragma once

#include "session/session.h"
#include "store/message_part.h"
#include "text/text_document.h"

#include <vector>

namespace coterie::app {

class TokenRanges {
  public:
    /// Takes in what the tokens and the parts have more; both are those of the calls before, grown at their ends.
    /// Tokens may be ahead of the text.
    void grow(const std::vector<engine::TokenRecord>& tokens, const std::vector<MessagePart>& parts);

    /// [tokens]; a token without text has an empty range. If a token wrote into two parts, its range is the one in the
    /// first of them.
    const std::vector<PartRange>& all() const { return ranges_; }
    /// Number of the first tokens whose ranges will not change: their text is there.
    size_t settled() const { return settled_; }

  private:
    /// A place in the text of one part, in bytes of UTF-8 and in characters of UTF-16.
    struct Place {
        size_t byte = 0;
        qsizetype character = 0;
    };

    static void advance(Place& place, const QString& text, size_t byte);

    std::vector<PartRange> ranges_;
    size_t settled_ = 0;
    std::vector<Place> places_; ///< [parts] the ends of the settled tokens
    PartRange last_;            ///< the last range of a settled token
};

/// Converts all at once.
std::vector<PartRange> characterRanges(const std::vector<engine::TokenRecord>& tokens,
                                       const std::vector<MessagePart>& parts);

} // namespace coterie::app
