// SPDX-License-Identifier: Apache-2.0
// Verifies a Result or Status, and shows the three sentences of its error if it has one. Evaluates its argument once.
#pragma once

#include "base/result.h"

#include <QByteArray>

namespace coterie::test {

inline QByteArray missingParts(const engine::Error& error) {
    const bool whole = !error.what.empty() && !error.why.empty() && !error.action.empty();
    return whole ? QByteArray() : QByteArray::fromStdString("not three sentences: " + error.line());
}

template <typename T>
QByteArray failureOf(const engine::Result<T>& result) {
    return result ? QByteArray() : QByteArray::fromStdString(result.error().line());
}

} // namespace coterie::test

#define VERIFY_OK(result)                                                                                              \
    do {                                                                                                               \
        const QByteArray failure = coterie::test::failureOf(result);                                                   \
        QVERIFY2(failure.isEmpty(), failure.constData());                                                              \
    } while (false)

#define VERIFY_THREE_PARTS(error)                                                                                      \
    do {                                                                                                               \
        const QByteArray missing = coterie::test::missingParts(error);                                                 \
        QVERIFY2(missing.isEmpty(), missing.constData());                                                              \
    } while (false)
