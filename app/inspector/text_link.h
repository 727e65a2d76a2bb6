// SPDX-License-Identifier: Apache-2.0
// Links the text of a message with the record of its answer: gives the message's document the places of its tokens, and
// lays colours under them. It changes nothing else of the document, and takes its colours away when it ends. Lives on
// the GUI thread.
#pragma once

#include "engine_link/token_ranges.h"
#include "inspector/traced_answer.h"

#include <QPointer>

#include <optional>
#include <vector>

namespace coterie::app {

/// Colours of tokens: the share 0..1 of each one's measure, and which one is current.
struct TokenTints {
    std::vector<double> shares{}; ///< [tokens]; NaN: no colour. Empty: no colours at all
    int current = -1;             ///< it has a frame; -1: none
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
    /// Gives the document its tokens. Call it again when the answer has grown. kept: the first ones, which are as
    /// before.
    void setTokens(const std::vector<PartRange>& ranges, size_t kept = 0);
    /// Lays these colours under the tokens. Text on them keeps a contrast of 4.5:1, on the current token's also that of
    /// thoughts (tst_traced_answer). Colours that are there already are not laid again.
    void setTints(const TokenTints& tints);

  private:
    size_t unchanged(const TokenTints& tints) const;

    QPointer<TextDocument> document_;
    TokenTints laid_;           ///< the colours that the document has
    std::vector<size_t> tints_; ///< [colours of the document] the token of each
    size_t steady_ = 0;         ///< the first tokens, whose places have not changed since their colours were laid
};

/// The colour under a token whose measure has this share, and the one under the current token, with its frame.
QColor tintColour(double share, bool dark);
QColor currentColour(bool dark);
QColor currentFrame(bool dark);

} // namespace coterie::app
