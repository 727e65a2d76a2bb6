// SPDX-License-Identifier: Apache-2.0
// Tests, which stand after `is` and give true or false.
#include "prompt/jinja/native.h"
#include "prompt/jinja/operators.h"
#include "prompt/jinja/text.h"

namespace coterie::engine::jinja {
namespace {

using enum Comparison;

template <Comparison op>
Value compares(Call& call) {
    return boolValue(compare(call.meter, op, call.self, *call.argument(0)));
}

template <typename T>
Value holds(Call& call) {
    return boolValue(call.self.is<T>());
}

Value isInteger(Call& call) { return boolValue(isWholeNumber(call.self)); }
Value isFloat(Call& call) { return boolValue(call.self.is<double>() && !isWholeNumber(call.self)); }

template <int64_t rest>
Value parity(Call& call) {
    requireDefined(call.meter, call.self);
    const auto number = asInteger(call.self);
    if (!number) call.fail("it needs an integer, not " + std::string(typeName(call.self)));
    return boolValue(((*number % 2) + 2) % 2 == rest);
}

template <bool wanted>
Value isExactly(Call& call) {
    return boolValue(call.self.is<bool>() && *call.self.as<bool>() == wanted);
}

Value isDefined(Call& call) { return boolValue(!call.self.is<Undefined>()); }
Value isNumber(Call& call) { return boolValue(asNumber(call.self).has_value()); }

Value isIterable(Call& call) {
    return boolValue(call.self.is<SequenceRef>() || call.self.is<DictRef>() || call.self.is<TextRef>() ||
                     call.self.is<Undefined>());
}

Value isSequence(Call& call) {
    return boolValue(indexable(call.self) != nullptr || call.self.is<DictRef>() || call.self.is<TextRef>() ||
                     call.self.is<Undefined>());
}

Value isCallable(Call& call) {
    return boolValue(call.self.is<MethodRef>() || call.self.is<const Native*>() || call.self.is<const Macro*>() ||
                     call.self.is<Loop*>() || call.self.is<Undefined>());
}

Value isDivisible(Call& call) {
    const Value rest = applyBinary(call.runtime, BinaryOperator::Modulo, call.self, *call.argument(0));
    return boolValue(!truthy(rest));
}

/// str.islower() or str.isupper(): some letter has this case, and none has the other.
template <std::string (*convert)(std::string_view), std::string (*other)(std::string_view)>
Value hasCase(Call& call) {
    const std::string_view whole = call.selfText().bytes;
    call.meter.claim(whole.size());
    return boolValue(convert(whole) == whole && other(whole) != whole);
}

Value isSame(Call& call) {
    const Value& other = *call.argument(0);
    if (call.self.data.index() != other.data.index()) return boolValue(false);
    if (call.self.sequence() != nullptr) return boolValue(call.self.sequence() == other.sequence());
    if (call.self.dict() != nullptr) return boolValue(call.self.dict() == other.dict());
    return boolValue(equal(call.meter, call.self, other));
}

template <const Native* (*table)(std::string_view)>
Value isNameIn(Call& call) {
    return boolValue(table(call.selfText().bytes) != nullptr);
}

constexpr Native kTests[] = {
    {"!=", compares<NotEqual>, {"other"}, 1},
    {"<", compares<Less>, {"other"}, 1},
    {"<=", compares<LessOrEqual>, {"other"}, 1},
    {"==", compares<Equal>, {"other"}, 1},
    {">", compares<Greater>, {"other"}, 1},
    {">=", compares<GreaterOrEqual>, {"other"}, 1},
    {"boolean", holds<bool>},
    {"callable", isCallable},
    {"defined", isDefined},
    {"divisibleby", isDivisible, {"num"}, 1},
    {"eq", compares<Equal>, {"other"}, 1},
    {"equalto", compares<Equal>, {"other"}, 1},
    {"even", parity<0>},
    {"false", isExactly<false>},
    {"filter", isNameIn<findFilter>},
    {"float", isFloat},
    {"ge", compares<GreaterOrEqual>, {"other"}, 1},
    {"greaterthan", compares<Greater>, {"other"}, 1},
    {"gt", compares<Greater>, {"other"}, 1},
    {"in", compares<In>, {"seq"}, 1},
    {"integer", isInteger},
    {"iterable", isIterable},
    {"le", compares<LessOrEqual>, {"other"}, 1},
    {"lessthan", compares<Less>, {"other"}, 1},
    {"lower", hasCase<lowerCase, upperCase>},
    {"lt", compares<Less>, {"other"}, 1},
    {"mapping", holds<DictRef>},
    {"ne", compares<NotEqual>, {"other"}, 1},
    {"none", holds<None>},
    {"number", isNumber},
    {"odd", parity<1>},
    {"sameas", isSame, {"other"}, 1},
    {"sequence", isSequence},
    {"string", holds<TextRef>},
    {"test", isNameIn<findTest>},
    {"true", isExactly<true>},
    {"undefined", holds<Undefined>},
    {"upper", hasCase<upperCase, lowerCase>},
};

} // namespace

const Native* findTest(std::string_view name) { return findIn(kTests, name); }

} // namespace coterie::engine::jinja
