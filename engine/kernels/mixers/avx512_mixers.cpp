// SPDX-License-Identifier: Apache-2.0
// The causal convolution and the gated delta rule with AVX-512, sixteen floats at a time: mixer_loops.h has the loops.
#include "kernels/avx512_floats.h"
#include "kernels/avx512_table.h"

#define COTERIE_LOOP COTERIE_AVX512
#define COTERIE_LOOP_INLINE COTERIE_AVX512_INLINE
#define COTERIE_LOOP_NAME(name) avx512##name

namespace coterie::engine {
namespace {
using Pieces = Avx512Floats;
} // namespace
} // namespace coterie::engine

#include "kernels/mixers/mixer_loops.h"
