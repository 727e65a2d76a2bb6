// SPDX-License-Identifier: Apache-2.0
// Lets a test do two things at different times, as the store counts time: in milliseconds.
#pragma once

#include <QDateTime>
#include <QTest>

namespace coterie::test {

/// Waits until the clock of the store shows another time, so that the order of two changes is known.
inline void nextMillisecond() {
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QTRY_VERIFY(QDateTime::currentMSecsSinceEpoch() > now);
}

} // namespace coterie::test
