// SPDX-License-Identifier: Apache-2.0
// See gemma_calls.h. A recursive-descent parser; source that does not fit gives nothing.
#include "prompt/calls/gemma_calls.h"

#include "prompt/blanks.h"

#include <algorithm>
#include <utility>

namespace coterie::engine {
namespace {

constexpr int kMostNesting = 32;

class Reader {
  public:
    explicit Reader(std::string_view source) : source_(source) {}

    void skip() { at_ = std::min(source_.find_first_not_of(kBlanks, at_), source_.size()); }
    bool atEnd() const { return at_ == source_.size(); }
    bool take(std::string_view word) {
        if (!source_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    /// Takes what stands before the next of `ends`, without white space around it. Nothing if there is none.
    std::optional<std::string_view> takeUpTo(std::string_view ends) {
        const size_t end = source_.find_first_of(ends, at_);
        if (end == source_.npos) return std::nullopt;
        return trimmed(source_.substr(std::exchange(at_, end), end - at_));
    }
    std::optional<JsonText> object(int depth);

  private:
    std::optional<JsonText> value(int depth);
    std::optional<JsonText> list(int depth);
    std::optional<std::string> quoted();
    std::optional<std::string> key();

    std::string_view source_;
    size_t at_ = 0;
};

/// Reads a text behind its first quote.
std::optional<std::string> Reader::quoted() {
    const size_t end = source_.find(kGemmaQuote, at_);
    if (end == source_.npos) return std::nullopt;
    const size_t begin = std::exchange(at_, end + kGemmaQuote.size());
    return std::string(source_.substr(begin, end - begin));
}

std::optional<std::string> Reader::key() {
    if (take(kGemmaQuote)) return quoted();
    const std::optional<std::string_view> bare = takeUpTo(":,{}[]<");
    return bare && !bare->empty() ? std::optional(std::string(*bare)) : std::nullopt;
}

std::optional<JsonText> Reader::value(int depth) {
    if (depth > kMostNesting) return std::nullopt;
    skip();
    if (take("{")) return object(depth);
    if (take("[")) return list(depth);
    if (take(kGemmaQuote)) {
        std::optional<std::string> text = quoted();
        return text ? std::optional(JsonText::string(std::move(*text))) : std::nullopt;
    }
    const std::optional<std::string_view> bare = takeUpTo(",{}[]<");
    if (!bare || bare->empty()) return std::nullopt;
    std::optional<JsonText> plain = readJson(*bare);
    return plain ? std::move(*plain) : JsonText::string(std::string(*bare));
}

std::optional<JsonText> Reader::list(int depth) {
    JsonText list = JsonText::array();
    for (skip(); !take("]"); skip()) {
        std::optional<JsonText> item = value(depth + 1);
        if (!item) return std::nullopt;
        list.items.push_back(std::move(*item));
        skip();
        if (!take(",") && !source_.substr(at_).starts_with(']')) return std::nullopt;
    }
    return list;
}

/// Reads an object behind its first brace.
std::optional<JsonText> Reader::object(int depth) {
    JsonMembers members;
    for (skip(); !take("}"); skip()) {
        std::optional<std::string> name = key();
        skip();
        if (!name || !take(":")) return std::nullopt;
        std::optional<JsonText> member = value(depth + 1);
        if (!member) return std::nullopt;
        members.set(std::move(*name), std::move(*member));
        skip();
        if (!take(",") && !source_.substr(at_).starts_with('}')) return std::nullopt;
    }
    return members.take();
}

} // namespace

std::optional<GemmaCall> gemmaCall(std::string_view source) {
    Reader reader(source);
    reader.skip();
    if (!reader.take("call:")) return std::nullopt;
    const std::optional<std::string_view> name = reader.takeUpTo("{");
    if (!name || name->empty() || !reader.take("{")) return std::nullopt;
    std::optional<JsonText> arguments = reader.object(0);
    reader.skip();
    if (!arguments || !reader.atEnd()) return std::nullopt;
    return GemmaCall{std::string(*name), std::move(*arguments)};
}

GemmaScanner::Found GemmaScanner::scan(std::string_view text, bool atEnd) {
    const auto begins = [&](std::string_view word) { return text.substr(at_).starts_with(word); };
    const auto mayBegin = [&](std::string_view word) {
        const std::string_view rest = text.substr(at_);
        return !atEnd && rest.size() < word.size() && word.starts_with(rest);
    };
    for (; at_ < text.size(); ++at_) {
        const char c = text[at_];
        if (c == '<') {
            if (mayBegin(kGemmaQuote) || (!quoted_ && mayBegin(marker_))) return Found::Unfinished;
            if (!quoted_ && begins(marker_)) return depth_ == 1 ? Found::LacksBrace : Found::Wrong;
            if (!begins(kGemmaQuote)) continue;
            quoted_ = !quoted_;
            at_ += kGemmaQuote.size() - 1;
        } else if (!quoted_ && (c == '{' || c == '[')) {
            ++depth_;
        } else if (!quoted_ && (c == '}' || c == ']') && --depth_ <= 0) {
            ++at_;
            return depth_ == 0 ? Found::Whole : Found::Wrong;
        }
    }
    if (!atEnd) return Found::Unfinished;
    return depth_ == 1 && !quoted_ ? Found::LacksBrace : Found::Wrong;
}

} // namespace coterie::engine
