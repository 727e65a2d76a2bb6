// SPDX-License-Identifier: Apache-2.0
// JSON whose numbers keep the digits in which they were written, whatever their size. What models write is read with
// mercy where one reading is possible: raw line ends and tabs within a string, and half surrogates, which become
// U+FFFD. Nesting is bounded, and nothing throws.
//
//     std::optional<JsonText> value = readJson(R"({"size": 12345678901234567890123})");
//     std::string line = writeJson(*value);
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace coterie::engine {

struct JsonText {
    enum class Kind : uint8_t { Null, Boolean, Number, String, Array, Object };

    Kind kind = Kind::Null;
    bool truth = false;              ///< the value of a Boolean
    std::string text{};              ///< Number: as written. String: its bytes, without quotes and escapes
    std::vector<std::string> keys{}; ///< [items] of an Object, unique, in the order written
    std::vector<JsonText> items{};   ///< the values of an Array or an Object

    static JsonText null() { return {}; }
    static JsonText boolean(bool truth) { return {.kind = Kind::Boolean, .truth = truth}; }
    static JsonText number(std::string digits) { return {.kind = Kind::Number, .text = std::move(digits)}; }
    static JsonText string(std::string bytes) { return {.kind = Kind::String, .text = std::move(bytes)}; }
    static JsonText array() { return {.kind = Kind::Array}; }
    static JsonText object() { return {.kind = Kind::Object}; }

    bool is(Kind wanted) const { return kind == wanted; }
    /// Returns the member of an object, or null if there is none. Reads all keys.
    const JsonText* member(std::string_view key) const;

    bool operator==(const JsonText&) const = default;
};

/// Builds an object of many members in time proportional to their number.
class JsonMembers {
  public:
    /// A key that is there already keeps its place and gets the new value. Returns whether the key is new.
    bool set(std::string key, JsonText value);
    JsonText take() { return std::move(object_); }

  private:
    JsonText object_ = JsonText::object();
    std::unordered_map<std::string, size_t> places_;
};

/// Reads one whole value with white space around it. Of members with the same key the last one counts.
std::optional<JsonText> readJson(std::string_view text);
/// Whether the text is a number as JSON writes it.
bool isJsonNumber(std::string_view text);
/// How deep lists and objects lie within each other. The value is no deeper than readJson() allows.
int nestingOf(const JsonText& value);
/// Writes the value on one line. Bytes that are not UTF-8 become U+FFFD.
std::string writeJson(const JsonText& value);

/// Numbers whose digits a tree of nlohmann::ordered_json would lose are kept there as binary values of this subtype.
constexpr uint64_t kDigitsSubtype = 1;
enum class KeptDigits : uint8_t {
    WhereLost, ///< numbers that neither 64 bits nor a double can hold; the others become machine numbers
    All,       ///< all but integers of 64 bits with a sign
};
/// The value as a tree, for templates.
nlohmann::ordered_json jsonTree(const JsonText& value, KeptDigits kept);

/// Finds the end of the JSON object or array that begins at a place of a text which is still written. Looks at each
/// byte once. It counts brackets and knows strings; whether the value is JSON otherwise is for readJson() to say.
class JsonScanner {
  public:
    enum class Found : uint8_t { Unfinished, Whole, Wrong };

    explicit JsonScanner(size_t begin = 0) : begin_(begin), at_(begin) {}
    /// text: the same as before, with more at its end. What was found once stays so.
    Found scan(std::string_view text);
    size_t begin() const { return begin_; }
    /// Whole: the end of the value. Wrong: the byte that cannot be in it.
    size_t at() const { return at_; }
    /// Whether the text before at() would be whole with one more closing bracket.
    bool lacksOneBracket() const { return depth_ == 1 && !quoted_; }

  private:
    Found take(char c);

    size_t begin_, at_;
    Found found_ = Found::Unfinished;
    int depth_ = 0;
    bool quoted_ = false, escaped_ = false;
};

} // namespace coterie::engine
