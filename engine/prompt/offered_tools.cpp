// SPDX-License-Identifier: Apache-2.0
// See offered_tools.h.
#include "prompt/offered_tools.h"

#include "prompt/blanks.h"

#include <algorithm>
#include <utility>

namespace coterie::engine {
namespace {

using Kind = JsonText::Kind;

constexpr uint8_t kString = 1, kInteger = 2, kNumber = 4, kBoolean = 8, kNull = 16, kArray = 32, kObject = 64;
constexpr uint8_t kAnyType = 0;
constexpr int kMostReferences = 8;             ///< schemas that stand for others, and choices within choices
constexpr size_t kMostSteps = size_t{1} << 18; ///< schemas and keys that are looked at for one call
constexpr int kMostNesting = 96;               ///< lists and objects within each other; readJson() reads somewhat more
constexpr std::string_view kAll = "allOf", kChoices[] = {"anyOf", "oneOf", kAll};

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
    constexpr uint8_t types[] = {kNull, kBoolean, kNumber, kString, kArray, kObject}; // by Kind
    const bool integer = value.is(Kind::Number) && isInteger(value.text);
    return integer ? kInteger : types[static_cast<size_t>(value.kind)];
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

/// Gives the types of one tool's schema to values. A schema may refer to itself in many ways, so the number of steps is
/// bounded; values that come later stay as they are.
class Fitting {
  public:
    explicit Fitting(const JsonText& root) : root_(root) {}

    /// Returns the types that a schema allows, kAnyType if it does not say, and some of them if the steps ran out.
    uint8_t types(const JsonText& schema, int references = 0);
    /// depth: lists and objects around the value.
    void fit(const JsonText& schema, JsonText& value, int depth);
    /// Fits the values of a list or an object.
    void fitContent(const JsonText& schema, JsonText& value, int depth);
    /// Returns the schema of a member, null if none is known.
    const JsonText* memberSchema(const JsonText& schema, std::string_view key);

  private:
    bool spend(size_t steps = 1) {
        steps_ -= std::min(steps, steps_);
        return steps_ > 0;
    }
    const JsonText* reference(const JsonText& schema) const {
        const JsonText* path = schema.member("$ref");
        return path != nullptr && path->is(Kind::String) ? path : nullptr;
    }
    const JsonText* contentOf(const JsonText& schema, Kind kind, int references = 0);
    const JsonText* itemSchema(const JsonText& content, size_t index) const;
    const JsonText* propertySchema(const JsonText& content, std::string_view key);

    const JsonText& root_;
    size_t steps_ = kMostSteps;
};

uint8_t Fitting::types(const JsonText& schema, int references) {
    if (references > kMostReferences || !spend()) return kAnyType;
    if (const JsonText* path = reference(schema)) {
        const JsonText* target = referredTo(root_, path->text);
        return target == nullptr ? kAnyType : types(*target, references + 1);
    }
    uint8_t found = kAnyType;
    if (const JsonText* type = schema.member("type")) {
        if (type->is(Kind::String)) found = typeNamed(type->text);
        for (const JsonText& one : type->items) found |= typeNamed(one.text);
        const JsonText* nullable = schema.member("nullable");
        if (found != kAnyType && nullable != nullptr && nullable->truth) found |= kNull;
        return found;
    }
    if (const JsonText* constant = schema.member("const")) return typeOf(*constant);
    if (const JsonText* values = schema.member("enum")) {
        for (const JsonText& value : values->items) found |= typeOf(value);
        return found;
    }
    for (const std::string_view choice : kChoices) {
        const JsonText* schemas = schema.member(choice);
        if (schemas == nullptr) continue;
        for (const JsonText& one : schemas->items) {
            const uint8_t more = types(one, references + 1);
            if (more == kAnyType && choice != kAll) return kAnyType; // one of the choices allows anything
            found |= more;
        }
    }
    return found;
}

/// Returns the schema that says what a list or an object holds. Null if there is none, or several.
const JsonText* Fitting::contentOf(const JsonText& schema, Kind kind, int references) {
    if (references > kMostReferences || !spend()) return nullptr;
    if (const JsonText* path = reference(schema)) {
        const JsonText* target = referredTo(root_, path->text);
        return target == nullptr ? nullptr : contentOf(*target, kind, references + 1);
    }
    const bool list = kind == Kind::Array;
    for (const std::string_view key : {list ? "items" : "properties", list ? "prefixItems" : "additionalProperties"})
        if (schema.member(key) != nullptr) return &schema;
    const JsonText* found = nullptr;
    size_t readings = 0;
    for (const std::string_view choice : kChoices) {
        const JsonText* schemas = schema.member(choice);
        if (schemas == nullptr) continue;
        for (const JsonText& one : schemas->items) {
            const uint8_t allowed = types(one);
            if (allowed != kAnyType && (allowed & (list ? kArray : kObject)) == 0) continue;
            const JsonText* content = contentOf(one, kind, references + 1);
            if (content != nullptr) found = content;
            readings += content != nullptr || choice != kAll ? 1 : 0;
        }
    }
    return readings == 1 && steps_ > 0 ? found : nullptr;
}

const JsonText* Fitting::itemSchema(const JsonText& content, size_t index) const {
    const JsonText* first = content.member("prefixItems");
    if (first != nullptr && index < first->items.size()) return &first->items[index];
    const JsonText* all = content.member("items");
    if (all == nullptr || !all->is(Kind::Array)) return all;
    return index < all->items.size() ? &all->items[index] : nullptr; // older schemas name each item there
}

const JsonText* Fitting::propertySchema(const JsonText& content, std::string_view key) {
    const JsonText* properties = content.member("properties");
    if (properties != nullptr && !spend(properties->keys.size())) return nullptr;
    const JsonText* own = properties == nullptr ? nullptr : properties->member(key);
    return own != nullptr ? own : content.member("additionalProperties");
}

const JsonText* Fitting::memberSchema(const JsonText& schema, std::string_view key) {
    const JsonText* content = contentOf(schema, Kind::Object);
    return content == nullptr ? nullptr : propertySchema(*content, key);
}

void Fitting::fit(const JsonText& schema, JsonText& value, int depth) {
    const uint8_t allowed = types(schema);
    if (steps_ == 0) return;
    if (allowed != kAnyType && (typeOf(value) & allowed) == 0) {
        if (value.is(Kind::String)) {
            std::optional<JsonText> other = valueOf(value.text, allowed);
            if (other && depth + nestingOf(*other) <= kMostNesting) value = std::move(*other);
        } else if ((allowed & kString) != 0 && (value.is(Kind::Number) || value.is(Kind::Boolean))) {
            value = JsonText::string(writeJson(value));
        }
    }
    fitContent(schema, value, depth);
}

void Fitting::fitContent(const JsonText& schema, JsonText& value, int depth) {
    if (value.items.empty() || depth >= kMostNesting) return;
    const JsonText* content = contentOf(schema, value.kind);
    if (content == nullptr) return;
    for (size_t i = 0; i < value.items.size(); ++i) {
        const JsonText* inner =
            value.is(Kind::Array) ? itemSchema(*content, i) : propertySchema(*content, value.keys[i]);
        if (inner != nullptr) fit(*inner, value.items[i], depth + 1);
    }
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
        const JsonText* schema = function->member("parameters");
        tools_[name->text] = schema == nullptr ? JsonText::null() : *schema;
    }
}

void OfferedTools::addName(std::string_view name) {
    if (!name.empty()) tools_.try_emplace(std::string(name));
}

JsonText OfferedTools::typed(std::string_view tool, std::string_view parameter, std::string_view written) const {
    const auto found = tools_.find(tool);
    const JsonText unknown;
    const JsonText& root = found == tools_.end() ? unknown : found->second;
    Fitting fitting(root);
    const JsonText* schema = fitting.memberSchema(root, parameter);
    std::optional<JsonText> value = valueOf(written, schema == nullptr ? kAnyType : fitting.types(*schema));
    if (!value || 1 + nestingOf(*value) > kMostNesting) return JsonText::string(std::string(written));
    if (schema != nullptr) fitting.fitContent(*schema, *value, 1);
    return std::move(*value);
}

void OfferedTools::fit(std::string_view tool, JsonText& arguments) const {
    const auto found = tools_.find(tool);
    if (found != tools_.end()) Fitting(found->second).fitContent(found->second, arguments, 0);
}

} // namespace coterie::engine
