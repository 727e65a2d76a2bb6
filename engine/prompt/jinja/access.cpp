// SPDX-License-Identifier: Apache-2.0
// The dot and the brackets: attributes, methods, keys, positions, slices. A template reaches from a value only what
// this file returns.
#include "prompt/jinja/loop.h"
#include "prompt/jinja/operators.h"
#include "prompt/jinja/text.h"

#include <algorithm>

namespace coterie::engine::jinja {
namespace {

Value missing(const Value& object, const std::string& name) {
    return undefinedValue("'" + std::string(typeName(object)) + "' has no attribute '" + shortName(name) + "'");
}

const Value* namespaceAttribute(const Namespace& space, const std::string& name) {
    for (const auto& [key, value] : space.attributes)
        if (key == name) return &value;
    return nullptr;
}

/// Returns what Python's getattr() would find.
std::optional<Value> findAttribute(Runtime& runtime, const Value& object, const std::string& name) {
    if (name.starts_with('_')) return std::nullopt;
    if (const auto* space = object.as<Namespace*>()) {
        runtime.meter.spend((*space)->attributes.size());
        const Value* value = namespaceAttribute(**space, name);
        return value ? std::optional(*value) : std::nullopt;
    }
    if (const auto* loop = object.as<Loop*>()) return loopAttribute(runtime.meter, **loop, object, name);
    const Sequence* sequence = object.sequence();
    if (sequence != nullptr && sequence->kind == SequenceKind::Group) {
        if (name == "grouper") return sequence->items[0];
        if (name == "list") return sequence->items[1];
    }
    const Native* method = findMethod(object, name);
    if (method == nullptr) return std::nullopt;
    if (method->run == nullptr)
        return undefinedValue("'" + name + "' of a " + std::string(typeName(object)) + " is not allowed in a template");
    return Value{MethodRef(std::make_shared<const BoundMethod>(BoundMethod{object, method}))};
}

/// Returns what Python's object[index] would find.
std::optional<Value> findItem(Runtime& runtime, const Value& object, const Value& index) {
    if (const Dict* dict = object.dict()) {
        const Value* value = findKey(runtime.meter, *dict, index);
        return value ? std::optional(*value) : std::nullopt;
    }
    const auto position = asInteger(index);
    const Sequence* sequence = indexable(object);
    if (!position || (sequence == nullptr && object.text() == nullptr)) return std::nullopt;
    const int64_t length = lengthOf(runtime.meter, object);
    const int64_t at = *position < 0 ? *position + length : *position;
    if (at < 0 || at >= length) return std::nullopt;
    if (sequence != nullptr) return sequence->items[static_cast<size_t>(at)];
    const SourcedView text = object.sourced();
    const size_t byte = byteOfCharacter(text.bytes, at);
    return textValue(runtime.meter, textOf(text.substr(byte, characterAt(text.bytes, byte).bytes)));
}

struct Slice {
    int64_t start, stop, step;
};

/// Python's slice.indices().
Slice sliceOf(Meter& meter, const Value& start, const Value& stop, const Value& step, int64_t length) {
    const auto bound = [&](const Value& value) -> std::optional<int64_t> {
        if (value.is<None>()) return std::nullopt;
        requireDefined(meter, value);
        if (!asInteger(value)) meter.fail("the bounds of a slice are integers, not " + std::string(typeName(value)));
        return asInteger(value);
    };
    const int64_t stride = bound(step).value_or(1);
    if (stride == 0) meter.fail("the step of a slice cannot be zero");
    const int64_t lowest = stride > 0 ? 0 : -1, highest = stride > 0 ? length : length - 1;
    const auto place = [&](std::optional<int64_t> at, int64_t fallback) {
        if (!at) return fallback;
        return std::clamp(*at < 0 ? *at + length : *at, lowest, highest);
    };
    // A step beyond the length behaves like the length itself, and cannot overflow.
    return {place(bound(start), stride > 0 ? lowest : highest), place(bound(stop), stride > 0 ? highest : lowest),
            std::clamp(stride, -length - 1, length + 1)};
}

template <typename F>
void eachOfSlice(const Slice& slice, F use) {
    for (int64_t at = slice.start; slice.step > 0 ? at < slice.stop : at > slice.stop; at += slice.step) use(at);
}

Value sliceText(Meter& meter, SourcedView text, const Slice& slice) {
    if (slice.step == 1) {
        const size_t start = byteOfCharacter(text.bytes, slice.start);
        const size_t stop = slice.stop > slice.start
                                ? start + byteOfCharacter(text.bytes.substr(start), slice.stop - slice.start)
                                : start;
        return textValue(meter, textOf(text.substr(start, stop - start)));
    }
    std::vector<SourcedView> characters;
    for (size_t at = 0; at < text.size();) {
        meter.spend(4); // four words for each character
        const size_t bytes = characterAt(text.bytes, at).bytes;
        characters.push_back(text.substr(at, bytes));
        at += bytes;
    }
    SourcedText out;
    eachOfSlice(slice, [&](int64_t at) { out.append(characters[static_cast<size_t>(at)]); });
    return textValue(meter, std::move(out));
}

} // namespace

Value getAttribute(Runtime& runtime, const Value& object, const std::string& name) {
    requireDefined(runtime.meter, object);
    runtime.meter.spendBytes(name.size());
    if (std::optional<Value> value = findAttribute(runtime, object, name)) return *std::move(value);
    if (const Dict* dict = object.dict())
        if (const Value* value = findKey(runtime.meter, *dict, name)) return *value;
    return missing(object, name);
}

void setAttribute(Meter& meter, Namespace& space, const std::string& name, Value value) {
    meter.spend(space.attributes.size() / 8);
    const auto place = std::find_if(space.attributes.begin(), space.attributes.end(),
                                    [&](const auto& held) { return held.first == name; });
    if (place != space.attributes.end()) {
        place->second = std::move(value);
        return;
    }
    meter.spendBytes(sizeof(Value) + name.size());
    space.attributes.emplace_back(name, std::move(value));
}

Value getItem(Runtime& runtime, const Value& object, const Value& index) {
    requireDefined(runtime.meter, object);
    runtime.meter.spendBytes(index.text() == nullptr ? 0 : index.text()->size());
    if (std::optional<Value> value = findItem(runtime, object, index)) return *std::move(value);
    const std::string* name = index.text();
    if (name == nullptr) return undefinedValue("'" + std::string(typeName(object)) + "' has no such element");
    if (std::optional<Value> value = findAttribute(runtime, object, *name)) return *std::move(value);
    return missing(object, *name);
}

Value getSlice(Runtime& runtime, const Value& object, const Value& start, const Value& stop, const Value& step) {
    Meter& meter = runtime.meter;
    requireDefined(meter, object);
    const Sequence* sequence = indexable(object);
    if (object.text() == nullptr && sequence == nullptr)
        meter.fail("a value of the type " + std::string(typeName(object)) + " cannot be sliced");
    const Slice slice = sliceOf(meter, start, stop, step, lengthOf(meter, object));
    if (object.text() != nullptr) return sliceText(meter, object.sourced(), slice);
    std::vector<Value> items;
    meter.spend(sequence->items.size() / static_cast<uint64_t>(slice.step < 0 ? -slice.step : slice.step));
    eachOfSlice(slice, [&](int64_t at) { items.push_back(sequence->items[static_cast<size_t>(at)]); });
    return listValue(meter, std::move(items),
                     sequence->kind == SequenceKind::Group ? SequenceKind::Tuple : sequence->kind);
}

} // namespace coterie::engine::jinja
