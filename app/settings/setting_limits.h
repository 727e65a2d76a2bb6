// SPDX-License-Identifier: Apache-2.0
// Limits of settings that both the table and the fields of the pages need.
#pragma once

namespace coterie::app {

constexpr double kMebi = 1024 * 1024;
constexpr int kLargestContext = 1 << 24;         // tokens: more than any model has
constexpr double kLargestSeed = (1LL << 53) - 1; // JSON numbers hold whole numbers up to here

} // namespace coterie::app
