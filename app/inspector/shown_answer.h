// SPDX-License-Identifier: Apache-2.0
// The answer that the inspector shows: its message, its record, whether it is being written, and the words of its
// tokens and of those of its question, the message that it answers. Inspector alone changes it; the five objects of the
// inspector read it. It emits nothing: Inspector updates them when there is more. Lives on the GUI thread.
//
//     ShownAnswer shown({.parts = [&] { return &parts; }});
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

    /// Gives what the record does not say.
    struct Sources {
        Parts parts{};                                     ///< those of the answer
        Parts question = [] { return nullptr; };           ///< those of the message that it answers
        std::function<QString(engine::TokenId)> nameOf = { ///< name of a token without words; empty: not known
            [](engine::TokenId) { return QString(); }};
    };

    explicit ShownAnswer(Sources sources) : sources_(std::move(sources)) {}

    qint64 message() const { return message_; } ///< 0: none
    void setMessage(qint64 message) { message_ = message; }
    /// The record of the message; nullptr if there is none.
    const std::shared_ptr<TracedAnswer>& record() const { return record_; }
    bool live() const { return live_; } ///< the answer is being written
    /// Shows this record from now on, and finds the places of its tokens.
    void setRecord(std::shared_ptr<TracedAnswer> record, bool live);
    bool hasPositions() const { return record_ && !record_->empty(); }

    const std::vector<MessagePart>& parts() const { return partsOf(sources_.parts); }
    /// The places of the tokens in the parts.
    const TokenRanges& ranges() const { return ranges_; }
    /// The places of the question's tokens in the parts of its message; none if they are not known.
    const TokenRanges& questionRanges() const { return questionRanges_; }
    /// Finds the places of tokens that the record has more. Needs one.
    void growRanges();
    /// Index of the question's token at this position; -1: another token is there.
    int questionTokenAt(int position) const;
    /// The words that a token of the answer wrote, and those of the token at a position; empty for tokens of the prompt
    /// that are not the question's.
    QString words(int token) const;
    QString wordsAt(int position) const;
    /// The same, with the vocabulary's names of tokens of the prompt that have no words.
    QString nameAt(int position) const;
    /// Whether the token belongs to a thought that the model wrote before its answer.
    bool isThought(int token) const;

  private:
    static const std::vector<MessagePart>& partsOf(const Parts& parts);

    const Sources sources_;
    qint64 message_ = 0;
    std::shared_ptr<TracedAnswer> record_;
    bool live_ = false;
    TokenRanges ranges_;
    std::vector<engine::TokenRecord> question_; ///< the question's tokens
    TokenRanges questionRanges_;
};

} // namespace coterie::app
