// SPDX-License-Identifier: Apache-2.0
// Calls handed from thread to thread: a queue that any event loop can empty, and a thread that does nothing but empty
// one. Neither knows what the calls do.
#pragma once

#include <QObject>
#include <QString>
#include <QThread>

#include <deque>
#include <functional>
#include <mutex>

namespace coterie::app {

/// Calls on their way to the event loop of the thread that this object lives on, in order. Qt wakes that thread; what
/// the calls carry is handed over under this mutex, where a tool that looks for data races can see it.
class CallQueue : public QObject {
    Q_OBJECT
  public:
    /// From any thread.
    void push(std::function<void()> call);
    /// Drops what hasn't run. What has run, on its thread, happened before this returns.
    void clear();

  private:
    Q_INVOKABLE void runOne();

    std::mutex mutex_;
    std::deque<std::function<void()>> calls_;
};

/// A thread of its own for calls, one after the other. Construct, finish and destroy on one thread; push() from any.
class CallThread {
  public:
    explicit CallThread(const QString& name);
    ~CallThread() { finish(); }

    void push(std::function<void()> call) { calls_.push(std::move(call)); }
    /// Waits for the call that runs, drops the others and ends the thread.
    void finish();

  private:
    QThread thread_;
    CallQueue calls_; ///< lives on thread_
};

} // namespace coterie::app
