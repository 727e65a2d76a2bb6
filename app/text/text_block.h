// SPDX-License-Identifier: Apache-2.0
// One block of a message: a paragraph, a heading, code, a table, and so on. It has the characters that are shown, the
// look of some of them, the lists and quotes around the block, and the place in the message from which each character
// came. Plain values: any thread may use its own.
//
//     TextBlock block{.text = "One two", .part = 0, .offset = 5};
//     block.sourceAt(4); // 9
#pragma once

#include <QString>
#include <QStringView>

#include <cstdint>
#include <utility>
#include <vector>

namespace coterie::app {

/// The look of some characters of a block. Ranges of a block are sorted and do not overlap.
struct TextFormat {
    enum Style : uint16_t { Strong = 1, Emphasis = 2, Strike = 4, Code = 8, Link = 16, Image = 32, Formula = 64 };
    /// Stands for a formula that is drawn. A formula that can't be drawn is code, character by character.
    static constexpr QChar kObject = QChar::ObjectReplacementCharacter;
    qsizetype begin = 0, length = 0;
    uint16_t style = 0; ///< values of Style, added
    QString target{};   ///< the address of a link or an image, the LaTeX of a formula

    qsizetype end() const { return begin + length; }
    bool isFormula() const { return (style & Formula) != 0 && (style & Code) == 0; }
    bool isLink() const { return (style & (Link | Image)) != 0 && !target.isEmpty(); }
    bool operator==(const TextFormat& other) const = default;
};

/// Characters of a block and the characters of the message from which they came. The lengths are equal, or one piece
/// stands for the other as a whole.
struct TextPiece {
    qsizetype begin = 0, length = 0;
    qsizetype source = 0, sourceLength = 0;

    bool exact() const { return length == sourceLength; }
    bool operator==(const TextPiece& other) const = default;
};

/// A quote or a list item around a block.
struct TextNest {
    enum class Kind : uint8_t { Quote, Bullet, Number, Open, Done }; ///< the last two: a task
    Kind kind = Kind::Bullet;
    bool first = false; ///< the block is the first one in it: the mark of an item is shown beside it
    int number = 0;     ///< number of a numbered item

    bool operator==(const TextNest& other) const = default;
};

enum class TextAlign : uint8_t { Left, Centre, Right };

/// The side at which lines begin. ByLine: each line's first letter decides.
enum class TextDirection : uint8_t { ByLine, LeftToRight, RightToLeft };

/// Returns the direction of a text as Qt's fields choose it: the first letter decides for all lines. ByLine: there is
/// none.
TextDirection directionOf(QStringView text);

struct TextBlock {
    enum class Kind { Paragraph, Heading, Code, Rule, Table, Formula, Thought, ToolCall, ToolResult };
    Kind kind = Kind::Paragraph;
    /// Plain text; a call's arguments as indented JSON; the cells of a table with a tab between two cells and a line
    /// break between two rows.
    QString text{};
    QString label{};      ///< the language that a fence names, a file's name, the tool of a call or a result
    bool closed = false;  ///< no more text can be added to it
    bool folded = false;  ///< its text is not shown; only for thoughts
    qsizetype part = 0;   ///< index of the message's part that it belongs to
    qsizetype offset = 0; ///< place of the block in the text of that part; -1: it is no piece of it
    int level = 0;        ///< level of a heading: 1 to 6
    TextDirection direction = TextDirection::ByLine;
    bool tight = false;               ///< it follows the block before it closely, as the items of a list do
    double seconds = 0;               ///< how long the model wrote a thought; 0: not known
    std::vector<TextNest> nesting{};  ///< from the outside to the inside
    std::vector<TextAlign> columns{}; ///< alignment of the columns of a table
    std::vector<TextFormat> formats{};
    std::vector<TextPiece> pieces{}; ///< sorted; empty: the text is that of the part from `offset` on

    bool operator==(const TextBlock& other) const = default;

    /// Returns the place in the part of the character at `shown`, or -1 if it came from nowhere.
    qsizetype sourceAt(qsizetype shown) const;
    /// Returns the place of the first character from `shown` on that came from somewhere; the end of the block's
    /// characters if there is none, and -1 if the block is no piece of the part.
    qsizetype sourceFrom(qsizetype shown) const;
    /// Returns the end of the block's characters in the part.
    qsizetype sourceEnd() const;
    /// Returns the range of characters that came from [begin, end) of the part; empty if there are none.
    std::pair<qsizetype, qsizetype> shownRange(qsizetype begin, qsizetype end) const;
    /// Returns the range of the part from which the characters [begin, end) came, with the markup between them; empty
    /// if they came from nowhere.
    std::pair<qsizetype, qsizetype> sourceRange(qsizetype begin, qsizetype end) const;
    /// Returns the number of first characters that are the same in both: the text, its look and its places.
    qsizetype sameAs(const TextBlock& other) const;
    /// Whether `other` is at the same place and of the same kind, so that one can become the other by its text alone.
    bool alike(const TextBlock& other) const;
    /// Adds the characters of `other` from `from` on, with their look and places.
    void append(const TextBlock& other, qsizetype from);
    /// Removes all characters from `length` on.
    void truncate(qsizetype length);
    /// Returns the format of the character at `shown`, or nullptr.
    const TextFormat* formatAt(qsizetype shown) const;
};

} // namespace coterie::app
