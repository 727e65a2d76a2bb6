// SPDX-License-Identifier: Apache-2.0
// See token_records.h.
#include "records/token_records.h"

#include <algorithm>
#include <utility>

namespace coterie::engine {

void TokenRecords::add(TokenRecord record, size_t end) {
    records_.push_back(std::move(record));
    ends_.push_back(end);
}

void TokenRecords::extendLast(size_t end) {
    if (!ends_.empty()) ends_.back() = std::max(ends_.back(), end);
}

void TokenRecords::place(const AnswerEvent& event, size_t partBytes) {
    const size_t eventEnd = event.source + event.text.size();
    for (size_t i = final_; i < records_.size() && beginOf(i) < eventEnd; ++i) {
        const size_t begin = std::max(beginOf(i), event.source), end = std::min(ends_[i], eventEnd);
        if (begin >= end) continue;
        std::vector<TextRange>& ranges = records_[i].text;
        if (ranges.empty() || ranges.back().part != event.part) {
            const size_t at = partBytes + (begin - event.source);
            ranges.push_back({.part = event.part, .begin = at, .end = at});
        }
        ranges.back().end = partBytes + (end - event.source);
    }
}

std::span<const TokenRecord> TokenRecords::settle(size_t settled, bool endsInCharacter) {
    const size_t first = final_;
    const auto isFinal = [&](size_t end) { return end <= settled && !(endsInCharacter && end == ends_.back()); };
    while (final_ < records_.size() && isFinal(ends_[final_])) ++final_;
    return std::span(records_).subspan(first, final_ - first);
}

} // namespace coterie::engine
