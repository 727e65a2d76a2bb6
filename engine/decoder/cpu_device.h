// SPDX-License-Identifier: Apache-2.0
// The CPU behind the device border.
#pragma once

#include "decoder/device.h"

namespace coterie::engine {

struct CpuDeviceOptions {
    const KernelTable* kernels = nullptr;
    int threads = 1;
};

std::unique_ptr<Device> createCpuDevice(const CpuDeviceOptions& options);

} // namespace coterie::engine
