// SPDX-License-Identifier: Apache-2.0
// Numbers and texts in files and in the terminal: the same everywhere, whatever the user's language is. The window
// shows numbers through Qt instead.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace coterie::app {

/// "1.23", with `decimals` digits after the point.
std::string numberText(double value, int decimals);
/// Returns the number rounded to `digits` digits after the point, so that a file of numbers stays readable; null for
/// nothing.
nlohmann::ordered_json rounded(std::optional<double> value, int digits = 4);
/// Returns a text as a field of a CSV file, in quotes (RFC 4180).
std::string csvText(const std::string& text);
/// Returns JSON text with a line end. Without indentation (-1) it is one line. Bytes that are not UTF-8 are replaced;
/// nothing is thrown. A binary value is a number that no machine number holds: its bytes are the digits.
std::string jsonText(const nlohmann::ordered_json& value, int indent = 2);

} // namespace coterie::app
