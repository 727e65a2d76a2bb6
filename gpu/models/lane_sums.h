// SPDX-License-Identifier: Apache-2.0
// The scalar model of gpu/shaders/sums.glsl: the order in which lanes are added.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

namespace coterie::gpu {

/// Adds lanes in xor pairs at distance 1, 2, 4, ... : every lane ends with the same bits, which are returned. The
/// number of lanes is a power of two.
inline float sumOverLanes(std::span<const float> lanes) {
    assert(!lanes.empty() && (lanes.size() & (lanes.size() - 1)) == 0);
    std::vector<float> values(lanes.begin(), lanes.end()), sums(lanes.size());
    for (size_t distance = 1; distance < values.size(); distance *= 2) {
        for (size_t lane = 0; lane < values.size(); ++lane) sums[lane] = values[lane] + values[lane ^ distance];
        values.swap(sums);
    }
    return values[0];
}

} // namespace coterie::gpu
