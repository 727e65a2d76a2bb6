// SPDX-License-Identifier: Apache-2.0
// str(), repr() and json.dumps(), equal to Python's to the byte.
#include "prompt/jinja/printing.h"

#include "prompt/jinja/operators.h"
#include "prompt/jinja/text.h"

#include <algorithm>

namespace coterie::engine::jinja {
namespace {

std::string hexEscape(std::string_view prefix, char32_t code, int digits) {
    std::string out(prefix);
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[code >> shift & 0xF];
    return out;
}

/// Writes one of the characters `escaped` as a backslash and its letter. Returns whether it is one.
bool addShortEscape(TextBuilder& out, SourcedView character, std::string_view escaped, std::string_view letters) {
    const size_t known = escaped.find(character.bytes);
    if (known == escaped.npos) return false;
    out.addFor(character, std::string{'\\', letters[known]});
    return true;
}

void addEscaped(TextBuilder& out, char32_t code, SourcedView character) {
    if (addShortEscape(out, character, "\\\n\r\t", "\\nrt")) return;
    if (isPrintable(code) || code >= 0x110000) return out.add(character);
    if (code < 0x100) return out.addFor(character, hexEscape("\\x", code, 2));
    if (code < 0x10000) return out.addFor(character, hexEscape("\\u", code, 4));
    out.addFor(character, hexEscape("\\U", code, 8));
}

void printQuoted(TextBuilder& out, SourcedView text) {
    const bool single = text.bytes.find('\'') != text.bytes.npos && text.bytes.find('"') == text.bytes.npos;
    const char quote = single ? '"' : '\'';
    out.addOwn(quote);
    for (size_t at = 0; at < text.size();) {
        const Character c = characterAt(text.bytes, at);
        if (c.code == static_cast<char32_t>(quote)) out.addOwn('\\');
        addEscaped(out, c.code, text.substr(at, c.bytes));
        at += c.bytes;
    }
    out.addOwn(quote);
}

void printDict(TextBuilder& out, const Dict& dict) {
    out.addOwn("{");
    std::string_view separator;
    for (const auto& [key, value] : dict.entries) {
        out.addOwn(separator);
        printRepresentation(out, key);
        out.addOwn(": ");
        printRepresentation(out, value);
        separator = ", ";
    }
    out.addOwn("}");
}

void printItems(TextBuilder& out, const Sequence& sequence, std::string_view open, std::string_view close) {
    out.addOwn(open);
    std::string_view separator;
    for (const Value& item : sequence.items) {
        out.addOwn(separator);
        printRepresentation(out, item);
        separator = ", ";
    }
    out.addOwn(close);
}

/// The end is the first number that is not in the range. Python keeps the end that the range was made with, which may
/// be larger if the step is not 1.
void printRange(TextBuilder& out, const Sequence& range) {
    const auto number = [&](size_t index) { return *asInteger(range.items[index]); };
    const size_t count = range.items.size();
    const int64_t step = count > 1 ? number(1) - number(0) : 1;
    const int64_t start = count > 0 ? number(0) : 0;
    const int64_t stop = count > 0 ? number(count - 1) + step : 0;
    out.addOwn("range(" + std::to_string(start) + ", " + std::to_string(stop) +
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
        return out.addOwn("<generator object>");
    case SequenceKind::Range:
        return printRange(out, sequence);
    }
}

void addJsonEscape(TextBuilder& out, char32_t code, SourcedView character) {
    if (addShortEscape(out, character, "\"\\\n\r\t\f\b", "\"\\nrtfb")) return;
    if (code >= 0x110000) return out.add(character);
    if (code < 0x10000) return out.addFor(character, hexEscape("\\u", code, 4));
    out.addFor(character, hexEscape("\\u", 0xD800 + ((code - 0x10000) >> 10), 4) +
                              hexEscape("\\u", 0xDC00 + ((code - 0x10000) & 0x3FF), 4));
}

void printJsonText(TextBuilder& out, SourcedView text, bool asciiOnly) {
    out.addOwn('"');
    size_t plain = 0; // no escape is needed from here on
    for (size_t at = 0; at < text.size();) {
        const Character c = characterAt(text.bytes, at);
        const bool escapes = c.code < 0x20 || c.code == '"' || c.code == '\\' || (asciiOnly && c.code >= 0x80);
        if (escapes) {
            out.add(text.substr(plain, at - plain));
            addJsonEscape(out, c.code, text.substr(at, c.bytes));
            plain = at + c.bytes;
        }
        at += c.bytes;
    }
    out.add(text.substr(plain));
    out.addOwn('"');
}

std::string jsonNumber(const Value& value) {
    if (value.digits) return *value.digits;
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
        if (value.is<None>()) return out_.addOwn("null");
        if (isScalar(value)) return out_.addOwn(jsonNumber(value));
        if (value.text() != nullptr) return printJsonText(out_, value.sourced(), style_.asciiOnly);
        if (const Dict* dict = value.dict()) return printObject(*dict);
        const Sequence* sequence = indexable(value);
        if (sequence == nullptr || sequence->kind == SequenceKind::Range)
            out_.meter().fail("tojson: JSON cannot hold a value of the type " + std::string(typeName(value)));
        printArray(*sequence);
    }

  private:
    void printArray(const Sequence& sequence) {
        if (sequence.items.empty()) return out_.addOwn("[]");
        open('[');
        for (size_t i = 0; i < sequence.items.size(); ++i) {
            separate(i);
            print(sequence.items[i]);
        }
        close(']');
    }

    void printObject(const Dict& dict) {
        if (dict.entries.empty()) return out_.addOwn("{}");
        std::vector<std::pair<SourcedText, const Value*>> members;
        for (const auto& [key, value] : dict.entries) members.emplace_back(keyText(key), &value);
        if (style_.sortKeys) {
            out_.meter().spend(members.size() * 8);
            std::stable_sort(members.begin(), members.end(),
                             [](const auto& a, const auto& b) { return a.first.bytes < b.first.bytes; });
        }
        open('{');
        for (size_t i = 0; i < members.size(); ++i) {
            separate(i);
            printJsonText(out_, members[i].first.view(), style_.asciiOnly);
            out_.add(style_.keySeparator.view());
            print(*members[i].second);
        }
        close('}');
    }

    SourcedText keyText(const Value& key) {
        if (key.text() != nullptr) return out_.meter().spendBytes(key.text()->size()), textOf(key.sourced());
        if (key.is<None>()) return ownText("null");
        if (!isScalar(key)) out_.meter().fail("tojson: a " + std::string(typeName(key)) + " cannot be a key in JSON");
        return ownText(jsonNumber(key));
    }

    void open(char bracket) {
        out_.addOwn(bracket);
        ++level_;
        newLine();
    }
    void close(char bracket) {
        --level_;
        newLine();
        out_.addOwn(bracket);
    }
    void separate(size_t index) {
        if (index == 0) return;
        out_.add(style_.itemSeparator.view());
        newLine();
    }
    void newLine() {
        if (!style_.indent) return;
        out_.addOwn('\n');
        for (size_t i = 0; i < level_; ++i) out_.add(style_.indent->view());
    }

    TextBuilder& out_;
    const JsonStyle& style_;
    size_t level_ = 0;
};

} // namespace

void printText(TextBuilder& out, const Value& value) {
    if (value.is<Undefined>()) return;
    if (value.text() != nullptr) return out.add(value.sourced());
    printRepresentation(out, value);
}

SourcedText toText(Meter& meter, const Value& value) {
    TextBuilder out(meter);
    printText(out, value);
    return out.take();
}

void printRepresentation(TextBuilder& out, const Value& value) {
    if (value.is<Undefined>()) return out.addOwn("Undefined");
    if (value.is<None>()) return out.addOwn("None");
    if (const bool* b = value.as<bool>()) return out.addOwn(*b ? "True" : "False");
    if (const int64_t* i = value.as<int64_t>()) return out.addOwn(std::to_string(*i));
    if (value.digits) return out.addOwn(*value.digits);
    if (const double* d = value.as<double>()) return out.addOwn(formatFloat(*d));
    if (value.text() != nullptr) return printQuoted(out, value.sourced());
    if (const Sequence* sequence = value.sequence()) return printSequence(out, *sequence);
    if (const Dict* dict = value.dict()) return printDict(out, *dict);
    out.addOwn("<" + std::string(typeName(value)) + ">");
}

void printJson(TextBuilder& out, const Value& value, const JsonStyle& style) { JsonPrinter(out, style).print(value); }

} // namespace coterie::engine::jinja
