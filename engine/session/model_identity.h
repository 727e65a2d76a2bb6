// SPDX-License-Identifier: Apache-2.0
// Recognises a model whatever its file is called, for records about it.
#pragma once

#include "gguf/model_file.h"

#include <cstdint>
#include <optional>

namespace coterie::engine {

/// Returns a hash of the file's size and of samples of its head, which are read from it, or nothing if they can't be.
std::optional<uint64_t> modelIdentity(const ModelFile& model);

} // namespace coterie::engine
