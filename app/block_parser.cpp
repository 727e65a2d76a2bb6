// SPDX-License-Identifier: Apache-2.0
// A small state machine: a line that may still become a fence waits in pending_; everything else is taken at once.
#include "block_parser.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <array>

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

QStringView withoutEmptyLines(QStringView text) {
    qsizetype begin = 0;
    for (qsizetype i = 0; i < text.size() && text[i].isSpace(); ++i) {
        if (text[i] == u'\n') begin = i + 1;
    }
    qsizetype end = text.size();
    while (end > begin && text[end - 1].isSpace()) --end;
    return text.mid(begin, end - begin);
}

/// Returns the arguments as indented JSON. Text that is not a JSON object stays as it is.
QString indented(const QString& arguments) {
    const QJsonDocument document = QJsonDocument::fromJson(arguments.toUtf8());
    return document.isObject() ? QString::fromUtf8(document.toJson()).trimmed() : arguments;
}

/// Makes the block of a part that is not text.
Block blockOf(const MessagePart& part, bool closed) {
    if (part.kind == PartKind::Thought)
        return {Block::Kind::Thought, withoutEmptyLines(part.text).toString(), {}, closed};
    if (part.kind == PartKind::ToolResult) return {Block::Kind::ToolResult, part.text, part.tool, closed};
    if (part.kind == PartKind::Attachment) return {Block::Kind::Code, part.text, part.name, closed};
    return {Block::Kind::ToolCall, part.code.isEmpty() ? indented(part.arguments) : part.code, part.tool, closed};
}

} // namespace

QVariantMap Block::toVariant() const {
    static const std::array<QString, 5> names{QStringLiteral("text"), QStringLiteral("code"), QStringLiteral("thought"),
                                              QStringLiteral("call"), QStringLiteral("result")};
    return {{QStringLiteral("kind"), names[static_cast<size_t>(kind)]},
            {QStringLiteral("text"), text},
            {QStringLiteral("language"), language},
            {QStringLiteral("closed"), closed}};
}

void BlockParser::append(QStringView text) {
    pending_ += text;
    take(false);
}

void BlockParser::finish() {
    take(true);
    closeBlock();
}

std::vector<Block> BlockParser::parse(const QString& text) {
    BlockParser parser;
    parser.append(text);
    parser.finish();
    return parser.blocks();
}

std::vector<Block> BlockParser::blocks() const {
    std::vector<Block> shown;
    for (const Block& raw : blocks_) {
        Block block = raw;
        if (raw.kind == Block::Kind::Code) {
            if (block.text.endsWith(u'\n')) block.text.chop(1);
        } else {
            block.text = withoutEmptyLines(raw.text).toString();
        }
        if (!block.text.isEmpty() || block.kind == Block::Kind::Code) shown.push_back(std::move(block));
    }
    return shown;
}

void BlockParser::take(bool atEnd) {
    bool more = true;
    while (more && !pending_.isEmpty()) {
        const bool inCode = !blocks_.empty() && !blocks_.back().closed && blocks_.back().kind == Block::Kind::Code;
        more = inCode ? takeInCode(atEnd) : takeInText(atEnd);
    }
}

/// Takes a line, or as much of it as can't become a fence. Returns false if it must wait for more.
bool BlockParser::takeInText(bool atEnd) {
    const QStringView all(pending_);
    const qsizetype lineEnd = all.indexOf(u'\n');
    const QStringView line = lineEnd < 0 ? all : all.left(lineEnd);
    if (lineStart_) {
        const qsizetype indent = indentOf(line);
        const QStringView rest = line.mid(indent);
        if (rest.isEmpty() && lineEnd < 0 && !atEnd) return false;
        const QChar mark = rest.isEmpty() ? QChar() : rest[0];
        if (indent <= kFenceIndent && (mark == u'`' || mark == u'~')) {
            const qsizetype run = runOf(rest, mark);
            const QStringView info = rest.mid(run);
            const bool fence = run >= kFenceLength && !(mark == u'`' && info.contains(u'`'));
            const bool mayBecome = run == rest.size() || fence;
            if (lineEnd < 0 && mayBecome && !atEnd) return false;
            if (fence && lineEnd >= 0) {
                startBlock(Block::Kind::Code, info.trimmed().toString().section(u' ', 0, 0));
                fence_ = mark;
                fenceLength_ = run;
                pending_.remove(0, lineEnd + 1);
                return true;
            }
        }
    }
    const qsizetype length = lineEnd < 0 ? all.size() : lineEnd + 1;
    add(all.left(length));
    lineStart_ = lineEnd >= 0;
    pending_.remove(0, length);
    return true;
}

bool BlockParser::takeInCode(bool atEnd) {
    const QStringView all(pending_);
    const qsizetype lineEnd = all.indexOf(u'\n');
    const QStringView line = lineEnd < 0 ? all : all.left(lineEnd);
    const qsizetype indent = indentOf(line);
    const QStringView rest = line.mid(indent);
    const qsizetype run = runOf(rest, fence_);
    const bool onlyFence = indent <= kFenceIndent && rest.mid(run).trimmed().isEmpty();
    if (lineStart_ && lineEnd < 0 && onlyFence && !atEnd) return false;
    const qsizetype length = lineEnd < 0 ? all.size() : lineEnd + 1;
    if (lineStart_ && onlyFence && run >= fenceLength_) {
        closeBlock();
        lineStart_ = true;
    } else {
        add(all.left(length));
        lineStart_ = lineEnd >= 0;
    }
    pending_.remove(0, length);
    return true;
}

void BlockParser::add(QStringView text) {
    if (blocks_.empty() || blocks_.back().closed) startBlock(Block::Kind::Text);
    blocks_.back().text += text;
}

void BlockParser::startBlock(Block::Kind kind, const QString& language) {
    closeBlock();
    blocks_.push_back({kind, {}, language, false});
}

void BlockParser::closeBlock() {
    if (!blocks_.empty()) blocks_.back().closed = true;
}

void MessageBlocks::add(const PartPiece& piece) {
    if (piece.index != lastIndex_) {
        finish();
        earlier_ = blocks();
        text_ = {};
        last_ = MessagePart{.kind = piece.part.kind,
                            .text = {},
                            .tool = piece.part.tool,
                            .arguments = piece.part.arguments,
                            .code = piece.part.code};
        lastIndex_ = piece.index;
        finished_ = false;
    }
    last_->text += piece.part.text;
    if (last_->kind == PartKind::Text) text_.append(piece.part.text);
}

void MessageBlocks::finish() {
    if (last_ && last_->kind == PartKind::Text) text_.finish();
    finished_ = true;
}

std::vector<Block> MessageBlocks::lastBlocks() const {
    if (!last_) return {};
    if (last_->kind == PartKind::Text) return text_.blocks();
    const Block block = blockOf(*last_, finished_ || last_->kind != PartKind::Thought);
    if (block.text.isEmpty() && block.kind == Block::Kind::Thought) return {};
    return {block};
}

std::vector<Block> MessageBlocks::blocks() const {
    std::vector<Block> all = earlier_;
    for (Block& block : lastBlocks()) all.push_back(std::move(block));
    return all;
}

std::vector<Block> MessageBlocks::of(std::span<const MessagePart> parts) {
    MessageBlocks blocks;
    for (size_t i = 0; i < parts.size(); ++i) blocks.add({static_cast<qsizetype>(i), parts[i]});
    blocks.finish();
    return blocks.blocks();
}

} // namespace coterie::app
