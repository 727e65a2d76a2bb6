// SPDX-License-Identifier: Apache-2.0
// See feed_forward.h.
//
//   1. gate and up, in blocks of neurons of every job; with one row and ReGLU only the up rows of neurons that fire
//   2. each row in the form that the down matrix needs: prepared, or a list of the neurons that fire if down is stored
//      by neuron
//   3. down, in blocks of outputs of every job; with one row and down regrouped only the columns of neurons that fire
//
// Every output is computed by one thread in the order of neurons, so results do not depend on how the work is split.
#include "decoder/feed_forward.h"

#include "base/rounding.h"
#include "kernels/regroup.h"

#include <algorithm>
#include <array>

namespace coterie::engine {
namespace {

/// Neurons or outputs of one piece of work. If down is stored by neuron, pieces split its rows, but never a K-quant's
/// block of 256.
constexpr int64_t kNeuronBlock = 64;
constexpr int64_t kOutputBlock = 128;
constexpr int64_t kStoredByNeuronBlock = 256;
static_assert(kOutputBlock == kBandRows);
/// Pieces of work per thread: with several of them a slow thread makes the others wait less.
constexpr int64_t kPiecesPerThread = 2;

/// gpt-oss's constants. Source: its published model code (swiglu, alpha and limit).
constexpr float kSwiGluSlope = 1.702f;
constexpr float kSwiGluLimit = 7.0f;

/// Turns g sigmoid(slope g) (u + 1), with clamped g and u, into an ordinary SwiGLU: silu(slope g) ((u + 1) / slope).
void clampForSwiGlu(float* gate, float* up, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
        gate[i] = kSwiGluSlope * std::min(gate[i], kSwiGluLimit);
        up[i] = (std::clamp(up[i], -kSwiGluLimit, kSwiGluLimit) + 1) / kSwiGluSlope;
    }
}

/// Computes x[i] += bias[i] for i in [begin, end).
void addBias(const float* bias, int64_t begin, int64_t end, float* x) {
    if (bias == nullptr) return;
    for (int64_t i = begin; i < end; ++i) x[i] += bias[i];
}

/// Calls body(job, begin, end, thread) for each block of [0, n) of each job.
template <typename Body>
void forEachBlock(const Compute& compute, std::span<const FeedForwardJob> jobs, int64_t n, int64_t block,
                  const Body& body) {
    const int64_t perJob = ceilDiv(n, block);
    compute.forEach(static_cast<int64_t>(jobs.size()) * perJob, 1, [&](int64_t from, int64_t to, int thread) {
        for (int64_t i = from; i < to; ++i) {
            const int64_t begin = i % perJob * block;
            body(jobs[static_cast<size_t>(i / perJob)], begin, std::min(n, begin + block), thread);
        }
    });
}

} // namespace

FeedForward::FeedForward(const ModelShape& shape, const Compute& compute, Workspace& workspace, int64_t rows,
                         int64_t outputs)
    : shape_(shape), compute_(compute), workspace_(workspace),
      active_(std::make_unique<std::atomic<int32_t>[]>(static_cast<size_t>(outputs))),
      listed_(static_cast<size_t>(rows)), sparse_(shape.activation == Activation::ReGlu),
      skips_(sparse_ && compute.shortcuts.sparsity) {}

void FeedForward::run(std::span<const FeedForwardJob> jobs, int64_t neurons) {
    neurons_ = neurons;
    for (const FeedForwardJob& job : jobs)
        for (int64_t row = 0; row < job.rows; ++row)
            active_[static_cast<size_t>(job.outputRow + row)].store(0, std::memory_order_relaxed);

    {
        const StepScope step = compute_.measure(Step::Gate);
        forEachBlock(compute_, jobs, neurons_, kNeuronBlock,
                     [this](const FeedForwardJob& job, int64_t begin, int64_t end, int thread) {
                         if (skips_ && job.rows == 1)
                             activateSparsely(job, begin, end, thread);
                         else
                             activate(job, begin, end, thread);
                     });
    }
    const StepScope step = compute_.measure(Step::Down);
    for (const FeedForwardJob& job : jobs) {
        const auto finish = [&](int64_t row) { finishRow(job, job.firstRow + row); };
        if (job.rows == 1)
            finish(0);
        else
            compute_.forEachToken(job.rows, finish);
    }
    forEachBlock(compute_, jobs, shape_.width, outputBlock(jobs),
                 [this](const FeedForwardJob& job, int64_t begin, int64_t end, int thread) {
                     project(job, begin, end, thread);
                 });
    count(jobs);
}

void FeedForward::activate(const FeedForwardJob& job, int64_t begin, int64_t end, int thread) {
    const KernelTable& k = compute_.kernels;
    float* gate = workspace_.gate + job.firstRow * neurons_;
    float* up = workspace_.up + job.firstRow * neurons_;
    k.multiply(job.gate, begin, end, job.gateInput.data, job.gateInput.stride, job.rows, gate, neurons_);
    const StepScope step = compute_.measure(Step::Up, thread);
    k.multiply(job.up, begin, end, job.upInput.data, job.upInput.stride, job.rows, up, neurons_);
    for (int64_t row = 0; row < job.rows; ++row) {
        addBias(job.gateBias, begin, end, gate + row * neurons_);
        addBias(job.upBias, begin, end, up + row * neurons_);
        activateRow(gate + row * neurons_ + begin, up + row * neurons_ + begin, end - begin, job.outputRow + row);
    }
}

/// gate, up: [n]. The neurons replace gate. row: of workspace.down.
void FeedForward::activateRow(float* gate, float* up, int64_t n, int64_t row) {
    switch (shape_.activation) {
    case Activation::ReGlu: {
        const int64_t fired = compute_.kernels.reGlu(gate, up, n, gate);
        active_[static_cast<size_t>(row)].fetch_add(static_cast<int32_t>(fired), std::memory_order_relaxed);
        return;
    }
    case Activation::GeGlu:
        return compute_.kernels.geGlu(gate, up, n, gate);
    case Activation::ClampedSwiGlu:
        clampForSwiGlu(gate, up, n);
        break;
    case Activation::SwiGlu:
        break;
    }
    compute_.kernels.swiGlu(gate, up, n, gate);
}

/// Computes the neurons of one row that fire and reads nothing for the others. At most kNeuronBlock neurons.
void FeedForward::activateSparsely(const FeedForwardJob& job, int64_t begin, int64_t end, int thread) {
    const KernelTable& k = compute_.kernels;
    float* gate = workspace_.gate + job.firstRow * neurons_;
    float* up = workspace_.up + job.firstRow * neurons_;
    k.multiply(job.gate, begin, end, job.gateInput.data, job.gateInput.stride, 1, gate, neurons_);
    addBias(job.gateBias, begin, end, gate);
    const StepScope step = compute_.measure(Step::Up, thread);
    std::array<int32_t, kNeuronBlock> fired{};
    std::array<float, kNeuronBlock> values{};
    size_t count = 0;
    for (int64_t i = begin; i < end; ++i) {
        up[i] = 0;
        fired[count] = static_cast<int32_t>(i);
        count += gate[i] > 0; // without a branch, which could not be predicted
    }
    k.multiplySome(job.up, fired.data(), static_cast<int64_t>(count), job.upInput.data, values.data());
    for (size_t i = 0; i < count; ++i) up[fired[i]] = values[i] + (job.upBias == nullptr ? 0 : job.upBias[fired[i]]);
    activateRow(gate + begin, up + begin, end - begin, job.outputRow);
}

void FeedForward::finishRow(const FeedForwardJob& job, int64_t row) {
    const int64_t n = neurons_;
    const float* neurons = workspace_.gate + row * n;
    if (!shape_.transposedDown) {
        const size_t stride = compute_.kernels.preparedBytes(job.down.type, n);
        compute_.kernels.prepare(job.down.type, neurons, n,
                                 workspace_.preparedDown + static_cast<size_t>(row) * stride);
        return;
    }
    int32_t* rows = workspace_.activeRows + row * n;
    float* scales = workspace_.activeScales + row * n;
    int64_t listed = 0;
    for (int64_t i = 0; i < n; ++i) {
        if (neurons[i] == 0 && compute_.shortcuts.sparsity) continue;
        rows[listed] = static_cast<int32_t>(i);
        scales[listed++] = neurons[i];
    }
    listed_[static_cast<size_t>(row)] = listed;
}

/// Outputs of one piece of work. One row reads a regrouped matrix column by column: long pieces are faster, as long as
/// every thread has enough to do.
int64_t FeedForward::outputBlock(std::span<const FeedForwardJob> jobs) const {
    if (shape_.transposedDown) return kStoredByNeuronBlock;
    const auto sparse = [](const FeedForwardJob& job) { return job.downRegrouped && job.rows == 1; };
    if (!std::all_of(jobs.begin(), jobs.end(), sparse)) return kOutputBlock;
    const int64_t perJob = ceilDiv(kPiecesPerThread * compute_.pool.threads(), static_cast<int64_t>(jobs.size()));
    return roundUp(ceilDiv(shape_.width, perJob), kBandRows);
}

void FeedForward::project(const FeedForwardJob& job, int64_t begin, int64_t end, int thread) {
    if (shape_.transposedDown) return projectStoredByNeuron(job, begin, end);
    if (job.downRegrouped) return projectRegrouped(job, begin, end, thread);
    const size_t stride = compute_.kernels.preparedBytes(job.down.type, neurons_);
    float* out = workspace_.down + job.outputRow * shape_.width;
    compute_.kernels.multiply(job.down, begin, end,
                              workspace_.preparedDown + static_cast<size_t>(job.firstRow) * stride, stride, job.rows,
                              out, shape_.width);
    for (int64_t row = 0; row < job.rows; ++row) addBias(job.downBias, begin, end, out + row * shape_.width);
}

void FeedForward::projectStoredByNeuron(const FeedForwardJob& job, int64_t begin, int64_t end) {
    float* out = workspace_.down + job.outputRow * shape_.width;
    for (int64_t row = job.firstRow; row < job.firstRow + job.rows; ++row, out += shape_.width) {
        std::fill(out + begin, out + end, 0.0f);
        compute_.kernels.addScaledRows(job.down, workspace_.activeRows + row * neurons_,
                                       workspace_.activeScales + row * neurons_, listed_[static_cast<size_t>(row)],
                                       begin, end, out);
        addBias(job.downBias, begin, end, out);
    }
}

/// Several rows share a matrix in the file's order; a single row leaves out most columns.
void FeedForward::projectRegrouped(const FeedForwardJob& job, int64_t begin, int64_t end, int thread) {
    const size_t stride = compute_.kernels.preparedBytes(job.down.type, neurons_);
    const std::byte* prepared = workspace_.preparedDown + static_cast<size_t>(job.firstRow) * stride;
    float* out = workspace_.down + job.outputRow * shape_.width;
    if (job.rows == 1) {
        compute_.countBytes(compute_.kernels.multiplySparse(job.down, begin, end, prepared, out), Step::Down);
    } else {
        const uint64_t bytes = kBandRows * rowBytes(job.down.type, static_cast<uint64_t>(neurons_));
        std::byte* restored = workspace_.restored + static_cast<uint64_t>(thread) * bytes;
        for (int64_t row = begin; row < end; row += kBandRows) {
            restoreBand(job.down, row, restored);
            compute_.kernels.multiply({job.down.type, kBandRows, neurons_, restored}, 0, kBandRows, prepared, stride,
                                      job.rows, out + row, shape_.width);
        }
    }
    for (int64_t row = 0; row < job.rows; ++row) addBias(job.downBias, begin, end, out + row * shape_.width);
}

/// Counts the bytes that the kernels read. For a single token the up rows, and the down rows if they are stored by
/// neuron, count only for the neurons that fired; if nothing is skipped, all rows count.
void FeedForward::count(std::span<const FeedForwardJob> jobs) const {
    uint64_t gates = 0, ups = 0, downs = 0, fired = 0, possible = 0;
    for (const FeedForwardJob& job : jobs) {
        const auto bytesOf = [](const Matrix& m, int64_t rows) { return static_cast<uint64_t>(rows) * m.rowStride(); };
        int64_t jobFired = 0;
        for (int64_t row = job.outputRow; row < job.outputRow + job.rows; ++row) jobFired += active(row);
        const bool upSkipped = skips_ && job.rows == 1;
        const bool downSkipped = shape_.transposedDown && compute_.shortcuts.sparsity;
        gates += bytesOf(job.gate, job.gate.rows);
        ups += bytesOf(job.up, upSkipped ? jobFired : job.up.rows);
        if (!job.downRegrouped || job.rows != 1) // else the kernel has returned the bytes that it read
            downs += bytesOf(job.down, downSkipped ? std::min(jobFired, job.down.rows) : job.down.rows);
        fired += static_cast<uint64_t>(jobFired);
        possible += static_cast<uint64_t>(job.rows * neurons_);
    }
    compute_.countBytes(gates, Step::Gate);
    compute_.countBytes(ups, Step::Up);
    compute_.countBytes(downs, Step::Down);
    if (!sparse_) return;
    compute_.counters.activeNeurons.fetch_add(fired, std::memory_order_relaxed);
    compute_.counters.neurons.fetch_add(possible, std::memory_order_relaxed);
}

} // namespace coterie::engine
