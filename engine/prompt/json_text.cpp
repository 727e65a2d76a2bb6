// SPDX-License-Identifier: Apache-2.0
// See json_text.h. A recursive-descent reader; the tree is written by a recursion of the same depth.
#include "prompt/json_text.h"

#include "prompt/utf8.h"
#include "prompt/utf8_stream.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace coterie::engine {
namespace {

/// Values are read and written by a recursion, which must not be deep.
constexpr int kMostNesting = 128;

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    std::optional<JsonText> whole() {
        std::optional<JsonText> read = value(0);
        skip();
        return at_ == text_.size() ? std::move(read) : std::nullopt;
    }
    /// Returns the length of the number that begins here, 0 if there is none.
    size_t numberLength() const;

  private:
    void skip() {
        while (at_ < text_.size() && isSpace(text_[at_])) ++at_;
    }
    bool take(char c) {
        skip();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    bool take(std::string_view word) {
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    std::optional<JsonText> value(int depth);
    std::optional<JsonText> array(int depth);
    std::optional<JsonText> object(int depth);
    std::optional<std::string> string();
    bool escape(std::string& out);

    std::string_view text_;
    size_t at_ = 0;
};

size_t Reader::numberLength() const {
    size_t at = at_;
    const auto digits = [&] {
        const size_t first = at;
        while (at < text_.size() && isDigit(text_[at])) ++at;
        return at - first;
    };
    const auto sees = [&](char c) { return at < text_.size() && text_[at] == c; };
    if (sees('-')) ++at;
    const bool zero = sees('0');
    const size_t whole = digits();
    if (whole == 0 || (zero && whole > 1)) return 0;
    if (sees('.') && (++at, digits() == 0)) return 0;
    if (sees('e') || sees('E')) {
        ++at;
        if (sees('+') || sees('-')) ++at;
        if (digits() == 0) return 0;
    }
    return at - at_;
}

std::optional<JsonText> Reader::value(int depth) {
    skip();
    if (at_ >= text_.size() || depth > kMostNesting) return std::nullopt;
    switch (text_[at_]) {
    case '{':
        return object(depth);
    case '[':
        return array(depth);
    case '"': {
        std::optional<std::string> bytes = string();
        return bytes ? std::optional(JsonText::string(std::move(*bytes))) : std::nullopt;
    }
    default:
        break;
    }
    if (take("true")) return JsonText::boolean(true);
    if (take("false")) return JsonText::boolean(false);
    if (take("null")) return JsonText::null();
    const size_t length = numberLength();
    if (length == 0) return std::nullopt;
    at_ += length;
    return JsonText::number(std::string(text_.substr(at_ - length, length)));
}

std::optional<JsonText> Reader::array(int depth) {
    JsonText list = JsonText::array();
    ++at_;
    if (take(']')) return list;
    do {
        std::optional<JsonText> item = value(depth + 1);
        if (!item) return std::nullopt;
        list.items.push_back(std::move(*item));
    } while (take(','));
    return take(']') ? std::optional(std::move(list)) : std::nullopt;
}

std::optional<JsonText> Reader::object(int depth) {
    JsonMembers members;
    ++at_;
    if (take('}')) return members.take();
    do {
        skip();
        std::optional<std::string> key = at_ < text_.size() && text_[at_] == '"' ? string() : std::nullopt;
        if (!key || !take(':')) return std::nullopt;
        std::optional<JsonText> item = value(depth + 1);
        if (!item) return std::nullopt;
        members.set(std::move(*key), std::move(*item));
    } while (take(','));
    return take('}') ? std::optional(members.take()) : std::nullopt;
}

std::optional<std::string> Reader::string() {
    std::string out;
    for (++at_; at_ < text_.size();) {
        const char c = text_[at_++];
        if (c == '"') return out;
        if (c == '\\') {
            if (!escape(out)) return std::nullopt;
            continue;
        }
        const bool mended = c == '\n' || c == '\r' || c == '\t';
        if (static_cast<unsigned char>(c) < 0x20 && !mended) return std::nullopt;
        out += c;
    }
    return std::nullopt;
}

bool Reader::escape(std::string& out) {
    constexpr std::string_view letters = "\"\\/bfnrt", meaning = "\"\\/\b\f\n\r\t";
    if (at_ >= text_.size()) return false;
    const char letter = text_[at_++];
    if (const size_t known = letters.find(letter); known != letters.npos) {
        out += meaning[known];
        return true;
    }
    if (letter != 'u') return false;
    const std::optional<uint32_t> unit = hexadecimalAt(text_, at_, 4);
    if (!unit) return false;
    at_ += 4;
    appendUtf8(escapedCharacter(*unit, text_, at_).value_or(kReplacementCharacter), out);
    return true;
}

void writeString(std::string_view bytes, std::string& out) {
    Utf8Stream characters;
    const std::string whole = characters.push(bytes) + characters.finish();
    constexpr std::string_view shorts = "\"\\\b\f\n\r\t", letters = "\"\\bfnrt";
    out += '"';
    for (const char c : whole) {
        if (const size_t known = shorts.find(c); known != shorts.npos) {
            out += '\\';
            out += letters[known];
        } else if (static_cast<unsigned char>(c) < 0x20) {
            constexpr std::string_view hex = "0123456789abcdef";
            out += "\\u00";
            out += hex[static_cast<unsigned char>(c) >> 4];
            out += hex[static_cast<unsigned char>(c) & 0xF];
        } else {
            out += c;
        }
    }
    out += '"';
}

void write(const JsonText& value, std::string& out) {
    using Kind = JsonText::Kind;
    switch (value.kind) {
    case Kind::Null:
        out += "null";
        return;
    case Kind::Boolean:
        out += value.truth ? "true" : "false";
        return;
    case Kind::Number:
        out += value.text;
        return;
    case Kind::String:
        return writeString(value.text, out);
    case Kind::Array:
    case Kind::Object:
        break;
    }
    const bool object = value.is(Kind::Object);
    out += object ? '{' : '[';
    for (size_t i = 0; i < value.items.size(); ++i) {
        if (i > 0) out += ',';
        if (object) {
            writeString(value.keys[i], out);
            out += ':';
        }
        write(value.items[i], out);
    }
    out += object ? '}' : ']';
}

nlohmann::ordered_json numberTree(const std::string& digits, KeptDigits kept) {
    using Json = nlohmann::ordered_json;
    const char* const end = digits.data() + digits.size();
    int64_t whole = 0;
    const auto read = std::from_chars(digits.data(), end, whole);
    if (read.ec == std::errc() && read.ptr == end) return whole;
    if (kept == KeptDigits::WhereLost && digits.find_first_of(".eE") != digits.npos) {
        double real = 0;
        if (std::from_chars(digits.data(), end, real).ec == std::errc() && std::isfinite(real)) return real;
    }
    return Json::binary({digits.begin(), digits.end()}, kDigitsSubtype);
}

} // namespace

bool JsonMembers::set(std::string key, JsonText value) {
    const auto [place, added] = places_.emplace(key, object_.items.size());
    if (!added) {
        object_.items[place->second] = std::move(value);
        return false;
    }
    object_.keys.push_back(std::move(key));
    object_.items.push_back(std::move(value));
    return true;
}

const JsonText* JsonText::member(std::string_view key) const {
    for (size_t i = 0; i < keys.size(); ++i)
        if (keys[i] == key) return &items[i];
    return nullptr;
}

std::optional<JsonText> readJson(std::string_view text) { return Reader(text).whole(); }

bool isJsonNumber(std::string_view text) { return !text.empty() && Reader(text).numberLength() == text.size(); }

int nestingOf(const JsonText& value) {
    int deepest = 0;
    for (const JsonText& item : value.items) deepest = std::max(deepest, nestingOf(item));
    return deepest + (value.is(JsonText::Kind::Array) || value.is(JsonText::Kind::Object) ? 1 : 0);
}

std::string writeJson(const JsonText& value) {
    std::string out;
    write(value, out);
    return out;
}

nlohmann::ordered_json jsonTree(const JsonText& value, KeptDigits kept) {
    using Json = nlohmann::ordered_json;
    using Kind = JsonText::Kind;
    switch (value.kind) {
    case Kind::Null:
        return nullptr;
    case Kind::Boolean:
        return value.truth;
    case Kind::Number:
        return numberTree(value.text, kept);
    case Kind::String:
        return value.text;
    case Kind::Array: {
        Json list = Json::array();
        for (const JsonText& item : value.items) list.push_back(jsonTree(item, kept));
        return list;
    }
    case Kind::Object:
        break;
    }
    Json object = Json::object();
    auto& members = object.get_ref<Json::object_t&>();
    // Keys are unique: the members are appended without the search that operator[] makes.
    for (size_t i = 0; i < value.items.size(); ++i) members.emplace_back(value.keys[i], jsonTree(value.items[i], kept));
    return object;
}

JsonScanner::Found JsonScanner::scan(std::string_view text) {
    while (found_ == Found::Unfinished && at_ < text.size()) {
        found_ = take(text[at_]);
        if (found_ != Found::Wrong) ++at_;
    }
    return found_;
}

JsonScanner::Found JsonScanner::take(char c) {
    constexpr std::string_view outside = " \t\r\n{}[]:,\"+-.0123456789Eaeflnrstu"; // with true, false and null
    if (quoted_) {
        quoted_ = escaped_ || c != '"';
        escaped_ = c == '\\' && !escaped_;
        return Found::Unfinished;
    }
    if (outside.find(c) == outside.npos) return Found::Wrong;
    quoted_ = c == '"';
    if (c == '{' || c == '[') ++depth_;
    if (c == '}' || c == ']') --depth_;
    if (depth_ > kMostNesting) return Found::Wrong;
    if (depth_ > 0) return Found::Unfinished;
    return depth_ == 0 && (c == '}' || c == ']') ? Found::Whole : Found::Wrong; // Wrong: it begins with something else
}

} // namespace coterie::engine
