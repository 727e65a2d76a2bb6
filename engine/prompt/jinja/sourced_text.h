// SPDX-License-Identifier: Apache-2.0
// Texts whose bytes know their source: the template, or the context that a person or a tool filled. Only the template's
// own bytes may become control tokens, so every operation that makes a text from other texts keeps the two sources
// apart.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace coterie::engine::jinja {

constexpr char kOwn = 0, kForeign = 1;

/// A stretch of a text. Valid as long as the text that it was taken from.
struct SourcedView {
    std::string_view bytes;
    std::string_view sources{}; ///< one kOwn or kForeign for each byte; empty: all are own

    size_t size() const { return bytes.size(); }
    bool empty() const { return bytes.empty(); }
    /// at: at most size().
    SourcedView substr(size_t at, size_t count = std::string_view::npos) const {
        return {bytes.substr(at, count), sources.empty() ? sources : sources.substr(at, count)};
    }
    /// The same sources for a stretch of these bytes.
    SourcedView stretch(std::string_view part) const {
        return substr(static_cast<size_t>(part.data() - bytes.data()), part.size());
    }
    bool hasForeign() const { return sources.find(kForeign) != std::string_view::npos; }
};

struct SourcedText {
    std::string bytes{};
    std::string sources{}; ///< as in SourcedView

    SourcedView view() const { return {bytes, sources}; }
    size_t size() const { return bytes.size(); }
    void append(SourcedView piece) {
        if (!piece.sources.empty() || !sources.empty()) {
            sources.resize(bytes.size(), kOwn);
            sources.append(piece.sources);
            sources.resize(bytes.size() + piece.size(), kOwn);
        }
        bytes.append(piece.bytes);
    }
};

inline SourcedText textOf(SourcedView view) { return {std::string(view.bytes), std::string(view.sources)}; }
inline SourcedText foreignText(std::string bytes) {
    std::string sources(bytes.size(), kForeign);
    return {std::move(bytes), std::move(sources)};
}
inline SourcedText ownText(std::string bytes) { return {std::move(bytes)}; }
/// Makes a text from a whole text without keeping the borders: it is foreign if any byte of `from` is foreign.
inline SourcedText derivedText(SourcedView from, std::string bytes) {
    return from.hasForeign() ? foreignText(std::move(bytes)) : ownText(std::move(bytes));
}

} // namespace coterie::engine::jinja
