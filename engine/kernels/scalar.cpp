// SPDX-License-Identifier: Apache-2.0
// The plain kernels: portable C++ against which every other table is measured. Layouts are drawn in blocks.h and
// quants.h. Speed is no goal here, but compilers can vectorise this code for the lowest CPU.
#include "kernels/scalar.h"
#include "kernels/blocks.h"
#include "kernels/formulas.h"
#include "kernels/quants.h"
#include "kernels/signs.h"
#include "kernels/sparse.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace coterie::engine {
namespace {

/// Rounds to the nearest, ties to even, for |x| < 2^22: beside 1.5 * 2^23 a float's last place is 1.
int roundToInt(float x) {
    constexpr float shift = 0x1.8p23f;
    return static_cast<int>((x + shift) - shift);
}

/// Writes q[32] and returns the scale. A block with an infinity or a NaN gets the scale NaN, so that the damage shows
/// and nothing overflows.
float quantiseBlock(const float* x, int8_t* q) {
    uint32_t largestBits = 0; // bits of magnitudes: as integers they have the order of the floats, with NaN on top
    for (int i = 0; i < kBlockValues; ++i)
        largestBits = std::max(largestBits, std::bit_cast<uint32_t>(x[i]) & kMagnitudeBits);
    const float largest = std::bit_cast<float>(largestBits);
    const bool finite = largestBits < kInfinityBits;
    if (!finite || largest < kQuantisedSmallest) {
        std::fill_n(q, kBlockValues, int8_t{0});
        return finite ? 0.0f : std::bit_cast<float>(kQuietNanBits);
    }
    const float inverse = kQuantisedLargest / largest;
    for (int i = 0; i < kBlockValues; ++i) q[i] = static_cast<int8_t>(roundToInt(x[i] * inverse));
    return largest / kQuantisedLargest;
}

/// Value i of a row in a float format.
template <TensorType type>
float weight(const std::byte* row, int64_t i) {
    if constexpr (type == TensorType::F32) return loadAs<float>(row + 4 * i);
    if constexpr (type == TensorType::F16) return floatFromHalf(loadAs<uint16_t>(row + 2 * i));
    if constexpr (type == TensorType::BF16) return floatFromBfloat(loadAs<uint16_t>(row + 2 * i));
}

using RowDot = float (*)(const std::byte* row, const std::byte* prepared, int64_t columns);

/// Sums in eight partial sums, which compilers can keep in vector registers without changing the order of additions.
template <float (*weight)(const std::byte*, int64_t)>
float dotFloat(const std::byte* row, const std::byte* prepared, int64_t columns) {
    const float* x = reinterpret_cast<const float*>(prepared);
    float sums[8] = {};
    const int64_t whole = columns / 8 * 8;
    for (int64_t i = 0; i < whole; i += 8)
        for (int j = 0; j < 8; ++j) sums[j] += weight(row, i + j) * x[i + j];
    for (int64_t i = whole; i < columns; ++i) sums[i - whole] += weight(row, i) * x[i];
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/// Sums integers within a block, which is exact, and floats across blocks.
template <TensorType type>
float dotInteger(const std::byte* row, const std::byte* prepared, int64_t columns) {
    const float* scales = reinterpret_cast<const float*>(prepared);
    const int8_t* x = reinterpret_cast<const int8_t*>(prepared + preparedQuantsOffset(columns));
    float sum = 0;
    Unpacked w;
    for (int64_t b = 0; b < columns / kBlockValues; ++b, x += kBlockValues) {
        unpack<type>(row, b, w);
        int32_t products[2] = {}, values[2] = {}; // sums of 16 values each, as scales are of 16 values
        for (int i = 0; i < kBlockValues / 2; ++i) {
            products[0] += w.q[i] * x[i];
            products[1] += w.q[i + kBlockValues / 2] * x[i + kBlockValues / 2];
            values[0] += x[i];
            values[1] += x[i + kBlockValues / 2];
        }
        const int32_t product = w.factors.scale[0] * products[0] + w.factors.scale[1] * products[1];
        sum += w.d * scales[b] * static_cast<float>(product);
        if constexpr (hasMinimum(type))
            sum -= w.dMinimum * scales[b] *
                   static_cast<float>(w.factors.minimum[0] * values[0] + w.factors.minimum[1] * values[1]);
    }
    return sum;
}

RowDot rowDot(TensorType type) {
    return withFormat<isSupported>(type, []<TensorType known>() -> RowDot {
        if constexpr (isIntegerFormat(known))
            return dotInteger<known>;
        else
            return dotFloat<weight<known>>;
    });
}

/// The value that row `row` of a band has in a column.
template <TensorType type>
int32_t valueAt(const std::byte* column, int64_t row) {
    const int64_t within = row % 64, place = 16 * (within / 4 % 4) + 4 * (within / 16) + within % 4;
    if constexpr (type == TensorType::Q4_0)
        return (std::to_integer<int32_t>(column[place]) >> (row < 64 ? 0 : 4) & 15) - kQ4Zero;
    else
        return static_cast<int8_t>(column[row / 64 * 64 + place]);
}

template <TensorType type>
void addBlock(const SparseBlock& block, int64_t rows, float* out) {
    for (int64_t r = 0; r < rows; ++r) {
        const std::byte* columns = block.place.columns + r / kBandRows * kBandBytes<type>;
        int32_t sum = 0;
        for (int i = 0; i < block.active.count; ++i)
            sum += block.active.factors[i] *
                   valueAt<type>(columns + block.active.columns[i] * block.place.columnBytes, r % kBandRows);
        const float scale = floatFromHalf(loadAs<uint16_t>(block.place.scales + r * kScaleBytes));
        out[r] += block.scale * scale * static_cast<float>(sum);
    }
}

void sumOfSet(const uint8_t* bits, int64_t spans, const int8_t* x, int32_t* sum) {
    *sum = 0;
    for (int64_t g = 0; g < spans; ++g)
        for (int64_t c = 0; c < kSignSpan; ++c)
            *sum += (bits[g * kSpanBytes + c % 64] >> c / 64 & 1) != 0 ? x[g * kSignSpan + c] : 0;
}

/// Calls sink(i, value) for each value of a quantised row's columns [begin, end), both multiples of 32.
template <TensorType type, typename Sink>
void forEachQuantised(const std::byte* row, int64_t begin, int64_t end, Sink sink) {
    Unpacked w;
    for (int64_t i = begin; i < end; i += kBlockValues) {
        unpack<type>(row, i / kBlockValues, w);
        for (int j = 0; j < kBlockValues; ++j) {
            const int h = j / (kBlockValues / 2);
            float value = w.d * static_cast<float>(w.factors.scale[h] * w.q[j]); // exact: 11 bits times at most 13
            if constexpr (hasMinimum(type)) value -= w.dMinimum * static_cast<float>(w.factors.minimum[h]);
            sink(i + j, value);
        }
    }
}

/// Calls sink(i, value) for each value of the row's columns [begin, end), both multiples of 32, or of the format's
/// block if that is smaller.
template <typename Sink>
void forEachValue(TensorType type, const std::byte* row, int64_t begin, int64_t end, Sink sink) {
    withFormat<isSupported>(type, [&]<TensorType known>() {
        if constexpr (isIntegerFormat(known))
            forEachQuantised<known>(row, begin, end, sink);
        else
            for (int64_t i = begin; i < end; ++i) sink(i, weight<known>(row, i));
    });
}

/// out[i] += scale * row[i] for i in [begin, end).
void addScaled(TensorType type, const std::byte* row, float scale, int64_t begin, int64_t end, float* out) {
    forEachValue(type, row, begin, end, [out, scale](int64_t i, float value) { out[i] += scale * value; });
}

void storeHalf(float value, std::byte* out) {
    const uint16_t half = halfFromFloat(value);
    std::memcpy(out, &half, sizeof half);
}

float quantInt8(const std::byte* quants, int64_t i) { return static_cast<float>(loadAs<int8_t>(quants + i)); }

/// Multiplies a Q8_0 row with floats that are not quantised.
float dotQ8(const std::byte* row, const std::byte* x, int64_t columns) {
    float sum = 0;
    for (; columns > 0; columns -= kBlockValues, row += kBytesOf32<TensorType::Q8_0>, x += kBlockValues * sizeof(float))
        sum += floatFromHalf(loadAs<uint16_t>(row)) * dotFloat<quantInt8>(row + kScaleBytes, x, kBlockValues);
    return sum;
}

double sumOfSquares(const float* x, int64_t n) {
    double squares = 0;
    for (int64_t i = 0; i < n; ++i) squares += static_cast<double>(x[i]) * x[i];
    return squares;
}

} // namespace

bool scalarRunsHere() { return true; }

size_t scalarPreparedBytes(TensorType type, int64_t columns) { return preparedBytes(vectorForm(type), columns); }

void scalarPrepare(TensorType type, const float* x, int64_t columns, std::byte* out) {
    std::memset(out, 0, scalarPreparedBytes(type, columns));
    if (!isIntegerFormat(type)) {
        std::memcpy(out, x, static_cast<size_t>(columns) * sizeof(float));
        return;
    }
    float* scales = reinterpret_cast<float*>(out);
    int8_t* quants = reinterpret_cast<int8_t*>(out + preparedQuantsOffset(columns));
    for (int64_t b = 0; b < columns / kBlockValues; ++b)
        scales[b] = quantiseBlock(x + b * kBlockValues, quants + b * kBlockValues);
}

void scalarMultiply(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared, size_t preparedStride,
                    int64_t batch, float* out, int64_t outStride) {
    const RowDot dot = rowDot(w.type);
    for (int64_t r = rowBegin; r < rowEnd; ++r) {
        const std::byte* row = w.row(r);
        for (int64_t t = 0; t < batch; ++t)
            out[t * outStride + r] = dot(row, prepared + static_cast<size_t>(t) * preparedStride, w.columns);
    }
}

void scalarMultiplySome(const Matrix& w, const int32_t* rows, int64_t count, const std::byte* prepared, float* out) {
    for (int64_t k = 0; k < count; ++k) out[k] = rowDot(w.type)(w.row(rows[k]), prepared, w.columns);
}

void scalarExpandRow(TensorType type, const std::byte* row, int64_t columns, float* out) {
    forEachValue(type, row, 0, columns, [out](int64_t i, float value) { out[i] = value; });
}

void scalarAddScaledRows(const Matrix& w, const int32_t* rows, const float* scales, int64_t count, int64_t columnBegin,
                         int64_t columnEnd, float* out) {
    for (int64_t k = 0; k < count; ++k) addScaled(w.type, w.row(rows[k]), scales[k], columnBegin, columnEnd, out);
}

void scalarRmsNorm(const float* x, const float* weight, int64_t n, float epsilon, float* out) {
    const float scale = rmsScale(sumOfSquares(x, n), n, epsilon);
    for (int64_t i = 0; i < n; ++i) out[i] = x[i] * scale * (weight != nullptr ? weight[i] : 1.0f);
}

void scalarL2Norm(const float* x, int64_t n, float epsilon, float scale, float* out) {
    const float factor = l2Scale(sumOfSquares(x, n), epsilon, scale);
    for (int64_t i = 0; i < n; ++i) out[i] = x[i] * factor;
}

void scalarRope(RopeKind kind, float* head, int64_t n, const float* cosSin) {
    const int64_t half = n / 2;
    const int64_t step = kind == RopeKind::Norm ? 2 : 1;
    const int64_t partner = kind == RopeKind::Norm ? 1 : half;
    for (int64_t i = 0; i < half; ++i) {
        float& a = head[i * step];
        float& b = head[i * step + partner];
        const float cosine = cosSin[2 * i];
        const float sine = cosSin[2 * i + 1];
        const float rotated = a * cosine - b * sine;
        b = a * sine + b * cosine;
        a = rotated;
    }
}

void scalarSwiGlu(const float* gate, const float* up, int64_t n, float* out) {
    for (int64_t i = 0; i < n; ++i) out[i] = gate[i] / (1.0f + std::exp(-gate[i])) * up[i];
}

int64_t scalarReGlu(const float* gate, const float* up, int64_t n, float* out) {
    int64_t active = 0;
    for (int64_t i = 0; i < n; ++i) {
        const bool on = gate[i] > 0;
        active += on;
        out[i] = on ? gate[i] * up[i] : 0.0f;
    }
    return active;
}

void scalarGeGlu(const float* gate, const float* up, int64_t n, float* out) {
    for (int64_t i = 0; i < n; ++i) {
        const float g = gate[i], u = kGeluScale * g * (1.0f + kGeluCube * g * g);
        out[i] = g / (1.0f + std::exp(-u)) * up[i];
    }
}

void scalarSilu(const float* x, int64_t n, float* out) {
    for (int64_t i = 0; i < n; ++i) out[i] = x[i] / (1.0f + std::exp(-x[i]));
}

void scalarSigmoidGate(const float* gate, int64_t n, float* out) {
    for (int64_t i = 0; i < n; ++i) out[i] /= 1.0f + std::exp(-gate[i]);
}

void scalarSoftplus(const float* x, int64_t n, float* out) {
    // e^-|x| can't overflow, and ln(1 + e^x) = x + ln(1 + e^-x).
    for (int64_t i = 0; i < n; ++i) out[i] = std::max(x[i], 0.0f) + std::log1p(std::exp(-std::abs(x[i])));
}

void scalarSoftCap(float* x, int64_t n, float cap) {
    for (int64_t i = 0; i < n; ++i) x[i] = cap * std::tanh(x[i] / cap);
}

void scalarCompressRow(TensorType type, const float* x, int64_t n, std::byte* out) {
    if (type == TensorType::F16) {
        for (int64_t i = 0; i < n; ++i) storeHalf(x[i], out + i * int64_t{sizeof(uint16_t)});
        return;
    }
    assert(type == TensorType::Q8_0);
    for (; n > 0; n -= kBlockValues, x += kBlockValues, out += kBytesOf32<TensorType::Q8_0>)
        storeHalf(quantiseBlock(x, reinterpret_cast<int8_t*>(out + kScaleBytes)), out);
}

void scalarAttentionScores(const CacheRows& keys, const float* queries, int64_t queryStride, int64_t queryCount,
                           float scale, float* scores, int64_t scoresStride) {
    assert(keys.type == TensorType::F16 || keys.type == TensorType::Q8_0);
    const RowDot dot = keys.type == TensorType::F16 ? dotFloat<weight<TensorType::F16>> : dotQ8;
    for (int64_t p = 0; p < keys.count; ++p)
        for (int64_t q = 0; q < queryCount; ++q) {
            const std::byte* query = reinterpret_cast<const std::byte*>(queries + q * queryStride);
            scores[q * scoresStride + p] = scale * dot(keys.data + p * keys.stride, query, keys.n);
        }
}

void scalarAttentionValues(const CacheRows& values, const float* weights, int64_t weightsStride, int64_t queryCount,
                           float* out, int64_t outStride) {
    for (int64_t p = 0; p < values.count; ++p)
        for (int64_t q = 0; q < queryCount; ++q)
            addScaled(values.type, values.data + p * values.stride, weights[q * weightsStride + p], 0, values.n,
                      out + q * outStride);
}

PartialSoftmax scalarPartialSoftmax(float* x, int64_t n) {
    if (n <= 0) return kEmptySoftmax;
    const float largest = *std::max_element(x, x + n);
    double sum = 0;
    for (int64_t i = 0; i < n; ++i) {
        x[i] = std::exp(x[i] - largest);
        sum += static_cast<double>(x[i]);
    }
    return {largest, static_cast<float>(sum)};
}

uint64_t scalarMultiplySparse(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared,
                              float* out) {
    return multiplySparseBy<addBlock<TensorType::Q4_0>, addBlock<TensorType::Q8_0>>(w, rowBegin, rowEnd, prepared, out);
}

void scalarMultiplySigns(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const ByteVector& x, float shift,
                         float* out) {
    multiplySignsBy<1, sumOfSet, sumOfSet>(w, rowBegin, rowEnd, x, shift, out);
}

constinit const KernelTable kScalarKernels = scalarTable();

} // namespace coterie::engine
