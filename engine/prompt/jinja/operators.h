// SPDX-License-Identifier: Apache-2.0
// Operators on values: arithmetic, comparison, membership, indexing. They work as in Python, with integers of 64 bits.
#pragma once

#include "prompt/jinja/native.h"

#include <optional>
#include <string>

namespace coterie::engine::jinja {

enum class BinaryOperator { Add, Subtract, Multiply, Divide, FloorDivide, Modulo, Power, Concatenate };
enum class Comparison { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual, In, NotIn };

/// Fails for unfit types, division by zero and integer overflow.
Value applyBinary(Runtime& runtime, BinaryOperator op, const Value& left, const Value& right);
Value negate(Meter& meter, const Value& value);
Value makePositive(Meter& meter, const Value& value);
bool compare(Meter& meter, Comparison op, const Value& left, const Value& right);

bool equal(Meter& meter, const Value& left, const Value& right);
/// Whether left < right in an order that is total even with NaN, so that sorting is safe. Fails for types without an
/// order.
bool lessForSorting(Meter& meter, const Value& left, const Value& right);

/// Returns value.name as Jinja's sandbox finds it: attributes and methods first, then keys. Undefined if there is
/// neither.
Value getAttribute(Runtime& runtime, const Value& object, const std::string& name);
/// Does `{% set space.name = value %}`.
void setAttribute(Meter& meter, Namespace& space, const std::string& name, Value value);
/// Returns value[index]: keys and positions first, then attributes.
Value getItem(Runtime& runtime, const Value& object, const Value& index);
/// Returns value[start:stop:step]; a missing bound is None.
Value getSlice(Runtime& runtime, const Value& object, const Value& start, const Value& stop, const Value& step);

/// The number as which arithmetic uses a value; bools are integers.
std::optional<int64_t> asInteger(const Value& value);
std::optional<double> asNumber(const Value& value);

} // namespace coterie::engine::jinja
