// SPDX-License-Identifier: Apache-2.0
// The attributes of `loop`.
#include "prompt/jinja/loop.h"

#include "prompt/jinja/operators.h"

namespace coterie::engine::jinja {
namespace {

Value cycle(Call& call) {
    const Loop& loop = **call.self.as<Loop*>();
    const std::vector<Value>& choices = call.arguments.positional;
    if (choices.empty()) call.fail("it needs something to cycle through");
    return choices[loop.index % choices.size()];
}

Value changed(Call& call) {
    Loop& loop = **call.self.as<Loop*>();
    Value now = listValue(call.meter, call.arguments.positional, SequenceKind::Tuple);
    if (loop.changedLast && equal(call.meter, *loop.changedLast, now)) return boolValue(false);
    loop.changedLast = std::move(now);
    return boolValue(true);
}

constexpr Native kCycle{"cycle", cycle, {}, 0, true};
constexpr Native kChanged{"changed", changed, {}, 0, true};

struct Counter {
    std::string_view name;
    int64_t (*value)(const Loop&, int64_t index, int64_t length);
};

constexpr Counter kCounters[] = {
    {"index", [](const Loop&, int64_t index, int64_t) { return index + 1; }},
    {"index0", [](const Loop&, int64_t index, int64_t) { return index; }},
    {"revindex", [](const Loop&, int64_t index, int64_t length) { return length - index; }},
    {"revindex0", [](const Loop&, int64_t index, int64_t length) { return length - index - 1; }},
    {"length", [](const Loop&, int64_t, int64_t length) { return length; }},
    {"depth", [](const Loop& loop, int64_t, int64_t) { return int64_t{loop.depth} + 1; }},
    {"depth0", [](const Loop& loop, int64_t, int64_t) { return int64_t{loop.depth}; }},
};

} // namespace

std::optional<Value> loopAttribute(Meter& meter, const Loop& loop, const Value& self, const std::string& name) {
    const size_t length = loop.items ? loop.items->items.size() : 0;
    for (const Counter& counter : kCounters)
        if (counter.name == name)
            return intValue(counter.value(loop, static_cast<int64_t>(loop.index), static_cast<int64_t>(length)));
    if (name == "first") return boolValue(loop.index == 0);
    if (name == "last") return boolValue(loop.index + 1 >= length);
    if (name == "previtem")
        return loop.index > 0 && length > 0 ? loop.items->items[loop.index - 1]
                                            : undefinedValue("there is no previous item");
    if (name == "nextitem")
        return loop.index + 1 < length ? loop.items->items[loop.index + 1] : undefinedValue("there is no next item");
    const Native* method = name == "cycle" ? &kCycle : name == "changed" ? &kChanged : nullptr;
    if (method == nullptr) return std::nullopt;
    meter.spend();
    return Value{MethodRef(std::make_shared<const BoundMethod>(BoundMethod{self, method}))};
}

} // namespace coterie::engine::jinja
