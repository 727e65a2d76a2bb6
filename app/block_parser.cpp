// SPDX-License-Identifier: Apache-2.0
// A small state machine: what can't yet be told from a fence or a tag waits in pending_; everything else is taken at
// once.
#include "block_parser.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <array>

namespace coterie::app {
namespace {

/// What stands between tags at the beginning of a line is a block of its own.
struct Tags {
    Block::Kind kind;
    QStringView open, close;
};
constexpr std::array<Tags, 2> kTags{
    {{Block::Kind::Thought, u"<think>", u"</think>"}, {Block::Kind::ToolCall, u"<tool_call>", u"</tool_call>"}}};
constexpr qsizetype kFenceLength = 3; // CommonMark 4.5
constexpr qsizetype kFenceIndent = 3; // CommonMark 4.5: up to three spaces before a fence

enum class Match { No, Maybe, Yes };

Match startsWith(QStringView text, QStringView wanted) {
    if (text.startsWith(wanted)) return Match::Yes;
    return wanted.startsWith(text) ? Match::Maybe : Match::No;
}

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

/// {"name": ..., "arguments": {...}} as a name and indented arguments; anything else stays as it is written.
void readCall(Block& block) {
    const QJsonObject call = QJsonDocument::fromJson(block.text.toUtf8()).object();
    if (!call.value(QStringLiteral("name")).isString()) return;
    block.language = call.value(QStringLiteral("name")).toString();
    const QJsonDocument arguments(call.value(QStringLiteral("arguments")).toObject());
    block.text = QString::fromUtf8(arguments.toJson()).trimmed();
}

} // namespace

QVariantMap Block::toVariant() const {
    static const std::array<QString, 4> names{QStringLiteral("text"), QStringLiteral("code"), QStringLiteral("thought"),
                                              QStringLiteral("call")};
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
        if (block.kind == Block::Kind::ToolCall && block.closed) readCall(block);
        if (!block.text.isEmpty() || block.kind == Block::Kind::Code) shown.push_back(std::move(block));
    }
    return shown;
}

void BlockParser::take(bool atEnd) {
    bool more = true;
    while (more && !pending_.isEmpty()) {
        const bool open = !blocks_.empty() && !blocks_.back().closed;
        const Block::Kind kind = open ? blocks_.back().kind : Block::Kind::Text;
        switch (kind) {
        case Block::Kind::Text:
            more = takeInText(atEnd);
            break;
        case Block::Kind::Code:
            more = takeInCode(atEnd);
            break;
        case Block::Kind::Thought:
        case Block::Kind::ToolCall:
            more = takeInTags(kTags[kind == Block::Kind::Thought ? 0 : 1].close, atEnd);
            break;
        }
    }
}

/// Takes a line, or as much of it as can't become a fence or a tag. False: wait for more.
bool BlockParser::takeInText(bool atEnd) {
    const QStringView all(pending_);
    const qsizetype lineEnd = all.indexOf(u'\n');
    const QStringView line = lineEnd < 0 ? all : all.left(lineEnd);
    if (lineStart_) {
        const qsizetype indent = indentOf(line);
        const QStringView rest = line.mid(indent);
        if (rest.isEmpty() && lineEnd < 0 && !atEnd) return false;
        for (const Tags& tags : kTags) {
            const Match match = rest.isEmpty() ? Match::No : startsWith(rest, tags.open);
            if (match == Match::Maybe && lineEnd < 0 && !atEnd) return false;
            if (match != Match::Yes) continue;
            startBlock(tags.kind);
            pending_.remove(0, indent + tags.open.size());
            lineStart_ = false;
            return true;
        }
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

bool BlockParser::takeInTags(QStringView close, bool atEnd) {
    const QStringView all(pending_);
    const qsizetype end = all.indexOf(close);
    if (end >= 0) {
        add(all.left(end));
        closeBlock();
        pending_.remove(0, end + close.size());
        lineStart_ = true;
        return true;
    }
    qsizetype keep = atEnd ? 0 : std::min(all.size(), close.size() - 1);
    while (keep > 0 && !close.startsWith(all.last(keep))) --keep;
    if (keep == all.size()) return false;
    add(all.chopped(keep));
    pending_ = pending_.last(keep);
    return keep == 0;
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

} // namespace coterie::app
