// SPDX-License-Identifier: Apache-2.0
// What was measured of a head predictor that this program derived: how far its guesses may be off, and how well it then
// does. A session keeps it from one run to the next.
#pragma once

#include <cstdint>

namespace coterie::engine {

/// States are the model's own, met while it reads and answers: the first ones choose the margin, the later ones judge
/// it.
struct HeadAgreement {
    static constexpr int64_t kChoosingStates = 128, kJudgingStates = 384;

    int64_t choosing = 0;  ///< states that chose
    float margin = 0;      ///< largest error of a likely row's guess that they showed, in HeadSketch's unit
    int64_t judging = 0;   ///< states that judged
    int64_t agreeing = 0;  ///< those of them whose likeliest token is among the rows that would be computed
    double rowShares = 0;  ///< sum over them of the share of rows that would be computed
    double worthBelow = 0; ///< share of rows from which on computing all of them costs less

    bool settled() const { return choosing >= kChoosingStates && judging >= kJudgingStates; }
    double agreement() const { return judging == 0 ? 0 : static_cast<double>(agreeing) / static_cast<double>(judging); }
    double rowShare() const { return judging == 0 ? 1 : rowShares / static_cast<double>(judging); }
    /// What decides whether it is used.
    bool good() const { return settled() && agreement() >= 0.995 && rowShare() < worthBelow; }
};

} // namespace coterie::engine
