// SPDX-License-Identifier: Apache-2.0
// The record of one answer, read position by position: routes, times, the words of its tokens, and how often each
// expert was used by the prompt and by the answer. It grows with an answer that is being written.
//
// Positions are those of the trace: position p is the pass in which token p was the input, and that pass is the token's
// route. Token i of the answer has position answerBegins() + i; the last one usually has no pass of its own, because
// nothing was asked of the model after it. Token i of the question, the message that it answers, has position
// questionBegins() + i. Lives on the GUI thread.
#pragma once

#include "engine_link/answer_record.h"
#include "records/expert_statistics.h"
#include "store/message_part.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace coterie::app {

/// Figures of one position. A figure that was not measured is NaN.
struct TokenFigures {
    double probability = 0; ///< probability of the token that was the input
    double entropy = 0;     ///< nats, of the choice of that token
    double seconds = 0;     ///< time that the pass took
    double waiting = 0;     ///< seconds that its layers waited for reads
    double misses = 0;      ///< experts that were not in memory
    double neurons = 0;     ///< active neurons of the experts that ran
    double headRows = 0;    ///< rows of the head that were computed; 0 if no logits were needed
};

/// The text of a token in the parts of its message.
QString textOf(const engine::TokenRecord& token, const std::vector<MessagePart>& parts);

class TracedAnswer {
  public:
    TracedAnswer() = default;
    /// expertsOfLayer: as ModelInfo of the open model has it. If it is empty or another model's, the trace says which
    /// layers have experts.
    TracedAnswer(AnswerRecord record, std::vector<int64_t> expertsOfLayer);

    /// Takes over what the record of the same answer has more.
    void update(const AnswerRecord& record);

    /// The first tokens of the answer, with its prompt, as an answer of its own; all of it if there is no memory for a
    /// copy.
    std::shared_ptr<TracedAnswer> beginning(size_t tokens) const;

    qint64 message() const { return record_.message; }
    bool empty() const { return steps_.empty(); }
    const std::shared_ptr<const engine::TraceLog>& trace() const { return record_.trace; }
    const std::vector<engine::TokenRecord>& tokens() const { return record_.tokens; }
    const std::vector<int64_t>& expertsOfLayer() const { return expertsOfLayer_; }
    bool dense() const; ///< no layer has more than one expert
    /// Nothing is known of its layers: the device that computed it does not report what they do.
    bool unreported() const { return !empty() && prompt_.requests() + answer_.requests() == 0; }

    int first() const { return first_; }
    int last() const { return first_ + static_cast<int>(steps_.size()) - 1; } ///< first() - 1 if empty()
    int answerBegins() const { return answerBegins_; }
    int reused() const { return reused_; } ///< prompt tokens that were not read again
    bool fromPrompt(int position) const { return position < answerBegins_; }
    /// Whether the model did not read this token, because it still had it in memory.
    bool wasReused(int position) const { return position >= 0 && position < reused_; }
    std::optional<engine::TracedToken> token(int position) const;
    TokenFigures figures(int position) const;
    bool hasProbabilities() const;
    bool hasNeurons() const { return prompt_.activeNeurons() + answer_.activeNeurons() > 0; }
    bool hasMisses() const { return prompt_.misses() + answer_.misses() > 0; }
    /// Mean number of rows of the head that were computed for a token of the answer; -1 if it has no tokens.
    double meanHeadRows() const;

    /// Seconds from the call until the pass at this position ended. The tokens of the prompt share the time until the
    /// first token was drawn in proportion to the times in the trace.
    double timeOf(int position) const;
    /// The last position whose pass has ended at this time; first() before any.
    int positionAt(double seconds) const;

    /// Index in tokens() of the input at this position; -1 for the prompt.
    int tokenAt(int position) const;
    /// The words that a token wrote; empty if it wrote none. parts: of the message.
    QString text(int token, const std::vector<MessagePart>& parts) const;

    /// The prompt's token at this position; -1 if it is not known.
    engine::TokenId promptToken(int position) const;
    /// Position of the question's first token; answerBegins() if they are not known.
    int questionBegins() const { return question_.text.empty() ? answerBegins_ : static_cast<int>(question_.first); }
    /// The question's tokens with their text in the parts of the message that asks it; none if they are not known.
    std::vector<engine::TokenRecord> question(const std::vector<MessagePart>& parts) const;

    const engine::ExpertUsage& prompt() const { return prompt_; } ///< uses by the tokens of the prompt
    const engine::ExpertUsage& answer() const { return answer_; } ///< uses by the tokens of the answer
    /// Positions from this one on whose route has this expert.
    std::vector<int> servedBy(int layer, int expert, int from) const;
    std::vector<engine::TracedToken> all() const;

  private:
    void takeIn();
    void forget();

    AnswerRecord record_;
    std::vector<int64_t> expertsOfLayer_;
    engine::QuestionTokens question_; ///< as the trace has it
    int first_ = 0, answerBegins_ = 0, reused_ = 0;
    std::vector<TokenFigures> steps_; ///< by position - first_; their probability and entropy are in the record
    std::vector<double> ends_;        ///< running sum of the steps' seconds
    engine::ExpertUsage prompt_, answer_;
    double headRows_ = 0; ///< sum over the answer's tokens
};

} // namespace coterie::app
