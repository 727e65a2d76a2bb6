// SPDX-License-Identifier: Apache-2.0
// The functions that every template can call: Jinja's own functions that make sense here, and two functions that the
// tools of model publishers add.
#include "prompt/jinja/format.h"
#include "prompt/jinja/native.h"
#include "prompt/jinja/operators.h"
#include "prompt/jinja/printing.h"

#include <functional>

namespace coterie::engine::jinja {
namespace {

constexpr int64_t kMostOfRange = 100'000; // as in Jinja's sandbox

Value range(Call& call) {
    const bool fromZero = !call.given(1);
    const int64_t start = fromZero ? 0 : call.integer(0, 0), stop = call.integer(fromZero ? 0 : 1, 0),
                  step = call.integer(2, 1);
    if (step == 0) call.fail("the step is zero");
    // The distance and the number of steps that fit, without overflow.
    const uint64_t distance = step > 0
                                  ? (stop > start ? static_cast<uint64_t>(stop) - static_cast<uint64_t>(start) : 0)
                                  : (stop < start ? static_cast<uint64_t>(start) - static_cast<uint64_t>(stop) : 0);
    const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : 0 - static_cast<uint64_t>(step);
    const uint64_t count = distance == 0 ? 0 : (distance - 1) / stride + 1;
    if (count > kMostOfRange)
        call.meter.fail("range() of more than " + std::to_string(kMostOfRange) + " numbers", Failure::Kind::Limit);
    std::vector<Value> numbers;
    int64_t number = start;
    for (uint64_t left = count; left > 0; --left) {
        numbers.push_back(intValue(number));
        if (left > 1) number += step; // beyond the last it could overflow
    }
    return listValue(call.meter, std::move(numbers), SequenceKind::Range);
}

/// Key-value pairs of a dict, or of a list of pairs.
void addPairs(Call& call, const Value& source, const std::function<void(const Value&, const Value&)>& add) {
    if (const Dict* dict = source.dict()) {
        for (const auto& [key, value] : dict->entries) add(key, value);
        return;
    }
    for (const Value& pair : eachOf(call.meter, source)) {
        const Sequence* both = indexable(pair);
        if (both == nullptr || both->items.size() != 2) call.fail("it needs pairs of a key and a value");
        add(both->items[0], both->items[1]);
    }
}

void addArguments(Call& call, const std::function<void(const Value&, const Value&)>& add) {
    if (call.arguments.positional.size() > 1) call.fail("too many arguments");
    if (!call.arguments.positional.empty()) addPairs(call, call.arguments.positional[0], add);
    for (const auto& [name, value] : call.arguments.keyword) add(call.makeText(ownText(name)), value);
}

Value dict(Call& call) {
    DictBuilder made(call.meter);
    addArguments(call, [&](const Value& key, const Value& value) { made.set(key, value); });
    return made.take();
}

Value makeNamespace(Call& call) {
    call.meter.spend(16); // it lives until the rendering ends
    auto space = std::make_unique<Namespace>();
    addArguments(call, [&](const Value& key, const Value& value) {
        setAttribute(call.meter, *space, toText(call.meter, key).bytes, value);
    });
    call.runtime.namespaces.push_back(std::move(space));
    return {call.runtime.namespaces.back().get()};
}

Value raiseException(Call& call) {
    call.meter.fail(toText(call.meter, *call.argument(0)).bytes, Failure::Kind::Raised);
}

Value currentTime(Call& call) {
    const std::string time = formatTime(call.meter, call.text(0), call.runtime.now);
    return call.makeText(derivedText(call.sourced(0), time));
}

constexpr Native kGlobals[] = {
    {"dict", dict, {}, 0, true},
    {"namespace", makeNamespace, {}, 0, true},
    {"raise_exception", raiseException, {"message"}, 1},
    {"range", range, {"start", "stop", "step"}, 1},
    {"strftime_now", currentTime, {"format"}, 1},
};

} // namespace

const Native* findGlobal(std::string_view name) { return findIn(kGlobals, name); }

} // namespace coterie::engine::jinja
