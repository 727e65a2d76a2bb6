// SPDX-License-Identifier: Apache-2.0
// The answer that the inspector shows: its message, its record, whether it is being written, and the words of its
// tokens. Inspector alone changes it; the five objects of the inspector read it. It emits nothing: Inspector updates
// them when there is more. Lives on the GUI thread.
//
//     ShownAnswer shown([&] { return &parts; });
//     shown.setRecord(record, false);
//     shown.wordsAt(shown.record()->last());
#pragma once

#include "engine_link/token_ranges.h"
#include "inspector/traced_answer.h"

#include <functional>
#include <memory>
#include <utility>

namespace coterie::app {

class ShownAnswer {
  public:
    /// Returns the parts of the message as they are now, or nullptr if it is not loaded.
    using Parts = std::function<const std::vector<MessagePart>*()>;

    explicit ShownAnswer(Parts parts) : parts_(std::move(parts)) {}

    qint64 message() const { return message_; } ///< 0: none
    void setMessage(qint64 message) { message_ = message; }
    /// The record of the message; nullptr if there is none.
    const std::shared_ptr<TracedAnswer>& record() const { return record_; }
    bool live() const { return live_; } ///< the answer is being written
    /// Shows this record from now on, and finds the places of its tokens.
    void setRecord(std::shared_ptr<TracedAnswer> record, bool live);
    bool hasPositions() const { return record_ && !record_->empty(); }

    const std::vector<MessagePart>& parts() const;
    /// The places of the tokens in the parts.
    const TokenRanges& ranges() const { return ranges_; }
    /// Finds the places of tokens that the record has more. Needs one.
    void growRanges() { ranges_.grow(record_->tokens(), parts()); }
    /// The words that a token of the answer wrote, and those of the token at a position; empty for the prompt's.
    QString words(int token) const;
    QString wordsAt(int position) const { return record_ ? words(record_->tokenAt(position)) : QString(); }
    /// Whether the token belongs to a thought that the model wrote before its answer.
    bool isThought(int token) const;

  private:
    const Parts parts_;
    qint64 message_ = 0;
    std::shared_ptr<TracedAnswer> record_;
    bool live_ = false;
    TokenRanges ranges_;
};

} // namespace coterie::app
