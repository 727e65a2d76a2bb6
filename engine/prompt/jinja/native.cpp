// SPDX-License-Identifier: Apache-2.0
// Binds arguments to parameters, as Python does for a call.
#include "prompt/jinja/native.h"

#include "prompt/jinja/filters.h"

#include <algorithm>

namespace coterie::engine::jinja {

Call::Call(Runtime& r, const Native& n, const Value& s, const Arguments& a)
    : runtime(r), meter(r.meter), native(n), self(s), arguments(a) {
    if (native.variadic) return;
    const auto end = std::find(native.parameters.begin(), native.parameters.end(), std::string_view());
    if (arguments.positional.size() > static_cast<size_t>(end - native.parameters.begin())) fail("too many arguments");
    for (size_t i = 0; i < arguments.positional.size(); ++i) bound_[i] = &arguments.positional[i];
    for (const auto& [name, value] : arguments.keyword) {
        const auto place = std::find(native.parameters.begin(), end, name);
        if (place == end) fail("no parameter is called '" + name + "'");
        const Value*& argument = bound_[static_cast<size_t>(place - native.parameters.begin())];
        if (argument != nullptr) fail("the parameter '" + name + "' is given twice");
        argument = &value;
    }
    for (size_t i = 0; i < native.required; ++i)
        if (bound_[i] == nullptr) fail("the parameter '" + std::string(native.parameters[i]) + "' is missing");
}

int64_t Call::integer(size_t index, int64_t fallback) const {
    if (!given(index)) return fallback;
    requireDefined(meter, *bound_[index]);
    if (const bool* b = bound_[index]->as<bool>()) return *b ? 1 : 0;
    const int64_t* value = bound_[index]->as<int64_t>();
    if (value == nullptr) fail("'" + std::string(native.parameters[index]) + "' must be an integer");
    return *value;
}

std::string_view Call::text(size_t index, std::string_view fallback) const {
    if (!given(index)) return fallback;
    requireDefined(meter, *bound_[index]);
    const std::string* value = bound_[index]->text();
    if (value == nullptr)
        fail("'" + std::string(native.parameters[index]) + "' must be a text, not " +
             std::string(typeName(*bound_[index])));
    return *value;
}

SourcedView Call::sourced(size_t index) const {
    text(index); // fails for values that are not text
    return given(index) ? bound_[index]->sourced() : SourcedView();
}

SourcedView Call::selfText() const {
    requireDefined(meter, self);
    if (self.text() == nullptr) fail("it needs a text, not " + std::string(typeName(self)));
    return self.sourced();
}

void Call::fail(const std::string& why) const { meter.fail(std::string(native.name) + ": " + why); }

const Native* findIn(std::span<const Native> table, std::string_view name) {
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Native& native) { return native.name == name; });
    return found == table.end() ? nullptr : &*found;
}

const Native* findFilter(std::string_view name) {
    const Native* filter = findIn(textFilters(), name);
    return filter ? filter : findIn(sequenceFilters(), name);
}

Value invoke(Runtime& runtime, const Native& native, const Value& self, const Arguments& arguments) {
    runtime.meter.spend(1 + (arguments.positional.size() + arguments.keyword.size()) / 8);
    if (native.run == nullptr) runtime.meter.fail("'" + std::string(native.name) + "' is not allowed in a template");
    Call call(runtime, native, self, arguments);
    return native.run(call);
}

} // namespace coterie::engine::jinja
