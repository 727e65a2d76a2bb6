// SPDX-License-Identifier: Apache-2.0
// See call_queue.h.
#include "common/call_queue.h"

#include <QMetaObject>

namespace coterie::app {

void CallQueue::push(std::function<void()> call) {
    {
        const engine::MutexLock lock(mutex_);
        calls_.push_back(std::move(call));
    }
    QMetaObject::invokeMethod(this, "runOne", Qt::QueuedConnection);
}

void CallQueue::clear() {
    const engine::MutexLock lock(mutex_);
    calls_.clear();
}

void CallQueue::runOne() {
    std::function<void()> call;
    {
        const engine::MutexLock lock(mutex_);
        if (calls_.empty()) return;
        call = std::move(calls_.front());
        calls_.pop_front();
    }
    call();
    call = nullptr;
    const engine::MutexLock lock(mutex_); // clear() on another thread sees all that the call did
}

CallThread::CallThread(const QString& name) {
    calls_.moveToThread(&thread_);
    thread_.setObjectName(name);
    thread_.start();
}

void CallThread::finish() {
    thread_.quit();
    thread_.wait();
    calls_.clear();
}

} // namespace coterie::app
