// SPDX-License-Identifier: Apache-2.0
// See connection.h.
#include "store/connection.h"

namespace coterie::app {

void StreamingAnswers::add(qint64 message) {
    const engine::MutexLock lock(mutex_);
    messages_.insert(message);
}

void StreamingAnswers::remove(qint64 message) {
    const engine::MutexLock lock(mutex_);
    messages_.erase(message);
}

bool StreamingAnswers::contains(qint64 message) const {
    const engine::MutexLock lock(mutex_);
    return messages_.contains(message);
}

} // namespace coterie::app
