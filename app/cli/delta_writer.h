// SPDX-License-Identifier: Apache-2.0
// Writes an answer's pieces to stdout as they arrive.
#pragma once

#include "cli/console.h"
#include "cli/format.h"
#include "session/session.h"

#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace coterie::app {

/// If a write to stdout fails, this object cancels the answer, and status() returns the error. Thoughts are dimmed if
/// they are shown, and left out otherwise. A tool call is a line of JSON. The object must live as long as the call that
/// it listens to.
class DeltaWriter {
  public:
    DeltaWriter(engine::Session& session, bool showThoughts) : session_(session), showThoughts_(showThoughts) {}
    void operator()(const engine::Delta& delta) {
        if (!status_) return;
        if (delta.call != nullptr)
            write(jsonText(callJson(*delta.call), -1));
        else if (delta.kind == engine::PartKind::Text)
            write((std::exchange(inThought_, false) ? kUndimmed : std::string()) + std::string(delta.text));
        else if (showThoughts_ && !delta.text.empty())
            write((std::exchange(inThought_, true) ? std::string() : kDimmed) + std::string(delta.text));
    }
    const engine::Status& status() const { return status_; }

  private:
    void write(const std::string& text) {
        if (text.empty()) return;
        status_ = writeOut(text);
        if (!status_) session_.cancel();
    }

    inline static const std::string kDimmed = "\x1b[2m", kUndimmed = "\x1b[0m\n\n"; // ECMA-48 SGR
    engine::Session& session_;
    const bool showThoughts_;
    bool inThought_ = false;
    engine::Status status_;
};

} // namespace coterie::app
