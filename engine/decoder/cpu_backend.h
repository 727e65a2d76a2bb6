// SPDX-License-Identifier: Apache-2.0
// The CPU's backend. It keeps the first promise of the contract about bits (device.h): the same tokens and the same
// kernels give the same logits to the bit. It gets every expert from the expert store, so it can compute whole layers
// on its own.
#pragma once

#include "decoder/device.h"

#include <memory>

namespace coterie::engine {

std::unique_ptr<Backend> createCpuBackend(const BackendOptions& options);

} // namespace coterie::engine
