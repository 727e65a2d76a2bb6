// SPDX-License-Identifier: Apache-2.0
// Compares what a shader wrote with what its scalar model says.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace coterie::gpu {

/// An error names the first value that differs. Two NaN are equal whatever their bits are: processors write different
/// ones.
engine::Status sameBits(std::string_view shader, std::span<const float> written, std::span<const float> expected);
/// The same for bytes, which are compared as they are.
engine::Status sameBytes(std::string_view shader, std::span<const std::byte> written,
                         std::span<const std::byte> expected);

} // namespace coterie::gpu
