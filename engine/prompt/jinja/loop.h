// SPDX-License-Identifier: Apache-2.0
// What `loop` is inside a `for`: where the loop stands. Not the loop itself: the interpreter runs it.
#pragma once

#include "prompt/jinja/native.h"

#include <optional>
#include <string>

namespace coterie::engine::jinja {

struct For;
struct Scope;

struct Loop {
    SequenceRef items; ///< released when the loop has ended
    size_t index = 0;
    uint32_t depth = 0; ///< loops of the same `for ... recursive` around it
    const For* statement = nullptr;
    std::shared_ptr<Scope> scope; ///< where the `for` stands; for calls of a recursive loop
    std::optional<Value> changedLast;
};

/// `self` is the loop as a value, for its methods.
std::optional<Value> loopAttribute(Meter& meter, const Loop& loop, const Value& self, const std::string& name);

} // namespace coterie::engine::jinja
