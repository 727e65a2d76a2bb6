// SPDX-License-Identifier: Apache-2.0
// A small state machine: a line that may still become a fence waits in pending_; everything else is taken at once.
// White space waits in held_ until a character follows it, so that no block ever has to give some back.
#include "block_parser.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <utility>

namespace coterie::app {
namespace {

constexpr qsizetype kFenceLength = 3; // CommonMark 4.5
constexpr qsizetype kFenceIndent = 3; // CommonMark 4.5: up to three spaces before a fence

qsizetype indentOf(QStringView line) {
    qsizetype spaces = 0;
    while (spaces < line.size() && line[spaces] == u' ') ++spaces;
    return spaces;
}

qsizetype runOf(QStringView text, QChar c) {
    qsizetype length = 0;
    while (length < text.size() && text[length] == c) ++length;
    return length;
}

qsizetype lengthWithoutSpaceAtEnd(QStringView text) {
    qsizetype length = text.size();
    while (length > 0 && text[length - 1].isSpace()) --length;
    return length;
}

/// Returns the arguments as indented JSON. Text that is not a JSON object stays as it is.
QString indented(const QString& arguments) {
    const QJsonDocument document = QJsonDocument::fromJson(arguments.toUtf8());
    return document.isObject() ? QString::fromUtf8(document.toJson()).trimmed() : arguments;
}

} // namespace

void BlockParser::append(QStringView text) {
    pending_ += text;
    take(false);
}

void BlockParser::finish() {
    take(true);
    document_->closeLast();
}

void BlockParser::take(bool atEnd) {
    qsizetype taken = 0;
    while (taken < pending_.size()) {
        const QStringView rest = QStringView(pending_).mid(taken);
        const qsizetype length = inCode_ ? takeInCode(rest, atEnd) : takeInText(rest, atEnd);
        if (length == 0) break;
        taken += length;
        place_ += length;
    }
    pending_.remove(0, taken);
}

/// Starts a code block if the line is a whole fence. `waits`: the line may still become one.
bool BlockParser::startsCode(QStringView line, bool whole, bool& waits) {
    const qsizetype indent = indentOf(line);
    const QStringView rest = line.mid(indent);
    waits = rest.isEmpty() && !whole;
    const QChar mark = rest.isEmpty() ? QChar() : rest[0];
    if (indent > kFenceIndent || (mark != u'`' && mark != u'~')) return false;
    const qsizetype run = runOf(rest, mark);
    const QStringView info = rest.mid(run);
    const bool fence = run >= kFenceLength && !(mark == u'`' && info.contains(u'`'));
    waits = !whole && (fence || run == rest.size());
    if (!fence || !whole) return false;
    document_->addBlock({.kind = TextBlock::Kind::Code,
                         .label = info.trimmed().toString().section(u' ', 0, 0),
                         .part = part_,
                         .offset = place_ + line.size() + 1});
    fence_ = mark;
    fenceLength_ = run;
    return true;
}

/// Takes a line, or as much of it as can't become a fence. Returns the number of characters; 0: it must wait for more.
qsizetype BlockParser::takeInText(QStringView rest, bool atEnd) {
    const qsizetype lineEnd = rest.indexOf(u'\n');
    const qsizetype length = lineEnd < 0 ? rest.size() : lineEnd + 1;
    if (lineStart_) {
        bool waits = false;
        if (startsCode(lineEnd < 0 ? rest : rest.left(lineEnd), lineEnd >= 0, waits)) {
            inCode_ = true;
            held_.clear();
            return length;
        }
        if (waits && !atEnd) return 0;
    }
    addToParagraph(rest.left(length));
    lineStart_ = lineEnd >= 0;
    return length;
}

qsizetype BlockParser::takeInCode(QStringView all, bool atEnd) {
    const qsizetype lineEnd = all.indexOf(u'\n');
    const QStringView line = lineEnd < 0 ? all : all.left(lineEnd);
    const qsizetype indent = indentOf(line);
    const QStringView rest = line.mid(indent);
    const qsizetype run = runOf(rest, fence_);
    const bool onlyFence = indent <= kFenceIndent && rest.mid(run).trimmed().isEmpty();
    if (lineStart_ && lineEnd < 0 && onlyFence && !atEnd) return 0;
    const qsizetype length = lineEnd < 0 ? all.size() : lineEnd + 1;
    if (lineStart_ && onlyFence && run >= fenceLength_) {
        document_->closeLast();
        inCode_ = false;
        held_.clear();
        lineStart_ = true;
    } else {
        addToCode(all.left(length));
        lineStart_ = lineEnd >= 0;
    }
    return length;
}

/// Adds a line or a piece of one. An empty line before it starts a new paragraph.
void BlockParser::addToParagraph(QStringView text) {
    const qsizetype end = lengthWithoutSpaceAtEnd(text);
    if (end > 0) {
        const bool open =
            document_->count() > 0 && !document_->blocks().back().closed && document_->blocks().back().part == part_;
        if (!open || held_.count(u'\n') > 1) {
            held_.clear(); // whole lines: a line that begins with spaces comes at once
            document_->addBlock({.kind = TextBlock::Kind::Paragraph, .part = part_, .offset = place_});
        }
        held_ += text.left(end);
        document_->grow(std::exchange(held_, {}));
    }
    held_ += text.mid(end);
}

/// Adds a line or a piece of one. The line break at the end of the code is not part of it.
void BlockParser::addToCode(QStringView text) {
    const bool broken = text.endsWith(u'\n');
    held_ += broken ? text.chopped(1) : text;
    document_->grow(std::exchange(held_, {}));
    if (broken) held_ = u'\n';
}

void MessageBlocks::add(const PartPiece& piece) {
    if (piece.index != lastIndex_) start(piece);
    switch (lastKind_) {
    case PartKind::Text:
        text_->append(piece.part.text);
        break;
    case PartKind::Thought:
        addToThought(piece.part.text);
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

/// Adds to a thought, which has no empty lines at its beginning and no white space at its end.
void MessageBlocks::addToThought(QStringView text) {
    held_ += text;
    thoughtLength_ += text.size();
    const qsizetype end = lengthWithoutSpaceAtEnd(held_);
    if (end == 0) return;
    const bool started = document_->count() > 0 && document_->blocks().back().part == lastIndex_;
    if (!started) {
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
        document.addBlock({.text = parts[i].text, .closed = true, .part = static_cast<qsizetype>(i)});
    }
}

} // namespace coterie::app
