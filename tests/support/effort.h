// SPDX-License-Identifier: Apache-2.0
// Says how much a test should do. Thousands of random cases have a short form, with a fixed seed, for the gate, and a
// long form, which runs with COTERIE_LONG_TESTS=1 (`./installers/dev verify long` sets it). A sanitizer takes ten times
// as long or more, so that a test may do less there.
#pragma once

#include <cstdlib>

namespace coterie::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Whether the long forms run.
inline bool longTests() {
    const char* const value = std::getenv("COTERIE_LONG_TESTS");
    return value != nullptr && *value != '\0';
}

} // namespace coterie::test
