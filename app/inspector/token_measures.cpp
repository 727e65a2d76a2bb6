// SPDX-License-Identifier: Apache-2.0
// See token_measures.h.
#include "inspector/token_measures.h"

#include "common/units.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace coterie::app {
namespace {

struct Inspector {
    Q_DECLARE_TR_FUNCTIONS(Inspector)
};

/// The figure of each measure, in the order of TokenMeasure after None.
constexpr std::array kFigures{&TokenFigures::probability, &TokenFigures::entropy, &TokenFigures::seconds,
                              &TokenFigures::waiting,     &TokenFigures::misses,  &TokenFigures::neurons};

/// The probability and entropy of a token are known even if it has no pass of its own. Where no neuron rests, their
/// number says nothing.
double measured(const TracedAnswer& answer, size_t token, TokenMeasure measure) {
    const engine::TokenRecord& record = answer.tokens()[token];
    if (measure == TokenMeasure::Probability) return record.probability.value_or(std::nan(""));
    if (measure == TokenMeasure::Entropy) return record.entropy.value_or(std::nan(""));
    if (measure == TokenMeasure::Neurons && !answer.hasNeurons()) return std::nan("");
    return answer.figures(answer.answerBegins() + static_cast<int>(token)).*kFigures[static_cast<size_t>(measure) - 1];
}

} // namespace

void growMeasures(MeasuredTokens& tokens, const TracedAnswer& answer, TokenMeasure measure) {
    if (measure == TokenMeasure::None) return;
    const double before = tokens.most;
    tokens.values.resize(std::min(tokens.final, tokens.values.size()));
    size_t from = tokens.values.size();
    for (size_t i = from; i < answer.tokens().size(); ++i) {
        tokens.values.push_back(measured(answer, i, measure));
        if (std::isfinite(tokens.values.back())) tokens.most = std::max(tokens.most, tokens.values.back());
    }
    // A token whose pass has not ended has no time yet.
    const auto passed = static_cast<size_t>(std::max(0, answer.last() - answer.answerBegins() + 1));
    tokens.final = std::min(passed, answer.tokens().size());
    // A sure token needs no colour: the surprising ones are to be seen.
    const bool surprise = measure == TokenMeasure::Probability;
    if (surprise) tokens.most = 1;
    if (tokens.most != before) from = 0;
    tokens.shares.resize(from);
    for (size_t i = from; i < tokens.values.size(); ++i) {
        const double value = tokens.values[i];
        tokens.shares.push_back(surprise ? 1 - value : tokens.most > 0 ? value / tokens.most : value);
    }
}

bool hasMeasure(const TracedAnswer& answer, TokenMeasure measure) {
    switch (measure) {
    case TokenMeasure::Probability:
    case TokenMeasure::Entropy:
        return answer.hasProbabilities();
    case TokenMeasure::Misses:
        return answer.hasMisses();
    case TokenMeasure::Waiting: // also for an expert that was prefetched, but had not arrived
        return answer.prompt().waitSeconds() + answer.answer().waitSeconds() > 0;
    case TokenMeasure::Neurons:
        return answer.hasNeurons();
    case TokenMeasure::None:
    case TokenMeasure::Time:
        break;
    }
    return true;
}

QString measureName(TokenMeasure measure) {
    switch (measure) {
    case TokenMeasure::None:
        return Inspector::tr("Nothing");
    case TokenMeasure::Probability:
        return Inspector::tr("Probability");
    case TokenMeasure::Entropy:
        return Inspector::tr("Doubt");
    case TokenMeasure::Time:
        return Inspector::tr("Time");
    case TokenMeasure::Waiting:
        return Inspector::tr("Waiting for the disk");
    case TokenMeasure::Misses:
        return Inspector::tr("Experts not read in time");
    case TokenMeasure::Neurons:
        return Inspector::tr("Active neurons");
    }
    return {};
}

QString measureValue(TokenMeasure measure, double value) {
    if (!std::isfinite(value)) return {};
    const QLocale locale;
    switch (measure) {
    case TokenMeasure::Probability:
        return shareText(value);
    case TokenMeasure::Entropy:
        // The number of equally probable words that would leave as much doubt.
        return Inspector::tr("a choice of %1").arg(locale.toString(std::exp(value), 'f', 1));
    case TokenMeasure::Time:
    case TokenMeasure::Waiting:
        return Inspector::tr("%1 ms").arg(locale.toString(value * 1000, 'f', 1));
    case TokenMeasure::Misses:
        return Inspector::tr("%Ln expert(s)", nullptr, static_cast<int>(value));
    case TokenMeasure::Neurons:
        return Inspector::tr("%Ln neuron(s)", nullptr, static_cast<int>(value));
    case TokenMeasure::None:
        break;
    }
    return {};
}

QString measureSentence(const TracedAnswer& answer, TokenMeasure measure, double most) {
    if (measure == TokenMeasure::None) return {};
    if (!hasMeasure(answer, measure)) {
        if (measure == TokenMeasure::Probability || measure == TokenMeasure::Entropy)
            return Inspector::tr("This answer has no probabilities. Regenerate it while this is chosen to get them (a "
                                 "little slower).");
        if (measure == TokenMeasure::Neurons)
            return Inspector::tr("The experts of this model have no neurons that rest.");
        if (measure == TokenMeasure::Waiting) return Inspector::tr("No token waited for the disk.");
        return Inspector::tr("Every expert was in memory, or already being read, when a token needed it.");
    }
    switch (measure) {
    case TokenMeasure::Probability:
        return Inspector::tr("The stronger the colour, the less probable was the word.");
    case TokenMeasure::Entropy:
        return Inspector::tr("The stronger the colour, the less sure the model was: at most as between %1 equally good "
                             "words (entropy).")
            .arg(measureValue(measure, most));
    case TokenMeasure::Time:
        return Inspector::tr("The stronger the colour, the longer the token took; the strongest is %1.")
            .arg(measureValue(measure, most));
    case TokenMeasure::Waiting:
        return Inspector::tr("The stronger the colour, the longer the token waited for the disk; the strongest is %1.")
            .arg(measureValue(measure, most));
    case TokenMeasure::Misses:
        return Inspector::tr("The stronger the colour, the more experts were read only when needed; the strongest is "
                             "%1.")
            .arg(measureValue(measure, most));
    case TokenMeasure::Neurons:
        return Inspector::tr("The stronger the colour, the more neurons were active; the strongest is %1.")
            .arg(measureValue(measure, most));
    case TokenMeasure::None:
        break;
    }
    return {};
}

} // namespace coterie::app
