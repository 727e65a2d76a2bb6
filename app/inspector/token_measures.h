// SPDX-License-Identifier: Apache-2.0
// The measures by which the inspector colours the tokens of an answer. Pure functions, and one enumeration for C++ and
// QML ("TokenMeasure.Time").
#pragma once

#include "inspector/traced_answer.h"

#include <QObject>
#include <QString>
#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

namespace token_measures { // QML knows an enumeration by its class or its namespace
Q_NAMESPACE
QML_NAMED_ELEMENT(TokenMeasure)
enum class TokenMeasure { None, Probability, Entropy, Time, Waiting, Misses, Neurons };
Q_ENUM_NS(TokenMeasure)
} // namespace token_measures
using token_measures::TokenMeasure;

/// A measure of all tokens of an answer: NaN where it is not known.
struct MeasuredTokens {
    std::vector<double> values{}; ///< [tokens] in the measure's own unit
    std::vector<double> shares{}; ///< [tokens] 0..1: how strongly the token is coloured
    double most = 0;              ///< the value with the share 1
    size_t final = 0;             ///< the first values, which do not change while the answer grows
};

/// Takes in what the answer has more since the last call; the measure is the same. The cost does not depend on the
/// answer's length, except when a value exceeds all before it: then all shares change.
void growMeasures(MeasuredTokens& tokens, const TracedAnswer& answer, TokenMeasure measure);
/// Whether the answer's record has this measure.
bool hasMeasure(const TracedAnswer& answer, TokenMeasure measure);
QString measureName(TokenMeasure measure);
/// "93 %", "1.2 ms", "3 experts".
QString measureValue(TokenMeasure measure, double value);
/// Says what the colour means, with its scale; or why there is none.
QString measureSentence(const TracedAnswer& answer, TokenMeasure measure, double most);

} // namespace coterie::app
