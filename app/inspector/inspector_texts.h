// SPDX-License-Identifier: Apache-2.0
// The sentences and figures of the inspector, in the user's language. Pure functions of plain values: no figure is
// estimated, and one that was not measured is left out.
#pragma once

#include "inspector/expert_grid.h"
#include "inspector/traced_answer.h"

#include <QString>
#include <QStringList>
#include <QVariantList>

#include <vector>

namespace coterie::app {

/// The figures of an answer, for sentences. A figure that was not measured is negative.
struct AnswerFacts {
    bool dense = false;                          ///< the model has no experts: the figures are about its layers
    bool live = false;                           ///< the answer is being written
    double fromMemory = -1;                      ///< share of the reads of experts that came from memory, 0..1
    double diskBytes = -1;                       ///< bytes read from disk for the answer
    double waitSeconds = -1;                     ///< time that layers waited for these reads
    double tokensPerSecond = -1;                 ///< decoding
    double seconds = -1;                         ///< time that the whole answer took
    qint64 tokens = 0;                           ///< tokens of the whole answer, recorded or not; 0: not known
    double headRows = -1, headRowsPossible = -1; ///< mean for each token of the answer
    double activeShare = -1;                     ///< share of neurons that were active in the experts that ran, 0..1
};

/// The figures of the open model, which may be another one than the answer's.
struct ModelFacts {
    double budget = -1;                        ///< bytes that it may use
    double contextUsed = -1, contextSize = -1; ///< tokens
};

/// "93 % of expert reads came from memory; 210 MiB came from disk and cost 1.4 s of waiting."
QString memorySentence(const AnswerFacts& facts);
/// [{name, value, about}] of everything that was measured; `about` answers "what is this?".
QVariantList figureRows(const AnswerFacts& facts);
/// The same list for the open model.
QVariantList modelRows(const ModelFacts& facts);

/// A token of the prompt or the answer, by its place: its number, its words and its time.
QString positionSentence(const TracedAnswer& answer, int position, const QString& text);
/// The words of a token between quotation marks, with a name for white space and for tokens without words.
QString quotedToken(const QString& text);

/// The sentences that say what the grid shows now.
QString routeSentence(const TracedAnswer& answer, int position, const QString& text);
/// While an answer is written: it stays the same from token to token.
QString newestRouteSentence(const TracedAnswer& answer);
/// Number of tokens that the answer has, as everything says it that counts them. The model may not have read the last
/// one: then it is in no count of experts.
int tokensOf(const TracedAnswer& answer, bool live);
QString countsSentence(const TracedAnswer& answer, bool live);
struct CountedAnswers {
    int read = 0;            ///< answers whose records were read
    int all = 0;             ///< answers that are loaded
    bool moreBefore = false; ///< the chat has earlier ones
};
QString chatSentence(qint64 tokens, const CountedAnswers& answers, bool dense);
QString placesSentence(const std::vector<uint8_t>& states, bool dense);

/// An expert and the difference of its shares of two runs.
struct ChangedExpert {
    int layer = 0, expert = 0;
    double difference = 0; ///< -1..1
};
/// Returns the experts whose shares differ most, the largest difference first.
std::vector<ChangedExpert> mostChanged(const std::vector<double>& differences,
                                       const std::vector<int64_t>& expertsOfLayer, size_t most);
/// with: "its prompt", "the answer before it", ...
QString differenceSentence(const std::vector<ChangedExpert>& changed, const QString& with);
/// Says how the two runs of a comparison are coloured. most: the share of the tokens with the strongest colour.
QString runsSentence(double most);

/// Remarks that keep the figures honest: tokens that were not read again, waiting that a chunk shares, a beginning that
/// was not kept, tokens without a record, no experts. live: it is being written, so it has not ended before its last
/// token. written: tokens of the whole answer; 0 if that is not known.
QStringList answerRemarks(const TracedAnswer& answer, bool live, qint64 written = 0);

} // namespace coterie::app
