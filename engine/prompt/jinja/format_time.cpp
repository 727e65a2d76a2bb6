// SPDX-License-Identifier: Apache-2.0
// strftime() with English names on every system and in every locale: a prompt must not depend on the user's language.
#include "prompt/jinja/format.h"

#include <array>

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

std::string_view compound(char letter) {
    switch (letter) {
    case 'D':
    case 'x':
        return "%m/%d/%y";
    case 'F':
        return "%Y-%m-%d";
    case 'T':
    case 'X':
        return "%H:%M:%S";
    case 'R':
        return "%H:%M";
    case 'r':
        return "%I:%M:%S %p";
    case 'c':
        return "%a %b %e %H:%M:%S %Y";
    default:
        return {};
    }
}

/// `fill` is '0', '-' for none, or 0 for the letter's usual fill. Returns an empty text for an unknown letter.
std::string field(char letter, char fill, const std::tm& t) {
    const char zero = fill == 0 ? '0' : fill, blank = fill == 0 ? ' ' : fill;
    switch (letter) {
    case 'Y':
        return std::to_string(t.tm_year + 1900);
    case 'y':
        return number(t.tm_year % 100, 2, zero);
    case 'm':
        return number(t.tm_mon + 1, 2, zero);
    case 'd':
        return number(t.tm_mday, 2, zero);
    case 'e':
        return number(t.tm_mday, 2, blank);
    case 'H':
        return number(t.tm_hour, 2, zero);
    case 'I':
        return number(hourOfTwelve(t), 2, zero);
    case 'k':
        return number(t.tm_hour, 2, blank);
    case 'l':
        return number(hourOfTwelve(t), 2, blank);
    case 'M':
        return number(t.tm_min, 2, zero);
    case 'S':
        return number(t.tm_sec, 2, zero);
    case 'f':
        return "000000";
    case 'j':
        return number(t.tm_yday + 1, 3, zero);
    case 'U':
        return number(weekOfYear(t, 0), 2, zero);
    case 'W':
        return number(weekOfYear(t, 1), 2, zero);
    case 'u':
        return std::to_string(t.tm_wday == 0 ? 7 : t.tm_wday);
    case 'w':
        return std::to_string(t.tm_wday);
    case 'p':
        return t.tm_hour < 12 ? "AM" : "PM";
    case 'A':
    case 'a':
        return std::string(nameOf(kDays, t.tm_wday, letter == 'A'));
    case 'B':
    case 'b':
    case 'h':
        return std::string(nameOf(kMonths, t.tm_mon, letter == 'B'));
    case 'n':
        return "\n";
    case 't':
        return "\t";
    case '%':
        return "%";
    default:
        return {};
    }
}

bool writesNothing(char letter) { return letter == 'Z' || letter == 'z'; } // the clock has no zone

} // namespace

std::string formatTime(Meter& meter, std::string_view format, const std::tm& time) {
    TextBuilder out(meter);
    for (size_t at = 0; at < format.size(); ++at) {
        if (format[at] != '%' || at + 1 == format.size()) {
            out.addOwn(format[at]);
            continue;
        }
        const bool flag = (format[at + 1] == '-' || format[at + 1] == '0') && at + 2 < format.size();
        const char letter = format[at + (flag ? 2 : 1)];
        const std::string_view whole = compound(letter);
        const std::string text =
            whole.empty() ? field(letter, flag ? format[at + 1] : '\0', time) : formatTime(meter, whole, time);
        if (text.empty() && !writesNothing(letter)) out.addOwn(format.substr(at, flag ? 3 : 2));
        out.addOwn(text);
        at += flag ? 2 : 1;
    }
    return out.take().bytes;
}

} // namespace coterie::engine::jinja
