// SPDX-License-Identifier: Apache-2.0
// The CPU behind the device border. Same tokens, same kernels: the same logits to the bit, however a prompt is split,
// whatever the number of threads or expert slots.
#pragma once

#include "decoder/device.h"

namespace coterie::engine {

struct CpuDeviceOptions {
    const KernelTable* kernels = nullptr; ///< nothing: the best of this machine
    int threads = 1;
    Shortcuts shortcuts{};
    ExpertStoreChoices experts{};
    std::string packedPath{};      ///< of a packed file, read in place of the model's own where it is current; "": none
    HeadAgreement headAgreement{}; ///< what headAgreement() said of this model before
};

std::unique_ptr<Device> createCpuDevice(const CpuDeviceOptions& options);

} // namespace coterie::engine
