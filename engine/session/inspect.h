// SPDX-License-Identifier: Apache-2.0
// Describes a model from its metadata, whether it can run or not.
#pragma once

#include "gguf/model_file.h"
#include "model/model_shape.h"
#include "session/session.h"

namespace coterie::engine {

/// Describes the file alone: names, sizes, formats, and the counts as the file states them.
ModelInfo describeFile(const ModelFile& file);
/// Replaces the file's own numbers by those that the architecture table gives.
void describeShape(const ModelShape& shape, ModelInfo& info);

/// Checks the options that do not depend on the file. Returns BadInput or Unsupported if one is wrong.
Status checkOpenOptions(const OpenOptions& options);
/// Returns the bytes that the process holds without the model that is opened: the options' number if they give one,
/// else the number now. Call it before the tokenizer is made, because the plan counts the tokenizer's memory apart.
uint64_t heldBesides(const OpenOptions& options);
/// Returns the request for memory that these options make. checkOpenOptions() must have accepted them. No room is kept
/// for a sketch of the head that was `measured` and found useless. info: the model, described. held: heldBesides().
/// tokenizer: null if the vocabulary can't be used.
MemoryRequest memoryRequestOf(const OpenOptions& options, const ModelInfo& info, const HeadAgreement& measured,
                              uint64_t held, const Tokenizer* tokenizer);
/// Makes the request plan for the device's memory too, if the device has its own. most: OpenOptions::deviceMemory.
void placeOn(const DeviceInfo& device, uint64_t most, MemoryRequest& memory);
/// Describes the head predictor of a model with that plan.
HeadPredictor describePredictor(const ModelShape& shape, const MemoryPlan& plan, const HeadAgreement& measured);
/// Returns the number of threads that the options ask for, or the system's number.
int threadsOf(const OpenOptions& options);
FileSystem& filesOf(const OpenOptions& options);

} // namespace coterie::engine
