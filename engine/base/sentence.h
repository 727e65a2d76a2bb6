// SPDX-License-Identifier: Apache-2.0
// A sentence for people that can still be translated: an English pattern, which is its id, and arguments. The engine
// writes English only; the window translates the pattern and writes the numbers in the user's language.
//
//     Sentence why("It has %1 tokens, and the context holds %2", tokens, context);
//     why.english(); // "It has 5000 tokens, and the context holds 4096"
//
// Threads: a value; nothing is shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits> // not <concepts>: moc 6.4 can not read it before other headers of the library
#include <utility>
#include <variant>
#include <vector>

namespace coterie::engine {

/// An argument that is a number of bytes: a reader chooses the unit.
struct ByteCount {
    uint64_t bytes = 0;
    bool operator==(const ByteCount&) const = default;
};

struct SentenceArgument;

class Sentence {
  public:
    Sentence() = default;
    /// A string literal, and nothing else, becomes a sentence by itself: its text is the id that translations are
    /// found by, so it may not be put together at run time. "%1" to "%9" stand for the arguments, in any order.
    template <size_t N>
    Sentence(const char (&pattern)[N]) : pattern_(pattern, N - 1) {} // NOLINT(google-explicit-constructor)
    template <size_t N, typename... Arguments>
    Sentence(const char (&pattern)[N], Arguments&&... arguments);
    template <size_t N>
    Sentence(char (&buffer)[N]) = delete;

    bool empty() const { return pattern_.empty(); }
    std::string_view pattern() const { return pattern_; }
    const std::vector<SentenceArgument>& arguments() const { return arguments_; }
    std::string english() const;
    bool operator==(const Sentence& other) const;

  private:
    std::string_view pattern_; // text of a literal, which lives as long as the program
    std::vector<SentenceArgument> arguments_;
};

/// A name, a path or other words that are not translated; a number; a number of bytes; or a sentence.
struct SentenceArgument {
    std::variant<std::string, int64_t, uint64_t, double, ByteCount, Sentence> value;

    template <typename T>
    static SentenceArgument of(T&& argument) {
        using Plain = std::remove_cvref_t<T>;
        static_assert(!std::is_same_v<Plain, bool> && !std::is_same_v<Plain, char>, "not a word and not a number");
        if constexpr (std::is_integral_v<Plain> && std::is_signed_v<Plain>)
            return {static_cast<int64_t>(argument)};
        else if constexpr (std::is_integral_v<Plain>)
            return {static_cast<uint64_t>(argument)};
        else if constexpr (std::is_floating_point_v<Plain>)
            return {static_cast<double>(argument)};
        else if constexpr (std::is_same_v<Plain, ByteCount> || std::is_same_v<Plain, Sentence>)
            return {std::forward<T>(argument)};
        else
            return {std::string(std::forward<T>(argument))};
    }
    bool operator==(const SentenceArgument&) const = default;
};

template <size_t N, typename... Arguments>
Sentence::Sentence(const char (&pattern)[N], Arguments&&... arguments) : pattern_(pattern, N - 1) {
    static_assert(sizeof...(Arguments) <= 9, "a pattern has places for %1 to %9");
    arguments_.reserve(sizeof...(Arguments));
    (arguments_.push_back(SentenceArgument::of(std::forward<Arguments>(arguments))), ...);
}

/// Returns the pattern with each "%1" to "%9" replaced by the argument of that number. A place without an argument
/// stays as it is, and arguments are not searched for places.
std::string fillPattern(std::string_view pattern, std::span<const std::string> arguments);

} // namespace coterie::engine
