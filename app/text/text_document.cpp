// SPDX-License-Identifier: Apache-2.0
// See text_document.h.
#include "text/text_document.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

const QString kBetweenBlocks = QStringLiteral("\n\n");

} // namespace

void TextDocument::addBlock(TextBlock block) {
    closeLast();
    blocks_.push_back(std::move(block));
    Q_EMIT blockAdded();
}

void TextDocument::grow(QStringView text) {
    if (blocks_.empty() || blocks_.back().closed || text.isEmpty()) return;
    blocks_.back().text += text;
    Q_EMIT lastGrew();
}

void TextDocument::closeLast() {
    if (blocks_.empty() || blocks_.back().closed) return;
    blocks_.back().closed = true;
    Q_EMIT lastClosed();
}

void TextDocument::setFolded(int block, bool folded) {
    if (block < 0 || block >= count()) return;
    if (std::exchange(blocks_[static_cast<size_t>(block)].folded, folded) != folded) Q_EMIT foldingChanged(block);
}

void TextDocument::changeTokens(size_t kept, std::span<const PartRange> tokens) {
    tokens_.resize(std::min(kept, tokens_.size()));
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
}

int TextDocument::tokenAt(TextPosition position) const {
    if (position.block < 0 || position.block >= count() || block(position.block).offset < 0) return -1;
    const qsizetype part = block(position.block).part, at = block(position.block).offset + position.offset;
    const auto after = std::upper_bound(tokens_.begin(), tokens_.end(), std::pair(part, at),
                                        [](const std::pair<qsizetype, qsizetype>& place, const PartRange& token) {
                                            return place < std::pair(token.part, token.begin);
                                        });
    if (after == tokens_.begin()) return -1;
    const auto token = std::prev(after);
    return token->part == part && at < token->end ? static_cast<int>(token - tokens_.begin()) : -1;
}

void TextDocument::changeTints(size_t kept, std::span<const TextTint> tints) {
    if (kept >= tints_.size() && tints.empty()) return;
    tints_.resize(std::min(kept, tints_.size()));
    tints_.insert(tints_.end(), tints.begin(), tints.end());
    Q_EMIT tintsChanged();
}

std::vector<TextSpan> TextDocument::shown(const PartRange& range) const {
    std::vector<TextSpan> ranges;
    const auto first = std::lower_bound(blocks_.begin(), blocks_.end(), range, [](const TextBlock& b, const auto& r) {
        return std::pair(b.part, b.offset + b.text.size()) <= std::pair(r.part, r.begin);
    });
    for (auto b = first; b != blocks_.end() && b->part == range.part && b->offset < range.end; ++b) {
        if (b->offset < 0 || b->folded) continue;
        const int index = static_cast<int>(b - blocks_.begin());
        const qsizetype begin = std::clamp<qsizetype>(range.begin - b->offset, 0, b->text.size());
        const qsizetype end = std::clamp<qsizetype>(range.end - b->offset, 0, b->text.size());
        if (begin < end) ranges.push_back({{index, begin}, {index, end}});
    }
    return ranges;
}

QString TextDocument::text(const TextSpan& range) const {
    QString text;
    bool first = true;
    for (int i = std::max(0, range.begin.block); i < count() && i <= range.end.block; ++i) {
        if (block(i).folded) continue;
        if (!std::exchange(first, false)) text += kBetweenBlocks;
        const qsizetype begin = i == range.begin.block ? range.begin.offset : 0;
        const qsizetype end = i == range.end.block ? range.end.offset : block(i).text.size();
        text += QStringView(block(i).text).mid(begin, end - begin);
    }
    return text;
}

TextSpan TextDocument::all() const {
    if (blocks_.empty()) return {};
    return {{0, 0}, {count() - 1, blocks_.back().text.size()}};
}

qsizetype TextDocument::length() const { return blocks_.empty() ? 0 : flatOffset(all().end); }

qsizetype TextDocument::flatOffset(TextPosition position) const {
    qsizetype offset = 0;
    bool first = true;
    for (int i = 0; i < count() && i <= position.block; ++i) {
        if (block(i).folded) continue;
        if (!std::exchange(first, false)) offset += kBetweenBlocks.size();
        offset += i == position.block ? position.offset : block(i).text.size();
    }
    return offset;
}

TextPosition TextDocument::positionAt(qsizetype flatOffset) const {
    TextPosition last;
    qsizetype left = std::max<qsizetype>(flatOffset, 0);
    for (int i = 0; i < count(); ++i) {
        if (block(i).folded) continue;
        last = {i, std::min(left, block(i).text.size())};
        if (left < block(i).text.size() + kBetweenBlocks.size()) return last;
        left -= block(i).text.size() + kBetweenBlocks.size();
    }
    return last;
}

} // namespace coterie::app
