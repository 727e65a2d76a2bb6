// SPDX-License-Identifier: Apache-2.0
// The work of a model's tokens on a processor: which bytes of weights in which formats, how many dispatches and
// submissions. It is counted from the file's header; no weights are read.
#pragma once

#include "decoder/device_info.h"
#include "decoder/rates/promise.h"
#include "model/model_tensors.h"

namespace coterie::engine {

struct WorkOptions {
    const DeviceAbilities& abilities; ///< the processor's: they say how many layers are one submission
    int64_t chunk = 1;                ///< tokens of a prompt that are computed together
    /// A predictor names the rows of the head that are computed, see HeadPredictor. The head then counts as nothing,
    /// because few of its rows are read; a predictor of the model's file counts as a matrix.
    bool predictedHead = false;
};

/// Experts count by the share that a token uses; embeddings and vectors count as nothing.
ModelWork workOf(const ModelShape& shape, const ModelTensors& tensors, const WorkOptions& options);

/// The work of a model that nobody named, to compare processors: 2 GiB of Q4_K for each token, in 32 layers without
/// experts, and chunks of 128 tokens.
ModelWork exampleWork(const DeviceAbilities& abilities);
inline constexpr double kExampleBytes = 2.0 * (1 << 30);
inline constexpr TensorType kExampleFormat = TensorType::Q4_K;

/// The formats of this work, each once.
std::vector<TensorType> formatsOf(const ModelWork& work);

} // namespace coterie::engine
