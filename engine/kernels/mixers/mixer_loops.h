// SPDX-License-Identifier: Apache-2.0
// The causal convolution and the gated delta rule, written once for all instruction sets. It is no header for others: a
// file of an instruction set includes it once, behind the pieces that activation_loops.h lists. Inside kernels/ only.
// scalar_mixers.cpp draws the layouts.
//
//   Convolution: the taps of a block of channels are transposed once, so that a register has one tap of neighbouring
// channels. Then the block goes through all tokens.
//
//   Delta rule: a block of columns goes through all tokens. Its part of the state (16 KiB on x86 with 128 keys) stays
// in the first cache, its sums in registers. If there are several tokens, that part is copied: in a state with rows of
// 512 bytes, a block of 128 bytes of each row would share a quarter of the cache's sets. S^T k of a token needs the
// state that the token before left. So the pass that updates a row for one token also adds the row's product with the
// next token's key, and each token reads the state once; only the first token of a call needs a pass of its own. Each
// column adds its rows in their order in every block and for every number of tokens, so cuts change no bit.
#pragma once

#include "kernels/scalar.h"

namespace coterie::engine {
namespace {

using P = Pieces;

// --- Convolution

constexpr int64_t kMostTaps = 8;       ///< the plain version computes longer ones, which no known model has
constexpr int64_t kBlockChannels = 64; ///< whole lines of memory

/// taps: [kMostTaps, kBlockChannels].
COTERIE_LOOP void convolveBlock(const CausalConvolution& c, int64_t first, int64_t count, const float* taps) {
    const int64_t before = c.tapCount - 1;
    for (int64_t t = 0; t < c.tokens; ++t) {
        const float* rows[kMostTaps];
        for (int64_t k = 0, at = t - before; k < c.tapCount; ++k, ++at)
            rows[k] = (at < 0 ? c.history + (at + before) * c.channels : c.input + at * c.inputStride) + first;
        float* out = c.out + t * c.channels + first;
        for (int64_t i = 0; i < count; i += P::kWidth) {
            P::Floats sum = P::everywhere(0.0f);
            for (int64_t k = 0; k < c.tapCount; ++k)
                sum = P::multiplyAdd(P::load(taps + k * kBlockChannels + i), P::loadFirst(rows[k] + i, count - i), sum);
            P::storeFirst(out + i, count - i, sum);
        }
    }
}

// --- Delta rule

/// Floats of a block of columns, all of them or the first `count` ones.
template <int registers, bool whole>
struct Columns {
    P::Floats part[registers];

    COTERIE_LOOP_INLINE static Columns zero() {
        Columns zeros;
        for (P::Floats& v : zeros.part) v = P::everywhere(0.0f);
        return zeros;
    }
    COTERIE_LOOP_INLINE static Columns load(const float* p, int64_t count) {
        Columns loaded;
        for (int r = 0; r < registers; ++r)
            loaded.part[r] = whole ? P::load(p + r * P::kWidth) : P::loadFirst(p, count);
        return loaded;
    }
    COTERIE_LOOP_INLINE void store(float* p, int64_t count) const {
        for (int r = 0; r < registers; ++r)
            if constexpr (whole)
                P::store(p + r * P::kWidth, part[r]);
            else
                P::storeFirst(p, count, part[r]);
    }
    COTERIE_LOOP_INLINE void addProduct(const Columns& row, float x) {
        const P::Floats factor = P::everywhere(x);
        for (int r = 0; r < registers; ++r) part[r] = P::multiplyAdd(row.part[r], factor, part[r]);
    }
    COTERIE_LOOP_INLINE void scale(P::Floats factor) {
        for (P::Floats& v : part) v = P::multiply(v, factor);
    }
};

/// A block of columns of the state, from the first key's row on.
struct Rows {
    float* first;
    int64_t stride; ///< floats from row to row
};

/// One token: updates the state, returns S^T q, and leaves S^T k of the next token in `seen`.
template <int registers, bool whole, bool hasNext>
COTERIE_LOOP_INLINE Columns<registers, whole> updateColumns(const DeltaRuleHead& head, int64_t t, int64_t count,
                                                            const Columns<registers, whole>& change,
                                                            Columns<registers, whole>& seen, Rows state) {
    using Block = Columns<registers, whole>;
    const float* query = head.queries + t * head.queryStride;
    const float* key = head.keys + t * head.keyStride;
    const float* nextKey = hasNext ? key + head.keyStride : nullptr;
    const P::Floats decay = P::everywhere(head.decay[t * head.gateStride]);
    const int64_t size = head.size; // a copy, which no store to the state can change
    Block sums = Block::zero();
    seen = Block::zero();
    for (int64_t i = 0; i < size; ++i, state.first += state.stride) {
        Block row = Block::load(state.first, count);
        row.scale(decay);
        row.addProduct(change, key[i]);
        row.store(state.first, count);
        sums.addProduct(row, query[i]);
        if constexpr (hasNext) seen.addProduct(row, nextKey[i]);
    }
    return sums;
}

/// All tokens in the columns [begin, begin + registers * kWidth), or in [begin, begin + count) if they are fewer.
template <int registers, bool whole>
COTERIE_LOOP void runTokens(const DeltaRuleHead& head, int64_t begin, int64_t count, Rows state) {
    using Block = Columns<registers, whole>;
    Block seen = Block::zero();
    for (int64_t i = 0; i < head.size; ++i)
        seen.addProduct(Block::load(state.first + i * state.stride, count), head.keys[i]);
    for (int64_t t = 0; t < head.tokens; ++t) {
        const P::Floats decay = P::everywhere(head.decay[t * head.gateStride]);
        const P::Floats beta = P::everywhere(head.beta[t * head.gateStride]);
        Block change = Block::load(head.values + t * head.valueStride + begin, count);
        for (int r = 0; r < registers; ++r)
            change.part[r] = P::multiply(beta, P::subtractProduct(change.part[r], decay, seen.part[r]));
        const Block sums = t + 1 < head.tokens
                               ? updateColumns<registers, whole, true>(head, t, count, change, seen, state)
                               : updateColumns<registers, whole, false>(head, t, count, change, seen, state);
        sums.store(head.out + t * head.outStride + begin, count);
    }
}

/// The first `count` columns of `rows` rows.
template <int registers, bool whole>
COTERIE_LOOP void copyRows(Rows from, Rows to, int64_t rows, int64_t count) {
    for (int64_t i = 0; i < rows; ++i)
        Columns<registers, whole>::load(from.first + i * from.stride, count).store(to.first + i * to.stride, count);
}

constexpr int64_t kTokensForCopy = 8;    ///< fewer tokens do not repay a copy and its return
constexpr int64_t kMostCopiedRows = 256; ///< twice the size of known models; the copy lies on the stack

/// Runs all tokens in a block of columns, in a copy if that pays.
template <int registers, bool whole>
COTERIE_LOOP void runColumns(const DeltaRuleHead& head, int64_t begin, int64_t count, float* state) {
    const Rows own = {state + begin, head.size};
    if (head.tokens < kTokensForCopy || head.size > kMostCopiedRows)
        return runTokens<registers, whole>(head, begin, count, own);
    constexpr int64_t width = registers * P::kWidth;
    alignas(kLineBytes) float copied[kMostCopiedRows * width];
    const Rows copy = {copied, width};
    copyRows<registers, whole>(own, copy, head.size, count);
    runTokens<registers, whole>(head, begin, count, copy);
    copyRows<registers, whole>(copy, own, head.size, count);
}

} // namespace

void COTERIE_LOOP_NAME(CausalConvolution)(const CausalConvolution& c) {
    if (c.tapCount > kMostTaps) return scalarCausalConvolution(c);
    for (int64_t first = c.firstChannel; first < c.endChannel; first += kBlockChannels) {
        const int64_t left = c.endChannel - first, count = left < kBlockChannels ? left : kBlockChannels;
        float taps[kMostTaps * kBlockChannels] = {};
        for (int64_t i = 0; i < count; ++i)
            for (int64_t k = 0; k < c.tapCount; ++k)
                taps[k * kBlockChannels + i] = c.taps[(first + i) * c.tapCount + k];
        convolveBlock(c, first, count, taps);
    }
}

void COTERIE_LOOP_NAME(DeltaRule)(const DeltaRuleHead& head, float* state) {
    if (head.tokens == 0) return;
    constexpr int64_t wide = P::kColumnRegisters * P::kWidth;
    int64_t begin = 0;
    for (; begin + wide <= head.size; begin += wide) runColumns<P::kColumnRegisters, true>(head, begin, wide, state);
    for (; begin + P::kWidth <= head.size; begin += P::kWidth) runColumns<1, true>(head, begin, P::kWidth, state);
    if (begin < head.size) runColumns<1, false>(head, begin, head.size - begin, state);
}

} // namespace coterie::engine
