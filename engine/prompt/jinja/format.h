// SPDX-License-Identifier: Apache-2.0
// Fills in the fields of a text: Python's % operator, its str.format(), and strftime().
#pragma once

#include "prompt/jinja/native.h"

#include <string>
#include <string_view>

namespace coterie::engine::jinja {

/// format % arguments: %s %r %d %i %f %x %X %%, with flags, width and precision; `arguments` is one value, a tuple or a
/// dict.
SourcedText formatPercent(Meter& meter, SourcedView format, const Value& arguments);
/// format.format(...): {}, {0}, {name}, {{ and }}; no attributes, no format after a colon.
SourcedText formatBraces(Meter& meter, SourcedView format, const Arguments& arguments);
/// strftime() of the C locale, whatever the program's locale is. Unknown letters stay as they are.
std::string formatTime(Meter& meter, std::string_view format, const std::tm& time);

} // namespace coterie::engine::jinja
