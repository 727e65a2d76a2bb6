// SPDX-License-Identifier: Apache-2.0
// Random weights as a file's format holds them: the bytes, and the same values as doubles. Not a quantiser: in
// quantised formats the blocks are drawn, and only their scales are chosen.
#pragma once

#include "gguf/tensor_type.h"
#include "support/random.h"

#include <string>
#include <vector>

namespace coterie::test {

/// Replaces `values` by what the format holds: the nearest floats and halves, or random blocks of about the same
/// deviation around 0. `values` must fill whole blocks. Returns the bytes of a tensor.
std::string storeValues(engine::TensorType type, std::vector<double>& values, Random& random);

} // namespace coterie::test
