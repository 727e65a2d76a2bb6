// SPDX-License-Identifier: Apache-2.0
// Numbers as text with a point, whatever the C library's locale is: Qt sets that locale to the user's, in which a
// quarter may be "0,25". Nothing here is for numbers in the user's own language; the window writes those.
#pragma once

#include <cstdint>
#include <string>

namespace coterie::engine {

/// "1.25": with `decimals` digits after the point. "inf", "-inf", "nan".
std::string fixedText(double value, int decimals);
/// "1.25", "1e+09": the shortest form with at most six digits, as "%g" writes it.
std::string shortText(double value);
/// "00c0ffee00c0ffee": all 16 hexadecimal digits.
std::string hexText(uint64_t value);

} // namespace coterie::engine
