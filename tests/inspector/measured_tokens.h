// SPDX-License-Identifier: Apache-2.0
// The measures of an answer's tokens, computed at once. The inspector lets them grow with the answer.
#pragma once

#include "inspector/token_measures.h"

namespace coterie::test {

inline app::MeasuredTokens measureTokens(const app::TracedAnswer& answer, app::TokenMeasure measure) {
    app::MeasuredTokens tokens;
    app::growMeasures(tokens, answer, measure);
    return tokens;
}

} // namespace coterie::test
