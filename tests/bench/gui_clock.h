// SPDX-License-Identifier: Apache-2.0
// Shared by the benchmarks of the window: the CPU time of the GUI thread, the longest time for which it handled events,
// and waiting until the window has drawn what a change asks for.
#pragma once

#include <QAbstractEventDispatcher>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QObject>
#include <QQuickWindow>
#include <QTimer>

#include <algorithm>
#include <ctime>

namespace coterie::bench {

constexpr int kQuietMs = 40; // no frame for so long: a change is shown

/// Returns the CPU time that this thread has used.
inline double threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// Handles events, without busy waiting, until no frame was drawn for a while.
inline void settle(QQuickWindow& window) {
    QEventLoop loop;
    QTimer quiet;
    quiet.setSingleShot(true);
    QObject::connect(&quiet, &QTimer::timeout, &loop, &QEventLoop::quit);
    QObject::connect(&window, &QQuickWindow::frameSwapped, &quiet, [&quiet] { quiet.start(kQuietMs); });
    quiet.start(kQuietMs);
    loop.exec();
}

/// Measures the turns of the event loop: for so long at most a key or a click had to wait.
class BlockClock {
  public:
    BlockClock() {
        auto* dispatcher = QAbstractEventDispatcher::instance();
        QObject::connect(dispatcher, &QAbstractEventDispatcher::awake, &receiver_, [this] {
            note(); // the turn before ended without waiting
            since_.start();
        });
        QObject::connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, &receiver_, [this] { note(); });
        since_.start();
    }
    /// Begins anew; what follows belongs to the measurement.
    void restart() {
        longest_ = 0;
        since_.start();
    }
    double longestMs() const { return static_cast<double>(longest_) * 1e-6; }

  private:
    void note() {
        if (since_.isValid()) longest_ = std::max(longest_, since_.nsecsElapsed());
        since_.invalidate();
    }

    QObject receiver_;
    QElapsedTimer since_;
    qint64 longest_ = 0;
};

} // namespace coterie::bench
