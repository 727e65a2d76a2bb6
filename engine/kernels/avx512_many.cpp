// SPDX-License-Identifier: Apache-2.0
// Products of quantised matrices and many tokens, for AVX-512 with VNNI.
#include "kernels/avx512_many.h"
#include "kernels/avx512_table.h"

namespace coterie::engine {

void avx512MultiplyMany(TensorType type, const TileArguments& a, int64_t rows, int64_t batch) {
    withQuantisedFormat(type, [&]<TensorType known>() { multiplyMany<PanelsOf16<known>>(a, rows, batch); });
}

} // namespace coterie::engine
