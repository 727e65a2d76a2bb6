// SPDX-License-Identifier: Apache-2.0
// Cuts a template's text into tokens. The lexer also removes white space around tags, as Jinja does with trim_blocks
// and lstrip_blocks on: a line break right after a tag goes, and so do blanks before a tag that starts its line. `-`
// removes all white space, `+` keeps it.
#pragma once

#include "prompt/jinja/meter.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine::jinja {

enum class TokenKind { Text, OutputBegin, OutputEnd, TagBegin, TagEnd, Name, String, Integer, Float, Operator, End };

struct Token {
    TokenKind kind = TokenKind::End;
    int line = 0;
    std::string text; ///< text, name, operator; a string's value, with its escapes resolved
    int64_t integer = 0;
    double number = 0;

    bool isOperator(std::string_view symbol) const { return kind == TokenKind::Operator && text == symbol; }
    bool isName(std::string_view name) const { return kind == TokenKind::Name && text == name; }
};

/// The last token is End. Failures are of the kind Syntax.
std::vector<Token> tokenize(Meter& meter, std::string_view source);

} // namespace coterie::engine::jinja
