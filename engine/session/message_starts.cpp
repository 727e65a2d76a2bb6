// SPDX-License-Identifier: Apache-2.0
// See message_starts.h.
#include "session/message_starts.h"

#include "prompt/blanks.h"
#include "session/token_places.h"

#include <algorithm>

namespace coterie::engine {
namespace {

/// The first line of the message, without the space around it, which templates may cut.
std::string firstLine(const Message& message) {
    const std::string words = joinedText(message.parts);
    const std::string_view text = trimmed(words);
    return std::string(trimmed(text.substr(0, text.find_first_of("\r\n"))));
}

/// The places in the text at which the user's messages stand, rising. A stretch has one message at most.
std::vector<size_t> placesOf(std::span<const Message> conversation, const PromptText& prompt) {
    const std::vector<ByteRange> foreign = prompt.foreign();
    std::vector<size_t> places;
    auto from = foreign.begin();
    for (const Message& message : conversation) {
        const std::string line = firstLine(message);
        const auto holds = [&](const ByteRange& range) {
            return std::string_view(prompt.text).substr(range.begin, range.end - range.begin).find(line) !=
                   std::string_view::npos;
        };
        const auto at = line.empty() ? foreign.end() : std::find_if(from, foreign.end(), holds);
        if (at == foreign.end()) continue;
        from = at + 1;
        if (message.role == Role::User) places.push_back(at->begin);
    }
    return places;
}

} // namespace

std::vector<int64_t> messageStarts(std::span<const Message> conversation, const PromptText& prompt,
                                   std::span<const TokenId> tokens, const Tokenizer& tokenizer) {
    const std::vector<size_t> places = placesOf(conversation, prompt);
    const std::vector<ByteRange> written = tokenPlaces(prompt, tokens, tokenizer);
    std::vector<int64_t> starts;
    int64_t control = -1; // the last control token so far
    size_t at = 0;        // the next place
    for (size_t t = 0; t < tokens.size() && at < places.size(); ++t) {
        if (tokenizer.isControl(tokens[t])) control = static_cast<int64_t>(t);
        if (written[t].end <= places[at]) continue;
        starts.push_back(control >= 0 ? control : static_cast<int64_t>(t));
        while (at < places.size() && places[at] < written[t].end) ++at;
    }
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    return starts;
}

} // namespace coterie::engine
