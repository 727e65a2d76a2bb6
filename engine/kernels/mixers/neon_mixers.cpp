// SPDX-License-Identifier: Apache-2.0
// The causal convolution and the gated delta rule with NEON, eight floats at a time: mixer_loops.h has the loops.
#include "kernels/neon_floats.h"
#include "kernels/neon_table.h"

#define COTERIE_LOOP
#define COTERIE_LOOP_INLINE COTERIE_NEON_INLINE
#define COTERIE_LOOP_NAME(name) neon##name

namespace coterie::engine {
namespace {
using Pieces = NeonFloats;
} // namespace
} // namespace coterie::engine

#include "kernels/mixers/mixer_loops.h"
