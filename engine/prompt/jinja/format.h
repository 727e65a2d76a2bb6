// SPDX-License-Identifier: Apache-2.0
// Texts with places to fill in: Python's % operator, its str.format(), and strftime().
#pragma once

#include "prompt/jinja/native.h"

#include <string>
#include <string_view>

namespace coterie::engine::jinja {

/// format % arguments: %s %r %d %i %f %x %X %%, with flags, width and precision; `arguments` is one value, a tuple or a
/// dict.
std::string formatPercent(Meter& meter, std::string_view format, const Value& arguments);
/// format.format(...): {}, {0}, {name}, {{ and }}; no attributes, no format after a colon.
std::string formatBraces(Meter& meter, std::string_view format, const Arguments& arguments);
/// The C locale's strftime(), whatever the program's locale; what it doesn't know stays as it stands.
std::string formatTime(Meter& meter, std::string_view format, const std::tm& time);

} // namespace coterie::engine::jinja
