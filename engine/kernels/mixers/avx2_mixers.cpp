// SPDX-License-Identifier: Apache-2.0
// The causal convolution and the gated delta rule with AVX2, eight floats at a time: mixer_loops.h has the loops.
#include "kernels/avx2_floats.h"
#include "kernels/avx2_table.h"

#define COTERIE_LOOP COTERIE_AVX2
#define COTERIE_LOOP_INLINE COTERIE_AVX2_INLINE
#define COTERIE_LOOP_NAME(name) avx2##name

namespace coterie::engine {
namespace {
using Pieces = Avx2Floats;
} // namespace
} // namespace coterie::engine

#include "kernels/mixers/mixer_loops.h"
