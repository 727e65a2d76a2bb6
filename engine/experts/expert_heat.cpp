// SPDX-License-Identifier: Apache-2.0
// See expert_heat.h.
#include "experts/expert_heat.h"

#include <algorithm>
#include <cmath>

namespace coterie::engine {

bool ExpertHeat::fits(const ExpertIndex& experts) const {
    if (tokens.size() != experts.layers() || uses.size() != experts.experts()) return false;
    for (size_t layer = 0; layer < experts.layers(); ++layer) {
        const float most = tokens[layer];
        if (!std::isfinite(most) || most < 0) return false;
        for (size_t i = experts.first(layer); i < experts.first(layer + 1); ++i)
            if (!(uses[i] >= 0 && uses[i] <= most)) return false;
    }
    return true;
}

void ExpertHeat::fade(float most) {
    const float largest = tokens.empty() ? 0 : *std::max_element(tokens.begin(), tokens.end());
    if (largest <= most) return;
    for (std::vector<float>* counts : {&tokens, &uses})
        for (float& count : *counts) count *= most / largest;
}

} // namespace coterie::engine
