// SPDX-License-Identifier: Apache-2.0
// strftime() with English names on every system and in every locale: a prompt must not depend on the user's language.
#include "prompt/jinja/format.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace coterie::engine::jinja {
namespace {

constexpr std::array<std::string_view, 7> kDays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};

template <size_t N>
std::string_view nameOf(const std::array<std::string_view, N>& names, int index, bool whole) {
    const std::string_view name = index >= 0 && index < static_cast<int>(N) ? names[static_cast<size_t>(index)] : "?";
    return whole ? name : name.substr(0, 3);
}

std::string number(int value, size_t digits, char fill) {
    std::string text = std::to_string(value);
    if (fill != '-' && text.size() < digits) text.insert(0, digits - text.size(), fill);
    return text;
}

int hourOfTwelve(const std::tm& t) { return t.tm_hour % 12 == 0 ? 12 : t.tm_hour % 12; }

/// Weeks of the year that begin on Sunday (0) or Monday (1).
int weekOfYear(const std::tm& t, int firstDay) { return (t.tm_yday + 7 - (t.tm_wday + 7 - firstDay) % 7) / 7; }

/// Letters that stand for other letters, or for a text.
constexpr std::pair<char, std::string_view> kCompounds[] = {
    {'D', "%m/%d/%y"}, {'x', "%m/%d/%y"}, {'F', "%Y-%m-%d"},    {'T', "%H:%M:%S"},
    {'X', "%H:%M:%S"}, {'R', "%H:%M"},    {'r', "%I:%M:%S %p"}, {'c', "%a %b %e %H:%M:%S %Y"},
    {'f', "000000"},   {'n', "\n"},       {'t', "\t"},          {'%', "%"}};

struct NumberField {
    char letter;
    size_t digits; ///< at least
    char fill;     ///< before them
    int (*value)(const std::tm&);
};
constexpr NumberField kNumbers[] = {
    {'Y', 1, '0', [](const std::tm& t) { return t.tm_year + 1900; }},
    {'y', 2, '0', [](const std::tm& t) { return t.tm_year % 100; }},
    {'m', 2, '0', [](const std::tm& t) { return t.tm_mon + 1; }},
    {'d', 2, '0', [](const std::tm& t) { return t.tm_mday; }},
    {'e', 2, ' ', [](const std::tm& t) { return t.tm_mday; }},
    {'H', 2, '0', [](const std::tm& t) { return t.tm_hour; }},
    {'k', 2, ' ', [](const std::tm& t) { return t.tm_hour; }},
    {'I', 2, '0', hourOfTwelve},
    {'l', 2, ' ', hourOfTwelve},
    {'M', 2, '0', [](const std::tm& t) { return t.tm_min; }},
    {'S', 2, '0', [](const std::tm& t) { return t.tm_sec; }},
    {'j', 3, '0', [](const std::tm& t) { return t.tm_yday + 1; }},
    {'U', 2, '0', [](const std::tm& t) { return weekOfYear(t, 0); }},
    {'W', 2, '0', [](const std::tm& t) { return weekOfYear(t, 1); }},
    {'u', 1, '0', [](const std::tm& t) { return t.tm_wday == 0 ? 7 : t.tm_wday; }},
    {'w', 1, '0', [](const std::tm& t) { return t.tm_wday; }},
};

/// `fill` is '0', '-' for none, or 0 for the letter's usual fill. Returns an empty text for an unknown letter.
std::string field(char letter, char fill, const std::tm& t) {
    for (const NumberField& known : kNumbers)
        if (known.letter == letter) return number(known.value(t), known.digits, fill == 0 ? known.fill : fill);
    if (letter == 'p') return t.tm_hour < 12 ? "AM" : "PM";
    if (letter == 'A' || letter == 'a') return std::string(nameOf(kDays, t.tm_wday, letter == 'A'));
    if (letter == 'B' || letter == 'b' || letter == 'h') return std::string(nameOf(kMonths, t.tm_mon, letter == 'B'));
    return {};
}

bool writesNothing(char letter) { return letter == 'Z' || letter == 'z'; } // the clock has no zone

} // namespace

std::string formatTime(Meter& meter, std::string_view format, const std::tm& time) {
    TextBuilder out(meter);
    meter.spendBytes(format.size()); // some letters write nothing
    for (size_t at = 0; at < format.size(); ++at) {
        if (format[at] != '%' || at + 1 == format.size()) {
            out.addOwn(format[at]);
            continue;
        }
        const bool flag = (format[at + 1] == '-' || format[at + 1] == '0') && at + 2 < format.size();
        const char letter = format[at + (flag ? 2 : 1)];
        const auto* const whole = std::find_if(std::begin(kCompounds), std::end(kCompounds),
                                               [letter](const auto& compound) { return compound.first == letter; });
        const std::string text = whole == std::end(kCompounds) ? field(letter, flag ? format[at + 1] : '\0', time)
                                                               : formatTime(meter, whole->second, time);
        if (text.empty() && !writesNothing(letter)) out.addOwn(format.substr(at, flag ? 3 : 2));
        out.addOwn(text);
        at += flag ? 2 : 1;
    }
    return out.take().bytes;
}

} // namespace coterie::engine::jinja
