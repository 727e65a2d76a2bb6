// SPDX-License-Identifier: Apache-2.0
// The text from the current slice on is kept; a slice that has ended is parsed once more as a whole and forgotten. A
// last line that may still become something else waits (isUndecided), so that blocks before it do not change to and
// fro.
#include "markdown/block_parser.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

qsizetype lengthWithoutSpaceAtEnd(QStringView text) {
    qsizetype length = text.size();
    while (length > 0 && text[length - 1].isSpace()) --length;
    return length;
}

/// Returns the beginning of the first line that is not empty.
qsizetype startOfText(QStringView text) {
    qsizetype line = 0;
    for (qsizetype end; (end = text.indexOf(u'\n', line)) >= 0 && text.mid(line, end - line).trimmed().isEmpty();)
        line = end + 1;
    return line;
}

/// Returns the arguments as indented JSON. Text that is not a JSON object stays as it is. Values stay as they were
/// written: QJsonDocument would round large numbers.
QString indented(const QString& arguments) {
    if (!QJsonDocument::fromJson(arguments.toUtf8()).isObject()) return arguments;
    QString out;
    qsizetype depth = 0;
    bool quoted = false, escaped = false, breaks = false; // a line ends before the next value
    const auto endLine = [&] { out += u'\n' + QString(4 * depth, u' '); };
    for (const QChar c : arguments) {
        if (!quoted && c.isSpace()) continue;
        const bool closes = !quoted && (c == u'}' || c == u']');
        if (closes) --depth;
        if (closes || std::exchange(breaks, false)) endLine();
        out += c;
        if (!quoted && (c == u'{' || c == u'[')) ++depth;
        breaks = !quoted && (c == u'{' || c == u'[' || c == u',');
        if (!quoted && c == u':') out += u' ';
        if (c == u'"' && !escaped) quoted = !quoted;
        escaped = quoted && c == u'\\' && !escaped;
    }
    return out;
}

} // namespace

void BlockParser::append(QStringView text) {
    text_ += text;
    take(false);
}

void BlockParser::finish() {
    take(true);
    document_->closeLast();
}

/// Shows the slices that have ended, and the current one as far as it is decided.
void BlockParser::take(bool atEnd) {
    qsizetype begin = 0;
    for (;;) {
        const QStringView rest = QStringView(text_).mid(begin);
        const qsizetype length = slices_.next(rest, atEnd);
        if (length == 0) break;
        const QStringView slice = rest.left(length);
        show(slice, true);
        document_->closeLast();
        first_ = document_->count();
        before_ = list_;
        const qsizetype lastLine = slice.chopped(1).lastIndexOf(u'\n') + 1;
        afterBlank_ = slice.mid(lastLine).trimmed().isEmpty();
        code_.reset();
        table_.reset();
        begin += length;
        place_ += length;
    }
    text_.remove(0, begin);
    const qsizetype lastLine = text_.lastIndexOf(u'\n') + 1;
    const bool waits = !atEnd && isUndecided(QStringView(text_).mid(lastLine));
    show(waits ? QStringView(text_).left(lastLine) : QStringView(text_), atEnd);
}

/// Shows the current slice, or as much of it as there is. whole: nothing follows in it.
void BlockParser::show(QStringView slice, bool whole) {
    if (code_ || startsCode(slice, whole))
        showCode(slice, whole);
    else if (!table_ || !showRows(slice))
        showBlocks(slice);
}

bool BlockParser::startsCode(QStringView slice, bool whole) {
    const qsizetype begin = startOfText(slice);
    const qsizetype lineBreak = slice.indexOf(u'\n', begin);
    const qsizetype end = lineBreak < 0 ? slice.size() : lineBreak;
    if (lineBreak < 0 && !whole) return false;
    const std::optional<MarkdownFence> fence = fenceIn(slice.mid(begin, end - begin));
    if (!fence) return false;
    code_ = Code{.fence = *fence, .taken = std::min(end + 1, slice.size())};
    list_ = {};
    document_->replaceFrom(
        first_,
        {{.kind = TextBlock::Kind::Code, .label = fence->label, .part = part_, .offset = place_ + code_->taken}});
    return true;
}

/// Adds the lines that have come. The line break at the end of the code is not part of it.
void BlockParser::showCode(QStringView slice, bool whole) {
    TextBlock added;
    const qsizetype indent = code_->fence.indent;
    const auto add = [&](qsizetype begin, qsizetype end) {
        TextBlock piece{.text = slice.mid(begin, end - begin).toString()};
        if (indent > 0) piece.pieces = {{.length = end - begin, .source = place_ + begin, .sourceLength = end - begin}};
        if (begin < end) added.append(piece, 0);
    };
    while (code_->taken < slice.size()) {
        const qsizetype lineBreak = slice.indexOf(u'\n', code_->taken);
        const qsizetype end = lineBreak < 0 ? slice.size() : lineBreak;
        const QStringView line = slice.mid(code_->taken, end - code_->taken);
        if (code_->lineStart && (lineBreak >= 0 || whole) && closesFence(line, code_->fence)) break;
        if (code_->broken) add(code_->taken - 1, code_->taken);
        const qsizetype spaces = code_->lineStart ? std::min(indent, runOf(line, u' ')) : 0;
        add(code_->taken + spaces, end);
        code_->lineStart = code_->broken = lineBreak >= 0;
        code_->taken = std::min(end + 1, slice.size());
    }
    document_->extend(document_->blocks().back().text.size(), added, 0);
}

void BlockParser::showBlocks(QStringView slice) {
    MarkdownBlocks parsed =
        parseMarkdown(slice, {.part = part_, .offset = place_, .list = before_, .afterBlank = afterBlank_});
    list_ = parsed.list;
    const bool table = parsed.blocks.size() == 1 && parsed.blocks[0].kind == TextBlock::Kind::Table &&
                       parsed.blocks[0].nesting.empty();
    document_->replaceFrom(first_, std::move(parsed.blocks));
    const qsizetype head = slice.indexOf(u'\n', startOfText(slice));
    const qsizetype headEnd = head < 0 ? -1 : slice.indexOf(u'\n', head + 1);
    if (!table || headEnd < 0) return;
    const QString& text = document_->blocks().back().text;
    const qsizetype row = text.indexOf(u'\n');
    table_ = Table{.head = headEnd + 1, .taken = headEnd + 1, .shown = row < 0 ? text.size() : row};
}

/// Shows the rows that have come since the last ones that are final. Returns false if something else has come too.
bool BlockParser::showRows(QStringView slice) {
    const QString text = slice.left(table_->head).toString() + slice.mid(table_->taken).toString();
    const MarkdownBlocks parsed = parseMarkdown(text, {.part = part_, .offset = place_ + table_->taken - table_->head});
    if (parsed.blocks.size() != 1 || parsed.blocks[0].kind != TextBlock::Kind::Table) {
        table_.reset();
        return false;
    }
    const TextBlock& rows = parsed.blocks[0];
    const qsizetype lineBreak = rows.text.indexOf(u'\n'); // the first row is the head, which is shown already
    const qsizetype from = lineBreak < 0 ? rows.text.size() : lineBreak;
    document_->extend(table_->shown, rows, from);
    settleRows(slice, rows, from);
    return true;
}

/// Makes the whole lines final that are rows.
void BlockParser::settleRows(QStringView slice, const TextBlock& rows, qsizetype from) {
    qsizetype at = table_->taken, shown = from;
    for (qsizetype end; (end = slice.indexOf(u'\n', at)) >= 0; at = end + 1) {
        const QStringView line = slice.mid(at, end - at);
        const QStringView words = withoutMarks(line);
        const bool row = !isBlank(line) && !words.startsWith(u"$$") && !words.startsWith(u"\\[");
        if (!row || shown >= rows.text.size()) return;
        const qsizetype next = rows.text.indexOf(u'\n', shown + 1);
        table_->shown += (next < 0 ? rows.text.size() : next) - shown;
        shown = next < 0 ? rows.text.size() : next;
        table_->taken = end + 1;
    }
}

void MessageBlocks::add(const PartPiece& piece) {
    if (piece.index != lastIndex_) start(piece);
    switch (lastKind_) {
    case PartKind::Text:
        text_->append(piece.part.text);
        break;
    case PartKind::Thought:
        addToThought(piece.part.text);
        if (piece.part.seconds > 0 && thoughtShown()) document_->setSeconds(piece.part.seconds);
        break;
    case PartKind::ToolCall: // its block shows the call, not the words that the model wrote for it
        break;
    case PartKind::ToolResult:
    case PartKind::Attachment:
        document_->grow(piece.part.text);
        break;
    }
}

/// Begins the next part.
void MessageBlocks::start(const PartPiece& piece) {
    finish();
    const MessagePart& part = piece.part;
    lastIndex_ = piece.index;
    lastKind_ = part.kind;
    held_.clear();
    thoughtLength_ = 0;
    switch (part.kind) {
    case PartKind::Text:
        text_.emplace(*document_, piece.index);
        break;
    case PartKind::Thought: // added with its first word
        break;
    case PartKind::ToolCall:
        document_->addBlock({.kind = TextBlock::Kind::ToolCall,
                             .text = part.code.isEmpty() ? indented(part.arguments) : part.code,
                             .label = part.tool,
                             .closed = true,
                             .part = piece.index,
                             .offset = -1});
        break;
    case PartKind::ToolResult:
        document_->addBlock({.kind = TextBlock::Kind::ToolResult, .label = part.tool, .part = piece.index});
        break;
    case PartKind::Attachment:
        document_->addBlock({.kind = TextBlock::Kind::Code, .label = part.name, .part = piece.index});
        break;
    }
}

/// Whether the last part is a thought that has a block.
bool MessageBlocks::thoughtShown() const {
    return document_->count() > 0 && document_->blocks().back().part == lastIndex_;
}

/// Adds to a thought, which has no empty lines at its beginning and no white space at its end.
void MessageBlocks::addToThought(QStringView text) {
    held_ += text;
    thoughtLength_ += text.size();
    const qsizetype end = lengthWithoutSpaceAtEnd(held_);
    if (end == 0) return;
    if (!thoughtShown()) {
        qsizetype begin = 0;
        for (qsizetype i = 0; held_[i].isSpace(); ++i)
            if (held_[i] == u'\n') begin = i + 1;
        document_->addBlock({.kind = TextBlock::Kind::Thought,
                             .folded = true,
                             .part = lastIndex_,
                             .offset = thoughtLength_ - held_.size() + begin});
        document_->grow(QStringView(held_).mid(begin, end - begin));
    } else {
        document_->grow(QStringView(held_).left(end));
    }
    held_.remove(0, end);
}

void MessageBlocks::finish() {
    if (lastIndex_ < 0) return;
    if (text_) text_->finish();
    text_.reset();
    document_->closeLast();
}

void MessageBlocks::fill(TextDocument& document, std::span<const MessagePart> parts) {
    MessageBlocks blocks(document);
    for (size_t i = 0; i < parts.size(); ++i) blocks.add({static_cast<qsizetype>(i), parts[i]});
    blocks.finish();
}

void MessageBlocks::fillVerbatim(TextDocument& document, std::span<const MessagePart> parts) {
    for (size_t i = 0; i < parts.size(); ++i) {
        if (parts[i].kind != PartKind::Text || parts[i].text.isEmpty()) continue;
        document.addBlock({.text = parts[i].text,
                           .closed = true,
                           .part = static_cast<qsizetype>(i),
                           .direction = directionOf(parts[i].text)});
    }
}

} // namespace coterie::app
