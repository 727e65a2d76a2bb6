// SPDX-License-Identifier: Apache-2.0
// One numbering for the experts of all layers: those of layer 0 by number, then those of layer 1, and so on. It is a
// plain value and knows nothing of where an expert is.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coterie::engine {

class ExpertIndex {
  public:
    ExpertIndex() = default; ///< no layers
    /// expertsOfLayer: [layers]; a number below 0 counts as 0.
    explicit ExpertIndex(std::span<const int> expertsOfLayer) { add(expertsOfLayer); }
    explicit ExpertIndex(std::span<const int64_t> expertsOfLayer) { add(expertsOfLayer); }

    size_t layers() const { return first_.size() - 1; }
    size_t experts() const { return first_.back(); } ///< the number of all experts
    /// The number of a layer's expert 0. For layers(): the number of all experts.
    size_t first(size_t layer) const { return first_[layer]; }
    /// Number of the layer's experts.
    size_t expertsOf(size_t layer) const { return first_[layer + 1] - first_[layer]; }
    bool has(int layer, int expert) const {
        return layer >= 0 && static_cast<size_t>(layer) < layers() && expert >= 0 &&
               static_cast<size_t>(expert) < expertsOf(static_cast<size_t>(layer));
    }
    /// The expert's number among all. The index must have it.
    size_t number(int layer, int expert) const {
        assert(has(layer, expert));
        return first_[static_cast<size_t>(layer)] + static_cast<size_t>(expert);
    }
    bool operator==(const ExpertIndex&) const = default;

  private:
    template <typename Number>
    void add(std::span<const Number> expertsOfLayer) {
        first_.reserve(expertsOfLayer.size() + 1);
        for (const Number experts : expertsOfLayer)
            first_.push_back(first_.back() + (experts > 0 ? static_cast<size_t>(experts) : 0));
    }

    std::vector<size_t> first_{0}; // [layers + 1]
};

} // namespace coterie::engine
