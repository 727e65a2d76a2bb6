// SPDX-License-Identifier: Apache-2.0
// How a sentence reads in English.
#include "base/sentence.h"

#include "base/number_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <type_traits>

namespace coterie::engine {

namespace {

/// "1.25 GiB" or "640 MiB". Rounded up, so that "at least" is never too little.
std::string sizeText(uint64_t bytes) {
    constexpr double kMebi = 1 << 20, kGibi = 1 << 30;
    const auto size = static_cast<double>(bytes);
    if (size >= kGibi) return fixedText(std::ceil(size / kGibi * 100) / 100, 2) + " GiB";
    return fixedText(std::ceil(size / kMebi), 0) + " MiB";
}

std::string englishText(const SentenceArgument& argument) {
    return std::visit(
        [](const auto& value) -> std::string {
            using T = std::remove_cvref_t<decltype(value)>;
            if constexpr (std::is_same_v<T, std::string>)
                return value;
            else if constexpr (std::is_same_v<T, double>)
                return shortText(value);
            else if constexpr (std::is_same_v<T, ByteCount>)
                return sizeText(value.bytes);
            else if constexpr (std::is_same_v<T, Sentence>)
                return value.english();
            else
                return std::to_string(value);
        },
        argument.value);
}

} // namespace

std::string Sentence::english() const {
    std::vector<std::string> texts;
    texts.reserve(arguments_.size());
    std::transform(arguments_.begin(), arguments_.end(), std::back_inserter(texts), englishText);
    return fillPattern(pattern_, texts);
}

bool Sentence::operator==(const Sentence& other) const {
    return pattern_ == other.pattern_ && arguments_ == other.arguments_;
}

std::string fillPattern(std::string_view pattern, std::span<const std::string> arguments) {
    std::string text;
    for (size_t at = 0; at < pattern.size(); ++at) {
        const char digit = pattern[at] == '%' && at + 1 < pattern.size() ? pattern[at + 1] : '\0';
        if (digit >= '1' && digit <= '9' && static_cast<size_t>(digit - '1') < arguments.size()) {
            text += arguments[static_cast<size_t>(digit - '1')];
            ++at;
        } else {
            text += pattern[at];
        }
    }
    return text;
}

} // namespace coterie::engine
