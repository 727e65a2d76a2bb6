// SPDX-License-Identifier: Apache-2.0
// See text_link.h.
#include "inspector/text_link.h"

#include "colour_maps.h"

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

// Colours under text use the beginning of the heat scale only: stronger ones would make the text hard to read.
constexpr double kStrongestLight = 0.30;
constexpr double kStrongestDark = 0.42;
constexpr double kCurrentLight = 0.38;
constexpr double kCurrentDark = 0.25;

/// Goes forward through the text of one part, in bytes of UTF-8 and in characters of UTF-16.
class Walk {
  public:
    explicit Walk(const QString& text) : text_(text) {}

    /// Returns the number of characters before this byte. Bytes must not go backwards.
    qsizetype charactersTo(size_t byte) {
        while (bytes_ < byte && at_ < text_.size()) {
            const char16_t unit = text_[at_].unicode();
            const bool pair = QChar::isHighSurrogate(unit) && at_ + 1 < text_.size();
            bytes_ += unit < 0x80 ? 1 : unit < 0x800 ? 2 : pair ? 4 : 3;
            at_ += pair ? 2 : 1;
        }
        return at_;
    }

  private:
    const QString& text_;
    qsizetype at_ = 0;
    size_t bytes_ = 0;
};

} // namespace

std::vector<PartRange> characterRanges(const std::vector<engine::TokenRecord>& tokens,
                                       const std::vector<MessagePart>& parts) {
    std::vector<Walk> walks;
    walks.reserve(parts.size());
    for (const MessagePart& part : parts) walks.emplace_back(part.text);
    std::vector<PartRange> ranges(tokens.size());
    PartRange last; // tokens without text stay where the text before them ended, so that the list stays sorted
    for (size_t i = 0; i < tokens.size(); ++i) {
        ranges[i] = {.part = last.part, .begin = last.end, .end = last.end};
        if (tokens[i].text.empty() || tokens[i].text.front().part >= parts.size()) continue;
        const engine::TextRange& range = tokens[i].text.front();
        Walk& walk = walks[range.part];
        const qsizetype begin = walk.charactersTo(range.begin);
        last = {.part = static_cast<qsizetype>(range.part), .begin = begin, .end = walk.charactersTo(range.end)};
        ranges[i] = last;
    }
    return ranges;
}

QColor tintColour(double share, bool dark) {
    const double strongest = dark ? kStrongestDark : kStrongestLight;
    return QColor(mappedColour(ColourMap::Heat, std::clamp(share, 0.0, 1.0) * strongest, dark));
}

QColor currentColour(bool dark) {
    return QColor(mappedColour(ColourMap::Presence, dark ? kCurrentDark : kCurrentLight, dark));
}

void TextLink::attach(TextDocument* document) {
    if (document == document_) return;
    if (document_) {
        document_->setTints({});
        document_->setTokens({});
    }
    document_ = document;
    ranges_.clear();
}

void TextLink::setTokens(const std::vector<engine::TokenRecord>& tokens, const std::vector<MessagePart>& parts) {
    if (!document_) return;
    ranges_ = characterRanges(tokens, parts);
    document_->setTokens(ranges_);
}

void TextLink::setTints(const TokenTints& tints) {
    if (!document_) return;
    std::vector<TextTint> colours;
    for (size_t i = 0; i < ranges_.size(); ++i) {
        if (ranges_[i].begin == ranges_[i].end) continue;
        const bool current = static_cast<int>(i) == tints.current;
        const bool tinted = i < tints.shares.size() && std::isfinite(tints.shares[i]);
        if (!current && !tinted) continue;
        colours.push_back({.range = ranges_[i],
                           .colour = current ? currentColour(tints.dark) : tintColour(tints.shares[i], tints.dark)});
    }
    document_->setTints(std::move(colours));
}

} // namespace coterie::app
