// SPDX-License-Identifier: Apache-2.0
// Tells whether a sanitizer watches this build: it takes ten times as long or more, so that a test may do less.
#pragma once

namespace coterie::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

} // namespace coterie::test
