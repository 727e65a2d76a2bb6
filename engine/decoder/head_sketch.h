// SPDX-License-Identifier: Apache-2.0
// The head with one bit for each weight: a guess at every logit for a fraction of the head's bytes, derived from the
// head alone. Inside decoder/ only.
//
// The head's rows w have a mean m and a deviation d from it in each column. The sketch keeps the signs of w - m and one
// scale for each row, chosen so that the row's guess for its own direction is exact (as in RaBitQ, arXiv:2405.12497):
//
//     w . x  ~  m . x + s sum over c of sign(w_c - m_c) d_c x_c,    s = |w - m|^2 / (sum over c of d_c |w_c - m_c|)
//
// The error grows with s |d x|, its unit: a row's logit is at most m . x + s (sum + margin |d x|), where the margin was
// measured (HeadAgreement).
#pragma once

#include "base/memory.h"
#include "decoder/compute.h"
#include "model/sizes.h"

namespace coterie::engine {

class HeadSketch {
  public:
    /// 0 if no sketch is made because the head is small.
    static SaturatingBytes bytesNeeded(int64_t rows, int64_t columns);
    /// Makes one pass over the head on the pool's threads. OutOfMemory if there is no room for the sketch.
    static Result<HeadSketch> derive(const Matrix& head, const Compute& compute);

    /// A state in the form that guess() takes. Valid until the next project().
    struct State {
        ByteVector bytes; ///< d x, rounded; this loses far less than the signs do
        float offset = 0; ///< m . x, which every guess lacks
        float norm = 0;   ///< |d x|
    };
    /// x: [columns].
    State project(const float* x);
    /// out[r] = an upper bound of row r's logit minus the offset, with this margin; without a margin its guess.
    void guess(const Compute& compute, const State& state, float margin, int64_t rowBegin, int64_t rowEnd,
               float* out) const {
        compute.kernels.multiplySigns(signs_, rowBegin, rowEnd, state.bytes, margin * state.norm, out);
    }
    /// The unit of row r's error.
    float unit(const State& state, int64_t row) const { return signs_.scales[row] * state.norm; }
    uint64_t bytes() const { return buffer_.size(); }
    /// Bytes that guess() reads for all rows.
    uint64_t bytesRead() const;

  private:
    void setShape(int64_t rows, int64_t columns);
    template <typename Place>
    void layOut(Place place);
    void measureColumns(const Matrix& head, const Compute& compute);
    void sketchRows(const Matrix& head, const Compute& compute, int64_t begin, int64_t end);

    int64_t rows_ = 0, columns_ = 0;
    SignRows signs_;
    uint8_t* bits_ = nullptr;     // in the layout of SignRows
    float* scales_ = nullptr;     // [rows]
    float* means_ = nullptr;      // [columns]
    float* deviations_ = nullptr; // [columns]
    float* weighted_ = nullptr;   // [columns] d x
    int8_t* rounded_ = nullptr;   // [columns] weighted_, rounded to bytes
    Buffer buffer_;
};

} // namespace coterie::engine
