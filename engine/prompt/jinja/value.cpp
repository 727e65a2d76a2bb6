// SPDX-License-Identifier: Apache-2.0
// Makes values, and answers questions about them: truth, type name, length, and the items of a loop.
#include "prompt/jinja/value.h"

#include "prompt/jinja/operators.h"
#include "prompt/jinja/text.h"
#include "prompt/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace coterie::engine::jinja {
namespace {

constexpr uint64_t kContainerBytes = 96; // roughly what an empty list or dict takes

uint32_t depthOf(const Value& value) {
    if (const Sequence* s = value.sequence()) return s->depth;
    if (const Dict* d = value.dict()) return d->depth;
    if (const MethodRef* m = value.as<MethodRef>()) return 1 + depthOf((*m)->self);
    return 0;
}

/// The meter pays for the walk: a value may hold another value many times.
bool hashable(Meter& meter, const Value& value) {
    meter.spend();
    if (value.is<DictRef>()) return false;
    const Sequence* s = value.sequence();
    if (s == nullptr) return true;
    const bool tuple = s->kind == SequenceKind::Tuple || s->kind == SequenceKind::Group;
    return tuple && std::all_of(s->items.begin(), s->items.end(), [&](const Value& v) { return hashable(meter, v); });
}

/// A number of any size. Arithmetic uses the nearest machine number.
Value numberValue(std::string digits) {
    int64_t whole = 0;
    const char* const end = digits.data() + digits.size();
    const auto [read, error] = std::from_chars(digits.data(), end, whole);
    if (error == std::errc() && read == end) return intValue(whole);
    Value value = floatValue(parseFloat(digits).value_or(0));
    value.digits = std::make_shared<const std::string>(std::move(digits));
    return value;
}

} // namespace

Value undefinedValue(std::string why) { return {Undefined{std::make_shared<const std::string>(std::move(why))}}; }

std::string shortName(std::string_view name) { return cutText(name, 80); }

Value textValue(Meter& meter, SourcedText text) {
    meter.claim(text.bytes.size() + text.sources.size());
    return {std::make_shared<const SourcedText>(std::move(text))};
}

Value listValue(Meter& meter, std::vector<Value> items, SequenceKind kind) {
    meter.claim(kContainerBytes + items.size() * sizeof(Value));
    auto list = std::make_shared<Sequence>();
    for (const Value& item : items) list->depth = std::max(list->depth, 1 + depthOf(item));
    meter.checkDepth(list->depth);
    list->kind = kind;
    list->items = std::move(items);
    return {SequenceRef(std::move(list))};
}

void DictBuilder::set(Value key, Value value) {
    if (!hashable(meter_, key))
        meter_.fail("a value of the type " + std::string(typeName(key)) + " cannot be the key of a dict");
    dict_.depth = std::max({dict_.depth, 1 + depthOf(key), 1 + depthOf(value)});
    meter_.checkDepth(dict_.depth);
    if (const Value* found = findKey(meter_, dict_, key)) {
        const auto place = std::find_if(dict_.entries.begin(), dict_.entries.end(),
                                        [&](const auto& entry) { return &entry.second == found; });
        place->second = std::move(value);
        return;
    }
    meter_.spendBytes(2 * sizeof(Value));
    meter_.checkSize((dict_.entries.size() + 1) * 2 * sizeof(Value));
    dict_.entries.emplace_back(std::move(key), std::move(value));
}

Value DictBuilder::take() {
    meter_.spendBytes(kContainerBytes);
    return {DictRef(std::make_shared<const Dict>(std::move(dict_)))};
}

const Value* findKey(Meter& meter, const Dict& dict, const Value& key) {
    if (const std::string* text = key.text()) return findKey(meter, dict, *text);
    for (const auto& [name, value] : dict.entries)
        if (equal(meter, name, key)) return &value;
    return nullptr;
}

const Value* findKey(Meter& meter, const Dict& dict, std::string_view key) {
    meter.spend(1 + dict.entries.size() / 8);
    for (const auto& [name, value] : dict.entries) {
        const std::string* text = name.text();
        if (text == nullptr || text->size() != key.size()) continue;
        meter.spendBytes(key.size());
        if (*text == key) return &value;
    }
    return nullptr;
}

bool isGenerator(const Value& value) {
    const Sequence* s = value.sequence();
    return s != nullptr && s->kind == SequenceKind::Generator;
}

const Sequence* indexable(const Value& value) {
    const Sequence* s = value.sequence();
    return s != nullptr && s->kind <= SequenceKind::Range ? s : nullptr;
}

bool truthy(const Value& value) {
    if (value.is<Undefined>() || value.is<None>()) return false;
    if (const bool* b = value.as<bool>()) return *b;
    if (const int64_t* i = value.as<int64_t>()) return *i != 0;
    if (const double* d = value.as<double>()) return *d != 0;
    if (const std::string* text = value.text()) return !text->empty();
    if (const Dict* d = value.dict()) return !d->entries.empty();
    if (const Sequence* s = value.sequence()) return isGenerator(value) || !s->items.empty();
    return true;
}

bool isWholeNumber(const Value& value) {
    return value.is<int64_t>() || (value.digits && value.digits->find_first_of(".eE") == std::string::npos);
}

std::string_view typeName(const Value& value) {
    constexpr std::string_view kSequences[] = {"list",       "tuple",     "tuple",       "range", // by SequenceKind
                                               "dict_items", "dict_keys", "dict_values", "generator"};
    if (const Sequence* s = value.sequence()) return kSequences[static_cast<size_t>(s->kind)];
    constexpr std::string_view kNames[] = {"undefined", "NoneType", "bool",        "int",    "float",
                                           "str",       "list",     "dict",        "method", "function",
                                           "namespace", "macro",    "loop context"};
    return isWholeNumber(value) ? "int" : kNames[value.data.index()];
}

void requireDefined(const Meter& meter, const Value& value) {
    if (const Undefined* undefined = value.as<Undefined>())
        meter.fail(undefined->why ? *undefined->why : "the value is undefined");
}

SequenceRef iterate(Meter& meter, const Value& value) {
    if (const SequenceRef* s = value.as<SequenceRef>()) {
        if ((*s)->kind != SequenceKind::Generator) return *s;
        if (!(*s)->consumed) return (*s)->consumed = true, *s;
        return std::make_shared<const Sequence>();
    }
    std::vector<Value> items;
    if (const Dict* dict = value.dict()) {
        meter.checkSize(dict->entries.size() * sizeof(Value));
        for (const auto& [key, held] : dict->entries) items.push_back(key);
    } else if (const std::string* text = value.text()) {
        for (size_t at = 0; at < text->size();) {
            const size_t bytes = characterAt(*text, at).bytes;
            meter.checkSize(items.size() * sizeof(Value));
            items.push_back(textValue(meter, textOf(value.sourced().substr(at, bytes))));
            at += bytes;
        }
    } else if (!value.is<Undefined>()) {
        meter.fail("a value of the type " + std::string(typeName(value)) + " cannot be iterated over");
    }
    return *listValue(meter, std::move(items)).as<SequenceRef>();
}

int64_t lengthOf(Meter& meter, const Value& value) {
    if (const std::string* text = value.text()) {
        meter.spendBytes(text->size());
        return countCharacters(*text);
    }
    if (const Dict* dict = value.dict()) return static_cast<int64_t>(dict->entries.size());
    if (value.sequence() != nullptr && !isGenerator(value)) return static_cast<int64_t>(value.sequence()->items.size());
    if (value.is<Undefined>()) return 0;
    meter.fail("a value of the type " + std::string(typeName(value)) + " has no length");
}

Value fromJson(Meter& meter, const nlohmann::ordered_json& json) {
    using Type = nlohmann::ordered_json::value_t;
    const Deeper deeper(meter);
    switch (json.type()) {
    case Type::boolean:
        return boolValue(*json.get_ptr<const bool*>());
    case Type::number_integer:
        return intValue(*json.get_ptr<const int64_t*>());
    case Type::number_float:
        return floatValue(*json.get_ptr<const double*>());
    case Type::string:
        return textValue(meter, foreignText(*json.get_ptr<const std::string*>()));
    case Type::number_unsigned:
        return numberValue(std::to_string(*json.get_ptr<const uint64_t*>()));
    case Type::binary: {
        const auto& bytes = *json.get_ptr<const nlohmann::ordered_json::binary_t*>();
        return numberValue(std::string(bytes.begin(), bytes.end()));
    }
    case Type::array: {
        std::vector<Value> items;
        for (const auto& item : json) items.push_back(fromJson(meter, item));
        return listValue(meter, std::move(items));
    }
    case Type::object: {
        DictBuilder dict(meter);
        for (const auto& [key, value] : *json.get_ptr<const nlohmann::ordered_json::object_t*>())
            dict.set(textValue(meter, foreignText(key)), fromJson(meter, value));
        return dict.take();
    }
    default:
        return noneValue();
    }
}

} // namespace coterie::engine::jinja
