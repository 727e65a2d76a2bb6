// SPDX-License-Identifier: Apache-2.0
// The values that a template computes with: Python's None, bool, int (64 bits), float, str, list, tuple and dict, and
// Jinja's undefined. Values are immutable and shared. The Runtime owns those that can change or point back at
// themselves (namespaces, macros, loops), so that values form no cycle. Lists and dicts know their depth, so that no
// walk over a value runs out of stack.
#pragma once

#include "prompt/jinja/meter.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace coterie::engine::jinja {

struct Sequence;
struct Dict;
struct BoundMethod;
struct Native;
struct Namespace;
struct Macro;
struct Loop;

using TextRef = std::shared_ptr<const SourcedText>;
using SequenceRef = std::shared_ptr<const Sequence>;
using DictRef = std::shared_ptr<const Dict>;
using MethodRef = std::shared_ptr<const BoundMethod>;

struct Undefined {
    std::shared_ptr<const std::string> why; ///< the reason in the error when it is used
};
struct None {};

struct Value {
    std::variant<Undefined, None, bool, int64_t, double, TextRef, SequenceRef, DictRef, MethodRef, const Native*,
                 Namespace*, const Macro*, Loop*>
        data;
    /// Digits of a number that `data` only comes near to, as the context wrote them: it prints as these.
    std::shared_ptr<const std::string> digits{};

    template <typename T>
    const T* as() const {
        return std::get_if<T>(&data);
    }
    template <typename T>
    bool is() const {
        return std::holds_alternative<T>(data);
    }
    /// The bytes of a text, to compare and search; nullptr for other values.
    const std::string* text() const { return is<TextRef>() ? &(*as<TextRef>())->bytes : nullptr; }
    /// A text with its sources, to make another text of. Only for texts.
    SourcedView sourced() const { return (*as<TextRef>())->view(); }
    const Sequence* sequence() const { return is<SequenceRef>() ? as<SequenceRef>()->get() : nullptr; }
    const Dict* dict() const { return is<DictRef>() ? as<DictRef>()->get() : nullptr; }
};

inline Value noneValue() { return {None{}}; }
inline Value boolValue(bool b) { return {b}; }
inline Value intValue(int64_t i) { return {i}; }
inline Value floatValue(double d) { return {d}; }
Value undefinedValue(std::string why);
/// The name for such a reason, cut if it is long: a template can make names of any length, and keep the reasons.
std::string shortName(std::string_view name);

/// Python has a type for each; they differ in how they print, compare and test.
enum class SequenceKind {
    List,
    Tuple,
    Group,     ///< a tuple with the attributes `grouper` and `list`
    Range,     ///< range(...): the last that has positions
    Items,     ///< dict.items(): a length, but no index; so are the next two
    Keys,      ///< dict.keys()
    Values,    ///< dict.values()
    Generator, ///< the result of map, select and others: no length, no index, always true, empty at the second reading
};

struct Sequence {
    SequenceKind kind = SequenceKind::List;
    std::vector<Value> items;
    uint32_t depth = 1;
    mutable bool consumed = false; ///< for generators only, which one rendering makes and uses
};

struct Dict {
    std::vector<std::pair<Value, Value>> entries; ///< in the order they were added; keys are unique
    uint32_t depth = 1;
};

struct BoundMethod {
    Value self;
    const Native* method = nullptr;
};

/// The result of `namespace(...)`: the only value whose attributes a template may set.
struct Namespace {
    std::vector<std::pair<std::string, Value>> attributes;
};

Value textValue(Meter& meter, SourcedText text);
Value listValue(Meter& meter, std::vector<Value> items, SequenceKind kind = SequenceKind::List);

/// Builds a dict. A key that is there already keeps its place and gets the new value.
class DictBuilder {
  public:
    explicit DictBuilder(Meter& meter) : meter_(meter) {}
    /// Fails for keys that Python cannot hash.
    void set(Value key, Value value);
    Value take();

  private:
    Meter& meter_;
    Dict dict_;
};

/// Returns nullptr if there is no such key. The meter pays for the search.
const Value* findKey(Meter& meter, const Dict& dict, const Value& key);
const Value* findKey(Meter& meter, const Dict& dict, std::string_view key);

bool truthy(const Value& value);
/// Whether it is Python's int: of 64 bits, or with the digits of a larger one.
bool isWholeNumber(const Value& value);
/// Python's name of the type: "str", "list" ...
std::string_view typeName(const Value& value);
/// Fails for an undefined value, with the reason that it carries.
void requireDefined(const Meter& meter, const Value& value);
bool isGenerator(const Value& value);
/// Returns the sequence of a list, tuple or range, and nullptr for values without positions.
const Sequence* indexable(const Value& value);

/// Returns what a `for` runs over: items, keys or characters. Empty for undefined; fails for other values.
SequenceRef iterate(Meter& meter, const Value& value);
/// The same for a range-for; it keeps the sequence alive.
class Each {
  public:
    explicit Each(SequenceRef sequence) : sequence_(std::move(sequence)) {}
    auto begin() const { return sequence_->items.begin(); }
    auto end() const { return sequence_->items.end(); }

  private:
    SequenceRef sequence_;
};
inline Each eachOf(Meter& meter, const Value& value) { return Each(iterate(meter, value)); }
/// Returns len(). Fails for values that have no length in Python.
int64_t lengthOf(Meter& meter, const Value& value);

/// Converts a value of the context; its texts are foreign. Numbers whose digits a tree of nlohmann::ordered_json would
/// lose are binary values (json_text.h). Fails if it nests deeper than the limit.
Value fromJson(Meter& meter, const nlohmann::ordered_json& json);

} // namespace coterie::engine::jinja
