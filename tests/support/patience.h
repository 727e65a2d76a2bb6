// SPDX-License-Identifier: Apache-2.0
// How long a test waits for an event before it fails. Every test gets this header (coterie_test() includes it), so that
// QTRY_VERIFY(), QTRY_VERIFY2() and QTRY_COMPARE() wait so long too: their own 5 seconds are too few for a busy
// machine. A test that passes never waits so long. COTERIE_TEST_PATIENCE in the environment multiplies the time.
#pragma once

#include <QTest>

namespace coterie {

/// Milliseconds.
inline const int kPatienceMs = [] {
    const double factor = qEnvironmentVariable("COTERIE_TEST_PATIENCE", QStringLiteral("1")).toDouble();
    return static_cast<int>(120000 * (factor > 0 ? factor : 1));
}();

} // namespace coterie

#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, coterie::kPatienceMs)
#define QTRY_VERIFY2(condition, message) QTRY_VERIFY2_WITH_TIMEOUT(condition, message, coterie::kPatienceMs)
#define QTRY_COMPARE(value, expected) QTRY_COMPARE_WITH_TIMEOUT(value, expected, coterie::kPatienceMs)
