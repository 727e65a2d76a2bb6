// SPDX-License-Identifier: Apache-2.0
// Values as text: Python's str() and repr(), and its json.dumps().
#pragma once

#include "prompt/jinja/value.h"

#include <optional>
#include <string>

namespace coterie::engine::jinja {

/// str(value): what `{{ value }}` writes. Undefined writes nothing.
void printText(TextBuilder& out, const Value& value);
std::string toText(Meter& meter, const Value& value);
/// repr(value): how it stands inside a list.
void printRepresentation(TextBuilder& out, const Value& value);

struct JsonStyle {
    bool asciiOnly = false;
    bool sortKeys = false;
    std::optional<std::string> indent;
    std::string itemSeparator = ", ";
    std::string keySeparator = ": ";
};
/// Fails for what JSON can't hold.
void printJson(TextBuilder& out, const Value& value, const JsonStyle& style);

} // namespace coterie::engine::jinja
