// SPDX-License-Identifier: Apache-2.0
// How a family's rotary embedding is stretched for contexts beyond those it was first trained for: linear, YaRN
// (arXiv:2309.00071), or not at all. Inside decoder/ only.
#pragma once

#include "decoder/metadata.h"
#include "decoder/model_shape.h"

namespace coterie::engine {

/// Reads the rotation's keys and fills shape.rope*, shape.longestContext and, where scaling was asked for, a note. To
/// be called when the layers are known. context: tokens asked for; 0 for the trained ones.
void readRope(Metadata& keys, int64_t context, ModelShape& shape);

} // namespace coterie::engine
