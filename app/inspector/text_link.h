// SPDX-License-Identifier: Apache-2.0
// Links the text of a message with the record of its answer: tells the message's document where its tokens are, and
// lays colours under them. It changes nothing else of the document, and takes its colours away when it ends. Lives on
// the GUI thread.
#pragma once

#include "inspector/traced_answer.h"
#include "store/message_part.h"
#include "text/text_document.h"

#include <QPointer>

#include <optional>
#include <vector>

namespace coterie::app {

/// Converts byte ranges of the parts' UTF-8 text to ranges of characters, in one pass over the text. [tokens]; a token
/// without text has an empty range. If a token wrote into two parts, its range is the one in the first of them.
std::vector<PartRange> characterRanges(const std::vector<engine::TokenRecord>& tokens,
                                       const std::vector<MessagePart>& parts);

/// Colours of tokens: the share 0..1 of each one's measure, and which one is current.
struct TokenTints {
    std::vector<double> shares{}; ///< [tokens]; NaN: no colour. Empty: no colours at all
    int current = -1;             ///< framed by the strongest colour; -1: none
    bool dark = false;

    bool operator==(const TokenTints&) const = default;
};

class TextLink {
  public:
    ~TextLink() { detach(); }

    /// Links this document from now on; nullptr: none. The document before loses its colours.
    void attach(TextDocument* document);
    void detach() { attach(nullptr); }
    TextDocument* document() const { return document_; }
    /// Tells the document its tokens. Call it again when the answer has grown.
    void setTokens(const std::vector<engine::TokenRecord>& tokens, const std::vector<MessagePart>& parts);
    /// Lays these colours under the tokens. Text on them keeps a contrast of 4.5:1 (tst_text_link).
    void setTints(const TokenTints& tints);

  private:
    QPointer<TextDocument> document_;
    std::vector<PartRange> ranges_;
};

/// The colour under a token whose measure has this share, and the one under the current token.
QColor tintColour(double share, bool dark);
QColor currentColour(bool dark);

} // namespace coterie::app
