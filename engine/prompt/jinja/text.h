// SPDX-License-Identifier: Apache-2.0
// Text functions that work as Python's: characters in UTF-8, white space, case, searching, numbers. Each byte that is
// not UTF-8 counts as a character. Case is known for Latin, Greek and Cyrillic letters; other letters stay as they are.
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
/// at: at most the size of text. A byte that starts no character is a character by itself, with a code above Unicode.
Character characterAt(std::string_view text, size_t at);
int64_t countCharacters(std::string_view text);
/// Returns the byte at which character `index` starts, or the end.
size_t byteOfCharacter(std::string_view text, int64_t index);
void appendCharacter(std::string& text, char32_t code);

bool isSpace(char32_t code);
bool isDigit(char32_t code);
bool isLetter(char32_t code);
/// Whether repr() writes it as itself and not as an escape.
bool isPrintable(char32_t code);

std::string upperCase(std::string_view text);
std::string lowerCase(std::string_view text);
/// str.capitalize(): upper case for the first character, lower case for the rest.
std::string capitalized(std::string_view text);
/// str.swapcase().
std::string swappedCase(std::string_view text);
/// str.title(): each run of letters starts with a capital.
std::string titleCase(std::string_view text);

/// Removes the given characters (nothing: white space) from the ends asked for. Returns a stretch of `text`.
std::string_view strip(std::string_view text, std::optional<std::string_view> characters, bool left, bool right);
/// Returns the first byte at or after `from` at which `wanted` is found, or npos. The meter pays for each comparison,
/// so no pattern is slow.
size_t find(Meter& meter, std::string_view text, std::string_view wanted, size_t from = 0);
/// Returns the last byte at which `wanted` is found, or npos.
size_t findLast(Meter& meter, std::string_view text, std::string_view wanted);
/// Replaces each `from` by `to`, at most `limit` times (-1: all).
SourcedText replaceAll(Meter& meter, SourcedView text, std::string_view from, SourcedView to, int64_t limit);
/// str.splitlines().
std::vector<std::string_view> splitLines(Meter& meter, std::string_view text, bool keepEnds = false);

/// int(text, base), with white space, sign and underscores as Python allows them. Returns nothing if the text is no
/// integer, or if it does not fit 64 bits.
std::optional<int64_t> parseInteger(std::string_view text, int base = 10);
std::optional<double> parseFloat(std::string_view text);
/// repr(float).
std::string formatFloat(double value);

} // namespace coterie::engine::jinja
