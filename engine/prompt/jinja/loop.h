// SPDX-License-Identifier: Apache-2.0
// The variable `loop` inside a `for`, which has the position of the loop. The interpreter runs the loop itself.
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
    std::shared_ptr<Scope> scope; ///< the scope of the `for`, for calls of a recursive loop
    std::optional<Value> changedLast;
};

/// `self` is the loop as a value, for its methods.
std::optional<Value> loopAttribute(Meter& meter, const Loop& loop, const Value& self, const std::string& name);

} // namespace coterie::engine::jinja
