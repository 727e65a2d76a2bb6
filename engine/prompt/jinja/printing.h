// SPDX-License-Identifier: Apache-2.0
// Prints values as Python's str(), repr() and json.dumps() do.
#pragma once

#include "prompt/jinja/value.h"

#include <optional>
#include <string>

namespace coterie::engine::jinja {

/// Prints str(value), as `{{ value }}` does. Undefined prints nothing.
void printText(TextBuilder& out, const Value& value);
SourcedText toText(Meter& meter, const Value& value);
/// Prints repr(value), as it stands inside a list.
void printRepresentation(TextBuilder& out, const Value& value);

struct JsonStyle {
    bool asciiOnly = false;
    bool sortKeys = false;
    std::optional<SourcedText> indent;
    SourcedText itemSeparator = ownText(", ");
    SourcedText keySeparator = ownText(": ");
};
/// Prints JSON. Fails for values that JSON cannot hold.
void printJson(TextBuilder& out, const Value& value, const JsonStyle& style);

} // namespace coterie::engine::jinja
