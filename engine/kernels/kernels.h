// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the forward pass: for each instruction set one table of functions. A table is chosen once, when a
// model opens. Threads (callers split rows), model structure and memory have no place here.
//
// Every function depends on its arguments alone, so any thread may call it on its own rows. Buffers may be unaligned
// unless a comment says otherwise (floats lie on 4 bytes, halves on 2). Nothing is read or written past the given
// lengths.
//
// Within one table results are the same to the bit however the work is split: over rows, over tokens of a batch, over
// calls. So prefill equals decode, and the number of threads changes nothing. Two tables differ by rounding only.
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

/// A weight matrix as it lies in memory: one row after the other, each with `columns` values in `type`.
struct Matrix {
    TensorType type = TensorType::F32;
    int64_t rows = 0;
    int64_t columns = 0;
    const std::byte* data = nullptr; ///< [rows, rowBytes(type, columns)]

    size_t rowStride() const { return rowBytes(type, static_cast<uint64_t>(columns)); }
    const std::byte* row(int64_t r) const { return data + static_cast<size_t>(r) * rowStride(); }
    uint64_t bytes() const { return static_cast<uint64_t>(rows) * rowStride(); }
};

/// Columns whose signs lie together: a span.
inline constexpr int64_t kSignSpan = 512;

/// The signs of a matrix's weights, one bit each, and a factor for each row. Bit b of byte j of a span's 64 bytes says
/// that weight 64 b + j of the span is below 0: bits b of all bytes belong to 64 neighbouring columns.
///
///     row r: | span 0: columns 0-511 | span 1: columns 512-1023 | ...      bits behind the last column are 0
struct SignRows {
    int64_t spans = 0;             ///< spans of kSignSpan columns; the last one may be partly empty
    const uint8_t* bits = nullptr; ///< [rows, spans * kSignSpan / 8], aligned to 64 bytes
    const float* scales = nullptr; ///< [rows]
};

/// A vector as bytes: x[c] = scale * values[c].
struct ByteVector {
    const int8_t* values = nullptr; ///< [spans * kSignSpan], aligned to 64 bytes; zeros behind the last column
    int32_t sum = 0;                ///< sum of the values, of which there are fewer than 2^20
    float scale = 0;
};

enum class RopeKind { Norm, Neox }; ///< rotates the pairs (2i, 2i+1) or (i, i + n/2)

/// Rows of the KV cache: keys or values of consecutive positions.
struct CacheRows {
    TensorType type = TensorType::F16; ///< F16, or Q8_0 if n is a multiple of 32
    const std::byte* data = nullptr;   ///< aligned to 2 bytes
    int64_t stride = 0;                ///< bytes from row to row
    int64_t count = 0;
    int64_t n = 0; ///< values in a row
};

/// The result of a softmax over some of its terms; the whole softmax is put together from several of these.
struct PartialSoftmax {
    float largest; ///< the largest term
    float sum;     ///< sum of exp(term - largest)
};

/// A causal convolution of each channel by itself over consecutive tokens, without bias and activation:
///
///     out[t, c] = taps[c, 0] x[t - tapCount + 1, c] + ... + taps[c, tapCount - 1] x[t, c]
///
/// x[t] is row t of the input; x[-1] is the last row of the history.
struct CausalConvolution {
    const float* taps = nullptr;    ///< [channels, tapCount]: the last tap belongs to the newest value
    const float* history = nullptr; ///< [tapCount - 1, channels]: rows before the input, oldest first
    const float* input = nullptr;   ///< [tokens, inputStride], of which the first `channels` values count
    int64_t inputStride = 0;
    int64_t tokens = 0;
    int64_t firstChannel = 0, endChannel = 0; ///< channels to compute: others are neither read nor written
    int64_t channels = 0;
    int64_t tapCount = 0;
    float* out = nullptr; ///< [tokens, channels]; overlaps neither input nor history
};

/// Consecutive tokens of one head of the gated delta rule. Strides are floats from token to token.
struct DeltaRuleHead {
    const float* queries = nullptr; ///< [tokens, size]
    const float* keys = nullptr;    ///< [tokens, size]
    const float* values = nullptr;  ///< [tokens, size]
    int64_t queryStride = 0, keyStride = 0, valueStride = 0;
    const float* decay = nullptr; ///< [tokens]
    const float* beta = nullptr;  ///< [tokens]
    int64_t gateStride = 0;       ///< stride of decay and beta
    int64_t tokens = 0;
    int64_t size = 0;     ///< d
    float* out = nullptr; ///< [tokens, size]; overlaps no input
    int64_t outStride = 0;
};

/// One instruction set's versions of all functions. The scalar table is the oracle of the others.
struct KernelTable {
    const char* name; ///< "scalar", "avx2": the name that --kernels takes
    bool (*runsHere)();

    /// Bytes that prepare() writes for one vector of `columns` values that is multiplied with weights of `type`: a
    /// multiple of 64.
    size_t (*preparedBytes)(TensorType type, int64_t columns);
    /// x: [columns] -> out: [preparedBytes], aligned to 64 bytes. For integer formats it quantises x once, in blocks of
    /// 32 with a float scale each; a block with an infinity or a NaN makes every product NaN. All tables write the same
    /// bytes.
    void (*prepare)(TensorType type, const float* x, int64_t columns, std::byte* out);
    /// out[t * outStride + r] = w.row(r) . x_t, for r in [rowBegin, rowEnd) and t in [0, batch). x_t was prepared at
    /// prepared + t * preparedStride.
    void (*multiply)(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared,
                     size_t preparedStride, int64_t batch, float* out, int64_t outStride);
    /// out[k] = w.row(rows[k]) . x for k in [0, count): one token and rows that may lie anywhere. The bits are
    /// multiply()'s.
    void (*multiplySome)(const Matrix& w, const int32_t* rows, int64_t count, const std::byte* prepared, float* out);
    /// out[r] = w.row(r) . x, for r in [rowBegin, rowEnd), both multiples of 128. w lies as regroup() writes it
    /// (regroup.h), and columns in which the prepared x is 0 are not read. Returns the bytes of w that were read. The
    /// bits are multiply()'s.
    uint64_t (*multiplySparse)(const Matrix& w, int64_t rowBegin, int64_t rowEnd, const std::byte* prepared,
                               float* out);
    /// out[r] = scales[r] * (shift + x.scale * sum over c of sign(r, c) * x.values[c]), for r in [rowBegin, rowEnd).
    /// The sum is exact.
    void (*multiplySigns)(const SignRows& w, int64_t rowBegin, int64_t rowEnd, const ByteVector& x, float shift,
                          float* out);
    /// out[columns] = the row as floats.
    void (*expandRow)(TensorType type, const std::byte* row, int64_t columns, float* out);
    /// out[c] += sum over k of scales[k] * w.row(rows[k])[c], for c in [columnBegin, columnEnd), added in the order of
    /// k. It adds several rows in one pass over `out`, for matrices that are stored by neuron. The range begins and
    /// ends at a block (multiples of 32). rows: [count].
    void (*addScaledRows)(const Matrix& w, const int32_t* rows, const float* scales, int64_t count, int64_t columnBegin,
                          int64_t columnEnd, float* out);

    /// out[n] = x / sqrt(mean(x^2) + epsilon) * weight; out may be x. A null weight means 1.
    void (*rmsNorm)(const float* x, const float* weight, int64_t n, float epsilon, float* out);
    /// rmsNorm() of each of `groups` vectors that follow one another. x, out: [groups, n]. The weights of group g begin
    /// at weight + g * weightStride, so with a stride of 0 all groups share them.
    void (*groupedRmsNorm)(const float* x, const float* weight, int64_t weightStride, int64_t groups, int64_t n,
                           float epsilon, float* out);
    /// out[n] = x / max(|x|, epsilon) * scale, where |x| is the length of x; out may be x.
    void (*l2Norm)(const float* x, int64_t n, float epsilon, float scale, float* out);
    /// Rotates one head in place. cosSin: [n/2, 2]; n is even.
    void (*rope)(RopeKind kind, float* head, int64_t n, const float* cosSin);
    /// out[n] = silu(gate) * up; out may be gate or up.
    void (*swiGlu)(const float* gate, const float* up, int64_t n, float* out);
    /// out[n] = relu(gate) * up. Returns how many gates were > 0.
    int64_t (*reGlu)(const float* gate, const float* up, int64_t n, float* out);
    /// out[n] = gelu(gate) * up, where gelu(x) = x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))); out may be gate
    /// or up.
    void (*geGlu)(const float* gate, const float* up, int64_t n, float* out);
    /// out[n] = x / (1 + exp(-x)); out may be x.
    void (*silu)(const float* x, int64_t n, float* out);
    /// out[n] *= sigmoid(gate).
    void (*sigmoidGate)(const float* gate, int64_t n, float* out);
    /// out[n] = ln(1 + exp(x)); out may be x.
    void (*softplus)(const float* x, int64_t n, float* out);
    /// x[n] = cap * tanh(x / cap), for a cap above 0.
    void (*softCap)(float* x, int64_t n, float cap);

    void (*causalConvolution)(const CausalConvolution& convolution);
    /// The gated delta rule. For each token, with its query q, key k and value v:
    ///
    ///     S = decay * S,   S[i, j] += k[i] * change[j]   with change[j] = beta * (v[j] - sum over i of S[i, j] * k[i])
    ///     out[j] = sum over i of S[i, j] * q[i]
    ///
    /// state: S [size, size], a row for each key index i and a column for each value index j; fastest if it is aligned
    /// to 64 bytes.
    void (*deltaRule)(const DeltaRuleHead& head, float* state);

    /// Writes a row of the KV cache: out: [rowBytes(type, n)] = x, each value rounded to the nearest (F16: ties to
    /// even). A Q8_0 block with an infinity or a NaN becomes NaN. All tables write the same bytes, except for a NaN.
    void (*compressRow)(TensorType type, const float* x, int64_t n, std::byte* out);
    /// scores[q * scoresStride + p] = scale * (query q . row p), for every row and for q in [0, queryCount). queries: n
    /// floats each, which are not rounded, `queryStride` floats apart.
    void (*attentionScores)(const CacheRows& keys, const float* queries, int64_t queryStride, int64_t queryCount,
                            float scale, float* scores, int64_t scoresStride);
    /// out[q * outStride + i] += sum over p of weights[q * weightsStride + p] * row p [i], for i in [0, n) and q in [0,
    /// queryCount), added in the order of p.
    void (*attentionValues)(const CacheRows& values, const float* weights, int64_t weightsStride, int64_t queryCount,
                            float* out, int64_t outStride);
    /// Replaces x by exp(x - largest). Returns {-infinity, 0} if n = 0.
    PartialSoftmax (*partialSoftmax)(float* x, int64_t n);
};

/// Formats that every table can compute with (kFormats in formats.h).
std::span<const TensorType> supportedFormats();
bool kernelsSupport(TensorType type);
/// Their names for people: "F32, F16, ... or MXFP4".
std::string kernelFormats();

/// The two forms that KernelTable::prepare() gives a vector. All formats that take a form share it.
enum class VectorForm : uint8_t {
    Floats, ///< for F32, F16 and BF16
    Bytes,  ///< for the other formats: one byte for each value, with scales
};
VectorForm vectorForm(TensorType weights);
/// KernelTable::preparedBytes() for weights that take this form, in every table.
size_t preparedBytes(VectorForm form, int64_t columns);

/// All tables in this build, the preferred one first, scalar last.
std::span<const KernelTable* const> kernelTables();
/// name: a table's, or "auto" for the one that the environment variable COTERIE_KERNELS names, else the first that runs
/// here. Errors: BadInput if no table has this name (the message lists the known ones), Unsupported if this machine
/// cannot run it.
Result<const KernelTable*> chooseKernels(std::string_view name);

} // namespace coterie::engine
