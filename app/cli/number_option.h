// SPDX-License-Identifier: Apache-2.0
// Options that take a number within a range, with an error that says what the range is.
#pragma once

#include "cli/format.h"

#include <CLI/App.hpp>
#include <string>

namespace coterie::app {

/// Adds an option that takes a number from `least` to `most`. Any other value is an error that names the option, the
/// value and these two. They are shown in the help, too.
template <typename Number, typename Value>
CLI::Option* addNumber(CLI::App& command, const char* name, Value& value, Number least, Number most,
                       const char* about) {
    const auto check = [least, most](const std::string& text) { return checkNumber(text, least, most); };
    return command.add_option(name, value, about)->check(check, rangeText(least, most));
}

} // namespace coterie::app
