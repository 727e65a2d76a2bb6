// SPDX-License-Identifier: Apache-2.0
// How often each expert was used. A store counts it, and the next store of the same model can start from it: then idle
// fills read the experts first that were used most, and the eviction policy knows them.
#pragma once

#include <algorithm>
#include <vector>

namespace coterie::engine {

struct ExpertHeat {
    std::vector<float> tokens; ///< [layers] tokens that went through the layer; empty: nothing is known
    std::vector<float> uses;   ///< [experts] how many of them used the expert, in the order of ExpertStore::states()

    bool empty() const { return tokens.empty(); }
    /// Makes older uses count less: after this the heat weighs as much as `most` tokens, or what it weighs already.
    void fade(float most) {
        const float largest = tokens.empty() ? 0 : *std::max_element(tokens.begin(), tokens.end());
        if (largest <= most) return;
        for (std::vector<float>* counts : {&tokens, &uses})
            for (float& count : *counts) count *= most / largest;
    }
    bool operator==(const ExpertHeat&) const = default;
};

} // namespace coterie::engine
