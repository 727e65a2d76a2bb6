// SPDX-License-Identifier: Apache-2.0
// An answer's pieces to stdout as they come.
#pragma once

#include "cli/console.h"
#include "session/session.h"

namespace coterie::app {

/// Where stdout takes no more, it stops the answer and keeps why. Lives as long as the call that it listens to.
class DeltaWriter {
  public:
    explicit DeltaWriter(engine::Session& session) : session_(session) {}
    void operator()(const engine::Delta& delta) {
        if (delta.text.empty() || !status_) return;
        status_ = writeOut(delta.text);
        if (!status_) session_.cancel();
    }
    const engine::Status& status() const { return status_; }

  private:
    engine::Session& session_;
    engine::Status status_;
};

} // namespace coterie::app
