// SPDX-License-Identifier: Apache-2.0
// See python_calls.h. A recursive-descent parser; source that does not fit gives nothing.
#include "prompt/calls/python_calls.h"

#include "prompt/json_text.h"
#include "prompt/utf8.h"

#include <utility>

namespace coterie::engine {
namespace {

constexpr int kMostNesting = 32;

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

class Reader {
  public:
    /// rawLineEnds: a text in single quotation marks may reach over a line's end.
    Reader(std::string_view source, bool rawLineEnds) : source_(source), rawLineEnds_(rawLineEnds) {}

    bool atEnd() const { return at_ >= source_.size(); }
    /// Skips blanks and comments, and line ends too inside brackets and between statements.
    void skip(bool lineEnds) {
        while (!atEnd()) {
            if (source_[at_] == '#')
                while (!atEnd() && source_[at_] != '\n') ++at_;
            else if (isBlank(source_[at_]) || (lineEnds && source_[at_] == '\n'))
                ++at_;
            else
                return;
        }
    }
    bool take(char c) {
        if (atEnd() || source_[at_] != c) return false;
        ++at_;
        return true;
    }
    bool take(std::string_view text) {
        if (source_.substr(at_, text.size()) != text) return false;
        at_ += text.size();
        return true;
    }
    bool looksAt(char c) const { return !atEnd() && source_[at_] == c; }

    /// Reads a name, with its dots. Empty if there is none.
    std::string_view name() {
        const size_t begin = at_;
        while (!atEnd() &&
               (isNameStart(source_[at_]) || (at_ > begin && (isDigit(source_[at_]) || source_[at_] == '.'))))
            ++at_;
        return source_.substr(begin, at_ - begin);
    }
    std::optional<PythonCall> call();
    bool statement(std::vector<PythonCall>& calls);

  private:
    std::optional<JsonText> literal(int depth);
    std::optional<JsonText> number();
    std::optional<JsonText> text();
    std::optional<JsonText> sequence(char close, int depth);
    std::optional<JsonText> dictionary(int depth);
    bool escape(std::string& out);

    std::string_view source_;
    bool rawLineEnds_;
    size_t at_ = 0;
};

std::optional<JsonText> Reader::literal(int depth) {
    if (depth > kMostNesting) return std::nullopt;
    skip(true);
    if (atEnd()) return std::nullopt;
    const char c = source_[at_];
    if (c == '"' || c == '\'' ||
        ((c == 'r' || c == 'u') && at_ + 1 < source_.size() && (source_[at_ + 1] == '"' || source_[at_ + 1] == '\'')))
        return text();
    if (isDigit(c) || c == '-' || c == '.') return number();
    if (take('[')) return sequence(']', depth);
    if (take('(')) return sequence(')', depth);
    if (take('{')) return dictionary(depth);
    const std::string_view word = name();
    if (word == "True") return JsonText::boolean(true);
    if (word == "False") return JsonText::boolean(false);
    if (word == "None") return JsonText::null();
    return std::nullopt;
}

/// The digits stay as they were written, as far as JSON can write them: without '_', and with a digit on both sides of
/// the point.
std::optional<JsonText> Reader::number() {
    std::string digits;
    if (take('-')) digits += '-';
    for (; !atEnd(); ++at_) {
        const char c = source_[at_];
        const bool exponentSign =
            (c == '+' || c == '-') && !digits.empty() && (digits.back() == 'e' || digits.back() == 'E');
        if (!isDigit(c) && c != '.' && c != 'e' && c != 'E' && c != '_' && !exponentSign) break;
        if (c != '_') digits += c;
    }
    const size_t point = digits.find('.');
    if (point != digits.npos) {
        if (point + 1 == digits.size() || !isDigit(digits[point + 1])) digits.insert(point + 1, "0");
        if (point == 0 || !isDigit(digits[point - 1])) digits.insert(point, "0");
    }
    if (!isJsonNumber(digits)) return std::nullopt;
    return JsonText::number(std::move(digits));
}

/// Reads one escape after a backslash. Half surrogates are mended as in JSON: two halves are one character, and one
/// alone becomes U+FFFD. Returns false for a code that is no character's.
bool Reader::escape(std::string& out) {
    constexpr std::string_view plain = "\\'\"nrtabfv0\n", meaning("\\'\"\n\r\t\a\b\f\v\0", 11);
    if (atEnd()) return false;
    const char c = source_[at_++];
    if (const size_t known = plain.find(c); known != plain.npos) {
        if (known < meaning.size()) out += meaning[known]; // a line end after a backslash stands for nothing
        return true;
    }
    const size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits == 0) { // Python leaves other backslashes as they are
        out += {'\\', c};
        return true;
    }
    const std::optional<uint32_t> code = hexadecimalAt(source_, at_, digits);
    if (!code || *code >= 0x110000) return false;
    at_ += digits;
    appendUtf8(escapedCharacter(*code, source_, at_).value_or(kReplacementCharacter), out);
    return true;
}

/// Adjacent strings are one, as in Python.
std::optional<JsonText> Reader::text() {
    std::string out;
    do {
        const bool raw = take('r');
        take('u');
        const std::string_view quote = source_.substr(at_, 3) == "\"\"\"" || source_.substr(at_, 3) == "'''"
                                           ? source_.substr(at_, 3)
                                           : source_.substr(at_, 1);
        if (!take(quote)) return std::nullopt;
        while (!take(quote)) {
            if (atEnd() || (quote.size() == 1 && source_[at_] == '\n' && !rawLineEnds_)) return std::nullopt;
            const char c = source_[at_++];
            if (c == '\\' && !raw) {
                if (!escape(out)) return std::nullopt;
                continue;
            }
            out += c;
            if (c == '\\' && !atEnd()) out += source_[at_++]; // raw string: an escaped quote does not end it
        }
        skip(false);
    } while (looksAt('"') || looksAt('\''));
    return JsonText::string(std::move(out));
}

std::optional<JsonText> Reader::sequence(char close, int depth) {
    JsonText list = JsonText::array();
    for (skip(true); !take(close); skip(true)) {
        std::optional<JsonText> value = literal(depth + 1);
        if (!value) return std::nullopt;
        list.items.push_back(std::move(*value));
        skip(true);
        if (!take(',') && !looksAt(close)) return std::nullopt;
    }
    return list;
}

std::optional<JsonText> Reader::dictionary(int depth) {
    JsonMembers members;
    for (skip(true); !take('}'); skip(true)) {
        std::optional<JsonText> key = literal(depth + 1);
        skip(true);
        if (!key || !key->is(JsonText::Kind::String) || !take(':')) return std::nullopt;
        std::optional<JsonText> value = literal(depth + 1);
        if (!value) return std::nullopt;
        members.set(std::move(key->text), std::move(*value));
        skip(true);
        if (!take(',') && !looksAt('}')) return std::nullopt;
    }
    return members.take();
}

std::optional<PythonCall> Reader::call() {
    PythonCall call{.name = std::string(name())};
    JsonMembers members;
    skip(false);
    if (call.name.empty() || call.name.back() == '.' || !take('(')) return std::nullopt;
    for (skip(true); !take(')'); skip(true)) {
        std::string key(name());
        skip(true);
        if (key.empty() || key.find('.') != key.npos || !take('=')) return std::nullopt;
        std::optional<JsonText> value = literal(0);
        if (!value || !members.set(std::move(key), std::move(*value))) return std::nullopt;
        skip(true);
        if (!take(',') && !looksAt(')')) return std::nullopt;
    }
    call.arguments = members.take();
    return call;
}

/// Reads [name =] [print(] call [)].
bool Reader::statement(std::vector<PythonCall>& calls) {
    const size_t begin = at_;
    const std::string_view variable = name();
    skip(false);
    const bool assigned = !variable.empty() && variable.find('.') == variable.npos && take('=') && !looksAt('=');
    if (!assigned) at_ = begin;
    skip(false);
    const bool printed = take("print(");
    skip(printed);
    std::optional<PythonCall> found = call();
    if (!found) return false;
    skip(printed);
    if (printed && !take(')')) return false;
    skip(false);
    if (!atEnd() && !take('\n') && !take(';')) return false;
    calls.push_back(std::move(*found));
    return true;
}

} // namespace

std::optional<std::vector<PythonCall>> pythonCalls(std::string_view source) {
    Reader reader(source, false);
    std::vector<PythonCall> calls;
    for (reader.skip(true); !reader.atEnd(); reader.skip(true))
        if (!reader.statement(calls)) return std::nullopt;
    return calls.empty() ? std::nullopt : std::optional(std::move(calls));
}

std::optional<std::vector<PythonCall>> pythonCallList(std::string_view source) {
    Reader reader(source, true);
    std::vector<PythonCall> calls;
    reader.skip(true);
    if (!reader.take('[')) return std::nullopt;
    for (reader.skip(true); !reader.take(']'); reader.skip(true)) {
        std::optional<PythonCall> call = reader.call();
        if (!call) return std::nullopt;
        calls.push_back(std::move(*call));
        reader.skip(true);
        if (!reader.take(',') && !reader.looksAt(']')) return std::nullopt;
    }
    reader.skip(true);
    return reader.atEnd() && !calls.empty() ? std::optional(std::move(calls)) : std::nullopt;
}

PythonScanner::Step PythonScanner::inString(std::string_view text, bool atEnd) {
    const char c = text[at_];
    const bool tripled = quote_.size() == 3;
    if (escaped_ || c == '\\') {
        escaped_ = !escaped_;
        return ++at_, Step::On;
    }
    const bool broken = c == '\n' && !tripled && !list_; // a line's end ends a text in code
    if (text.substr(at_).starts_with(quote_) || broken) {
        at_ += c == '\n' ? 1 : quote_.size();
        quote_.clear();
        return Step::On;
    }
    if (tripled && c == quote_[0] && text.size() - at_ < quote_.size() && !atEnd) return Step::Wait;
    return ++at_, Step::On;
}

PythonScanner::Step PythonScanner::outside(std::string_view text, bool atEnd) {
    const char c = text[at_];
    const std::string_view rest = text.substr(at_);
    if (rest.starts_with(marker_)) return Step::Done;
    if (marker_.starts_with(rest) && !atEnd) return Step::Wait;
    if (comment_ || c == '#') {
        comment_ = c != '\n';
        return ++at_, Step::On;
    }
    if (c == '"' || c == '\'') {
        if (rest.size() < 3 && !atEnd) return Step::Wait;
        quote_.assign(rest.size() >= 3 && rest[1] == c && rest[2] == c ? 3 : 1, c);
        at_ += quote_.size();
        return Step::On;
    }
    ++at_;
    if (c == '[' || c == '(' || c == '{') ++depth_;
    if (c == ']' || c == ')' || c == '}') --depth_;
    return list_ && depth_ <= 0 ? Step::Done : Step::On;
}

std::optional<size_t> PythonScanner::find(std::string_view text, bool atEnd) {
    while (at_ < text.size()) {
        const Step step = quote_.empty() ? outside(text, atEnd) : inString(text, atEnd);
        if (step == Step::Done) return at_;
        if (step == Step::Wait) break;
    }
    return list_ && atEnd && lacksOneBracket() ? std::optional(at_) : std::nullopt;
}

} // namespace coterie::engine
