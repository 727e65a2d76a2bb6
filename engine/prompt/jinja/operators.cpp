// SPDX-License-Identifier: Apache-2.0
// Arithmetic, comparison and membership.
#include "prompt/jinja/operators.h"

#include "prompt/jinja/format.h"
#include "prompt/jinja/printing.h"
#include "prompt/jinja/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coterie::engine::jinja {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

std::optional<int64_t> addIntegers(int64_t a, int64_t b) {
    if (b > 0 ? a > kMost - b : a < kLeast - b) return std::nullopt;
    return a + b;
}

std::optional<int64_t> subtractIntegers(int64_t a, int64_t b) {
    if (b < 0 ? a > kMost + b : a < kLeast + b) return std::nullopt;
    return a - b;
}

std::optional<int64_t> multiplyIntegers(int64_t a, int64_t b) {
    if (a == 0 || b == 0) return 0;
    if ((a == -1 && b == kLeast) || (b == -1 && a == kLeast)) return std::nullopt;
    if (a == -1 || b == -1) return a == -1 ? -b : -a;
    const bool fits =
        (a > 0) == (b > 0) ? (a > 0 ? a <= kMost / b : a >= kMost / b) : (a > 0 ? b >= kLeast / a : a >= kLeast / b);
    return fits ? std::optional(a * b) : std::nullopt;
}

std::optional<int64_t> powerOfIntegers(int64_t base, int64_t exponent) {
    int64_t result = 1;
    for (;;) {
        if ((exponent & 1) != 0) {
            const auto product = multiplyIntegers(result, base);
            if (!product) return std::nullopt;
            result = *product;
        }
        exponent >>= 1;
        if (exponent == 0) return result;
        const auto square = multiplyIntegers(base, base);
        if (!square) return std::nullopt;
        base = *square;
    }
}

double floorModulo(double a, double b) {
    const double rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(0.0, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
}

double floorDivide(double a, double b) { return std::floor((a - floorModulo(a, b)) / b + 0.5); }

std::string_view symbolOf(BinaryOperator op) {
    constexpr std::string_view kSymbols[] = {"+", "-", "*", "/", "//", "%", "**", "~"};
    return kSymbols[static_cast<size_t>(op)];
}

[[noreturn]] void failTypes(const Meter& meter, std::string_view symbol, const Value& left, const Value& right) {
    requireDefined(meter, left);
    requireDefined(meter, right);
    meter.fail("'" + std::string(symbol) + "' does not work with " + std::string(typeName(left)) + " and " +
               std::string(typeName(right)));
}

Value integerArithmetic(Meter& meter, BinaryOperator op, int64_t a, int64_t b) {
    using enum BinaryOperator;
    std::optional<int64_t> result;
    if ((op == Divide || op == FloorDivide || op == Modulo) && b == 0) meter.fail("division by zero");
    switch (op) {
    case Add:
        result = addIntegers(a, b);
        break;
    case Subtract:
        result = subtractIntegers(a, b);
        break;
    case Multiply:
        result = multiplyIntegers(a, b);
        break;
    case Divide:
        return floatValue(static_cast<double>(a) / static_cast<double>(b));
    case FloorDivide:
        if (b == -1)
            result = subtractIntegers(0, a);
        else
            result = a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
        break;
    case Modulo:
        result = b == -1 ? 0 : a % b;
        if (*result != 0 && (*result < 0) != (b < 0)) *result += b; // Python's remainder has the divisor's sign
        break;
    case Power:
        if (b < 0 && a == 0) meter.fail("division by zero");
        if (b < 0) return floatValue(std::pow(static_cast<double>(a), static_cast<double>(b)));
        result = powerOfIntegers(a, b);
        break;
    case Concatenate:
        break;
    }
    if (!result) meter.fail("the result of '" + std::string(symbolOf(op)) + "' does not fit 64 bits");
    return intValue(*result);
}

Value floatArithmetic(Meter& meter, BinaryOperator op, double a, double b) {
    using enum BinaryOperator;
    if ((op == Divide || op == FloorDivide || op == Modulo) && b == 0) meter.fail("division by zero");
    switch (op) {
    case Add:
        return floatValue(a + b);
    case Subtract:
        return floatValue(a - b);
    case Multiply:
        return floatValue(a * b);
    case Divide:
        return floatValue(a / b);
    case FloorDivide:
        return floatValue(floorDivide(a, b));
    case Modulo:
        return floatValue(floorModulo(a, b));
    default:
        break;
    }
    const double power = std::pow(a, b);
    if (!std::isfinite(power) && std::isfinite(a) && std::isfinite(b))
        meter.fail("the result of '**' is no finite number");
    return floatValue(power);
}

/// Returns how often a text or list is repeated; a negative number counts as zero. Fails if the result is too large.
uint64_t checkedRepeat(Meter& meter, uint64_t bytes, int64_t times) {
    const uint64_t count = times < 0 ? 0 : static_cast<uint64_t>(times);
    if (bytes == 0 || count == 0) return 0;
    meter.checkSize(count > std::numeric_limits<uint64_t>::max() / bytes ? std::numeric_limits<uint64_t>::max()
                                                                         : count * bytes);
    return count;
}

Value repeatSequence(Runtime& runtime, const Value& value, int64_t times) {
    if (const std::string* text = value.text()) {
        TextBuilder out(runtime.meter);
        for (uint64_t n = checkedRepeat(runtime.meter, text->size(), times); n > 0; --n) out.add(value.sourced());
        return textValue(runtime.meter, out.take());
    }
    const Sequence& list = *value.sequence();
    std::vector<Value> items;
    for (uint64_t n = checkedRepeat(runtime.meter, list.items.size() * sizeof(Value), times); n > 0; --n) {
        runtime.meter.spend(list.items.size());
        items.insert(items.end(), list.items.begin(), list.items.end());
    }
    return listValue(runtime.meter, std::move(items), list.kind);
}

bool isListOrTuple(const Value& value) {
    const Sequence* s = value.sequence();
    return s != nullptr && (s->kind == SequenceKind::List || s->kind == SequenceKind::Tuple);
}

std::optional<Value> sequenceArithmetic(Runtime& runtime, BinaryOperator op, const Value& left, const Value& right) {
    if (op == BinaryOperator::Add && left.text() != nullptr && right.text() != nullptr) {
        runtime.meter.checkSize(left.text()->size() + right.text()->size());
        SourcedText both = textOf(left.sourced());
        both.append(right.sourced());
        return textValue(runtime.meter, std::move(both));
    }
    if (op == BinaryOperator::Add && isListOrTuple(left) && isListOrTuple(right) &&
        left.sequence()->kind == right.sequence()->kind) {
        std::vector<Value> items = left.sequence()->items;
        const std::vector<Value>& more = right.sequence()->items;
        runtime.meter.claim((items.size() + more.size()) * sizeof(Value));
        items.insert(items.end(), more.begin(), more.end());
        return listValue(runtime.meter, std::move(items), left.sequence()->kind);
    }
    if (op == BinaryOperator::Multiply && (left.text() != nullptr || isListOrTuple(left)) && asInteger(right))
        return repeatSequence(runtime, left, *asInteger(right));
    if (op == BinaryOperator::Multiply && (right.text() != nullptr || isListOrTuple(right)) && asInteger(left))
        return repeatSequence(runtime, right, *asInteger(left));
    if (op == BinaryOperator::Modulo && left.text() != nullptr)
        return textValue(runtime.meter, formatPercent(runtime.meter, left.sourced(), right));
    return std::nullopt;
}

/// Returns -1, 0 or 1, or 2 if one of them is NaN. Exact, also between integers and floats.
int compareNumbers(const Value& left, const Value& right) {
    const auto order = [](auto a, auto b) { return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2; };
    const auto a = asInteger(left), b = asInteger(right);
    if (a && b) return order(*a, *b);
    const double x = *asNumber(left), y = *asNumber(right);
    if ((!a && !b) || std::isnan(x) || std::isnan(y)) return order(x, y);
    if (!a) return -compareNumbers(right, left);
    constexpr double kTwoTo63 = 9223372036854775808.0;
    if (y >= kTwoTo63) return -1;
    if (y < -kTwoTo63) return 1;
    const double whole = std::trunc(y);
    const int byWhole = order(*a, static_cast<int64_t>(whole));
    return byWhole != 0 ? byWhole : order(whole, y);
}

int compareTexts(Meter& meter, const std::string& a, const std::string& b) {
    meter.spendBytes(std::min(a.size(), b.size()));
    const int order = a.compare(b); // UTF-8 sorts as its code points do
    return order < 0 ? -1 : order > 0 ? 1 : 0;
}

/// The same as compareNumbers() for all values that have an order.
int order(Meter& meter, const Value& left, const Value& right, std::string_view symbol) {
    meter.spend();
    if (asNumber(left) && asNumber(right)) return compareNumbers(left, right);
    if (left.text() != nullptr && right.text() != nullptr) return compareTexts(meter, *left.text(), *right.text());
    if (!isListOrTuple(left) || !isListOrTuple(right) || left.sequence()->kind != right.sequence()->kind)
        failTypes(meter, symbol, left, right);
    const std::vector<Value>&a = left.sequence()->items, &b = right.sequence()->items;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        if (!equal(meter, a[i], b[i])) return order(meter, a[i], b[i], symbol);
    return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

bool contains(Meter& meter, const Value& container, const Value& item) {
    if (const std::string* text = container.text()) {
        requireDefined(meter, item);
        if (item.text() == nullptr)
            meter.fail("'in' on a text needs a text on its left, not " + std::string(typeName(item)));
        return find(meter, *text, *item.text()) != std::string_view::npos;
    }
    if (const Dict* dict = container.dict()) return findKey(meter, *dict, item) != nullptr;
    const SequenceRef items = iterate(meter, container);
    return std::any_of(items->items.begin(), items->items.end(),
                       [&](const Value& held) { return equal(meter, held, item); });
}

bool equalSequences(Meter& meter, const Sequence& a, const Sequence& b) {
    const auto family = [](SequenceKind kind) { return kind == SequenceKind::Group ? SequenceKind::Tuple : kind; };
    if (&a == &b) return true;
    if (family(a.kind) != family(b.kind) || a.kind == SequenceKind::Generator || a.items.size() != b.items.size())
        return false;
    for (size_t i = 0; i < a.items.size(); ++i)
        if (!equal(meter, a.items[i], b.items[i])) return false;
    return true;
}

bool equalDicts(Meter& meter, const Dict& a, const Dict& b) {
    if (a.entries.size() != b.entries.size()) return false;
    return std::all_of(a.entries.begin(), a.entries.end(), [&](const auto& entry) {
        const Value* other = findKey(meter, b, entry.first);
        return other != nullptr && equal(meter, entry.second, *other);
    });
}

} // namespace

std::optional<int64_t> asInteger(const Value& value) {
    if (const int64_t* i = value.as<int64_t>()) return *i;
    if (const bool* b = value.as<bool>()) return *b ? 1 : 0;
    return std::nullopt;
}

std::optional<double> asNumber(const Value& value) {
    if (const double* d = value.as<double>()) return *d;
    if (const auto i = asInteger(value)) return static_cast<double>(*i);
    return std::nullopt;
}

Value applyBinary(Runtime& runtime, BinaryOperator op, const Value& left, const Value& right) {
    runtime.meter.spend();
    if (op == BinaryOperator::Concatenate) {
        TextBuilder out(runtime.meter);
        printText(out, left);
        printText(out, right);
        return textValue(runtime.meter, out.take());
    }
    const auto a = asInteger(left), b = asInteger(right);
    if (a && b) return integerArithmetic(runtime.meter, op, *a, *b);
    const auto x = asNumber(left), y = asNumber(right);
    if (x && y) return floatArithmetic(runtime.meter, op, *x, *y);
    if (std::optional<Value> result = sequenceArithmetic(runtime, op, left, right)) return *std::move(result);
    failTypes(runtime.meter, symbolOf(op), left, right);
}

Value negate(Meter& meter, const Value& value) {
    if (const double* d = value.as<double>()) return floatValue(-*d);
    return integerArithmetic(meter, BinaryOperator::Subtract, 0, *asInteger(makePositive(meter, value)));
}

Value makePositive(Meter& meter, const Value& value) {
    requireDefined(meter, value);
    if (value.is<double>()) return value;
    if (!asInteger(value)) meter.fail("a value of the type " + std::string(typeName(value)) + " has no sign");
    return intValue(*asInteger(value));
}

bool compare(Meter& meter, Comparison op, const Value& left, const Value& right) {
    switch (op) {
    case Comparison::Equal:
        return equal(meter, left, right);
    case Comparison::NotEqual:
        return !equal(meter, left, right);
    case Comparison::In:
        return contains(meter, right, left);
    case Comparison::NotIn:
        return !contains(meter, right, left);
    case Comparison::Less:
        return order(meter, left, right, "<") == -1;
    case Comparison::Greater:
        return order(meter, left, right, ">") == 1;
    case Comparison::LessOrEqual:
        return order(meter, left, right, "<=") <= 0;
    case Comparison::GreaterOrEqual:
        break;
    }
    const int result = order(meter, left, right, ">=");
    return result == 0 || result == 1;
}

bool equal(Meter& meter, const Value& left, const Value& right) {
    meter.spend();
    if (asNumber(left) && asNumber(right)) return compareNumbers(left, right) == 0;
    if (left.data.index() != right.data.index()) return false;
    if (left.is<Undefined>() || left.is<None>()) return true;
    if (left.text() != nullptr)
        return left.text()->size() == right.text()->size() && compareTexts(meter, *left.text(), *right.text()) == 0;
    if (left.sequence() != nullptr) return equalSequences(meter, *left.sequence(), *right.sequence());
    if (left.dict() != nullptr) return equalDicts(meter, *left.dict(), *right.dict());
    if (const MethodRef* method = left.as<MethodRef>()) return *method == *right.as<MethodRef>();
    if (left.is<const Native*>()) return *left.as<const Native*>() == *right.as<const Native*>();
    if (left.is<Namespace*>()) return *left.as<Namespace*>() == *right.as<Namespace*>();
    if (left.is<const Macro*>()) return *left.as<const Macro*>() == *right.as<const Macro*>();
    return *left.as<Loop*>() == *right.as<Loop*>();
}

bool lessForSorting(Meter& meter, const Value& left, const Value& right) {
    const auto isNan = [](const Value& v) { return v.is<double>() && std::isnan(*v.as<double>()); };
    if (isNan(left) && asNumber(right)) return false;
    if (isNan(right) && asNumber(left)) return true;
    return order(meter, left, right, "<") == -1;
}

} // namespace coterie::engine::jinja
