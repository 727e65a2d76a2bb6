// SPDX-License-Identifier: Apache-2.0
// str(), repr() and json.dumps(), to the byte.
#include "prompt/jinja/printing.h"

#include "prompt/jinja/operators.h"
#include "prompt/jinja/text.h"

#include <algorithm>
#include <array>

namespace coterie::engine::jinja {
namespace {

void addHex(TextBuilder& out, std::string_view prefix, char32_t code, int digits) {
    out.add(prefix);
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out.add("0123456789abcdef"[code >> shift & 0xF]);
}

void addEscaped(TextBuilder& out, char32_t code, std::string_view bytes) {
    switch (code) {
    case '\\':
        return out.add("\\\\");
    case '\n':
        return out.add("\\n");
    case '\r':
        return out.add("\\r");
    case '\t':
        return out.add("\\t");
    default:
        break;
    }
    if (isPrintable(code) || code >= 0x110000) return out.add(bytes);
    if (code < 0x100) return addHex(out, "\\x", code, 2);
    if (code < 0x10000) return addHex(out, "\\u", code, 4);
    addHex(out, "\\U", code, 8);
}

void printQuoted(TextBuilder& out, const std::string& text) {
    const bool single = text.find('\'') != std::string::npos && text.find('"') == std::string::npos;
    const char quote = single ? '"' : '\'';
    out.add(quote);
    for (size_t at = 0; at < text.size();) {
        const Character c = characterAt(text, at);
        if (c.code == static_cast<char32_t>(quote)) out.add('\\');
        addEscaped(out, c.code, std::string_view(text).substr(at, c.bytes));
        at += c.bytes;
    }
    out.add(quote);
}

void printDict(TextBuilder& out, const Dict& dict) {
    out.add("{");
    std::string_view separator;
    for (const auto& [key, value] : dict.entries) {
        out.add(separator);
        printRepresentation(out, key);
        out.add(": ");
        printRepresentation(out, value);
        separator = ", ";
    }
    out.add("}");
}

void printItems(TextBuilder& out, const Sequence& sequence, std::string_view open, std::string_view close) {
    out.add(open);
    std::string_view separator;
    for (const Value& item : sequence.items) {
        out.add(separator);
        printRepresentation(out, item);
        separator = ", ";
    }
    out.add(close);
}

/// The end is the first number not in it: Python keeps the one it was made with, which may lie further on where the
/// step isn't 1.
void printRange(TextBuilder& out, const Sequence& range) {
    const auto number = [&](size_t index) { return *asInteger(range.items[index]); };
    const size_t count = range.items.size();
    const int64_t step = count > 1 ? number(1) - number(0) : 1;
    const int64_t start = count > 0 ? number(0) : 0;
    const int64_t stop = count > 0 ? number(count - 1) + step : 0;
    out.add("range(" + std::to_string(start) + ", " + std::to_string(stop) +
            (step == 1 ? ")" : ", " + std::to_string(step) + ")"));
}

void printSequence(TextBuilder& out, const Sequence& sequence) {
    switch (sequence.kind) {
    case SequenceKind::List:
        return printItems(out, sequence, "[", "]");
    case SequenceKind::Tuple:
    case SequenceKind::Group:
        return printItems(out, sequence, "(", sequence.items.size() == 1 ? ",)" : ")");
    case SequenceKind::Items:
        return printItems(out, sequence, "dict_items([", "])");
    case SequenceKind::Keys:
        return printItems(out, sequence, "dict_keys([", "])");
    case SequenceKind::Values:
        return printItems(out, sequence, "dict_values([", "])");
    case SequenceKind::Generator:
        return out.add("<generator object>");
    case SequenceKind::Range:
        return printRange(out, sequence);
    }
}

void addJsonCharacter(TextBuilder& out, char32_t code, std::string_view bytes, bool asciiOnly) {
    constexpr std::array<std::pair<char32_t, std::string_view>, 7> kShort{
        {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}, {'\f', "\\f"}, {'\b', "\\b"}}};
    for (const auto& [character, escape] : kShort)
        if (character == code) return out.add(escape);
    if (code < 0x20) return addHex(out, "\\u", code, 4);
    if (!asciiOnly || code < 0x80 || code >= 0x110000) return out.add(bytes);
    if (code < 0x10000) return addHex(out, "\\u", code, 4);
    addHex(out, "\\u", 0xD800 + ((code - 0x10000) >> 10), 4);
    addHex(out, "\\u", 0xDC00 + ((code - 0x10000) & 0x3FF), 4);
}

void printJsonText(TextBuilder& out, const std::string& text, bool asciiOnly) {
    out.add('"');
    size_t plain = 0; // from here on nothing needs an escape
    for (size_t at = 0; at < text.size();) {
        const Character c = characterAt(text, at);
        const bool escapes = c.code < 0x20 || c.code == '"' || c.code == '\\' || (asciiOnly && c.code >= 0x80);
        if (escapes) {
            out.add(std::string_view(text).substr(plain, at - plain));
            addJsonCharacter(out, c.code, std::string_view(text).substr(at, c.bytes), asciiOnly);
            plain = at + c.bytes;
        }
        at += c.bytes;
    }
    out.add(std::string_view(text).substr(plain));
    out.add('"');
}

std::string jsonNumber(const Value& value) {
    if (const bool* b = value.as<bool>()) return *b ? "true" : "false";
    if (const int64_t* i = value.as<int64_t>()) return std::to_string(*i);
    const std::string text = formatFloat(*value.as<double>());
    return text == "nan" ? "NaN" : text == "inf" ? "Infinity" : text == "-inf" ? "-Infinity" : text;
}

bool isScalar(const Value& value) { return value.is<bool>() || value.is<int64_t>() || value.is<double>(); }

class JsonPrinter {
  public:
    JsonPrinter(TextBuilder& out, const JsonStyle& style) : out_(out), style_(style) {}

    void print(const Value& value) {
        if (value.is<None>()) return out_.add("null");
        if (isScalar(value)) return out_.add(jsonNumber(value));
        if (value.text() != nullptr) return printJsonText(out_, *value.text(), style_.asciiOnly);
        if (const Dict* dict = value.dict()) return printObject(*dict);
        const Sequence* sequence = indexable(value);
        if (sequence == nullptr || sequence->kind == SequenceKind::Range)
            out_.meter().fail("tojson: JSON cannot hold a value of the type " + std::string(typeName(value)));
        printArray(*sequence);
    }

  private:
    void printArray(const Sequence& sequence) {
        if (sequence.items.empty()) return out_.add("[]");
        open('[');
        for (size_t i = 0; i < sequence.items.size(); ++i) {
            separate(i);
            print(sequence.items[i]);
        }
        close(']');
    }

    void printObject(const Dict& dict) {
        if (dict.entries.empty()) return out_.add("{}");
        std::vector<std::pair<std::string, const Value*>> members;
        for (const auto& [key, value] : dict.entries) members.emplace_back(keyText(key), &value);
        if (style_.sortKeys) {
            out_.meter().spend(members.size() * 8);
            std::stable_sort(members.begin(), members.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
        }
        open('{');
        for (size_t i = 0; i < members.size(); ++i) {
            separate(i);
            printJsonText(out_, members[i].first, style_.asciiOnly);
            out_.add(style_.keySeparator);
            print(*members[i].second);
        }
        close('}');
    }

    std::string keyText(const Value& key) {
        if (key.text() != nullptr) return out_.meter().spendBytes(key.text()->size()), *key.text();
        if (key.is<None>()) return "null";
        if (!isScalar(key)) out_.meter().fail("tojson: a " + std::string(typeName(key)) + " cannot be a key in JSON");
        return jsonNumber(key);
    }

    void open(char bracket) {
        out_.add(bracket);
        ++level_;
        newLine();
    }
    void close(char bracket) {
        --level_;
        newLine();
        out_.add(bracket);
    }
    void separate(size_t index) {
        if (index == 0) return;
        out_.add(style_.itemSeparator);
        newLine();
    }
    void newLine() {
        if (!style_.indent) return;
        out_.add('\n');
        for (size_t i = 0; i < level_; ++i) out_.add(*style_.indent);
    }

    TextBuilder& out_;
    const JsonStyle& style_;
    size_t level_ = 0;
};

} // namespace

void printText(TextBuilder& out, const Value& value) {
    if (value.is<Undefined>()) return;
    if (const std::string* text = value.text()) return out.add(*text);
    printRepresentation(out, value);
}

std::string toText(Meter& meter, const Value& value) {
    TextBuilder out(meter);
    printText(out, value);
    return out.take();
}

void printRepresentation(TextBuilder& out, const Value& value) {
    if (value.is<Undefined>()) return out.add("Undefined");
    if (value.is<None>()) return out.add("None");
    if (const bool* b = value.as<bool>()) return out.add(*b ? "True" : "False");
    if (const int64_t* i = value.as<int64_t>()) return out.add(std::to_string(*i));
    if (const double* d = value.as<double>()) return out.add(formatFloat(*d));
    if (const std::string* text = value.text()) return printQuoted(out, *text);
    if (const Sequence* sequence = value.sequence()) return printSequence(out, *sequence);
    if (const Dict* dict = value.dict()) return printDict(out, *dict);
    out.add("<" + std::string(typeName(value)) + ">");
}

void printJson(TextBuilder& out, const Value& value, const JsonStyle& style) { JsonPrinter(out, style).print(value); }

} // namespace coterie::engine::jinja
