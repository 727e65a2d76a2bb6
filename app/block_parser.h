// SPDX-License-Identifier: Apache-2.0
// Cuts the parts of a message into the blocks of its document while they stream. A text part becomes paragraphs and
// fenced code; every other part is one block. This is not Markdown: a paragraph is plain text. The blocks do not depend
// on how the text was cut into pieces, and a block that has text only gets more of it: nothing is taken back.
#pragma once

#include "store/message_part.h"
#include "text/text_document.h"

#include <QString>

#include <optional>
#include <span>

namespace coterie::app {

/// Cuts one text part. Use each parser on one thread only.
class BlockParser {
  public:
    /// Adds blocks of the part with this index to `document`, which outlives the parser.
    BlockParser(TextDocument& document, qsizetype part) : document_(&document), part_(part) {}

    void append(QStringView text);
    /// Ends the text: a last line that was waiting for more is now taken as it is.
    void finish();

  private:
    void take(bool atEnd);
    qsizetype takeInText(QStringView rest, bool atEnd);
    qsizetype takeInCode(QStringView rest, bool atEnd);
    bool startsCode(QStringView line, bool whole, bool& waits);
    void addToParagraph(QStringView text);
    void addToCode(QStringView text);

    TextDocument* document_;
    qsizetype part_;
    qsizetype place_ = 0;   ///< number of the part's characters before pending_
    QString pending_;       ///< text that is not taken yet, because it may become a fence
    QString held_;          ///< white space after the last block, which becomes part of it only if text follows
    bool inCode_ = false;   ///< the last block is an open code block
    bool lineStart_ = true; ///< pending_ begins a line
    QChar fence_;           ///< character of the open code block's fence
    qsizetype fenceLength_ = 0;
};

/// Cuts a message that grows piece by piece. Use each object on one thread only.
class MessageBlocks {
  public:
    /// `document` outlives this object.
    explicit MessageBlocks(TextDocument& document) : document_(&document) {}

    void add(const PartPiece& piece);
    /// Ends the message: the last part is complete.
    void finish();

    /// Adds the blocks of a whole answer.
    static void fill(TextDocument& document, std::span<const MessagePart> parts);
    /// Adds the text parts as they are, a block for each.
    static void fillVerbatim(TextDocument& document, std::span<const MessagePart> parts);

  private:
    void start(const PartPiece& piece);
    void addToThought(QStringView text);

    TextDocument* document_;
    qsizetype lastIndex_ = -1;
    PartKind lastKind_ = PartKind::Text;
    std::optional<BlockParser> text_; ///< cuts the last part if that is text
    QString held_;                    ///< white space at the end of a thought
    qsizetype thoughtLength_ = 0;     ///< number of characters of the thought, with that white space
};

} // namespace coterie::app
