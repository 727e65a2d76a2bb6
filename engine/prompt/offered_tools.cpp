// SPDX-License-Identifier: Apache-2.0
// See offered_tools.h.
#include "prompt/offered_tools.h"

#include "prompt/blanks.h"

#include <algorithm>
#include <utility>

namespace coterie::engine {
namespace {

using Kind = JsonText::Kind;

enum Type : uint8_t {
    kString = 1,
    kInteger = 2,
    kNumber = 4,
    kBoolean = 8,
    kNull = 16,
    kArray = 32,
    kObject = 64,
};
constexpr uint8_t kAnyType = 0;
constexpr int kMostReferences = 8; ///< schemas that stand for others, and choices within choices

uint8_t typeNamed(std::string_view name) {
    constexpr std::pair<std::string_view, uint8_t> names[] = {
        {"string", kString},
        {"integer", kInteger},
        {"number", kInteger | kNumber},
        {"boolean", kBoolean},
        {"null", kNull},
        {"array", kArray},
        {"object", kObject},
        {"str", kString},
        {"int", kInteger},
        {"bool", kBoolean},
        {"float", kInteger | kNumber},
        {"list", kArray},
        {"dict", kObject},
    };
    for (const auto& [known, type] : names)
        if (known == name) return type;
    return kAnyType;
}

bool isInteger(std::string_view digits) { return digits.find_first_of(".eE") == digits.npos; }

uint8_t typeOf(const JsonText& value) {
    switch (value.kind) {
    case Kind::Null:
        return kNull;
    case Kind::Boolean:
        return kBoolean;
    case Kind::Number:
        return isInteger(value.text) ? kInteger : kNumber;
    case Kind::String:
        return kString;
    case Kind::Array:
        return kArray;
    case Kind::Object:
        break;
    }
    return kObject;
}

/// Follows "#/$defs/Name" from the schema of the tool.
const JsonText* referredTo(const JsonText& root, std::string_view path) {
    if (!path.starts_with("#/")) return nullptr;
    const JsonText* at = &root;
    for (path.remove_prefix(2); at != nullptr && !path.empty();) {
        const size_t end = std::min(path.find('/'), path.size());
        at = at->member(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return at;
}

/// Returns kAnyType if the schema does not say.
uint8_t schemaTypes(const JsonText& root, const JsonText& schema, int depth) {
    if (depth > kMostReferences) return kAnyType;
    if (const JsonText* reference = schema.member("$ref"); reference != nullptr && reference->is(Kind::String)) {
        const JsonText* target = referredTo(root, reference->text);
        return target == nullptr ? kAnyType : schemaTypes(root, *target, depth + 1);
    }
    uint8_t types = kAnyType;
    if (const JsonText* type = schema.member("type")) {
        if (type->is(Kind::String)) types = typeNamed(type->text);
        for (const JsonText& one : type->items) types |= typeNamed(one.text);
        const JsonText* nullable = schema.member("nullable");
        if (types != kAnyType && nullable != nullptr && nullable->truth) types |= kNull;
        return types;
    }
    if (const JsonText* constant = schema.member("const")) return typeOf(*constant);
    if (const JsonText* values = schema.member("enum")) {
        for (const JsonText& value : values->items) types |= typeOf(value);
        return types;
    }
    for (const std::string_view choice : {"anyOf", "oneOf", "allOf"}) {
        const JsonText* schemas = schema.member(choice);
        if (schemas == nullptr) continue;
        for (const JsonText& one : schemas->items) {
            const uint8_t more = schemaTypes(root, one, depth + 1);
            if (more == kAnyType && choice != "allOf") return kAnyType; // one of the choices allows anything
            types |= more;
        }
    }
    return types;
}

/// Returns the value that is not a text and has one of the types, or nothing. Python's names of truth count too, since
/// models that learnt from Python write them.
std::optional<JsonText> valueOf(std::string_view written, uint8_t types) {
    const std::string_view word = trimmed(written);
    if (types != kAnyType && (types & kBoolean) != 0 && (word == "True" || word == "False"))
        return JsonText::boolean(word == "True");
    if (types != kAnyType && (types & kNull) != 0 && word == "None") return JsonText::null();
    std::optional<JsonText> value = readJson(word);
    if (!value || value->is(Kind::String)) return std::nullopt;
    if (types != kAnyType && (typeOf(*value) & types) == 0) return std::nullopt;
    return value;
}

} // namespace

OfferedTools OfferedTools::any() {
    OfferedTools tools;
    tools.any_ = true;
    return tools;
}

void OfferedTools::add(std::string_view list) {
    const std::optional<JsonText> read = readJson(list);
    if (!read || !read->is(Kind::Array)) return;
    for (const JsonText& entry : read->items) {
        const JsonText* function = entry.member("function");
        if (function == nullptr) function = &entry;
        const JsonText* name = function->member("name");
        if (name == nullptr || !name->is(Kind::String) || name->text.empty()) continue;
        Tool tool;
        const JsonText* schema = function->member("parameters");
        const JsonText* properties = schema == nullptr ? nullptr : schema->member("properties");
        for (size_t i = 0; properties != nullptr && i < properties->keys.size(); ++i)
            tool.parameters[properties->keys[i]] = schemaTypes(*schema, properties->items[i], 0);
        tools_[name->text] = std::move(tool);
    }
}

void OfferedTools::addName(std::string_view name) {
    if (!name.empty()) tools_.try_emplace(std::string(name));
}

OfferedTools::Types OfferedTools::typesOf(std::string_view tool, std::string_view parameter) const {
    const auto found = tools_.find(tool);
    if (found == tools_.end()) return kAnyType;
    const auto types = found->second.parameters.find(parameter);
    return types == found->second.parameters.end() ? kAnyType : types->second;
}

JsonText OfferedTools::typed(std::string_view tool, std::string_view parameter, std::string_view written) const {
    std::optional<JsonText> value = valueOf(written, typesOf(tool, parameter));
    return value ? std::move(*value) : JsonText::string(std::string(written));
}

void OfferedTools::fit(std::string_view tool, JsonText& arguments) const {
    for (size_t i = 0; i < arguments.items.size(); ++i) {
        JsonText& value = arguments.items[i];
        const Types types = typesOf(tool, arguments.keys[i]);
        if (types == kAnyType || (typeOf(value) & types) != 0) continue;
        if (value.is(Kind::String)) {
            if (std::optional<JsonText> other = valueOf(value.text, types)) value = std::move(*other);
        } else if ((types & kString) != 0 && (value.is(Kind::Number) || value.is(Kind::Boolean))) {
            value = JsonText::string(writeJson(value));
        }
    }
}

} // namespace coterie::engine
