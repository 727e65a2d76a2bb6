// SPDX-License-Identifier: Apache-2.0
// See question_tokens.h. The template's stretches of the prompt's text lie between the messages, so the question is one
// of the other stretches, or the end of one: a system message may have joined it.
#include "session/question_tokens.h"

#include "prompt/blanks.h"
#include "session/token_places.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coterie::engine {
namespace {

/// Returns the place of the question's words in the prompt's text. sameAfter: the number of later messages with the
/// same words.
std::optional<size_t> placeOf(std::string_view words, size_t sameAfter, const PromptText& prompt) {
    std::vector<ByteRange> foreign = prompt.foreign();
    std::reverse(foreign.begin(), foreign.end());
    const auto textOf = [&](const ByteRange& range) {
        return std::string_view(prompt.text).substr(range.begin, range.end - range.begin);
    };
    for (const ByteRange& range : foreign)
        if (trimmed(textOf(range)) == words && sameAfter-- == 0) return range.begin + textOf(range).find(words);
    for (const ByteRange& range : foreign)
        if (trimmed(textOf(range)).ends_with(words)) return range.begin + textOf(range).rfind(words);
    for (const ByteRange& range : foreign)
        if (const size_t at = textOf(range).rfind(words); at != std::string_view::npos) return range.begin + at;
    return std::nullopt;
}

/// The place, or the beginning of the character that it lies in.
size_t atCharacter(std::string_view text, size_t place) {
    while (place > 0 && place < text.size() && (static_cast<unsigned char>(text[place]) & 0xC0) == 0x80) --place;
    return place;
}

} // namespace

QuestionTokens questionTokens(std::span<const Message> conversation, const PromptText& prompt,
                              std::span<const TokenId> tokens, const Tokenizer& tokenizer) {
    const auto last = std::find_if(conversation.rbegin(), conversation.rend(),
                                   [](const Message& message) { return message.role == Role::User; });
    if (last == conversation.rend()) return {};
    const std::string question = joinedText(last->parts);
    const std::string_view words = trimmed(question);
    if (words.empty() || question.size() > std::numeric_limits<uint32_t>::max()) return {};
    const auto same = [&](const Message& message) { return trimmed(joinedText(message.parts)) == words; };
    const auto sameAfter = static_cast<size_t>(std::count_if(conversation.rbegin(), last, same));
    const std::optional<size_t> begin = placeOf(words, sameAfter, prompt);
    if (!begin) return {};

    const std::vector<ByteRange> places = tokenPlaces(prompt, tokens, tokenizer);
    const auto cut = static_cast<size_t>(words.data() - question.data());
    const auto inQuestion = [&](size_t place) {
        const size_t at = std::clamp(place, *begin, *begin + words.size()) - *begin + cut;
        return static_cast<uint32_t>(atCharacter(question, at));
    };
    QuestionTokens found{.first = 0, .bytes = static_cast<uint32_t>(question.size()), .text = {}};
    for (size_t i = 0; i < places.size(); ++i) {
        if (places[i].end <= *begin || places[i].begin >= *begin + words.size()) continue;
        if (found.text.empty()) found.first = static_cast<int64_t>(i);
        found.text.resize(i - static_cast<size_t>(found.first),
                          {inQuestion(places[i].begin), inQuestion(places[i].begin)});
        found.text.push_back({inQuestion(places[i].begin), inQuestion(places[i].end)});
    }
    return found;
}

} // namespace coterie::engine
