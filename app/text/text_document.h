// SPDX-License-Identifier: Apache-2.0
// The text of one message as it is shown: a list of blocks that changes only at its end, the tokens that the text was
// made of, and colours under parts of it. It knows nothing of fonts and places; message_layout.h does. Lives on the
// GUI thread.
//
//     document.addBlock({.kind = TextBlock::Kind::Paragraph, .part = 0, .offset = 0});
//     document.grow(u"Once upon ");
#pragma once

#include "text/text_block.h"

#include <QColor>
#include <QObject>
#include <QString>
#include <QtQml/qqmlregistration.h>

#include <span>
#include <vector>

namespace coterie::app {

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

/// A colour under some characters, and around them a frame, if it has a colour.
struct TextTint {
    PartRange range;
    QColor colour;
    QColor frame{};
};

/// A hit of a search.
struct TextMark {
    PartRange range;
    bool current = false; ///< it is marked more strongly than the others

    bool operator==(const TextMark& other) const = default;
};

class TextDocument : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("A message of MessageModel has one")
    Q_PROPERTY(bool unfolded READ unfolded WRITE setUnfolded NOTIFY unfoldedChanged)
  public:
    using QObject::QObject;

    const std::vector<TextBlock>& blocks() const { return blocks_; }
    const TextBlock& block(int index) const { return blocks_[static_cast<size_t>(index)]; }
    int count() const { return static_cast<int>(blocks_.size()); }

    /// Adds a block at the end. The block before it is closed.
    void addBlock(TextBlock block);
    /// Adds text to the last block, which must not be closed.
    void grow(QStringView text);
    /// Keeps the first characters of the last block, which must not be closed, and adds those of `tail` from `from` on.
    void extend(qsizetype kept, const TextBlock& tail, qsizetype from);
    /// Replaces the blocks from `first` on. Blocks that stay as they are tell nothing, and others only what changed.
    void replaceFrom(int first, std::vector<TextBlock> blocks);
    void closeLast();
    /// Tells how long the model wrote the last block, a thought.
    void setSeconds(double seconds);
    /// Shows or hides the text of a thought.
    void setFolded(int block, bool folded);
    /// Whether a long message is shown as a whole. The choice outlives the items that show the message.
    bool unfolded() const { return unfolded_; }
    void setUnfolded(bool unfolded);

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

    /// Sets the hits of a search, sorted by place. They are drawn over the colours above.
    void setMarks(std::vector<TextMark> marks);
    const std::vector<TextMark>& marks() const { return marks_; }

    /// Returns where these characters are shown: a range for each block that has some of them.
    std::vector<TextSpan> shown(const PartRange& range) const;
    /// Returns the text between two places, with an empty line between two blocks, with the marks of lists and quotes
    /// and without folded blocks. A range within one block has no marks.
    QString text(const TextSpan& range) const;
    /// Returns the whole text, with formulas as people say them.
    QString text() const { return written(all(), true, Formulas::Spoken); }
    TextSpan all() const;

    /// The whole text as one sequence of characters, for screen readers, in which a formula is one. Offsets are clamped
    /// to it.
    QString flatText() const { return written(all(), true, Formulas::Characters); }
    qsizetype length() const;
    qsizetype flatOffset(TextPosition position) const;
    TextPosition positionAt(qsizetype flatOffset) const;

  Q_SIGNALS:
    void blockAdded();
    /// A block has other characters, or another look of them, from `kept` on.
    void blockChanged(int block, qsizetype kept);
    /// The blocks from `first` on went away.
    void blocksRemoved(int first);
    void lastClosed();
    void foldingChanged(int block);
    void unfoldedChanged();
    void tintsChanged();
    void marksChanged();

  private:
    enum class Formulas { Characters, Source, Spoken };

    QString written(const TextSpan& range, bool marks, Formulas formulas) const;
    QString marksOf(int block) const;
    QString lead(int block, bool first) const;

    std::vector<TextBlock> blocks_;
    std::vector<PartRange> tokens_;
    std::vector<TextTint> tints_;
    std::vector<TextMark> marks_;
    bool unfolded_ = false;
};

} // namespace coterie::app
