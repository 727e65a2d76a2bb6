// SPDX-License-Identifier: Apache-2.0
// See shown_hits.h.
#include "chats/shown_hits.h"

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

/// Returns the range of the block's part; empty if the characters came from nowhere.
PartRange rangeIn(const TextBlock& block, const TextRange& found) {
    const auto [begin, end] = block.sourceRange(found.begin, found.end);
    return {.part = block.part, .begin = begin, .end = end};
}

} // namespace

std::vector<PartRange> hitsIn(const TextBlock& block, const QString& words, size_t most) {
    std::vector<PartRange> hits;
    if (block.offset < 0) return hits; // a call, which shows no piece of the answer
    for (const TextRange& found : FoldedText(block.text).find(words, 0, most))
        if (const PartRange range = rangeIn(block, found); range.begin < range.end) hits.push_back(range);
    return hits;
}

GrowingHits::GrowingHits(TextDocument* document, QString words) : document_(document), words_(std::move(words)) {
    connect(document, &TextDocument::blockChanged, this, &GrowingHits::onChanged);
    connect(document, &TextDocument::blocksRemoved, this, &GrowingHits::onRemoved);
}

void GrowingHits::onChanged(int index, qsizetype kept) {
    const auto block = static_cast<size_t>(index);
    if (block >= blocks_.size()) return;
    changed_ = std::min(changed_, block);
    Searched& searched = blocks_[block];
    if (kept > 0 && document_->block(index).text[kept - 1].isHighSurrogate()) --kept; // no character is cut
    if (kept >= searched.text.length()) return;
    searched.text.truncate(kept);
    while (!searched.found.empty() && searched.found.back().end > kept) {
        searched.found.pop_back();
        searched.ranges.pop_back();
    }
    searched.from = searched.found.empty() ? 0 : searched.text.letterAt(searched.found.back().end);
}

void GrowingHits::onRemoved(int first) {
    const auto left = static_cast<size_t>(first);
    changed_ = std::min(changed_, left);
    if (left < blocks_.size()) blocks_.resize(left);
}

size_t GrowingHits::update(size_t most) {
    added_.clear();
    if (!document_) return 0;
    const size_t first = std::min(changed_, blocks_.size());
    size_t total = 0;
    for (size_t i = 0; i < blocks_.size() && i <= first; ++i) total += blocks_[i].ranges.size();
    const size_t stay = total;
    const auto count = static_cast<size_t>(document_->count());
    blocks_.resize(count);
    for (size_t i = first; i < count; ++i) {
        std::vector<PartRange>& ranges = blocks_[i].ranges;
        const size_t known = ranges.size();
        search(blocks_[i], document_->block(static_cast<int>(i)), most - std::min(total, most));
        const size_t begin = i == first ? known : 0;
        added_.insert(added_.end(), ranges.begin() + static_cast<std::ptrdiff_t>(begin), ranges.end());
        total += ranges.size() - begin;
    }
    changed_ = count;
    return stay;
}

/// Takes in what the block has more. `most`: no more hits than these are added.
void GrowingHits::search(Searched& searched, const TextBlock& block, size_t most) const {
    FoldedText& text = searched.text;
    if (block.offset < 0 || text.length() == block.text.size()) return;
    text.append(QStringView(block.text).mid(text.length()));
    for (const TextRange& found : text.find(words_, searched.from, most)) {
        searched.from = text.letterAt(found.end);
        const PartRange range = rangeIn(block, found);
        if (range.begin == range.end) continue;
        searched.found.push_back(found);
        searched.ranges.push_back(range);
    }
    searched.from = std::max(searched.from, text.letters() - words_.size() + 1);
}

} // namespace coterie::app
