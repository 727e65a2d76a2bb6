// SPDX-License-Identifier: Apache-2.0
// See answer_text.h.
#include "session/answer_text.h"

#include <algorithm>
#include <utility>

namespace coterie::engine {

namespace {

/// Returns the length of the longest end of `text` that is a proper beginning of `stop`.
size_t overlap(std::string_view text, std::string_view stop) {
    for (size_t n = std::min(text.size(), stop.size() - 1); n > 0; --n)
        if (text.substr(text.size() - n) == stop.substr(0, n)) return n;
    return 0;
}

} // namespace

AnswerText::AnswerText(std::vector<std::string> stops, bool dropLeadingSpace)
    : stops_(std::move(stops)), atStart_(dropLeadingSpace) {}

std::string AnswerText::push(std::string_view bytes) {
    if (stopped_) return {};
    hold(characters_.push(bytes));
    return release(false);
}

std::string AnswerText::finish() {
    if (stopped_) return {};
    hold(characters_.finish());
    return release(true);
}

void AnswerText::hold(std::string text) {
    if (atStart_ && !text.empty()) {
        if (text.front() == ' ') text.erase(0, 1);
        atStart_ = false;
    }
    taken_ += text.size();
    held_ += text;
}

/// If several stop strings are in the held text, the one that was complete first counts, so that the cut does not
/// depend on how the text came in pieces. If two end together, the longer one counts.
std::string AnswerText::release(bool all) {
    size_t cut = held_.size(), firstEnd = std::string::npos, keep = 0;
    for (const std::string& stop : stops_) {
        keep = std::max(keep, overlap(held_, stop));
        const size_t found = held_.find(stop);
        if (found == std::string::npos) continue;
        const size_t end = found + stop.size();
        cut = stopped_ && (end > firstEnd || (end == firstEnd && found > cut)) ? cut : found;
        firstEnd = std::min(firstEnd, end);
        stopped_ = true;
    }
    if (!stopped_ && !all) cut -= keep;
    std::string shown = held_.substr(0, cut);
    held_.erase(0, stopped_ ? held_.size() : cut);
    return shown;
}

} // namespace coterie::engine
