// SPDX-License-Identifier: Apache-2.0
// See text_link.h.
#include "inspector/text_link.h"

#include "look/colour_maps.h"

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

// Colours under text use the beginning of the heat scale only: stronger ones would make the text hard to read.
constexpr double kStrongestLight = 0.30;
constexpr double kStrongestDark = 0.42;
// The current token has a weak colour, on which thoughts can be read, too, and a frame: no other colour has one.
constexpr double kCurrentLight = 0.10;
constexpr double kCurrentDark = 0.15;

} // namespace

QColor tintColour(double share, bool dark) {
    const double strongest = dark ? kStrongestDark : kStrongestLight;
    return QColor(mappedColour(ColourMap::Heat, std::clamp(share, 0.0, 1.0) * strongest, dark));
}

QColor currentColour(bool dark) {
    return QColor(mappedColour(ColourMap::Heat, dark ? kCurrentDark : kCurrentLight, dark));
}

QColor currentFrame(bool dark) { return QColor(mapAnchors(ColourMap::Heat, dark).through); }

void TextLink::attach(TextDocument* document) {
    if (document == document_) return;
    if (document_) {
        document_->setTints({});
        document_->setTokens({});
    }
    document_ = document;
    laid_ = {};
    tints_.clear();
    steady_ = 0;
}

void TextLink::setTokens(const std::vector<PartRange>& ranges, size_t kept) {
    if (!document_) return;
    kept = std::min({kept, ranges.size(), document_->tokens().size()});
    steady_ = std::min(steady_, kept);
    document_->changeTokens(kept, std::span(ranges).subspan(kept));
}

/// Returns the number of the first tokens whose colours are laid already.
size_t TextLink::unchanged(const TokenTints& tints) const {
    if (tints.dark != laid_.dark) return 0;
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    const auto [now, before] =
        std::mismatch(tints.shares.begin(), tints.shares.end(), laid_.shares.begin(), laid_.shares.end(), same);
    auto count = static_cast<size_t>(now - tints.shares.begin());
    // Tokens without a share have no colour.
    if (now == tints.shares.end() && before == laid_.shares.end()) count = steady_;
    if (tints.current != laid_.current)
        for (const int current : {tints.current, laid_.current})
            if (current >= 0) count = std::min(count, static_cast<size_t>(current));
    return std::min(count, steady_);
}

void TextLink::setTints(const TokenTints& tints) {
    if (!document_) return;
    const std::vector<PartRange>& ranges = document_->tokens();
    const size_t kept = unchanged(tints);
    while (!tints_.empty() && tints_.back() >= kept) tints_.pop_back();
    const size_t keptTints = tints_.size();
    std::vector<TextTint> colours;
    // Without shares, only the current token can have a colour.
    const size_t first = tints.shares.empty() ? std::max(kept, static_cast<size_t>(std::max(0, tints.current))) : kept;
    const size_t end = tints.shares.empty() ? static_cast<size_t>(tints.current + 1) : ranges.size();
    for (size_t i = first; i < std::min(end, ranges.size()); ++i) {
        if (ranges[i].begin == ranges[i].end) continue;
        const bool current = static_cast<int>(i) == tints.current;
        const bool tinted = i < tints.shares.size() && std::isfinite(tints.shares[i]);
        if (!current && !tinted) continue;
        colours.push_back({.range = ranges[i],
                           .colour = current ? currentColour(tints.dark) : tintColour(tints.shares[i], tints.dark),
                           .frame = current ? currentFrame(tints.dark) : QColor()});
        tints_.push_back(i);
    }
    document_->changeTints(keptTints, colours);
    laid_ = tints;
    steady_ = ranges.size();
}

} // namespace coterie::app
