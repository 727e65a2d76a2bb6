// SPDX-License-Identifier: Apache-2.0
// The stored form of an answer's token records (token_record.h). token_bytes.cpp draws it. Pure functions: any thread.
#pragma once

#include "base/result.h"
#include "records/token_record.h"

#include <cstddef>
#include <span>
#include <vector>

namespace coterie::engine {

/// Times are kept as float32, probabilities and entropies as float32. The bytes are the same on every machine.
std::vector<std::byte> tokenBytes(std::span<const TokenRecord> tokens);
/// Reads what tokenBytes() wrote; the bytes may come from anywhere. BadInput if they are not whole, Unsupported if a
/// later version of the program wrote them.
Result<std::vector<TokenRecord>> readTokenBytes(std::span<const std::byte> bytes);

} // namespace coterie::engine
