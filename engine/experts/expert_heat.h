// SPDX-License-Identifier: Apache-2.0
// How often each expert was used. A store counts it, and the next store of the same model can start from it: then idle
// fills read the experts first that were used most, the eviction policy knows them, and slots of two sizes are divided
// by their use (slot_division.h).
#pragma once

#include "experts/expert_index.h"

#include <cstddef>
#include <vector>

namespace coterie::engine {

struct ExpertHeat {
    std::vector<float> tokens; ///< [layers] tokens that went through the layer; empty: nothing is known
    std::vector<float> uses;   ///< [experts] how many of them used the expert, in the order of ExpertStore::states()

    bool empty() const { return tokens.empty(); }
    /// Whether it can be about these experts: no expert is used by more tokens than there were, and all numbers are
    /// possible.
    bool fits(const ExpertIndex& experts) const;
    /// The share of a layer's tokens that used the expert, which is one of the layer's. expert: its number among all.
    double shareOf(size_t layer, size_t expert) const {
        return tokens[layer] > 0 ? static_cast<double>(uses[expert]) / static_cast<double>(tokens[layer]) : 0;
    }
    /// Makes older uses count less: after this the heat weighs as much as `most` tokens, or what it weighs already.
    void fade(float most);

    bool operator==(const ExpertHeat&) const = default;
};

} // namespace coterie::engine
