// SPDX-License-Identifier: Apache-2.0
// Cuts the parts of a message into the blocks of its document while they stream. A text part is Markdown
// (markdown_parser.h); every other part is one block. The blocks do not depend on how the text was cut into pieces.
// Only the last slice of the text (markdown_slices.h) is parsed again when more arrives: blocks before it are final. Of
// code and of a table only the last rows are parsed again.
#pragma once

#include "markdown/markdown_parser.h"
#include "markdown/markdown_slices.h"
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
    BlockParser(TextDocument& document, qsizetype part) : document_(&document), part_(part), first_(document.count()) {}

    void append(QStringView text);
    /// Ends the text: a last line that was waiting for more is now taken as it is.
    void finish();

  private:
    /// The fenced code that is the current slice.
    struct Code {
        MarkdownFence fence{};
        qsizetype taken = 0;   ///< characters of the slice that are in the block
        bool lineStart = true; ///< they end with a line
        bool broken = false;   ///< a line break follows if more code does
    };
    /// The table that is the current slice.
    struct Table {
        qsizetype head = 0;  ///< length of its first two lines
        qsizetype taken = 0; ///< rows up to here are final
        qsizetype shown = 0; ///< number of the block's characters for them
    };

    void take(bool atEnd);
    void show(QStringView slice, bool whole);
    bool startsCode(QStringView slice, bool whole);
    void showCode(QStringView slice, bool whole);
    void showBlocks(QStringView slice);
    bool showRows(QStringView slice);
    void settleRows(QStringView slice, const TextBlock& rows, qsizetype from);

    TextDocument* document_;
    qsizetype part_;
    int first_;           ///< first block of the current slice
    QString text_;        ///< the part's text from the current slice on
    qsizetype place_ = 0; ///< number of the part's characters before text_
    MarkdownSlices slices_;
    MarkdownList before_;    ///< the list with which the slice before ended
    MarkdownList list_;      ///< the list with which the current slice ends
    bool afterBlank_ = true; ///< the line before the slice is empty
    std::optional<Code> code_;
    std::optional<Table> table_;
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
    bool thoughtShown() const;

    TextDocument* document_;
    qsizetype lastIndex_ = -1;
    PartKind lastKind_ = PartKind::Text;
    std::optional<BlockParser> text_; ///< cuts the last part if that is text
    QString held_;                    ///< white space at the end of a thought
    qsizetype thoughtLength_ = 0;     ///< number of characters of the thought, with that white space
};

} // namespace coterie::app
