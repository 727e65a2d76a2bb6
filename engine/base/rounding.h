// SPDX-License-Identifier: Apache-2.0
// Rounding of counts and sizes to multiples, and the one multiple that everything in memory shares. Arguments are not
// negative, and a sum with `multiple` must fit the type.
#pragma once

#include <cstdint>
#include <type_traits>

namespace coterie::engine {

/// Bytes of a cache line, which is also the widest vector register: arrays begin on multiples of it.
inline constexpr uint64_t kLineBytes = 64;

/// Returns how many pieces of `size` cover n.
template <typename T>
constexpr T ceilDiv(T n, std::type_identity_t<T> size) {
    return (n + size - 1) / size;
}

/// Returns the next multiple of `multiple`; n itself if it is a multiple.
template <typename T>
constexpr T roundUp(T n, std::type_identity_t<T> multiple) {
    return ceilDiv(n, multiple) * multiple;
}

static_assert(ceilDiv(0, 3) == 0 && ceilDiv(1, 3) == 1 && ceilDiv(3, 3) == 1 && ceilDiv(4, 3) == 2);
static_assert(roundUp(0, 64) == 0 && roundUp(64, 64) == 64 && roundUp(65, 64) == 128);

} // namespace coterie::engine
