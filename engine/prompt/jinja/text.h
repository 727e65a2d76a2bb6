// SPDX-License-Identifier: Apache-2.0
// Python's view of texts: characters in UTF-8, white space, case, searching, numbers. Bytes that are not UTF-8 count as
// a character each. Case is known for Latin, Greek and Cyrillic letters; other letters stay as they are.
#pragma once

#include "prompt/jinja/meter.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine::jinja {

struct Character {
    char32_t code = 0;
    size_t bytes = 1;
};
/// text must not end before `at`. A byte that starts no character is one by itself, with a code above Unicode.
Character characterAt(std::string_view text, size_t at);
int64_t countCharacters(std::string_view text);
/// The byte where character `index` starts, or the end.
size_t byteOfCharacter(std::string_view text, int64_t index);
void appendCharacter(std::string& text, char32_t code);

bool isSpace(char32_t code);
bool isDigit(char32_t code);
bool isLetter(char32_t code);
/// How repr() writes it: as itself, or as an escape.
bool isPrintable(char32_t code);

std::string upperCase(std::string_view text);
std::string lowerCase(std::string_view text);
/// str.capitalize(): the first character up, the rest down.
std::string capitalized(std::string_view text);
/// str.swapcase().
std::string swappedCase(std::string_view text);
/// str.title(): each run of letters starts with a capital.
std::string titleCase(std::string_view text);

/// Without the characters of `characters` (nothing: white space) at the ends asked for.
std::string_view strip(std::string_view text, std::optional<std::string_view> characters, bool left, bool right);
/// The byte where `wanted` is first found from `from` on, or npos. Costs what it compares: no pattern makes it slow.
size_t find(Meter& meter, std::string_view text, std::string_view wanted, size_t from = 0);
/// The byte where `wanted` is found last, or npos.
size_t findLast(Meter& meter, std::string_view text, std::string_view wanted);
/// Every `from` becomes `to`, `limit` times at most (-1: all).
std::string replaceAll(Meter& meter, std::string_view text, std::string_view from, std::string_view to, int64_t limit);
/// str.splitlines().
std::vector<std::string_view> splitLines(Meter& meter, std::string_view text, bool keepEnds = false);

/// int(text, base): white space, sign and underscores as Python allows them. Nothing where it isn't one or doesn't fit
/// 64 bits.
std::optional<int64_t> parseInteger(std::string_view text, int base = 10);
std::optional<double> parseFloat(std::string_view text);
/// repr(float).
std::string formatFloat(double value);
/// With that many digits after the point, correctly rounded.
std::string formatFixed(double value, int digits);

} // namespace coterie::engine::jinja
