// SPDX-License-Identifier: Apache-2.0
// A sorted list, narrowed byte by byte: all tokens that begin with what was read so far stand next to each other.
#include "prompt/special_tokens.h"

#include <algorithm>

namespace coterie::engine {

SpecialTokens::SpecialTokens(std::vector<Entry> entries) : entries_(std::move(entries)) {
    // Of equal texts the last id is the one that find() gives.
    const auto before = [](const Entry& a, const Entry& b) { return a.text < b.text; };
    std::stable_sort(entries_.begin(), entries_.end(), before);
    for (const Entry& entry : entries_) firstBytes_[static_cast<uint8_t>(entry.text.front())] = true;
}

SpecialTokens::Match SpecialTokens::longestAt(std::string_view text, size_t position) const {
    Match best{position, 0, 0};
    auto low = entries_.begin(), high = entries_.end();
    for (size_t depth = 0; low != high; ++depth) {
        for (; low != high && low->text.size() == depth; ++low) best = {position, depth, low->token};
        if (position + depth >= text.size()) break;
        const auto byte = static_cast<uint8_t>(text[position + depth]);
        const auto byteOf = [depth](const Entry& entry) { return static_cast<uint8_t>(entry.text[depth]); };
        low = std::partition_point(low, high, [&](const Entry& entry) { return byteOf(entry) < byte; });
        high = std::partition_point(low, high, [&](const Entry& entry) { return byteOf(entry) == byte; });
    }
    return best;
}

SpecialTokens::Match SpecialTokens::next(std::string_view text, size_t from) const {
    if (entries_.empty()) return {};
    for (size_t at = from; at < text.size(); ++at) {
        if (!firstBytes_[static_cast<uint8_t>(text[at])]) continue;
        if (const Match match = longestAt(text, at); match.length > 0) return match;
    }
    return {};
}

} // namespace coterie::engine
