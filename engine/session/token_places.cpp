// SPDX-License-Identifier: Apache-2.0
// See token_places.h. The bytes of the tokens, one after the other, are the text, except for what is added or lost.
#include "session/token_places.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace coterie::engine {
namespace {

/// Walks through the text of a prompt, token by token.
class PlaceFinder {
  public:
    PlaceFinder(const PromptText& prompt, const Tokenizer& tokenizer) : prompt_(prompt), tokenizer_(tokenizer) {}

    ByteRange next(TokenId token) {
        const std::string bytes = tokenizer_.decode(token, true);
        if (tokenizer_.isControl(token)) return isNext(bytes) && isOwn(bytes.size()) ? take(bytes.size()) : take(0);
        if (isNext(bytes)) return take(bytes.size());
        const std::string_view behindSpace = std::string_view(bytes).substr(bytes.starts_with(' ') ? 1 : 0);
        if (isNext(behindSpace)) return take(behindSpace.size());
        if (bytes == absent_) return take(0);
        if (const size_t found = prompt_.text.find(bytes, at_); found != std::string::npos) {
            at_ = found; // the bytes before it were lost
            return take(bytes.size());
        }
        absent_ = bytes; // the token stands for bytes that the vocabulary can't express
        return take(0);
    }

  private:
    bool isNext(std::string_view bytes) const { return std::string_view(prompt_.text).substr(at_).starts_with(bytes); }
    /// Whether the template wrote this many bytes from here on: only there, text becomes control tokens.
    bool isOwn(size_t bytes) {
        while (own_ < prompt_.own.size() && prompt_.own[own_].end <= at_) ++own_;
        return own_ < prompt_.own.size() && prompt_.own[own_].begin <= at_ && at_ + bytes <= prompt_.own[own_].end;
    }
    ByteRange take(size_t bytes) {
        const size_t begin = at_;
        at_ += bytes;
        return {begin, at_};
    }

    const PromptText& prompt_;
    const Tokenizer& tokenizer_;
    size_t at_ = 0;
    std::string absent_{}; // bytes that are not in the rest of the text
    size_t own_ = 0;       // the first of the template's stretches that does not end before at_
};

} // namespace

std::vector<ByteRange> tokenPlaces(const PromptText& prompt, std::span<const TokenId> tokens,
                                   const Tokenizer& tokenizer) {
    std::vector<ByteRange> places;
    places.reserve(tokens.size());
    PlaceFinder finder(prompt, tokenizer);
    for (const TokenId token : tokens) places.push_back(finder.next(token));
    return places;
}

} // namespace coterie::engine
