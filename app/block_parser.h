// SPDX-License-Identifier: Apache-2.0
// Cuts an answer into blocks while it streams: text, fenced code, the model's thoughts (<think>) and its tool calls
// (<tool_call>), as answer_record.h writes them. Not Markdown: what stands inside a text block is plain text. Text may
// arrive cut anywhere; the blocks depend on the whole alone.
#pragma once

#include <QString>
#include <QVariantMap>

#include <vector>

namespace coterie::app {

struct Block {
    enum class Kind { Text, Code, Thought, ToolCall };
    Kind kind = Kind::Text;
    QString text;        ///< without fences, tags, and the empty lines around it; a call's arguments as indented JSON
    QString language;    ///< of a code block, as the fence names it; the tool of a call
    bool closed = false; ///< nothing more can come into it

    bool operator==(const Block& other) const = default;
    QVariantMap toVariant() const;
};

/// All blocks but the last are final while text is appended. GUI thread or any one thread.
class BlockParser {
  public:
    void append(QStringView text);
    /// No more text: what might still have become a fence or a tag is taken as it stands.
    void finish();
    /// In order. Blocks of nothing but white space are left out.
    std::vector<Block> blocks() const;

    static std::vector<Block> parse(const QString& text);

  private:
    void take(bool atEnd);
    bool takeInText(bool atEnd);
    bool takeInCode(bool atEnd);
    bool takeInTags(QStringView close, bool atEnd);
    void add(QStringView text);
    void startBlock(Block::Kind kind, const QString& language = {});
    void closeBlock();

    std::vector<Block> blocks_; ///< raw: empty lines still around the text
    QString pending_;           ///< not yet taken: may become a fence or a tag
    bool lineStart_ = true;     ///< pending_ begins a line
    QChar fence_;               ///< of the open code block
    qsizetype fenceLength_ = 0;
};

} // namespace coterie::app
