// SPDX-License-Identifier: Apache-2.0
// The means that all parts of the CPU's forward pass share: kernels, threads, counters, and products of matrices with
// prepared vectors as one list of work for the pool. Inside decoder/ only.
#pragma once

#include "base/threads.h"
#include "decoder/options.h"
#include "decoder/step_meter.h"
#include "experts/counts.h"
#include "kernels/kernels.h"

#include <array>
#include <atomic>
#include <functional>
#include <span>

namespace coterie::engine {

/// The least work that is worth waking another thread for: bytes of weights, or of keys and values, times the number of
/// vectors that read them. One core needs about two microseconds for it.
inline constexpr uint64_t kWorthSharing = 64 << 10;

/// Counts of what the kernels did: the engine's thread adds to them, any thread may read them.
struct Counters {
    std::atomic<uint64_t> weightBytes{0}, activeNeurons{0}, neurons{0};

    void addTo(Counts& counts) const {
        counts += {.weightBytesRead = weightBytes, .activeNeurons = activeNeurons, .neurons = neurons};
    }
};

class Compute {
  public:
    /// steps may be null: nothing is measured.
    Compute(const KernelTable& table, ThreadPool& threads, Counters& counts, Shortcuts taken = {},
            StepMeter* steps = nullptr)
        : kernels(table), pool(threads), counters(counts), shortcuts(taken), meter(steps) {}

    /// Calls body(begin, end, thread) for pieces of [0, count), on the caller's thread if there is only one piece.
    template <typename Body>
    void forEach(int64_t count, int64_t grain, const Body& body) const {
        if (count <= grain || pool.threads() == 1)
            body(int64_t{0}, count, 0);
        else if (meter == nullptr)
            pool.parallelFor(count, grain, std::cref(body));
        else
            forEachMeasured(count, grain, std::cref(body));
    }
    /// Calls body(token) for each token of a chunk.
    template <typename Body>
    void forEachToken(int64_t tokens, const Body& body) const {
        forEach(tokens, 1, [&body](int64_t begin, int64_t end, int) {
            for (int64_t t = begin; t < end; ++t) body(t);
        });
    }
    /// Counts bytes of weights for the step whose time runs. The engine's thread only.
    void countBytes(uint64_t bytes) const {
        counters.weightBytes.fetch_add(bytes, std::memory_order_relaxed);
        if (meter != nullptr) meter->count(meter->current(), bytes);
    }
    /// Counts bytes of weights for another step. Any thread.
    void countBytes(uint64_t bytes, Step step) const {
        counters.weightBytes.fetch_add(bytes, std::memory_order_relaxed);
        measureBytes(bytes, step);
    }
    /// Counts bytes of keys and values: they appear in no counter. Any thread.
    void measureBytes(uint64_t bytes, Step step) const {
        if (meter != nullptr) meter->count(step, bytes);
    }
    /// The time until the end of the scope counts for this step. thread: the one that forEach() gives to a body; only
    /// that of the engine is measured.
    StepScope measure(Step step, int thread = 0) const { return {thread == 0 ? meter : nullptr, step}; }

    const KernelTable& kernels;
    ThreadPool& pool;
    Counters& counters;
    const Shortcuts shortcuts;
    StepMeter* const meter;

  private:
    void forEachMeasured(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t, int)>& body) const;
};

/// An array for each form that a vector may have.
using FormArrays = std::array<std::byte*, 2>;
constexpr size_t placeOf(VectorForm form) { return static_cast<size_t>(form); }

/// Vectors in the forms that multiply() takes. Each form is made once, when a format first needs it.
class PreparedInputs {
  public:
    struct Form {
        const std::byte* data = nullptr;
        size_t stride = 0;
    };

    explicit PreparedInputs(const FormArrays& buffers) : buffers_(buffers) {}
    /// x: [batch, columns]. Forgets the forms of the vectors before.
    void set(const float* x, int64_t columns, int64_t batch);
    Form form(const Compute& compute, TensorType type);
    int64_t batch() const { return batch_; }
    const float* vectors() const { return x_; } ///< the vectors that set() got

  private:
    FormArrays buffers_;
    std::array<Form, 2> forms_{}; // a form has no data until it is needed
    const float* x_ = nullptr;
    int64_t columns_ = 0, batch_ = 0;
};

/// out[t * outStride + r] = weights.row(r) . input t, for every row.
struct Product {
    Matrix weights;
    PreparedInputs::Form input;
    int64_t batch = 1;
    float* out = nullptr;
    int64_t outStride = 0;
};

/// Computes all products as one list of work, with one barrier.
void multiplyAll(const Compute& compute, std::span<const Product> products);
inline void multiply(const Compute& compute, const Product& product) { multiplyAll(compute, std::span(&product, 1)); }

} // namespace coterie::engine
