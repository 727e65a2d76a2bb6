// SPDX-License-Identifier: Apache-2.0
// Reads a whole SmallThinker file for the oracle (oracle_decoder.h), for example the guide. The values are decoded by
// quant_oracle.h; of the engine only the reader of the file's list of tensors is used.
#pragma once

#include "support/oracle_decoder.h"

#include <optional>
#include <string>

namespace coterie::test {

/// Returns nothing if the file can't be read or has another architecture.
std::optional<OracleModel> readOracle(const std::string& path);

} // namespace coterie::test
