// SPDX-License-Identifier: Apache-2.0
// How a family's rotary embedding is stretched for contexts beyond those it was first trained for: linear, YaRN
// (arXiv:2309.00071), or not at all. Inside decoder/ only.
#pragma once

#include "model/metadata.h"
#include "model/model_shape.h"

namespace coterie::engine {

/// Reads the rotation's keys and fills shape.rotation, shape.windowRotation, shape.longestContext and, if scaling was
/// asked for, a note. The layers must be known before. headDim: values of a head that rotates. context: the number of
/// tokens asked for; 0 for the trained context.
void readRope(Metadata& keys, int64_t headDim, int64_t context, ModelShape& shape);

} // namespace coterie::engine
