// SPDX-License-Identifier: Apache-2.0
// Keeps bytes until their character is whole.
#include "prompt/utf8_stream.h"

#include "prompt/utf8.h"

#include <utility>

namespace coterie::engine {

namespace {
constexpr std::string_view kReplacement = "\xef\xbf\xbd"; // U+FFFD
}

std::string Utf8Stream::push(std::string_view bytes) {
    pending_.append(bytes);
    const std::string text = std::exchange(pending_, {});
    std::string out;
    out.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const Utf8Step step = utf8Step(text, at);
        if (step.kind == Utf8Step::Unfinished) {
            pending_ = text.substr(at); // at most three bytes
            break;
        }
        if (step.kind == Utf8Step::Character)
            out.append(text, at, step.length);
        else
            out.append(kReplacement);
        at += step.length;
    }
    return out;
}

std::string Utf8Stream::finish() {
    const bool unfinished = !pending_.empty();
    pending_.clear();
    return std::string(unfinished ? kReplacement : std::string_view());
}

} // namespace coterie::engine
