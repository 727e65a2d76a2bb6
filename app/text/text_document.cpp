// SPDX-License-Identifier: Apache-2.0
// See text_document.h.
#include "text/text_document.h"

#include "text/math/math_formula.h"
#include "text/math_delimiters.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace coterie::app {
namespace {

/// Returns what stands for a quote or a list around a block in plain text.
QString markOf(const TextNest& nest) {
    switch (nest.kind) {
    case TextNest::Kind::Quote:
        return QStringLiteral("> ");
    case TextNest::Kind::Bullet:
        return QStringLiteral("- ");
    case TextNest::Kind::Number:
        return QString::number(nest.number) + QStringLiteral(". ");
    case TextNest::Kind::Open:
        return QStringLiteral("- [ ] ");
    case TextNest::Kind::Done:
        return QStringLiteral("- [x] ");
    }
    return {};
}

QString spoken(const QString& latex) {
    const std::optional<MathFormula> formula = MathFormula::parse(withoutDelimiters(latex));
    return formula ? formula->spoken() : latex;
}

} // namespace

void TextDocument::addBlock(TextBlock block) {
    closeLast();
    blocks_.push_back(std::move(block));
    Q_EMIT blockAdded();
}

void TextDocument::grow(QStringView text) {
    if (blocks_.empty() || blocks_.back().closed || text.isEmpty()) return;
    const qsizetype kept = blocks_.back().text.size();
    blocks_.back().text += text;
    Q_EMIT blockChanged(count() - 1, kept);
}

void TextDocument::extend(qsizetype kept, const TextBlock& tail, qsizetype from) {
    if (blocks_.empty() || blocks_.back().closed) return;
    TextBlock& last = blocks_.back();
    if (kept == last.text.size() && from >= tail.text.size()) return;
    last.truncate(kept);
    last.append(tail, from);
    Q_EMIT blockChanged(count() - 1, kept);
}

void TextDocument::replaceFrom(int first, std::vector<TextBlock> blocks) {
    size_t i = 0;
    for (; i < blocks.size() && first + static_cast<int>(i) < count(); ++i) {
        const int index = first + static_cast<int>(i);
        TextBlock& old = blocks_[static_cast<size_t>(index)];
        if (!old.alike(blocks[i])) break;
        const qsizetype kept = old.sameAs(blocks[i]);
        const bool same = kept == old.text.size() && kept == blocks[i].text.size();
        blocks[i].closed = old.closed && i + 1 < blocks.size();
        old = std::move(blocks[i]);
        if (!same) Q_EMIT blockChanged(index, kept);
    }
    if (first + static_cast<int>(i) < count()) {
        blocks_.resize(static_cast<size_t>(first) + i);
        Q_EMIT blocksRemoved(count());
    }
    for (; i < blocks.size(); ++i) addBlock(std::move(blocks[i]));
}

void TextDocument::closeLast() {
    if (blocks_.empty() || blocks_.back().closed) return;
    blocks_.back().closed = true;
    Q_EMIT lastClosed();
}

void TextDocument::setSeconds(double seconds) {
    if (blocks_.empty() || blocks_.back().seconds == seconds) return;
    blocks_.back().seconds = seconds;
    Q_EMIT blockChanged(count() - 1, blocks_.back().text.size());
}

void TextDocument::setFolded(int block, bool folded) {
    if (block < 0 || block >= count()) return;
    if (std::exchange(blocks_[static_cast<size_t>(block)].folded, folded) != folded) Q_EMIT foldingChanged(block);
}

void TextDocument::setUnfolded(bool unfolded) {
    if (std::exchange(unfolded_, unfolded) != unfolded) Q_EMIT unfoldedChanged();
}

void TextDocument::changeTokens(size_t kept, std::span<const PartRange> tokens) {
    tokens_.resize(std::min(kept, tokens_.size()));
    tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
}

int TextDocument::tokenAt(TextPosition position) const {
    if (position.block < 0 || position.block >= count() || block(position.block).offset < 0) return -1;
    const qsizetype part = block(position.block).part, at = block(position.block).sourceAt(position.offset);
    if (at < 0) return -1;
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

void TextDocument::setMarks(std::vector<TextMark> marks) {
    if (marks == marks_) return;
    marks_ = std::move(marks);
    Q_EMIT marksChanged();
}

std::vector<TextSpan> TextDocument::shown(const PartRange& range) const {
    std::vector<TextSpan> ranges;
    const auto first = std::lower_bound(blocks_.begin(), blocks_.end(), range, [](const TextBlock& b, const auto& r) {
        return std::pair(b.part, b.sourceEnd()) <= std::pair(r.part, r.begin);
    });
    for (auto b = first; b != blocks_.end() && b->part == range.part && b->offset < range.end; ++b) {
        if (b->folded) continue;
        const int index = static_cast<int>(b - blocks_.begin());
        const auto [begin, end] = b->shownRange(range.begin, range.end);
        if (begin < end) ranges.push_back({{index, begin}, {index, end}});
    }
    return ranges;
}

QString TextDocument::text(const TextSpan& range) const {
    return written(range, range.begin.block != range.end.block && range.begin.offset == 0, Formulas::Source);
}

/// Returns the text of a range. marks: the first block has its marks too.
QString TextDocument::written(const TextSpan& range, bool marks, Formulas formulas) const {
    QString text;
    bool first = true;
    for (int i = std::max(0, range.begin.block); i < count() && i <= range.end.block; ++i) {
        if (block(i).folded) continue;
        const bool only = std::exchange(first, false);
        if (!only || marks) text += lead(i, only);
        const qsizetype begin = i == range.begin.block ? range.begin.offset : 0;
        const qsizetype end = i == range.end.block ? range.end.offset : block(i).text.size();
        qsizetype at = begin;
        if (formulas != Formulas::Characters) {
            for (const TextFormat& format : block(i).formats) {
                if (!format.isFormula() || format.begin < at || format.end() > end) continue;
                text += QStringView(block(i).text).mid(at, format.begin - at);
                text += formulas == Formulas::Spoken ? spoken(format.target) : format.target;
                at = format.end();
            }
        }
        text += QStringView(block(i).text).mid(at, end - at);
    }
    return text;
}

/// Returns the marks of the lists and quotes around a block.
QString TextDocument::marksOf(int index) const {
    QString marks;
    for (const TextNest& nest : block(index).nesting) {
        const QString mark = markOf(nest);
        marks += nest.first || nest.kind == TextNest::Kind::Quote ? mark : QString(mark.size(), u' ');
    }
    return marks;
}

/// Returns what stands before the text of a block. first: no block is before it.
QString TextDocument::lead(int index, bool first) const {
    const QString between = block(index).tight ? QStringLiteral("\n") : QStringLiteral("\n\n");
    return first ? marksOf(index) : between + marksOf(index);
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
        offset += lead(i, std::exchange(first, false)).size();
        offset += i == position.block ? position.offset : block(i).text.size();
    }
    return offset;
}

TextPosition TextDocument::positionAt(qsizetype flatOffset) const {
    TextPosition last;
    qsizetype left = std::max<qsizetype>(flatOffset, 0);
    bool first = true;
    for (int i = 0; i < count(); ++i) {
        if (block(i).folded) continue;
        const bool only = std::exchange(first, false);
        const qsizetype before = lead(i, only).size();
        if (left < before && !only) return last; // between two blocks
        left = std::max<qsizetype>(0, left - before);
        last = {i, std::min(left, block(i).text.size())};
        if (left <= block(i).text.size()) return last;
        left -= block(i).text.size();
    }
    return last;
}

} // namespace coterie::app
