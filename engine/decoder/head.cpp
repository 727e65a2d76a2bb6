// SPDX-License-Identifier: Apache-2.0
// See head.h.
#include "decoder/head.h"

#include "base/rounding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace coterie::engine {
namespace {

/// Rows of one piece of work.
constexpr int64_t kBlockRows = 256;
/// Each block of so many rows has one candidate for the limit. Several blocks are a piece of work.
constexpr int64_t kCandidateRows = 64, kCandidateBlocks = 8;
/// Candidates in addition to those asked for: with more of them the limit is higher, and fewer rows follow.
constexpr int64_t kSpareCandidates = 24;
/// Rows of a state that set the margin: those with the highest logits.
constexpr size_t kCalibrationRows = 16;
constexpr float kNever = -std::numeric_limits<float>::infinity();

/// Returns the rows with the highest logits, in no order; fewer if the others are not finite.
std::span<const int64_t> highestRows(const float* logits, int64_t count, std::array<int64_t, kCalibrationRows>& rows) {
    const auto higher = [logits](int64_t a, int64_t b) { return logits[a] > logits[b]; };
    size_t found = 0;
    for (int64_t r = 0; r < count; ++r) {
        if (!std::isfinite(logits[r])) continue;
        if (found == rows.size()) {
            if (!higher(r, rows[0])) continue;
            std::pop_heap(rows.begin(), rows.end(), higher);
            --found;
        }
        rows[found++] = r;
        std::push_heap(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(found), higher);
    }
    return std::span(rows).first(found);
}

} // namespace

Head::Head(const ModelShape& shape, const Compute& compute, Workspace& workspace, const ResidentWeights& weights)
    : shape_(shape), compute_(compute), workspace_(workspace), weights_(weights) {}

void Head::deriveSketch(const HeadAgreement& measured) {
    Result<HeadSketch> sketch = HeadSketch::derive(weights_.head, compute_);
    if (!sketch) return;
    sketch_ = std::move(sketch).value();
    agreement_ = measured;
    const double whole = static_cast<double>(weights_.head.bytes());
    // Scattered rows cost more than consecutive ones: a gain of less than a quarter counts as none.
    agreement_.worthBelow = 0.75 - static_cast<double>(sketch_->bytesRead()) / whole;
    candidates_.resize(static_cast<size_t>(ceilDiv(shape_.vocabulary, kCandidateRows)));
}

void Head::run(PreparedInputs& states) const {
    multiply(compute_, {weights_.head, states.form(compute_, weights_.head.type), states.batch(), workspace_.logits,
                        shape_.vocabulary});
}

int64_t Head::runPredicted(PreparedInputs& states, std::span<const TokenId> kept, int64_t best) {
    if (!weights_.predictorExpand.data && best + kSpareCandidates > static_cast<int64_t>(candidates_.size())) {
        run(states);
        return shape_.vocabulary;
    }
    const Form state = states.form(compute_, weights_.head.type);
    int64_t computed = weights_.predictorExpand.data ? runByFile(states, state) : runBySketch(states, state, best);
    if (computed == 0) { // the kept rows alone would end the answer
        run(states);
        return shape_.vocabulary;
    }
    computed += runKept(state, kept);
    compute_.countBytes(static_cast<uint64_t>(computed) * weights_.head.rowStride());
    return computed;
}

/// The predictor's scores are written to the array of the logits, which then replace them.
int64_t Head::runByFile(PreparedInputs& states, const Form& state) {
    const Matrix& reduce = weights_.predictorReduce;
    const Matrix& expand = weights_.predictorExpand;
    multiply(compute_, {reduce, states.form(compute_, reduce.type), 1, workspace_.reduced, reduce.rows});
    PreparedInputs reduced({workspace_.preparedReduced, workspace_.preparedReduced}); // one form is asked for
    reduced.set(workspace_.reduced, reduce.rows, 1);
    const Form form = reduced.form(compute_, expand.type);
    std::atomic<int64_t> computed{0};
    compute_.forEach(shape_.vocabulary, kBlockRows, [&](int64_t begin, int64_t end, int) {
        float* logits = workspace_.logits;
        compute_.kernels.multiply(expand, begin, end, form.data, form.stride, 1, logits, shape_.vocabulary);
        computed += runWhere(state, begin, end, [logits](int64_t row) { return logits[row] > 0; });
    });
    compute_.countBytes(expand.bytes());
    return computed;
}

int64_t Head::runBySketch(PreparedInputs& states, const Form& state, int64_t best) {
    const HeadSketch::State seen = sketch_->project(states.vectors());
    guessAll(seen, agreement_.margin);
    const std::span<Candidate> first = bestCandidates(best);
    compute_.forEach(static_cast<int64_t>(first.size()), 4, [&](int64_t begin, int64_t end, int) {
        for (int64_t i = begin; i < end; ++i) {
            const int64_t row = first[static_cast<size_t>(i)].row;
            runRows(state, row, row + 1);
        }
    });
    for (Candidate& candidate : first) candidate.bound = workspace_.logits[candidate.row];
    const float reached = limit(first, best), least = reached - seen.offset;
    const float* bound = bounds();
    std::atomic<int64_t> computed{0};
    compute_.forEach(shape_.vocabulary, kBlockRows, [&](int64_t begin, int64_t end, int) {
        // Rows whose bound is NaN are computed.
        computed += runWhere(state, begin, end, [bound, least](int64_t row) { return !(bound[row] < least); });
    });
    compute_.countBytes(sketch_->bytesRead());
    return computed + putBack(first, reached);
}

/// Puts back the candidates' logits that reach the limit and were left out, because their guesses were too low: the
/// best row may be among them. Returns how many they are.
int64_t Head::putBack(std::span<const Candidate> candidates, float limit) const {
    int64_t count = 0;
    for (const Candidate& candidate : candidates) {
        float& logit = workspace_.logits[candidate.row];
        if (logit != kNever || !(candidate.bound >= limit) || candidate.bound == kNever) continue;
        logit = candidate.bound;
        ++count;
    }
    return count;
}

/// Computes the rows in [begin, end) for which `wanted` returns true; it is called for each row before the row's logit
/// is written. Most such rows are scattered, so they are collected in lists that kernels take at once.
template <typename Wanted>
int64_t Head::runWhere(const Form& state, int64_t begin, int64_t end, const Wanted& wanted) const {
    std::array<int32_t, kBlockRows> rows;
    std::array<float, kBlockRows> values;
    int64_t computed = 0;
    for (int64_t first = begin; first < end; first += kBlockRows) {
        size_t count = 0;
        for (int64_t row = first; row < std::min(end, first + kBlockRows); ++row)
            if (wanted(row))
                rows[count++] = static_cast<int32_t>(row);
            else
                workspace_.logits[row] = kNever;
        compute_.kernels.multiplySome(weights_.head, rows.data(), static_cast<int64_t>(count), state.data,
                                      values.data());
        for (size_t i = 0; i < count; ++i) workspace_.logits[rows[i]] = values[i];
        computed += static_cast<int64_t>(count);
    }
    return computed;
}

/// Computes the rows in `kept` that the predictor left out.
int64_t Head::runKept(const Form& state, std::span<const TokenId> kept) const {
    int64_t computed = 0;
    for (const TokenId row : kept) {
        if (workspace_.logits[row] != kNever) continue;
        runRows(state, row, row + 1);
        ++computed;
    }
    return computed;
}

void Head::runRows(const Form& state, int64_t begin, int64_t end) const {
    compute_.kernels.multiply(weights_.head, begin, end, state.data, state.stride, 1, workspace_.logits,
                              shape_.vocabulary);
}

/// Fills bounds() and the candidate of each block.
void Head::guessAll(const HeadSketch::State& state, float margin) {
    float* bound = bounds();
    compute_.forEach(static_cast<int64_t>(candidates_.size()), kCandidateBlocks, [&](int64_t begin, int64_t end, int) {
        for (int64_t b = begin; b < end; ++b) {
            const int64_t first = b * kCandidateRows, last = std::min(first + kCandidateRows, shape_.vocabulary);
            sketch_->guess(compute_, state, margin, first, last, bound);
            const float* highest = std::max_element(bound + first, bound + last);
            candidates_[static_cast<size_t>(b)] = {*highest, highest - bound};
        }
    });
}

/// Returns the candidates with the highest bounds: `best` and some more, or all of a small vocabulary.
std::span<Head::Candidate> Head::bestCandidates(int64_t best) {
    const auto rank = [](const Candidate& c) { return std::isnan(c.bound) ? kNever : c.bound; };
    const int64_t count = std::min(best + kSpareCandidates, static_cast<int64_t>(candidates_.size()));
    std::nth_element(candidates_.begin(), candidates_.begin() + (count - 1), candidates_.end(),
                     [rank](const Candidate& a, const Candidate& b) { return rank(a) > rank(b); });
    return std::span(candidates_).first(static_cast<size_t>(count));
}

/// Returns the `best`-th highest of the candidates' logits, which are in `bound`: at least `best` rows reach it.
float Head::limit(std::span<Candidate> candidates, int64_t best) {
    const auto rank = [](const Candidate& c) { return std::isnan(c.bound) ? kNever : c.bound; };
    const auto at = candidates.begin() + (best - 1);
    std::nth_element(candidates.begin(), at, candidates.end(),
                     [rank](const Candidate& a, const Candidate& b) { return rank(a) > rank(b); });
    return rank(*at);
}

void Head::learn(PreparedInputs& states) {
    for (int64_t t = 0; t < states.batch() && isLearning(); ++t) {
        const HeadSketch::State seen = sketch_->project(states.vectors() + t * shape_.width);
        const float* logits = workspace_.logits + t * shape_.vocabulary;
        if (agreement_.calibration < HeadAgreement::kCalibrationStates)
            calibrate(seen, logits);
        else
            validate(seen, logits);
    }
}

void Head::calibrate(const HeadSketch::State& state, const float* logits) {
    guessAll(state, 0);
    std::array<int64_t, kCalibrationRows> rows;
    for (const int64_t row : highestRows(logits, shape_.vocabulary, rows)) {
        const float unit = sketch_->unit(state, row);
        if (unit > 0)
            agreement_.margin = std::max(agreement_.margin, (logits[row] - state.offset - bounds()[row]) / unit);
    }
    ++agreement_.calibration;
}

void Head::validate(const HeadSketch::State& state, const float* logits) {
    guessAll(state, agreement_.margin);
    const std::span<Candidate> first = bestCandidates(1);
    for (Candidate& candidate : first) candidate.bound = logits[candidate.row];
    const float least = limit(first, 1) - state.offset;
    const auto computed = [bound = bounds(), least](int64_t row) { return !(bound[row] < least); };
    int64_t rows = 0, winner = 0;
    for (int64_t row = 0; row < shape_.vocabulary; ++row) {
        rows += computed(row);
        if (logits[row] > logits[winner]) winner = row;
    }
    agreement_.agreeing += computed(winner);
    agreement_.rowShares += static_cast<double>(rows) / static_cast<double>(shape_.vocabulary);
    ++agreement_.validation;
}

} // namespace coterie::engine
