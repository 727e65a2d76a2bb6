// SPDX-License-Identifier: Apache-2.0
// A measurement of what each step of a forward pass on the CPU takes: the time of the thread that runs the pass, and
// the bytes that the step reads. Steps do not overlap, so their times add up to that of the passes. Without a meter
// nothing is measured.
//
// Threads: the thread that runs the passes owns the meter and reads it. Others only call count().
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace coterie::engine {

enum class Step : uint8_t {
    Embedding,   ///< tokens become vectors; their rotations are computed
    Router,      ///< experts are chosen
    Projections, ///< q, k and v, or what else a mixer makes of its input, with norms and rotation
    Attention,   ///< over the KV cache
    State,       ///< convolution and delta rule of recurrent layers
    Output,      ///< the product after attention or state
    Guess,       ///< experts that later layers may use are guessed
    Store,       ///< the expert store takes requests and evicts; waiting for reads is not in it
    Gate,        ///< with the form of the input that the experts need
    Up,          ///< with the activation
    Down,
    LayerEmbeddings, ///< embeddings by layer
    Head,            ///< logits
    Disk,            ///< waiting for experts, or for rows of embeddings
    Barriers,        ///< waiting for other threads, and waking them
    Rest,            ///< norms, sums and everything else
    None,            ///< no pass runs
};
inline constexpr size_t kSteps = static_cast<size_t>(Step::None);

class StepMeter {
  public:
    struct Use {
        double seconds = 0;
        uint64_t bytes = 0; ///< weights, and the keys and values that attention reads; none from disk
        uint64_t turns = 0; ///< how often its time began to run, also after a step within it
    };
    /// Sums over all passes so far.
    struct Reading {
        uint64_t passes = 0; ///< chunks, of which a token of an answer is one
        std::array<Use, kSteps> steps{};

        const Use& of(Step step) const { return steps[static_cast<size_t>(step)]; }
        double seconds() const;
        Reading& operator+=(const Reading& other);
        /// Returns the sums since `earlier`.
        Reading operator-(const Reading& earlier) const;
    };

    Reading read() const;
    /// Counts a pass that begins.
    void beginPass() { ++passes_; }
    /// The step whose time runs.
    Step current() const { return current_; }
    void count(Step step, uint64_t bytes) {
        bytes_[static_cast<size_t>(step)].fetch_add(bytes, std::memory_order_relaxed);
    }
    /// From now on time counts for this step. Returns the step before.
    Step enter(Step step);

  private:
    using Clock = std::chrono::steady_clock;

    uint64_t passes_ = 0;
    Step current_ = Step::None;
    Clock::time_point since_;
    std::array<Clock::duration, kSteps> times_{};
    std::array<uint64_t, kSteps> turns_{};
    std::array<std::atomic<uint64_t>, kSteps + 1> bytes_{}; // the last ones are of no pass
};

/// Time counts for a step until the end of the scope, except within scopes inside it. Without a meter it does nothing.
class StepScope {
  public:
    StepScope(StepMeter* meter, Step step)
        : meter_(meter), before_(meter == nullptr ? Step::None : meter->enter(step)) {}
    ~StepScope() {
        if (meter_ != nullptr) meter_->enter(before_);
    }
    StepScope(const StepScope&) = delete;
    StepScope& operator=(const StepScope&) = delete;

  private:
    StepMeter* const meter_;
    const Step before_;
};

} // namespace coterie::engine
