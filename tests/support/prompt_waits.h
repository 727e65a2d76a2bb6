// SPDX-License-Identifier: Apache-2.0
// Waits that end soon after their condition holds. Qt's own handle events only every 10 ms, look at the condition every
// 50 ms, and look at it four times if it holds at once; a test of the window waits hundreds of times, and mostly for
// something that takes a millisecond. The limit of time is that of patience.h.
#pragma once

#include "support/patience.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QTest>
#include <QTimer>

#include <algorithm>

namespace coterie {

/// One wait: for (PromptWait wait; !condition && wait.next();) {}
class PromptWait {
  public:
    explicit PromptWait(int patienceMs = kPatienceMs) : deadline_(patienceMs, Qt::PreciseTimer) {}

    /// Handles events as they come, first those that are there, then for 1, 2, 4, 8 and always 16 ms: the condition may
    /// depend on another thread, which sends no event, and looking at it may be expensive. Returns false if the time is
    /// over or the test has failed.
    bool next() {
        if (deadline_.hasExpired() || QTest::currentTestFailed()) return false;
        QEventLoop events;
        QTimer::singleShot(pauseMs_, Qt::PreciseTimer, &events, &QEventLoop::quit);
        events.exec();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        pauseMs_ = std::clamp(2 * pauseMs_, 1, kLongestPauseMs);
        return true;
    }

  private:
    static constexpr int kLongestPauseMs = 16;

    QDeadlineTimer deadline_;
    int pauseMs_ = 0;
};

/// Waits until `holds` returns true, and returns whether it did in time.
template <typename Condition>
bool waitFor(const Condition& holds, int patienceMs = kPatienceMs) {
    bool inTime = holds();
    for (PromptWait wait(patienceMs); !inTime && wait.next(); inTime = holds()) {
    }
    return inTime;
}

} // namespace coterie

#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY2(condition, message)                                                                               \
    do {                                                                                                               \
        bool inTime = static_cast<bool>(condition);                                                                    \
        for (coterie::PromptWait wait; !inTime && wait.next(); inTime = static_cast<bool>(condition)) {                \
        }                                                                                                              \
        QVERIFY2(inTime, message);                                                                                     \
    } while (false)
#define QTRY_VERIFY(condition) QTRY_VERIFY2(condition, #condition)
#define QTRY_COMPARE(value, expected)                                                                                  \
    do {                                                                                                               \
        for (coterie::PromptWait wait; !((value) == (expected)) && wait.next();) {                                     \
        }                                                                                                              \
        QCOMPARE(value, expected);                                                                                     \
    } while (false)
