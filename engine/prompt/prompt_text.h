// SPDX-License-Identifier: Apache-2.0
// A prompt before it becomes tokens: its text, and which stretches of it the template wrote. Control tokens count only
// in these stretches. Everything that a person, a tool or a model wrote is plain text, even if it spells "<|im_end|>".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// Bytes [begin, end) of a text.
struct ByteRange {
    size_t begin = 0, end = 0;

    bool operator==(const ByteRange&) const = default;
};

struct PromptText {
    std::string text{};
    std::vector<ByteRange> own{}; ///< written by the template; ascending, with foreign text between them

    void addOwn(std::string_view piece) {
        if (piece.empty()) return;
        if (own.empty() || own.back().end != text.size()) own.push_back({text.size(), text.size()});
        text += piece;
        own.back().end = text.size();
    }
    void addForeign(std::string_view piece) { text += piece; }
    void add(const PromptText& other) {
        size_t done = 0;
        for (const ByteRange& range : other.own) {
            addForeign(std::string_view(other.text).substr(done, range.begin - done));
            addOwn(std::string_view(other.text).substr(range.begin, range.end - range.begin));
            done = range.end;
        }
        addForeign(std::string_view(other.text).substr(done));
    }
    /// The stretches that the template did not write: words of messages.
    std::vector<ByteRange> foreign() const {
        std::vector<ByteRange> between;
        size_t done = 0;
        for (const ByteRange& range : own) {
            if (range.begin > done) between.push_back({done, range.begin});
            done = range.end;
        }
        if (done < text.size()) between.push_back({done, text.size()});
        return between;
    }
};

} // namespace coterie::engine
