// SPDX-License-Identifier: Apache-2.0
// See compute.h.
#include "decoder/compute.h"

#include "base/rounding.h"

#include <algorithm>

namespace coterie::engine {
namespace {

/// Rows that one call of a kernel computes: a multiple of every table's tile.
constexpr int64_t kBlockRows = 16;
/// Pieces of work per thread: enough that a slow core does not make the others wait.
constexpr int64_t kPiecesPerThread = 8;

int64_t blocksOf(const Matrix& matrix) { return ceilDiv(matrix.rows, kBlockRows); }

void multiplyBlocks(const Compute& compute, const Product& p, int64_t begin, int64_t end) {
    compute.kernels.multiply(p.weights, begin * kBlockRows, std::min(end * kBlockRows, p.weights.rows), p.input.data,
                             p.input.stride, p.batch, p.out, p.outStride);
}

} // namespace

/// On the engine's thread the time outside the body is spent waiting for the others.
void Compute::forEachMeasured(int64_t count, int64_t grain,
                              const std::function<void(int64_t, int64_t, int)>& body) const {
    const Step step = meter->current();
    const StepScope waiting = measure(Step::Barriers);
    pool.parallelFor(count, grain, [&](int64_t begin, int64_t end, int thread) {
        const StepScope working = measure(step, thread);
        body(begin, end, thread);
    });
}

void PreparedInputs::set(const float* x, int64_t columns, int64_t batch) {
    x_ = x;
    columns_ = columns;
    batch_ = batch;
    forms_ = {};
}

PreparedInputs::Form PreparedInputs::form(const Compute& compute, TensorType type) {
    const size_t place = placeOf(vectorForm(type));
    if (forms_[place].data != nullptr) return forms_[place];
    std::byte* out = buffers_[place];
    const size_t stride = compute.kernels.preparedBytes(type, columns_);
    compute.forEachToken(batch_, [&](int64_t t) {
        compute.kernels.prepare(type, x_ + t * columns_, columns_, out + static_cast<size_t>(t) * stride);
    });
    return forms_[place] = {out, stride};
}

void multiplyAll(const Compute& compute, std::span<const Product> products) {
    int64_t blocks = 0;
    uint64_t bytes = 0, work = 0;
    for (const Product& product : products) {
        blocks += blocksOf(product.weights);
        bytes += product.weights.bytes();
        work += product.weights.bytes() * static_cast<uint64_t>(product.batch);
    }
    compute.countBytes(bytes);
    const int64_t pieces = compute.pool.threads() * kPiecesPerThread;
    const int64_t grain = work < kWorthSharing ? blocks : std::max<int64_t>(1, blocks / pieces);
    compute.forEach(blocks, grain, [&](int64_t begin, int64_t end, int) {
        for (const Product& product : products) {
            const int64_t own = blocksOf(product.weights);
            if (begin < own && end > 0)
                multiplyBlocks(compute, product, std::max<int64_t>(begin, 0), std::min(end, own));
            begin -= own;
            end -= own;
        }
    });
}

} // namespace coterie::engine
