// SPDX-License-Identifier: Apache-2.0
// Blocks of a message, as the window shows them. A text part is cut into text and fenced code while it streams; every
// other part is one block. This is not Markdown: a text block is plain text. The blocks do not depend on how the text
// was cut into pieces.
#pragma once

#include "store/message_part.h"

#include <QString>
#include <QVariantMap>

#include <optional>
#include <span>

#include <vector>

namespace coterie::app {

struct Block {
    enum class Kind { Text, Code, Thought, ToolCall, ToolResult };
    Kind kind = Kind::Text;
    QString text;        ///< without fences and the empty lines around it; a call's arguments as indented JSON
    QString language;    ///< the language that a fence names; the tool of a call or a result
    bool closed = false; ///< no more text can be added to it

    bool operator==(const Block& other) const = default;
    QVariantMap toVariant() const;
};

/// Cuts one text part. All blocks but the last are final while text is appended. Use each parser on one thread only.
class BlockParser {
  public:
    void append(QStringView text);
    /// Ends the text: a last line that was waiting for more is now taken as it is.
    void finish();
    /// Returns the blocks in order, without those that hold nothing but white space.
    std::vector<Block> blocks() const;

    static std::vector<Block> parse(const QString& text);

  private:
    void take(bool atEnd);
    bool takeInText(bool atEnd);
    bool takeInCode(bool atEnd);
    void add(QStringView text);
    void startBlock(Block::Kind kind, const QString& language = {});
    void closeBlock();

    std::vector<Block> blocks_; ///< raw: they still have the empty lines around the text
    QString pending_;           ///< text that is not taken yet, because it may become a fence
    bool lineStart_ = true;     ///< pending_ begins a line
    QChar fence_;               ///< character of the open code block's fence
    qsizetype fenceLength_ = 0;
};

/// Cuts a message that grows piece by piece into blocks. Blocks before the last one do not change. Use each object on
/// one thread only.
class MessageBlocks {
  public:
    void add(const PartPiece& piece);
    /// Ends the message: the last part is complete.
    void finish();
    std::vector<Block> blocks() const;

    static std::vector<Block> of(std::span<const MessagePart> parts);

  private:
    std::vector<Block> lastBlocks() const;

    std::vector<Block> earlier_; ///< the blocks of all parts before the last one
    std::optional<MessagePart> last_;
    qsizetype lastIndex_ = -1;
    BlockParser text_; ///< cuts the last part if that is text
    bool finished_ = false;
};

} // namespace coterie::app
