// SPDX-License-Identifier: Apache-2.0
// The text of one message as it is shown: a list of blocks that only grows at its end, the tokens that the text was
// made of, and colours under parts of it. It knows nothing of fonts and places; message_layout.h does. Lives on the
// GUI thread.
//
//     document.addBlock({.kind = TextBlock::Kind::Paragraph, .part = 0, .offset = 0});
//     document.grow(u"Once upon ");
#pragma once

#include <QColor>
#include <QObject>
#include <QString>
#include <QtQml/qqmlregistration.h>

#include <span>
#include <vector>

namespace coterie::app {

struct TextBlock {
    enum class Kind { Paragraph, Code, Thought, ToolCall, ToolResult };
    Kind kind = Kind::Paragraph;
    QString text{};       ///< plain text; a call's arguments as indented JSON
    QString label{};      ///< the language that a fence names, a file's name, the tool of a call or a result
    bool closed = false;  ///< no more text can be added to it
    bool folded = false;  ///< its text is not shown; only for thoughts
    qsizetype part = 0;   ///< index of the message's part that it belongs to
    qsizetype offset = 0; ///< place of `text` in the text of that part; -1: it is no piece of it

    bool operator==(const TextBlock& other) const = default;
};

/// A place between two characters of a block.
struct TextPosition {
    int block = 0;
    qsizetype offset = 0;

    bool operator==(const TextPosition& other) const = default;
    bool operator<(const TextPosition& other) const {
        return block != other.block ? block < other.block : offset < other.offset;
    }
};

struct TextSpan {
    TextPosition begin, end;

    bool empty() const { return begin == end; }
    bool operator==(const TextSpan& other) const = default;
};

/// Characters of a part's text, as the part has it: the range of a token.
struct PartRange {
    qsizetype part = 0;
    qsizetype begin = 0;
    qsizetype end = 0;

    bool operator==(const PartRange& other) const = default;
};

/// A colour under some characters.
struct TextTint {
    PartRange range;
    QColor colour;
};

class TextDocument : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("A message of MessageModel has one")
  public:
    using QObject::QObject;

    const std::vector<TextBlock>& blocks() const { return blocks_; }
    const TextBlock& block(int index) const { return blocks_[static_cast<size_t>(index)]; }
    int count() const { return static_cast<int>(blocks_.size()); }

    /// Adds a block at the end. The block before it is closed.
    void addBlock(TextBlock block);
    /// Adds text to the last block, which must not be closed.
    void grow(QStringView text);
    void closeLast();
    /// Shows or hides the text of a thought.
    void setFolded(int block, bool folded);

    /// Sets the tokens, sorted by place. Token i is tokens()[i].
    void setTokens(std::vector<PartRange> tokens) { changeTokens(0, tokens); }
    /// Replaces all tokens but the first `kept`, so that a long answer can grow at no more cost than a short one.
    void changeTokens(size_t kept, std::span<const PartRange> tokens);
    const std::vector<PartRange>& tokens() const { return tokens_; }
    /// Returns the token at this place, or -1 if none is known there.
    int tokenAt(TextPosition position) const;

    /// Sets the colours under the text, sorted by place; no two overlap.
    void setTints(std::vector<TextTint> tints) { changeTints(0, tints); }
    /// Replaces all colours but the first `kept`.
    void changeTints(size_t kept, std::span<const TextTint> tints);
    const std::vector<TextTint>& tints() const { return tints_; }

    /// Returns where these characters are shown: a range for each block that has some of them.
    std::vector<TextSpan> shown(const PartRange& range) const;
    /// Returns the text between two places, with an empty line between two blocks and without folded blocks.
    QString text(const TextSpan& range) const;
    QString text() const { return text(all()); }
    TextSpan all() const;

    /// The same text as one sequence of characters, for screen readers. Offsets are clamped to it.
    qsizetype length() const;
    qsizetype flatOffset(TextPosition position) const;
    TextPosition positionAt(qsizetype flatOffset) const;

  Q_SIGNALS:
    void blockAdded();
    void lastGrew();
    void lastClosed();
    void foldingChanged(int block);
    void tintsChanged();

  private:
    std::vector<TextBlock> blocks_;
    std::vector<PartRange> tokens_;
    std::vector<TextTint> tints_;
};

} // namespace coterie::app
