// SPDX-License-Identifier: Apache-2.0
// Text, comments and raw blocks between the tags; names, literals and operators within them.
#include "prompt/jinja/lexer.h"

#include "prompt/jinja/text.h"
#include "prompt/utf8.h"

#include <algorithm>
#include <array>
#include <optional>

namespace coterie::engine::jinja {
namespace {

/// Line breaks become "\n"; one at the very end is removed.
std::string normalized(std::string_view source) {
    std::string out;
    out.reserve(source.size());
    for (size_t at = 0; at < source.size(); ++at) {
        if (source[at] == '\r' && at + 1 < source.size() && source[at + 1] == '\n') continue;
        out += source[at] == '\r' ? '\n' : source[at];
    }
    if (out.ends_with('\n')) out.pop_back();
    return out;
}

bool isDecimal(char c) { return c >= '0' && c <= '9'; }
bool isNamePart(char c) {
    return isDecimal(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

class Lexer {
  public:
    Lexer(Meter& meter, std::string_view source) : meter_(meter), source_(normalized(source)) { meter_.line = 1; }

    std::vector<Token> run() {
        while (at_ < source_.size()) {
            const size_t tag = nextTag();
            if (tag == std::string::npos) {
                addText(rest());
                advance(rest().size());
            } else if (source_[tag + 1] == '#') {
                comment(tag);
            } else if (source_[tag + 1] == '{') {
                output(tag);
            } else if (const std::optional<size_t> raw = rawBegin(tag)) {
                rawBlock(tag, *raw);
            } else {
                block(tag);
            }
        }
        add(TokenKind::End);
        return std::move(tokens_);
    }

  private:
    std::string_view rest() const { return std::string_view(source_).substr(at_); }
    bool here(std::string_view what) const { return rest().starts_with(what); }
    char peek(size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }
    [[noreturn]] void fail(const std::string& why) const { meter_.fail(why, Failure::Kind::Syntax); }

    Token& add(TokenKind kind, std::string text = {}) {
        meter_.spend();
        return tokens_.emplace_back(Token{kind, meter_.line, std::move(text)});
    }
    void addText(std::string_view text) {
        if (!text.empty()) add(TokenKind::Text, std::string(text));
    }
    /// Moves to a place, and counts the lines up to it.
    void advance(size_t bytes) {
        meter_.line += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                   source_.begin() + static_cast<std::ptrdiff_t>(at_ + bytes), '\n'));
        at_ += bytes;
    }
    void skipSpace() { advance(rest().size() - strip(rest(), std::nullopt, true, false).size()); }

    size_t nextTag() const {
        for (size_t tag = source_.find('{', at_); tag != std::string::npos && tag + 1 < source_.size();
             tag = source_.find('{', tag + 1))
            if (source_[tag + 1] == '{' || source_[tag + 1] == '%' || source_[tag + 1] == '#') return tag;
        return std::string::npos;
    }

    /// Reads the text before a tag, without the white space that the sign after "{%" removes. Ends after the sign.
    void textBefore(size_t tag, size_t textStart, bool stripsBlanks) {
        std::string_view text = std::string_view(source_).substr(textStart, tag - textStart);
        const char sign = tag + 2 < source_.size() ? source_[tag + 2] : '\0';
        if (sign == '-')
            text = strip(text, std::nullopt, false, true);
        else if (sign != '+' && stripsBlanks)
            text = withoutBlanks(text, textStart);
        addText(text);
        advance(tag - at_ + (sign == '-' || sign == '+' ? 3 : 2));
    }

    /// Removes the blanks between the last line break and the tag, if nothing else stands there.
    std::string_view withoutBlanks(std::string_view text, size_t textStart) const {
        const size_t lineBreak = text.rfind('\n');
        const bool startsLine = lineBreak != std::string_view::npos || textStart == 0 || source_[textStart - 1] == '\n';
        const size_t lineStart = lineBreak == std::string_view::npos ? 0 : lineBreak + 1;
        if (!startsLine || !strip(text.substr(lineStart), std::nullopt, true, false).empty()) return text;
        return text.substr(0, lineStart);
    }

    /// Ends after "%}" or "#}" with its sign.
    void afterTag(char sign) {
        if (sign == '-')
            skipSpace();
        else if (sign != '+' && peek() == '\n')
            advance(1);
    }

    void comment(size_t tag) {
        textBefore(tag, at_, true);
        const size_t end = source_.find("#}", at_);
        if (end == std::string::npos) fail("a comment has no end");
        const char sign = end > at_ ? source_[end - 1] : '\0';
        advance(end + 2 - at_);
        afterTag(sign);
    }

    /// Returns the start of a raw block's text, if the tag opens one.
    std::optional<size_t> rawBegin(size_t tag) const { return wordTag(tag, "raw", false); }

    /// Returns the end of "{% word %}" at `tag`; plusEnds: "+%}" ends it too.
    std::optional<size_t> wordTag(size_t tag, std::string_view word, bool plusEnds) const {
        std::string_view text = std::string_view(source_).substr(tag + 2);
        if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
        text = strip(text, std::nullopt, true, false);
        if (!text.starts_with(word)) return std::nullopt;
        text = strip(text.substr(word.size()), std::nullopt, true, false);
        if (text.starts_with('-') || (plusEnds && text.starts_with('+'))) text.remove_prefix(1);
        if (!text.starts_with("%}")) return std::nullopt;
        return source_.size() - text.size() + 2;
    }

    void rawBlock(size_t tag, size_t start) {
        textBefore(tag, at_, true);
        advance(start - at_);
        if (source_[start - 3] == '-') skipSpace();
        const size_t textStart = at_;
        for (size_t end = source_.find("{%", at_); end != std::string::npos; end = source_.find("{%", end + 1)) {
            meter_.spend();
            const std::optional<size_t> behind = wordTag(end, "endraw", true);
            if (!behind) continue;
            textBefore(end, textStart, true);
            advance(*behind - at_);
            return afterTag(source_[*behind - 3]);
        }
        fail("a raw block has no end");
    }

    void output(size_t tag) {
        textBefore(tag, at_, false);
        add(TokenKind::OutputBegin);
        inside("}}", TokenKind::OutputEnd);
    }

    void block(size_t tag) {
        textBefore(tag, at_, true);
        add(TokenKind::TagBegin);
        inside("%}", TokenKind::TagEnd);
    }

    /// Reads tokens up to `end`, which counts only while no bracket is open.
    void inside(std::string_view end, TokenKind endKind) {
        std::string open;
        for (;;) {
            skipSpace();
            if (at_ >= source_.size()) fail("a tag has no end");
            const bool isSign =
                (peek() == '-' || (peek() == '+' && endKind == TokenKind::TagEnd)) && rest().substr(1).starts_with(end);
            if (open.empty() && (isSign || here(end))) {
                const char sign = isSign ? peek() : '\0';
                add(endKind);
                advance(isSign ? 3 : 2);
                if (endKind == TokenKind::TagEnd)
                    afterTag(sign);
                else if (sign == '-')
                    skipSpace();
                return;
            }
            token(open);
        }
    }

    void token(std::string& open) {
        const char c = peek();
        if (c == '"' || c == '\'') return stringToken(c);
        if (isDecimal(c)) return numberToken();
        if (isNamePart(c)) return nameToken();
        constexpr std::array<std::string_view, 8> kLong{"//", "**", "==", "!=", ">=", "<=", "<", ">"};
        const auto found =
            std::find_if(kLong.begin(), kLong.end(), [&](std::string_view symbol) { return here(symbol); });
        const std::string symbol = found != kLong.end() ? std::string(*found) : std::string(1, c);
        if (found == kLong.end() && std::string_view("+-/*%~[](){}=.:|,;").find(c) == std::string_view::npos)
            fail(std::string("the character '") + c + "' has no meaning here");
        if (c == '(' || c == '[' || c == '{') open += c == '(' ? ')' : c == '[' ? ']' : '}';
        if (c == ')' || c == ']' || c == '}') {
            if (open.empty() || open.back() != c) fail(std::string("'") + c + "' closes nothing");
            open.pop_back();
        }
        add(TokenKind::Operator, symbol);
        advance(symbol.size());
    }

    void nameToken() {
        size_t length = 1;
        while (isNamePart(peek(length))) ++length;
        add(TokenKind::Name, std::string(rest().substr(0, length)));
        advance(length);
    }

    size_t digitsFrom(size_t ahead) const {
        size_t end = ahead;
        while (isDecimal(peek(end)) || (peek(end) == '_' && end > ahead && isDecimal(peek(end + 1)))) ++end;
        return end;
    }

    void numberToken() {
        const bool afterDot = at_ > 0 && source_[at_ - 1] == '.'; // x.0.1 has two indices
        const size_t whole = digitsFrom(0);
        size_t end = whole;
        if (!afterDot && peek(end) == '.' && isDecimal(peek(end + 1))) end = digitsFrom(end + 1);
        if (!afterDot && (peek(end) == 'e' || peek(end) == 'E')) {
            const size_t digits = end + (peek(end + 1) == '+' || peek(end + 1) == '-' ? 2 : 1);
            if (isDecimal(peek(digits))) end = digitsFrom(digits);
        }
        if (end != whole) {
            const auto value = parseFloat(rest().substr(0, end));
            if (!value) fail("a number is not written as one");
            add(TokenKind::Float).number = *value;
            return advance(end);
        }
        if (peek() == '0' && std::string_view("xXoObB").find(peek(1)) != std::string_view::npos && peek(1) != '\0')
            while (isNamePart(peek(end))) ++end;
        const auto value = parseInteger(rest().substr(0, end), 0);
        if (!value)
            fail("the number " + std::string(rest().substr(0, end)) +
                 " does not fit 64 bits, or is not written as one");
        add(TokenKind::Integer).integer = *value;
        advance(end);
    }

    void stringToken(char quote) {
        size_t end = 1;
        while (at_ + end < source_.size() && peek(end) != quote) end += peek(end) == '\\' ? 2 : 1;
        if (at_ + end >= source_.size()) fail("a string has no end");
        add(TokenKind::String, unescaped(rest().substr(1, end - 1)));
        advance(end + 1);
    }

    std::string unescaped(std::string_view text) const {
        std::string out;
        for (size_t at = 0; at < text.size(); ++at) {
            if (text[at] != '\\')
                out += text[at];
            else
                escape(text, ++at, out);
        }
        return out;
    }

    /// at: the character after the backslash. It ends on the last character of the escape.
    void escape(std::string_view text, size_t& at, std::string& out) const {
        constexpr std::string_view kLetters = "\\'\"abfnrtv", kValues = "\\'\"\a\b\f\n\r\t\v";
        const char c = text[at];
        if (c == '\n') return;
        if (const size_t known = kLetters.find(c); known != std::string_view::npos) {
            out += kValues[known];
        } else if (c == 'x' || c == 'u' || c == 'U') {
            hexEscape(text, at, out);
        } else if (c >= '0' && c <= '7') {
            char32_t code = 0;
            size_t digits = 0;
            for (; digits < 3 && at + digits < text.size() && text[at + digits] >= '0' && text[at + digits] <= '7';
                 ++digits)
                code = code * 8 + static_cast<char32_t>(text[at + digits] - '0');
            appendCharacter(out, code);
            at += digits - 1;
        } else if (c == 'N') {
            fail("characters cannot be named with \\N here");
        } else {
            out += '\\';
            out += c;
        }
    }

    void hexEscape(std::string_view text, size_t& at, std::string& out) const {
        const size_t count = text[at] == 'x' ? 2 : text[at] == 'u' ? 4 : 8;
        const std::optional<uint32_t> number = hexadecimalAt(text, at + 1, count);
        size_t end = at + 1 + count;
        const auto code = number && *number < 0x110000 ? escapedCharacter(*number, text, end) : std::nullopt;
        if (!code) fail("a string has an escape that is no character");
        appendUtf8(*code, out);
        at = end - 1;
    }

    Meter& meter_;
    const std::string source_;
    size_t at_ = 0;
    std::vector<Token> tokens_;
};

} // namespace

std::vector<Token> tokenize(Meter& meter, std::string_view source) { return Lexer(meter, source).run(); }

} // namespace coterie::engine::jinja
