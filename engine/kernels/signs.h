// SPDX-License-Identifier: Apache-2.0
// KernelTable::multiplySigns of each instruction set. Inside kernels/ only.
//
// A row's signs against one vector, a block of 32 columns at a time: the block's values are added, those whose weight
// is below 0 with their sign turned, in integers and so exactly; the block's scale and the sums across blocks are
// floats.
#pragma once

#include "kernels/kernels.h"

namespace coterie::engine {

void avx2MultiplySigns(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, float shift,
                       float* out);
void avx512MultiplySigns(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, float shift,
                         float* out);
void neonMultiplySigns(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, float shift,
                       float* out);

} // namespace coterie::engine
