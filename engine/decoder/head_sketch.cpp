// SPDX-License-Identifier: Apache-2.0
// See head_sketch.h.
#include "decoder/head_sketch.h"

#include "decoder/workspace.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace coterie::engine {
namespace {

/// Heads with fewer weights are quick in any case.
constexpr int64_t kLeastWeights = int64_t{1} << 22;
constexpr int64_t kBlock = 32; ///< columns of a word of bits
/// Enough rows for the mean and deviation of a column.
constexpr int64_t kSampledRows = 4096;
/// Rows of one piece of work.
constexpr int64_t kPieceRows = 256;

/// Sums that compilers keep in vector registers, in an order that is the code's own.
struct EightSums {
    float at[8] = {};
    float total() const { return ((at[0] + at[4]) + (at[2] + at[6])) + ((at[1] + at[5]) + (at[3] + at[7])); }
};

/// Bit i is byte i, which is 0 or 1: each product of a byte and a factor lands on a place of its own.
uint32_t packEight(const uint8_t* bytes) {
    uint64_t eight;
    std::memcpy(&eight, bytes, sizeof eight);
    return static_cast<uint32_t>(eight * 0x0102040810204080u >> 56);
}

/// Writes a row's bits; returns its scale.
float takeSigns(const float* row, const float* means, const float* deviations, int64_t columns, uint32_t* bits) {
    EightSums squares, weighted;
    for (int64_t c = 0; c < columns; c += kBlock) {
        uint8_t below[kBlock];
        for (int64_t i = 0; i < kBlock; ++i) below[i] = row[c + i] < means[c + i] ? 1 : 0;
        for (int64_t i = 0; i < kBlock; i += 8)
            for (int64_t j = 0; j < 8; ++j) {
                const float difference = row[c + i + j] - means[c + i + j];
                squares.at[j] += difference * difference;
                weighted.at[j] += deviations[c + i + j] * std::abs(difference);
            }
        bits[c / kBlock] =
            packEight(below) | packEight(below + 8) << 8 | packEight(below + 16) << 16 | packEight(below + 24) << 24;
    }
    const float sum = weighted.total();
    return sum > 0 ? squares.total() / sum : 0;
}

} // namespace

template <typename Place>
void HeadSketch::layOut(Place place) {
    const auto floats = [](int64_t n) { return Size(static_cast<uint64_t>(n)) * sizeof(float); };
    place(bits_, Size(static_cast<uint64_t>(rows_)) * static_cast<uint64_t>(signs_.columns / 8));
    place(scales_, floats(rows_));
    for (float** vectors : {&means_, &deviations_, &weighted_}) place(*vectors, floats(signs_.columns));
    place(prepared_, preparedBound(signs_.columns));
}

Size HeadSketch::bytesNeeded(int64_t rows, int64_t columns) {
    if (columns % kBlock != 0 || rows < kLeastWeights / columns) return 0;
    HeadSketch nowhere;
    nowhere.rows_ = rows;
    nowhere.signs_.columns = columns;
    Size total = 0;
    nowhere.layOut([&total](auto*&, Size bytes) { total += alignedSize(bytes); });
    return total;
}

Result<HeadSketch> HeadSketch::derive(const Matrix& head, const Compute& compute) {
    Result<Buffer> buffer = Buffer::allocate(bytesNeeded(head.rows, head.columns).value(), "the head's sketch");
    if (!buffer) return buffer.error();
    HeadSketch sketch;
    sketch.buffer_ = std::move(buffer).value();
    sketch.rows_ = head.rows;
    sketch.signs_.columns = head.columns;
    std::byte* next = sketch.buffer_.data();
    sketch.layOut([&next](auto*& array, Size bytes) {
        array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(next);
        next += alignedSize(bytes).value();
    });
    sketch.signs_.bits = sketch.bits_;
    sketch.signs_.scales = sketch.scales_;
    sketch.measureColumns(head, compute);
    compute.forEach(head.rows, kPieceRows,
                    [&](int64_t begin, int64_t end, int) { sketch.sketchRows(head, compute, begin, end); });
    return sketch;
}

void HeadSketch::measureColumns(const Matrix& head, const Compute& compute) {
    const int64_t count = std::min(head.rows, kSampledRows);
    std::vector<float> row(static_cast<size_t>(head.columns));
    for (int64_t i = 0; i < count; ++i) {
        compute.kernels.expandRow(head.type, head.row(i * head.rows / count), head.columns, row.data());
        for (int64_t c = 0; c < head.columns; ++c) {
            const float value = row[static_cast<size_t>(c)];
            means_[c] += value; // the buffer begins as zeros
            deviations_[c] += value * value;
        }
    }
    for (int64_t c = 0; c < head.columns; ++c) {
        means_[c] /= static_cast<float>(count);
        const float variance = deviations_[c] / static_cast<float>(count) - means_[c] * means_[c];
        deviations_[c] = std::sqrt(std::max(0.0f, variance));
    }
}

void HeadSketch::sketchRows(const Matrix& head, const Compute& compute, int64_t begin, int64_t end) {
    std::vector<float> row(static_cast<size_t>(head.columns));
    for (int64_t r = begin; r < end; ++r) {
        compute.kernels.expandRow(head.type, head.row(r), head.columns, row.data());
        scales_[r] = takeSigns(row.data(), means_, deviations_, head.columns, bits_ + r * (head.columns / kBlock));
    }
}

HeadSketch::State HeadSketch::look(const Compute& compute, const float* x) {
    EightSums offset, squares;
    for (int64_t c = 0; c < signs_.columns; c += 8)
        for (int64_t j = 0; j < 8; ++j) {
            offset.at[j] += means_[c + j] * x[c + j];
            weighted_[c + j] = deviations_[c + j] * x[c + j];
            squares.at[j] += weighted_[c + j] * weighted_[c + j];
        }
    compute.kernels.prepare(TensorType::Q8_0, weighted_, signs_.columns, prepared_);
    return {prepared_, offset.total(), std::sqrt(squares.total())};
}

uint64_t HeadSketch::bytesRead() const {
    return static_cast<uint64_t>(rows_) * (static_cast<uint64_t>(signs_.columns) / 8 + sizeof(float));
}

} // namespace coterie::engine
