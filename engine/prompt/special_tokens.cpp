// SPDX-License-Identifier: Apache-2.0
// Searches a sorted list byte by byte: all tokens that begin with the bytes read so far are neighbours.
#include "prompt/special_tokens.h"

#include <algorithm>

namespace coterie::engine {

SpecialTokens::SpecialTokens(std::vector<Entry> entries) : entries_(std::move(entries)) {
    // Vocabulary::find() gives the last id of equal texts, and so does the stable order here.
    const auto before = [](const Entry& a, const Entry& b) { return a.text < b.text; };
    std::stable_sort(entries_.begin(), entries_.end(), before);
    for (const Entry& entry : entries_) firstBytes_[static_cast<uint8_t>(entry.text.front())] = true;
}

/// ownEnd: the end of the own range that holds position, or position itself if none does.
SpecialTokens::Match SpecialTokens::longestAt(std::string_view text, size_t position, size_t ownEnd) const {
    Match best{position, 0, 0};
    auto low = entries_.begin(), high = entries_.end();
    for (size_t depth = 0; low != high; ++depth) {
        for (; low != high && low->text.size() == depth; ++low)
            if (!low->control || position + depth <= ownEnd) best = {position, depth, low->token};
        if (position + depth >= text.size()) break;
        const auto byte = static_cast<uint8_t>(text[position + depth]);
        const auto byteOf = [depth](const Entry& entry) { return static_cast<uint8_t>(entry.text[depth]); };
        low = std::partition_point(low, high, [&](const Entry& entry) { return byteOf(entry) < byte; });
        high = std::partition_point(low, high, [&](const Entry& entry) { return byteOf(entry) == byte; });
    }
    return best;
}

SpecialTokens::Match SpecialTokens::next(std::string_view text, size_t from, std::span<const ByteRange> own) const {
    if (entries_.empty()) return {};
    auto range = std::partition_point(own.begin(), own.end(), [&](const ByteRange& r) { return r.end <= from; });
    for (size_t at = from; at < text.size(); ++at) {
        if (!firstBytes_[static_cast<uint8_t>(text[at])]) continue;
        while (range != own.end() && range->end <= at) ++range;
        const size_t ownEnd = range != own.end() && range->begin <= at ? range->end : at;
        if (const Match match = longestAt(text, at, ownEnd); match.length > 0) return match;
    }
    return {};
}

} // namespace coterie::engine
