// SPDX-License-Identifier: Apache-2.0
// Measures the rates of the CPU with the kernels and threads that would compute a model.
#pragma once

#include "decoder/rates/device_rates.h"

#include "base/result.h"
#include "kernels/kernels.h"

#include <span>

namespace coterie::engine {

/// Takes some 0.2 s for each format, and 128 MiB of memory meanwhile. OutOfMemory if there is none. formats: those that
/// the kernels support.
Result<DeviceRates> measureCpu(const KernelTable& kernels, int threads, std::span<const TensorType> formats);

} // namespace coterie::engine
