// SPDX-License-Identifier: Apache-2.0
// Characters, case, searching and numbers, as in Python.
#include "prompt/jinja/text.h"

#include "base/number_text.h"
#include "prompt/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace coterie::engine::jinja {
namespace {

constexpr char32_t kNotUnicode = 0x110000; // plus the byte

char32_t upperOf(char32_t c) {
    if (c >= 'a' && c <= 'z') return c - 32;
    if (c < 0x80) return c;
    if (c == 0xB5) return 0x39C;
    if ((c >= 0xE0 && c <= 0xFE && c != 0xF7)) return c - 32;
    if (c == 0xFF) return 0x178;
    if (c == 0x131) return 'I';
    if ((c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177)) return c & ~char32_t{1};
    if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E)) return (c & 1) == 0 ? c - 1 : c;
    if (c == 0x3C2) return 0x3A3;
    if (c >= 0x3B1 && c <= 0x3C9) return c - 32;
    if (c >= 0x430 && c <= 0x44F) return c - 32;
    if (c >= 0x450 && c <= 0x45F) return c - 80;
    return c;
}

char32_t lowerOf(char32_t c) {
    if (c >= 'A' && c <= 'Z') return c + 32;
    if (c < 0x80) return c;
    if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 32;
    if (c == 0x178) return 0xFF;
    if ((c >= 0x100 && c <= 0x137 && c != 0x130 && c != 0x131) || (c >= 0x14A && c <= 0x177)) return c | 1;
    if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E)) return (c & 1) == 1 ? c + 1 : c;
    if (c >= 0x391 && c <= 0x3A9 && c != 0x3A2) return c + 32;
    if (c >= 0x410 && c <= 0x42F) return c + 32;
    if (c >= 0x400 && c <= 0x40F) return c + 80;
    return c;
}

void appendUpper(std::string& out, char32_t code) {
    if (code == 0xDF)
        out += "SS"; // sharp s has no capital of its own
    else
        appendCharacter(out, upperOf(code));
}

template <typename F>
void eachCharacter(std::string_view text, F use) {
    for (size_t at = 0; at < text.size();) {
        const Character c = characterAt(text, at);
        use(c.code);
        at += c.bytes;
    }
}

bool within(std::string_view characters, char32_t code) {
    for (size_t at = 0; at < characters.size();) {
        const Character c = characterAt(characters, at);
        if (c.code == code) return true;
        at += c.bytes;
    }
    return false;
}

size_t lastCharacterStart(std::string_view text) {
    size_t at = text.size() - 1;
    for (int i = 0; i < 3 && at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; ++i) --at;
    return at + characterAt(text, at).bytes == text.size() ? at : text.size() - 1;
}

} // namespace

Character characterAt(std::string_view text, size_t at) {
    if (at >= text.size()) return {};
    const Utf8Step step = utf8Step(text, at);
    if (step.kind == Utf8Step::Character) return {step.codePoint, step.length};
    return {kNotUnicode + static_cast<unsigned char>(text[at]), 1};
}

int64_t countCharacters(std::string_view text) {
    int64_t count = 0;
    eachCharacter(text, [&](char32_t) { ++count; });
    return count;
}

size_t byteOfCharacter(std::string_view text, int64_t index) {
    size_t at = 0;
    for (; index > 0 && at < text.size(); --index) at += characterAt(text, at).bytes;
    return at;
}

void appendCharacter(std::string& text, char32_t code) {
    if (code < kNotUnicode) return appendUtf8(code, text);
    text += static_cast<char>(static_cast<unsigned char>(code - kNotUnicode));
}

bool isSpace(char32_t c) {
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool isDigit(char32_t c) { return c >= '0' && c <= '9'; }

bool isLetter(char32_t c) {
    if (upperOf(c) != c || lowerOf(c) != c || c == 0xDF || c == 0xAA || c == 0xBA) return true;
    // Scripts without case: from Hebrew on nearly everything is a letter, apart from marks and punctuation.
    return (c >= 0x5D0 && c < 0x2000) || (c >= 0x3041 && c < 0xD800) || (c >= 0xF900 && c < 0xFE00) ||
           (c >= 0x20000 && c < 0x32000);
}

bool isPrintable(char32_t c) {
    if (c == ' ') return true;
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || (c >= 0x200B && c <= 0x200F) ||
                         (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || (c >= 0xE000 && c <= 0xF8FF) ||
                         c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) || c >= 0xE0000;
    return !control && !isSpace(c);
}

std::string upperCase(std::string_view text) {
    std::string out;
    eachCharacter(text, [&](char32_t c) { appendUpper(out, c); });
    return out;
}

std::string lowerCase(std::string_view text) {
    std::string out;
    eachCharacter(text, [&](char32_t c) { appendCharacter(out, lowerOf(c)); });
    return out;
}

std::string capitalized(std::string_view text) {
    std::string out;
    eachCharacter(text, [&](char32_t c) { out.empty() ? appendUpper(out, c) : appendCharacter(out, lowerOf(c)); });
    return out;
}

std::string swappedCase(std::string_view text) {
    std::string out;
    eachCharacter(text, [&](char32_t c) { lowerOf(c) != c ? appendCharacter(out, lowerOf(c)) : appendUpper(out, c); });
    return out;
}

std::string titleCase(std::string_view text) {
    std::string out;
    bool inWord = false;
    eachCharacter(text, [&](char32_t c) {
        inWord ? appendCharacter(out, lowerOf(c)) : appendUpper(out, c);
        inWord = isLetter(c);
    });
    return out;
}

std::string_view strip(std::string_view text, std::optional<std::string_view> characters, bool left, bool right) {
    const auto goes = [&](char32_t code) { return characters ? within(*characters, code) : isSpace(code); };
    while (left && !text.empty()) {
        const Character c = characterAt(text, 0);
        if (!goes(c.code)) break;
        text.remove_prefix(c.bytes);
    }
    while (right && !text.empty()) {
        const size_t at = lastCharacterStart(text);
        if (!goes(characterAt(text, at).code)) break;
        text = text.substr(0, at);
    }
    return text;
}

size_t find(Meter& meter, std::string_view text, std::string_view wanted, size_t from) {
    if (from > text.size()) return std::string_view::npos;
    if (wanted.empty()) return from;
    size_t at = from;
    while ((at = text.find(wanted[0], at)) != std::string_view::npos && wanted.size() <= text.size() - at) {
        if (text.compare(at, wanted.size(), wanted) == 0) return meter.spendBytes(at - from), at;
        meter.spendBytes(wanted.size());
        ++at;
    }
    meter.spendBytes(text.size() - from);
    return std::string_view::npos;
}

size_t findLast(Meter& meter, std::string_view text, std::string_view wanted) {
    if (wanted.size() > text.size()) return std::string_view::npos;
    size_t at = text.size() - wanted.size();
    if (wanted.empty()) return at;
    while ((at = text.rfind(wanted[0], at)) != std::string_view::npos) {
        meter.spendBytes(wanted.size());
        if (text.compare(at, wanted.size(), wanted) == 0) return meter.spendBytes(text.size() - at), at;
        if (at-- == 0) break;
    }
    meter.spendBytes(text.size());
    return std::string_view::npos;
}

SourcedText replaceAll(Meter& meter, SourcedView text, std::string_view from, SourcedView to, int64_t limit) {
    TextBuilder out(meter);
    size_t done = 0;
    for (size_t search = 0; limit != 0; --limit) {
        const size_t at = find(meter, text.bytes, from, search);
        if (at == std::string_view::npos) break;
        out.add(text.substr(done, at - done));
        out.add(to);
        done = at + from.size();
        // An empty `from` stands before every character and at the end.
        search =
            from.empty() ? (done < text.size() ? done + characterAt(text.bytes, done).bytes : text.size() + 1) : done;
    }
    out.add(text.substr(done));
    return out.take();
}

std::vector<std::string_view> splitLines(Meter& meter, std::string_view text, bool keepEnds) {
    meter.spendBytes(text.size());
    std::vector<std::string_view> lines;
    size_t start = 0;
    for (size_t at = 0; at < text.size();) {
        const Character c = characterAt(text, at);
        const size_t end = at;
        at += c.bytes;
        const bool ends = (c.code >= 0x0A && c.code <= 0x0D) || (c.code >= 0x1C && c.code <= 0x1E) || c.code == 0x85 ||
                          c.code == 0x2028 || c.code == 0x2029;
        if (!ends) continue;
        meter.spend();
        if (c.code == '\r' && at < text.size() && text[at] == '\n') ++at;
        lines.push_back(text.substr(start, (keepEnds ? at : end) - start));
        start = at;
    }
    if (start < text.size()) lines.push_back(text.substr(start));
    return lines;
}

namespace {

/// Removes the underscores that Python allows between two digits. Returns nothing if there is any other character.
std::optional<std::string> withoutUnderscores(std::string_view digits) {
    std::string plain;
    for (size_t i = 0; i < digits.size(); ++i) {
        if (digits[i] != '_') {
            plain += digits[i];
            continue;
        }
        const auto alphanumeric = [](char c) {
            return isDigit(static_cast<unsigned char>(c)) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        };
        if (i == 0 || i + 1 == digits.size() || !alphanumeric(digits[i - 1]) || !alphanumeric(digits[i + 1]))
            return std::nullopt;
    }
    return plain;
}

bool takeSign(std::string_view& text) {
    if (text.empty() || (text[0] != '-' && text[0] != '+')) return false;
    const bool negative = text[0] == '-';
    text.remove_prefix(1);
    return negative;
}

bool takePrefix(std::string_view& text, char letter) {
    if (text.size() < 3 || text[0] != '0' || (text[1] | 0x20) != letter) return false;
    text.remove_prefix(text[2] == '_' ? 3 : 2);
    return true;
}

} // namespace

std::optional<int64_t> parseInteger(std::string_view text, int base) {
    text = strip(text, std::nullopt, true, true);
    const bool negative = takeSign(text);
    if ((base == 16 || base == 0) && takePrefix(text, 'x'))
        base = 16;
    else if ((base == 8 || base == 0) && takePrefix(text, 'o'))
        base = 8;
    else if ((base == 2 || base == 0) && takePrefix(text, 'b'))
        base = 2;
    if (base == 0) base = 10;
    const std::optional<std::string> digits = withoutUnderscores(text);
    if (!digits || digits->empty() || base < 2 || base > 36 || (*digits)[0] == '-' || (*digits)[0] == '+')
        return std::nullopt;
    const std::string number = (negative ? "-" : "") + *digits;
    int64_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value, base);
    if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
    return value;
}

std::optional<double> parseFloat(std::string_view text) {
    text = strip(text, std::nullopt, true, true);
    const bool negative = takeSign(text);
    const std::string word = lowerCase(text.substr(0, 9));
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (text.size() < 9 && (word == "inf" || word == "infinity")) return negative ? -kInfinity : kInfinity;
    if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
    const std::optional<std::string> plain = withoutUnderscores(text);
    if (!plain) return std::nullopt;
    const size_t digitsEnd = std::min(plain->find_first_of(".eE"), plain->size());
    const size_t fractionEnd = std::min(plain->find_first_of("eE"), plain->size());
    std::string whole = plain->substr(0, digitsEnd);
    std::string fraction = digitsEnd < fractionEnd ? plain->substr(digitsEnd + 1, fractionEnd - digitsEnd - 1) : "";
    if (whole.empty() && fraction.empty()) return std::nullopt;
    whole.erase(0, whole.find_first_not_of('0'));
    // JSON's grammar is a subset, and its parser knows no locale.
    const std::string json =
        (whole.empty() ? "0" : whole) + "." + (fraction.empty() ? "0" : fraction) + plain->substr(fractionEnd);
    const auto number = nlohmann::json::parse(json, nullptr, false);
    if (number.is_number_float()) return negative ? -number.get<double>() : number.get<double>();
    // Only digits and still no number: JSON has no infinity, to which Python's float() rounds.
    const bool digitsOnly =
        json.find_first_not_of("0123456789.eE+") == std::string::npos && fractionEnd + 1 < plain->size();
    return digitsOnly && isDigit(static_cast<unsigned char>(plain->back()))
               ? std::optional(negative ? -kInfinity : kInfinity)
               : std::nullopt;
}

std::string formatFloat(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    std::array<char, 64> buffer{};
    const auto shortest =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
    const std::string scientific(buffer.data(), shortest.ptr);
    const size_t mark = scientific.find('e');
    const int exponent = std::stoi(scientific.substr(mark + 1));
    // The same borders as float.__repr__: 1e-05 and 1e+16 are the first with an exponent.
    if (exponent < -4 || exponent >= 16) return scientific;
    const std::string digits = scientific.substr(0, mark);
    const int places =
        static_cast<int>(digits.find('.') == std::string::npos ? 0 : digits.size() - digits.find('.') - 1);
    return fixedText(value, std::max(1, places - exponent));
}

} // namespace coterie::engine::jinja
