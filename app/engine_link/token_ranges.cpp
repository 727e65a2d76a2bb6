// SPDX-License-Identifier: Apache-2.0
// See token_ranges.h.
#include "engine_link/token_ranges.h"

namespace coterie::app {

/// Moves the place forward to this byte, or to the end of the text if that comes before.
void TokenRanges::advance(Place& place, const QString& text, size_t byte) {
    while (place.byte < byte && place.character < text.size()) {
        const char16_t unit = text[place.character].unicode();
        const bool pair = QChar::isHighSurrogate(unit) && place.character + 1 < text.size();
        place.byte += unit < 0x80 ? 1 : unit < 0x800 ? 2 : pair ? 4 : 3;
        place.character += pair ? 2 : 1;
    }
}

void TokenRanges::grow(const std::vector<engine::TokenRecord>& tokens, const std::vector<MessagePart>& parts) {
    ranges_.resize(settled_);
    places_.resize(std::max(places_.size(), parts.size()));
    std::vector<Place> places = places_;
    PartRange last = last_; // tokens without text stay where the text before them ended, so that the list stays sorted
    bool settles = true;
    for (size_t i = settled_; i < tokens.size(); ++i) {
        PartRange range{.part = last.part, .begin = last.end, .end = last.end};
        if (!tokens[i].text.empty() && tokens[i].text.front().part < parts.size()) {
            const engine::TextRange& bytes = tokens[i].text.front();
            const QString& text = parts[bytes.part].text;
            Place& place = places[bytes.part];
            advance(place, text, bytes.begin);
            const qsizetype begin = place.character;
            advance(place, text, bytes.end);
            range = last = {.part = static_cast<qsizetype>(bytes.part), .begin = begin, .end = place.character};
            settles = settles && place.byte >= bytes.end;
        } else {
            settles = settles && tokens[i].text.empty();
        }
        ranges_.push_back(range);
        if (!settles) continue;
        settled_ = i + 1;
        last_ = last;
        if (!tokens[i].text.empty()) places_[tokens[i].text.front().part] = places[tokens[i].text.front().part];
    }
}

std::vector<PartRange> characterRanges(const std::vector<engine::TokenRecord>& tokens,
                                       const std::vector<MessagePart>& parts) {
    TokenRanges ranges;
    ranges.grow(tokens, parts);
    return ranges.all();
}

} // namespace coterie::app
