// SPDX-License-Identifier: Apache-2.0
// Filters over lists and dicts. They return a generator if Python's do, but make its items at once.
#include "prompt/jinja/filters.h"
#include "prompt/jinja/operators.h"
#include "prompt/jinja/printing.h"
#include "prompt/jinja/text.h"

#include <algorithm>

namespace coterie::engine::jinja {
namespace {

Value generator(Call& call, std::vector<Value> items) {
    return listValue(call.meter, std::move(items), SequenceKind::Generator);
}

/// "a.b.0" of a value, as the parameter `attribute` means it.
Value attributePath(Runtime& runtime, const Value& value, const Value& path) {
    if (path.text() == nullptr) return getItem(runtime, value, path);
    Value current = value;
    for (std::string_view rest = *path.text();;) {
        const size_t dot = rest.find('.');
        const std::string part(rest.substr(0, dot));
        const bool digits = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
        const auto index = digits ? parseInteger(part) : std::nullopt;
        current = getItem(runtime, current, index ? intValue(*index) : textValue(runtime.meter, ownText(part)));
        if (dot == std::string_view::npos) return current;
        rest.remove_prefix(dot + 1);
    }
}

Value attributeOr(Runtime& runtime, const Value& value, const Value& path, const Value* fallback) {
    Value found = attributePath(runtime, value, path);
    return found.is<Undefined>() && fallback != nullptr ? *fallback : found;
}

Value folded(Call& call, const Value& value, bool caseSensitive) {
    if (caseSensitive || value.text() == nullptr) return value;
    return call.makeText(derivedText(value.sourced(), lowerCase(*value.text())));
}

/// Returns what sort, min, unique and others compare: the attribute if one is named, in lower case if that is asked
/// for.
Value keyOf(Call& call, const Value& item, const Value* attribute, bool caseSensitive) {
    const bool named = attribute != nullptr && !attribute->is<None>();
    return folded(call, named ? attributePath(call.runtime, item, *attribute) : item, caseSensitive);
}

using Keyed = std::pair<Value, Value>; // key, item

void sortByKey(Meter& meter, std::vector<Keyed>& items, bool reverse) {
    meter.claim(items.size() * sizeof(Keyed));
    std::stable_sort(items.begin(), items.end(), [&](const Keyed& a, const Keyed& b) {
        return reverse ? lessForSorting(meter, b.first, a.first) : lessForSorting(meter, a.first, b.first);
    });
}

std::vector<Value> itemsOf(std::vector<Keyed> keyed) {
    std::vector<Value> items;
    items.reserve(keyed.size());
    for (Keyed& pair : keyed) items.push_back(std::move(pair.second));
    return items;
}

/// "a,b" sorts by a, then by b.
Value sortKey(Call& call, const Value& item) {
    const bool caseSensitive = call.flag(1, false);
    const Value* attribute = call.argument(2);
    if (attribute == nullptr || attribute->text() == nullptr || attribute->text()->find(',') == std::string::npos)
        return keyOf(call, item, attribute, caseSensitive);
    std::vector<Value> keys;
    for (std::string_view rest = *attribute->text();;) {
        const size_t comma = rest.find(',');
        const Value part = call.makeText(ownText(std::string(rest.substr(0, comma))));
        keys.push_back(keyOf(call, item, &part, caseSensitive));
        if (comma == std::string_view::npos) return listValue(call.meter, std::move(keys));
        rest.remove_prefix(comma + 1);
    }
}

Value sort(Call& call) {
    std::vector<Keyed> items;
    for (const Value& item : eachOf(call.meter, call.self)) items.emplace_back(sortKey(call, item), item);
    sortByKey(call.meter, items, call.flag(0, false));
    return listValue(call.meter, itemsOf(std::move(items)));
}

Value sortDict(Call& call) {
    requireDefined(call.meter, call.self);
    if (call.self.dict() == nullptr) call.fail("it needs a dict, not " + std::string(typeName(call.self)));
    const std::string_view by = call.text(1, "key");
    if (by != "key" && by != "value") call.fail("'by' is 'key' or 'value'");
    std::vector<Keyed> items;
    for (const auto& [key, value] : call.self.dict()->entries)
        items.emplace_back(folded(call, by == "key" ? key : value, call.flag(0, false)),
                           listValue(call.meter, {key, value}, SequenceKind::Tuple));
    sortByKey(call.meter, items, call.flag(2, false));
    return listValue(call.meter, itemsOf(std::move(items)));
}

Value groupBy(Call& call) {
    const bool caseSensitive = call.flag(2, false);
    std::vector<Keyed> items;
    for (const Value& item : eachOf(call.meter, call.self))
        items.emplace_back(
            folded(call, attributeOr(call.runtime, item, *call.argument(0), call.argument(1)), caseSensitive), item);
    sortByKey(call.meter, items, false);
    std::vector<Value> groups;
    for (size_t start = 0, end = 0; start < items.size(); start = end) {
        std::vector<Value> members;
        for (end = start; end < items.size() && equal(call.meter, items[start].first, items[end].first); ++end)
            members.push_back(items[end].second);
        if (end == start) members.push_back(items[end++].second); // NaN equals nothing
        const Value name = attributeOr(call.runtime, items[start].second, *call.argument(0), call.argument(1));
        groups.push_back(listValue(call.meter, {name, listValue(call.meter, std::move(members))}, SequenceKind::Group));
    }
    return listValue(call.meter, std::move(groups));
}

Value unique(Call& call) {
    std::vector<Keyed> keyed;
    for (const Value& item : eachOf(call.meter, call.self)) {
        Value key = keyOf(call, item, call.argument(1), call.flag(0, false));
        const bool known =
            std::any_of(keyed.begin(), keyed.end(), [&](const Keyed& k) { return equal(call.meter, k.first, key); });
        if (!known) keyed.emplace_back(std::move(key), item);
    }
    return generator(call, itemsOf(std::move(keyed)));
}

template <bool largest>
Value extreme(Call& call) {
    const SequenceRef items = iterate(call.meter, call.self);
    const Value* best = nullptr;
    Value bestKey;
    for (const Value& item : items->items) {
        Value key = keyOf(call, item, call.argument(1), call.flag(0, false));
        const bool better =
            best == nullptr || compare(call.meter, largest ? Comparison::Greater : Comparison::Less, key, bestKey);
        if (!better) continue;
        best = &item;
        bestKey = std::move(key);
    }
    return best ? *best : undefinedValue("the list is empty, so it has no " + std::string(call.native.name));
}

Value sum(Call& call) {
    Value total = call.given(1) ? *call.argument(1) : intValue(0);
    const bool named = call.given(0) && !call.argument(0)->is<None>();
    for (const Value& item : eachOf(call.meter, call.self))
        total = applyBinary(call.runtime, BinaryOperator::Add, total,
                            named ? attributePath(call.runtime, item, *call.argument(0)) : item);
    return total;
}

Value join(Call& call) {
    TextBuilder out(call.meter);
    const SourcedText separator = call.given(0) ? toText(call.meter, *call.argument(0)) : SourcedText();
    bool first = true;
    for (const Value& item : eachOf(call.meter, call.self)) {
        call.meter.spend();
        if (!first) out.add(separator.view());
        first = false;
        printText(out, call.given(1) ? attributePath(call.runtime, item, *call.argument(1)) : item);
    }
    return call.makeText(out.take());
}

Value first(Call& call) {
    const SequenceRef items = iterate(call.meter, call.self);
    return items->items.empty() ? undefinedValue("the list is empty, so it has no first item") : items->items.front();
}

Value last(Call& call) {
    if (isGenerator(call.self)) call.fail("a generator has no last item");
    const SequenceRef items = iterate(call.meter, call.self);
    return items->items.empty() ? undefinedValue("the list is empty, so it has no last item") : items->items.back();
}

Value length(Call& call) { return intValue(lengthOf(call.meter, call.self)); }
Value list(Call& call) { return listValue(call.meter, iterate(call.meter, call.self)->items); }

Value reverse(Call& call) {
    std::vector<Value> items = iterate(call.meter, call.self)->items;
    std::reverse(items.begin(), items.end());
    if (call.self.text() == nullptr) return generator(call, std::move(items));
    TextBuilder out(call.meter);
    for (const Value& character : items) out.add(character.sourced());
    return call.makeText(out.take());
}

Value itemPairs(Call& call) {
    if (call.self.is<Undefined>()) return generator(call, {});
    if (call.self.dict() == nullptr) call.fail("it needs a dict, not " + std::string(typeName(call.self)));
    std::vector<Value> pairs;
    for (const auto& [key, value] : call.self.dict()->entries)
        pairs.push_back(listValue(call.meter, {key, value}, SequenceKind::Tuple));
    return generator(call, std::move(pairs));
}

Value otherwise(Call& call) {
    const bool missing = call.self.is<Undefined>() || (call.flag(1, false) && !truthy(call.self));
    if (!missing) return call.self;
    return call.given(0) ? *call.argument(0) : call.makeText({});
}

Value attribute(Call& call) {
    requireDefined(call.meter, call.self);
    if (call.self.dict() != nullptr && findMethod(call.self, call.text(0)) == nullptr)
        return undefinedValue("a dict has no attribute '" + shortName(call.text(0)) + "'");
    return getAttribute(call.runtime, call.self, std::string(call.text(0)));
}

int64_t positiveCount(Call& call) {
    const int64_t count = call.integer(0, 0);
    if (count < 1) call.fail("the count must be at least 1");
    return count;
}

Value batch(Call& call) {
    const auto size = static_cast<size_t>(positiveCount(call));
    std::vector<Value> batches, current;
    for (const Value& item : eachOf(call.meter, call.self)) {
        current.push_back(item);
        if (current.size() == size) batches.push_back(listValue(call.meter, std::exchange(current, {})));
    }
    if (!current.empty()) {
        const bool fill = call.given(1) && !call.argument(1)->is<None>();
        if (fill) call.meter.checkSize(std::min<uint64_t>(size, UINT64_MAX / sizeof(Value)) * sizeof(Value));
        if (fill) current.resize(size, *call.argument(1));
        batches.push_back(listValue(call.meter, std::move(current)));
    }
    return generator(call, std::move(batches));
}

Value slices(Call& call) {
    const auto count = static_cast<uint64_t>(positiveCount(call));
    const SequenceRef source = iterate(call.meter, call.self);
    const uint64_t each = source->items.size() / count, longer = source->items.size() % count;
    const bool fill = call.given(1) && !call.argument(1)->is<None>();
    std::vector<Value> made;
    auto next = source->items.begin();
    for (uint64_t i = 0; i < count; ++i) {
        const auto end = next + static_cast<std::ptrdiff_t>(each + (i < longer ? 1 : 0));
        std::vector<Value> part(next, end);
        if (fill && longer > 0 && i >= longer) part.push_back(*call.argument(1));
        made.push_back(listValue(call.meter, std::move(part)));
        next = end;
    }
    return generator(call, std::move(made));
}

/// Returns the arguments of a call without the first `skip`.
Arguments rest(const Arguments& arguments, size_t skip) {
    Arguments left{{}, arguments.keyword};
    for (size_t i = skip; i < arguments.positional.size(); ++i) left.positional.push_back(arguments.positional[i]);
    return left;
}

const Native& namedNative(Call& call, const Value& name, const Native* (*table)(std::string_view),
                          std::string_view kind) {
    requireDefined(call.meter, name);
    const Native* found = name.text() != nullptr ? table(*name.text()) : nullptr;
    if (found == nullptr)
        call.fail("there is no " + std::string(kind) + " called '" + toText(call.meter, name).bytes + "'");
    return *found;
}

Value mapAttribute(Call& call) {
    const Value *path = nullptr, *fallback = nullptr;
    for (const auto& [name, value] : call.arguments.keyword) {
        if (name == "attribute")
            path = &value;
        else if (name == "default")
            fallback = &value;
        else
            call.fail("no parameter is called '" + name + "'");
    }
    if (path == nullptr) call.fail("it needs the name of a filter, or 'attribute'");
    std::vector<Value> made;
    for (const Value& item : eachOf(call.meter, call.self))
        made.push_back(attributeOr(call.runtime, item, *path, fallback));
    return generator(call, std::move(made));
}

Value map(Call& call) {
    if (call.arguments.positional.empty()) return mapAttribute(call);
    const Native& filter = namedNative(call, call.arguments.positional[0], findFilter, "filter");
    const Arguments arguments = rest(call.arguments, 1);
    const Deeper deeper(call.meter); // map('map', 'map' ...) nests
    std::vector<Value> made;
    for (const Value& item : eachOf(call.meter, call.self))
        made.push_back(invoke(call.runtime, filter, item, arguments));
    return generator(call, std::move(made));
}

/// Keeps the items that a test accepts, or that are true if no test is named. byAttribute: the first argument names an
/// attribute, which is tested in place of the item.
template <bool keep, bool byAttribute>
Value choose(Call& call) {
    constexpr size_t kTestAt = byAttribute ? 1 : 0;
    const std::vector<Value>& arguments = call.arguments.positional;
    if (arguments.size() < kTestAt) call.fail("it needs the name of an attribute");
    const Native* test =
        arguments.size() > kTestAt ? &namedNative(call, arguments[kTestAt], findTest, "test") : nullptr;
    const Arguments left = rest(call.arguments, kTestAt + 1);
    std::vector<Value> chosen;
    for (const Value& item : eachOf(call.meter, call.self)) {
        call.meter.spend();
        const Value subject = byAttribute ? attributePath(call.runtime, item, arguments[0]) : item;
        const bool accepted = truthy(test ? invoke(call.runtime, *test, subject, left) : subject);
        if (accepted == keep) chosen.push_back(item);
    }
    return generator(call, std::move(chosen));
}

constexpr Native kSequenceFilters[] = {
    {"attr", attribute, {"name"}, 1},
    {"batch", batch, {"linecount", "fill_with"}, 1},
    {"count", length},
    {"d", otherwise, {"default_value", "boolean"}},
    {"default", otherwise, {"default_value", "boolean"}},
    {"dictsort", sortDict, {"case_sensitive", "by", "reverse"}},
    {"first", first},
    {"groupby", groupBy, {"attribute", "default", "case_sensitive"}, 1},
    {"items", itemPairs},
    {"join", join, {"d", "attribute"}},
    {"last", last},
    {"length", length},
    {"list", list},
    {"map", map, {}, 0, true},
    {"max", extreme<true>, {"case_sensitive", "attribute"}},
    {"min", extreme<false>, {"case_sensitive", "attribute"}},
    {"reject", choose<false, false>, {}, 0, true},
    {"rejectattr", choose<false, true>, {}, 0, true},
    {"reverse", reverse},
    {"select", choose<true, false>, {}, 0, true},
    {"selectattr", choose<true, true>, {}, 0, true},
    {"slice", slices, {"slices", "fill_with"}, 1},
    {"sort", sort, {"reverse", "case_sensitive", "attribute"}},
    {"sum", sum, {"attribute", "start"}},
    {"unique", unique, {"case_sensitive", "attribute"}},
};

} // namespace

std::span<const Native> sequenceFilters() { return kSequenceFilters; }

} // namespace coterie::engine::jinja
