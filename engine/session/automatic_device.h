// SPDX-License-Identifier: Apache-2.0
// The device "auto": the one that promises the most for a model, if that is enough, or the CPU. It asks for the list of
// devices and measures them and the CPU. devices.h chooses by name, for which nothing is measured.
#pragma once

#include "gguf/gguf.h"
#include "model/model_shape.h"
#include "session/session.h"

#include <vector>

namespace coterie::engine {

/// A model for which a device is chosen. All objects named here outlive it.
struct ModelNeeds {
    const OpenOptions& options;
    const ModelShape& shape;
    const gguf::Header& header;
    MemoryRequest memory;     ///< without a device
    HeadAgreement measured{}; ///< measurements of this model's derived head predictor
};

struct ChosenDevice {
    DeviceInfo device;
    Sentence why{}; ///< promise of the device of "auto", or the reason why the CPU computes; "" for a name
};

/// Returns the device that promises the most among those that are no simulated ones, have room for the model, compute
/// all that its layers need, and promise enough (decoder/rates/promise.h). Otherwise returns the CPU.
ChosenDevice automaticDevice(const ModelNeeds& needs);

/// Returns the device that the options ask for, by name or by "auto". If it is optional and can't be used, returns the
/// CPU, and adds to the notes why.
Result<ChosenDevice> deviceOfModel(const ModelNeeds& needs, std::vector<Sentence>& notes);

} // namespace coterie::engine
