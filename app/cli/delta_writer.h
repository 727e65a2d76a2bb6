// SPDX-License-Identifier: Apache-2.0
// Writes an answer's pieces to stdout as they arrive.
#pragma once

#include "cli/console.h"
#include "cli/format.h"
#include "cli/interrupt.h"
#include "session/session.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

namespace coterie::app {

/// If a write to stdout fails, this object cancels the answer, and status() returns the error. Thoughts are dimmed if
/// they are shown, and left out otherwise; words that turn out to be a thought when it ends stay. A tool call is a line
/// of JSON. While a long prompt is read, a terminal on stderr has a line that says how far it is, which then goes. The
/// object must live as long as the call that it listens to.
class DeltaWriter {
  public:
    /// calls: has the flag of the call.
    DeltaWriter(CancelOnInterrupt& calls, bool showThoughts) : calls_(calls), showThoughts_(showThoughts) {}
    ~DeltaWriter() {
        if (inThought_) keep(dimOut(false)); // the answer ended in a thought
        eraseProgress();
    }
    DeltaWriter(const DeltaWriter&) = delete;
    DeltaWriter& operator=(const DeltaWriter&) = delete;

    void operator()(const engine::Delta& delta) {
        if (!status_) return;
        if (delta.promptSecondsLeft >= 1) return writeProgress(delta);
        eraseProgress();
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
    void writeProgress(const engine::Delta& delta) {
        std::string line = "Reading the prompt: " + std::to_string(delta.promptDone) + " of " +
                           std::to_string(delta.promptTotal) + " tokens, about " +
                           std::to_string(std::llround(std::ceil(delta.promptSecondsLeft))) + " s left";
        const size_t shown = std::exchange(progress_, line.size());
        if (line.size() < shown) line.append(shown - line.size(), ' ');
        rewriteErrorLine(line);
    }
    void eraseProgress() {
        if (progress_ == 0) return;
        rewriteErrorLine(std::string(std::exchange(progress_, 0), ' '));
        rewriteErrorLine({});
    }
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
    size_t progress_ = 0; // characters of the line about the prompt; 0: there is none
    engine::Status status_;
};

} // namespace coterie::app
