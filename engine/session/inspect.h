// SPDX-License-Identifier: Apache-2.0
// What can be said about a model from its metadata, whether it can run or not.
#pragma once

#include "decoder/model_shape.h"
#include "gguf/model_file.h"
#include "session/session.h"

namespace coterie::engine {

/// From the file alone: names, sizes, formats, and the counts as the file states them.
ModelInfo describeFile(const ModelFile& file);
/// What the architecture table made of it replaces the file's own words.
void describeShape(const ModelShape& shape, ModelInfo& info);

/// Options that are wrong whatever the file: BadInput or Unsupported.
Status checkOpenOptions(const OpenOptions& options);
/// What the process holds without the model that is opened: as the options say, else what it holds now. Call it before
/// the tokenizer is made, whose memory the plan counts apart.
uint64_t heldBesides(const OpenOptions& options);
/// What options that checkOpenOptions() let pass ask of the memory. No room is kept for a head's sketch that was
/// `measured` and found useless. held: heldBesides(). tokenizer: null if the vocabulary can't be used.
MemoryRequest memoryRequestOf(const OpenOptions& options, const HeadAgreement& measured, uint64_t held,
                              const Tokenizer* tokenizer);
/// Plans for the memory of a device that has its own.
void placeOn(const DeviceInfo& device, MemoryRequest& memory);
/// Of a model with that plan.
HeadPredictor describePredictor(const ModelShape& shape, const MemoryPlan& plan, const HeadAgreement& measured);
/// The threads that options ask for, or the system's number.
int threadsOf(const OpenOptions& options);
FileSystem& filesOf(const OpenOptions& options);

} // namespace coterie::engine
