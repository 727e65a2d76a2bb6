// SPDX-License-Identifier: Apache-2.0
// The type of a token's number: its place in the vocabulary of the model's file.
#pragma once

#include <cstdint>

namespace coterie::engine {

using TokenId = int32_t;

} // namespace coterie::engine
