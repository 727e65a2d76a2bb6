// SPDX-License-Identifier: Apache-2.0
// Passes calls from one thread to another: a queue that is emptied by a thread's event loop, and a thread that only
// runs the calls of such a queue. Neither knows what the calls do.
#pragma once

#include "base/mutex.h"

#include <QObject>
#include <QString>
#include <QThread>

#include <deque>
#include <functional>

namespace coterie::app {

/// Runs calls in order, in the event loop of the thread that this object lives on. Qt only wakes that thread; the data
/// of the calls is passed under the mutex of this class, where a data race detector can see it.
class CallQueue : public QObject {
    Q_OBJECT
  public:
    /// Adds a call. Any thread.
    void push(std::function<void()> call);
    /// Drops the calls that haven't run. When this returns, the caller sees everything that the other calls did on
    /// their thread.
    void clear();

  private:
    Q_INVOKABLE void runOne();

    engine::Mutex mutex_;
    std::deque<std::function<void()>> calls_ COTERIE_GUARDED_BY(mutex_);
};

/// A thread that runs calls one after the other. Construct, finish and destroy on one thread; push() from any.
class CallThread {
  public:
    explicit CallThread(const QString& name);
    ~CallThread() { finish(); }

    void push(std::function<void()> call) { calls_.push(std::move(call)); }
    /// Waits for the running call, drops the others and ends the thread.
    void finish();

  private:
    QThread thread_;
    CallQueue calls_; ///< lives on thread_
};

} // namespace coterie::app
