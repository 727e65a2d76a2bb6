// SPDX-License-Identifier: Apache-2.0
// See head_sketch.h.
#include "decoder/head_sketch.h"

#include "base/rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace coterie::engine {
namespace {

/// Heads with fewer weights are fast without a sketch.
constexpr int64_t kLeastWeights = int64_t{1} << 22;
/// Number of rows from which the mean and deviation of a column are computed.
constexpr int64_t kSampledRows = 4096;
/// Rows of one piece of work.
constexpr int64_t kPieceRows = 256;

/// Sums that compilers keep in vector registers, in an order that the code fixes.
struct EightSums {
    float at[8] = {};
    float total() const { return ((at[0] + at[4]) + (at[2] + at[6])) + ((at[1] + at[5]) + (at[3] + at[7])); }
};

/// Writes a row's bits in the layout of SignRows and returns its scale.
float takeSigns(const float* row, const float* means, const float* deviations, int64_t columns, uint8_t* bits) {
    constexpr int64_t bytes = kSignSpan / 8;
    EightSums squares, weighted;
    for (int64_t c = 0; c < columns; ++c) {
        const float difference = row[c] - means[c];
        squares.at[c % 8] += difference * difference;
        weighted.at[c % 8] += deviations[c] * std::abs(difference);
    }
    for (int64_t first = 0; first < columns; first += bytes) {
        uint8_t* group = bits + first / kSignSpan * bytes;
        const int bit = static_cast<int>(first % kSignSpan / bytes);
        for (int64_t j = 0; j < std::min(bytes, columns - first); ++j)
            group[j] = static_cast<uint8_t>(group[j] | (row[first + j] < means[first + j] ? 1 : 0) << bit);
    }
    const float sum = weighted.total();
    return sum > 0 ? squares.total() / sum : 0;
}

/// Rounds x to bytes. If x has an infinity or a NaN, the scale is NaN.
ByteVector inBytes(const float* x, int64_t count, int8_t* out) {
    constexpr float most = 127;
    float highest = 0;
    for (int64_t c = 0; c < count; ++c) {
        if (!std::isfinite(x[c])) return {out, 0, std::numeric_limits<float>::quiet_NaN()};
        highest = std::max(highest, std::abs(x[c]));
    }
    const float steps = highest > 0 ? most / highest : 0;
    int32_t sum = 0;
    for (int64_t c = 0; c < count; ++c)
        sum += out[c] = static_cast<int8_t>(std::clamp(std::rint(x[c] * steps), -most, most));
    return {out, sum, highest / most};
}

} // namespace

void HeadSketch::setShape(int64_t rows, int64_t columns) {
    rows_ = rows;
    columns_ = columns;
    signs_.spans = ceilDiv(columns, kSignSpan);
}

template <typename Place>
void HeadSketch::layOut(Place place) {
    const auto floats = [](int64_t n) { return SaturatingBytes(static_cast<uint64_t>(n)) * sizeof(float); };
    place(bits_, SaturatingBytes(static_cast<uint64_t>(rows_)) * static_cast<uint64_t>(signs_.spans * kSignSpan / 8));
    place(scales_, floats(rows_));
    for (float** vectors : {&means_, &deviations_, &weighted_}) place(*vectors, floats(columns_));
    place(rounded_, static_cast<uint64_t>(signs_.spans * kSignSpan));
}

SaturatingBytes HeadSketch::bytesNeeded(int64_t rows, int64_t columns) {
    if (rows < kLeastWeights / columns) return 0;
    HeadSketch nowhere;
    nowhere.setShape(rows, columns);
    SaturatingBytes total = 0;
    nowhere.layOut([&total](auto*&, SaturatingBytes bytes) { total += alignedSize(bytes); });
    return total;
}

Result<HeadSketch> HeadSketch::derive(const Matrix& head, const Compute& compute) {
    Result<Buffer> buffer =
        Buffer::allocate(bytesNeeded(head.rows, head.columns).value(), "There is no memory for the head's sketch");
    if (!buffer) return buffer.error();
    HeadSketch sketch;
    sketch.buffer_ = std::move(buffer).value();
    sketch.setShape(head.rows, head.columns);
    std::byte* next = sketch.buffer_.data();
    sketch.layOut([&next](auto*& array, SaturatingBytes bytes) {
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
        scales_[r] = takeSigns(row.data(), means_, deviations_, columns_, bits_ + r * signs_.spans * (kSignSpan / 8));
    }
}

HeadSketch::State HeadSketch::project(const float* x) {
    EightSums offset, squares;
    for (int64_t c = 0; c < columns_; ++c) {
        offset.at[c % 8] += means_[c] * x[c];
        weighted_[c] = deviations_[c] * x[c];
        squares.at[c % 8] += weighted_[c] * weighted_[c];
    }
    return {inBytes(weighted_, columns_, rounded_), offset.total(), std::sqrt(squares.total())};
}

uint64_t HeadSketch::bytesRead() const {
    return static_cast<uint64_t>(rows_) * (static_cast<uint64_t>(signs_.spans * kSignSpan / 8) + sizeof(float));
}

} // namespace coterie::engine
