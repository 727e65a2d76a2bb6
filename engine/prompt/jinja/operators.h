// SPDX-License-Identifier: Apache-2.0
// What operators do with values: arithmetic, comparison, membership, indexing. As in Python, with integers of 64 bits.
#pragma once

#include "prompt/jinja/native.h"

#include <optional>
#include <string>

namespace coterie::engine::jinja {

enum class BinaryOperator { Add, Subtract, Multiply, Divide, FloorDivide, Modulo, Power, Concatenate };
enum class Comparison { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual, In, NotIn };

/// Fails with Python's reason in our words: unfit types, division by zero, integer overflow.
Value applyBinary(Runtime& runtime, BinaryOperator op, const Value& left, const Value& right);
Value negate(Meter& meter, const Value& value);
Value makePositive(Meter& meter, const Value& value);
bool compare(Meter& meter, Comparison op, const Value& left, const Value& right);

bool equal(Meter& meter, const Value& left, const Value& right);
/// left < right, in a total order even with NaN among the numbers, so that sorting is safe. Fails for types without an
/// order.
bool lessForSorting(Meter& meter, const Value& left, const Value& right);

/// value.name, as Jinja's sandbox looks it up: attributes and methods first, then keys. Undefined where there is
/// neither.
Value getAttribute(Runtime& runtime, const Value& object, const std::string& name);
/// What `{% set space.name = value %}` does.
void setAttribute(Meter& meter, Namespace& space, const std::string& name, Value value);
/// value[index]: keys and positions first, then attributes.
Value getItem(Runtime& runtime, const Value& object, const Value& index);
/// value[start:stop:step]; a missing bound is None.
Value getSlice(Runtime& runtime, const Value& object, const Value& start, const Value& stop, const Value& step);

/// How a number looks to arithmetic: bools are integers.
std::optional<int64_t> asInteger(const Value& value);
std::optional<double> asNumber(const Value& value);

} // namespace coterie::engine::jinja
