// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the forward pass, as one table of functions an instruction set. A table is chosen once, when a model
// opens. Not here: threads (callers split rows), model structure, memory.
//
// Every function is pure on its arguments, so any thread may call it on its own rows. Buffers may be unaligned unless
// said (floats on 4 bytes, halves on 2); nothing reads or writes past the lengths given.
//
// Within one table results are the same to the bit however the work is split: over rows, over tokens of a batch, over
// calls. So prefill equals decode, and the number of threads changes nothing. Between tables results differ by rounding
// alone.
//
//     const KernelTable& k = **chooseKernels("auto");
//     k.prepare(w.type, x, w.columns, prepared);
//     k.multiply(w, 0, w.rows, prepared, k.preparedBytes(w.type, w.columns), 1, out, w.rows);
#pragma once

#include "base/result.h"
#include "gguf/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace coterie::engine {

/// A weight matrix as it lies in memory: row after row, each `columns` values in `type`.
struct Matrix {
    TensorType type = TensorType::F32;
    int64_t rows = 0;
    int64_t columns = 0;
    const std::byte* data = nullptr; ///< [rows, rowBytes(type, columns)]

    size_t rowStride() const { return rowBytes(type, static_cast<uint64_t>(columns)); }
    const std::byte* row(int64_t r) const { return data + static_cast<size_t>(r) * rowStride(); }
    uint64_t bytes() const { return static_cast<uint64_t>(rows) * rowStride(); }
};

/// Columns whose signs lie together.
inline constexpr int64_t kSignSpan = 512;

/// The signs of a matrix's weights, a bit each, and a factor for each row. Bit b of byte j of a group's 64 bytes says
/// that weight 64 b + j of the group is below 0: the bytes' bits b belong to 64 columns in a row.
///
///     row r: | group 0: columns 0-511 | group 1: columns 512-1023 | ...      bits behind the last column are 0
struct SignRows {
    int64_t spans = 0;             ///< of kSignSpan columns, the last one perhaps not full
    const uint8_t* bits = nullptr; ///< [rows, spans * kSignSpan / 8], on 64 bytes
    const float* scales = nullptr; ///< [rows]
};

/// A vector in bytes: scale * values.
struct ByteVector {
    const int8_t* values = nullptr; ///< [spans * kSignSpan], on 64 bytes; zeros behind the last column
    int32_t sum = 0;                ///< of the values; there are fewer than 2^20
    float scale = 0;
};

enum class RopeKind { Norm, Neox }; ///< rotates (2i, 2i+1) / (i, i + n/2)

/// Rows of the KV cache: keys or values of positions that follow each other.
struct CacheRows {
    TensorType type = TensorType::F16; ///< or Q8_0, with n a multiple of 32
    const std::byte* data = nullptr;   ///< on 2 bytes
    int64_t stride = 0;                ///< bytes from row to row
    int64_t count = 0;
    int64_t n = 0; ///< values of a row
};

/// What a softmax over some of its terms leaves to know: the whole one is put together from parts.
struct PartialSoftmax {
    float largest; ///< of the terms
    float sum;     ///< of exp(term - largest)
};

/// One instruction set's versions of everything. The scalar table is the oracle of the others.
struct KernelTable {
    const char* name; ///< "scalar", "avx2": what --kernels takes
    bool (*runsHere)();

    /// Bytes that prepare() writes for one vector of `columns`, to be multiplied with weights of `type` (a multiple of
    /// 64).
    size_t (*preparedBytes)(TensorType type, int64_t columns);
    /// x: [columns] -> out: [preparedBytes], 64-byte aligned. Integer formats quantise x once here, in blocks of 32 of
    /// which each has a float scale; a block with an infinity or a NaN makes every product NaN. The bytes are the same
    /// for all tables.
    void (*prepare)(TensorType type, const float* x, int64_t columns, std::byte* out);
    /// out[t * outStride + r] = w.row(r) . x_t, for r in [rowBegin, rowEnd), t in [0, batch); x_t prepared at prepared
    /// + t * preparedStride.
    void (*multiply)(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared,
                     size_t preparedStride, int64_t batch, float* out, int64_t outStride);
    /// out[k] = w.row(rows[k]) . x for k in [0, count), to the bits that multiply() has: rows that lie anywhere, and
    /// one token.
    void (*multiplySome)(const Matrix& w, const int32_t* rows, int64_t count, const std::byte* prepared, float* out);
    /// out[r] = w.row(r) . x, for r in [rowBegin, rowEnd), multiples of 128, to the bits that multiply() has; w as
    /// regroup() leaves it (regroup.h). Columns in which the prepared x is 0 are not read. Returns the bytes of w that
    /// are.
    uint64_t (*multiplySparse)(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared,
                               float* out);
    /// out[r] = scales[r] * (shift + x.scale * sum over c of sign(r, c) * x.values[c]), for r in [rowBegin, rowEnd);
    /// the sum is exact.
    void (*multiplySigns)(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const ByteVector& x, float shift,
                          float* out);
    /// out[columns] = the row as floats.
    void (*expandRow)(TensorType type, const std::byte* row, int64_t columns, float* out);
    /// out[c] += sum over k of scales[k] * w.row(rows[k])[c], for c in [columnBegin, columnEnd), added in the order of
    /// k: several rows in one pass over `out`, for matrices stored by neuron. The range begins and ends on blocks
    /// (multiples of 32); rows: [count].
    void (*addScaledRows)(const Matrix& w, const int32_t* rows, const float* scales, int64_t count, int64_t columnBegin,
                          int64_t columnEnd, float* out);

    /// out[n] = x / sqrt(mean(x^2) + epsilon) * weight; out may be x.
    void (*rmsNorm)(const float* x, const float* weight, int64_t n, float epsilon, float* out);
    /// Rotates one head in place: cosSin: [n/2, 2]; n even.
    void (*rope)(RopeKind kind, float* head, int64_t n, const float* cosSin);
    /// out[n] = silu(gate) * up.
    void (*swiGlu)(const float* gate, const float* up, int64_t n, float* out);
    /// out[n] = relu(gate) * up; returns how many gates were > 0.
    int64_t (*reGlu)(const float* gate, const float* up, int64_t n, float* out);

    /// A row of the KV cache. out: [rowBytes(type, n)] = x, each value to the nearest (F16: ties to even). A Q8_0 block
    /// with an infinity or a NaN becomes NaN. The bytes are the same for all tables, but for a NaN's.
    void (*compressRow)(TensorType type, const float* x, int64_t n, std::byte* out);
    /// scores[q * scoresStride + p] = scale * (query q . row p), for every row and q in [0, queryCount). queries: n
    /// floats each, not rounded, `queryStride` floats apart.
    void (*attentionScores)(const CacheRows& keys, const float* queries, int64_t queryStride, int64_t queryCount,
                            float scale, float* scores, int64_t scoresStride);
    /// out[q * outStride + i] += sum over p of weights[q * weightsStride + p] * row p [i], for i in [0, n) and q in
    /// [0, queryCount), added in the order of p.
    void (*attentionValues)(const CacheRows& values, const float* weights, int64_t weightsStride, int64_t queryCount,
                            float* out, int64_t outStride);
    /// In place: exp(x - largest). {-infinity, 0} for n = 0.
    PartialSoftmax (*partialSoftmax)(float* x, int64_t n);
};

/// Formats that every table can compute with: kFormats in formats.h.
std::span<const TensorType> supportedFormats();
bool kernelsSupport(TensorType type);
/// Their names for people: "F32, F16, ... or MXFP4".
std::string kernelFormats();

/// The two forms that KernelTable::prepare() gives a vector, the same for all formats of weights that take one.
enum class VectorForm : uint8_t {
    Floats, ///< for F32, F16 and BF16
    Bytes,  ///< for the others: a byte a value, with scales
};
VectorForm vectorForm(TensorType weights);
/// KernelTable::preparedBytes() for weights of that kind, in every table.
size_t preparedBytes(VectorForm form, int64_t columns);

/// All tables in this build, the preferred first, scalar last.
std::span<const KernelTable* const> kernelTables();
/// "auto": the table that the environment's COTERIE_KERNELS names, else the first that runs here. BadInput for an
/// unknown name (lists the known ones), Unsupported where this machine lacks it.
Result<const KernelTable*> chooseKernels(std::string_view name);

} // namespace coterie::engine
