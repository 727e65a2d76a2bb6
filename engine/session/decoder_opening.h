// SPDX-License-Identifier: Apache-2.0
// Opens the decoder that answers for a model: plans the memory, makes the device's backend, reads the resident weights.
#pragma once

#include "gguf/model_file.h"
#include "session/device_switch.h"
#include "session/session.h"

#include <functional>
#include <optional>

namespace coterie::engine {

/// Everything that opening a decoder needs. All objects named here outlive the decoder.
struct DecoderNeeds {
    const OpenOptions& options;
    const ModelFile& file;
    const ModelShape& shape;
    MemoryRequest memory;
    HeadAgreement measured{}; ///< measurements of this model's derived head predictor
};

/// progress: as for Backend::upload(). disk: set if the model's disk was measured.
Result<OpenedDecoder> openDecoder(const DecoderNeeds& needs, const DeviceInfo& device,
                                  const std::function<bool(uint64_t done, uint64_t total)>& progress,
                                  std::optional<DiskProfile>& disk);

} // namespace coterie::engine
