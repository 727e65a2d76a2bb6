// SPDX-License-Identifier: Apache-2.0
// Writes an answer's pieces to stdout as they arrive.
#pragma once

#include "cli/console.h"
#include "cli/format.h"
#include "cli/interrupt.h"
#include "session/session.h"

#include <nlohmann/json.hpp>

#include <string_view>
#include <utility>

namespace coterie::app {

/// If a write to stdout fails, this object cancels the answer, and status() returns the error. Thoughts are dimmed if
/// they are shown, and left out otherwise; words that turn out to be a thought when it ends stay. A tool call is a line
/// of JSON. The object must live as long as the call that it listens to.
class DeltaWriter {
  public:
    /// calls: has the flag of the call.
    DeltaWriter(CancelOnInterrupt& calls, bool showThoughts) : calls_(calls), showThoughts_(showThoughts) {}
    ~DeltaWriter() {
        if (inThought_) keep(dimOut(false)); // the answer ended in a thought
    }
    DeltaWriter(const DeltaWriter&) = delete;
    DeltaWriter& operator=(const DeltaWriter&) = delete;

    void operator()(const engine::Delta& delta) {
        if (!status_) return;
        const bool thought = delta.kind == engine::PartKind::Thought;
        if (delta.makesThoughts)
            write("\n\n"); // the words stand there already: the answer begins below them
        else if (delta.call != nullptr)
            writePart(jsonText(callJson(*delta.call), -1), false);
        else if (!delta.text.empty() && (showThoughts_ || !thought))
            writePart(delta.text, thought);
    }
    const engine::Status& status() const { return status_; }

  private:
    void writePart(std::string_view text, bool thought) {
        if (thought != std::exchange(inThought_, thought)) {
            keep(dimOut(thought));
            if (!thought) write("\n\n");
        }
        write(text);
    }
    void write(std::string_view text) {
        if (status_) keep(writeOut(text));
    }
    void keep(engine::Status written) {
        status_ = std::move(written);
        if (!status_) calls_.cancel();
    }

    CancelOnInterrupt& calls_;
    const bool showThoughts_;
    bool inThought_ = false;
    engine::Status status_;
};

} // namespace coterie::app
