// SPDX-License-Identifier: Apache-2.0
// Measurements of a head predictor that this program derived: how far its guesses may be off, and how well it does with
// that margin. A session keeps them from one run to the next.
#pragma once

#include <cstdint>

namespace coterie::engine {

/// The states come from the model itself while it reads and answers. The first ones set the margin (calibration), the
/// later ones test it (validation).
struct HeadAgreement {
    static constexpr int64_t kCalibrationStates = 128, kValidationStates = 384;

    int64_t calibration = 0; ///< states used to set the margin
    float margin = 0;        ///< largest error of a likely row's guess in these states, in HeadSketch's unit
    int64_t validation = 0;  ///< states used to test it
    int64_t agreeing = 0;    ///< tested states whose likeliest token is among the rows that would be computed
    double rowShares = 0;    ///< sum over the tested states of the share of rows that would be computed
    double worthBelow = 0;   ///< share of rows above which computing all rows costs less

    bool settled() const { return calibration >= kCalibrationStates && validation >= kValidationStates; }
    double agreement() const {
        return validation == 0 ? 0 : static_cast<double>(agreeing) / static_cast<double>(validation);
    }
    double rowShare() const { return validation == 0 ? 1 : rowShares / static_cast<double>(validation); }
    /// Whether the predictor is used.
    bool good() const { return settled() && agreement() >= 0.995 && rowShare() < worthBelow; }
};

} // namespace coterie::engine
