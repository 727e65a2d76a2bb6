// SPDX-License-Identifier: Apache-2.0
// See step_meter.h.
#include "decoder/step_meter.h"

#include <numeric>
#include <utility>

namespace coterie::engine {

double StepMeter::Reading::seconds() const {
    return std::accumulate(steps.begin(), steps.end(), 0.0,
                           [](double sum, const Use& use) { return sum + use.seconds; });
}

StepMeter::Reading& StepMeter::Reading::operator+=(const Reading& other) {
    passes += other.passes;
    for (size_t i = 0; i < kSteps; ++i) {
        steps[i].seconds += other.steps[i].seconds;
        steps[i].bytes += other.steps[i].bytes;
        steps[i].turns += other.steps[i].turns;
    }
    return *this;
}

StepMeter::Reading StepMeter::Reading::operator-(const Reading& earlier) const {
    Reading since{.passes = passes - earlier.passes};
    for (size_t i = 0; i < kSteps; ++i)
        since.steps[i] = {steps[i].seconds - earlier.steps[i].seconds, steps[i].bytes - earlier.steps[i].bytes,
                          steps[i].turns - earlier.steps[i].turns};
    return since;
}

StepMeter::Reading StepMeter::read() const {
    Reading now{.passes = passes_};
    for (size_t i = 0; i < kSteps; ++i)
        now.steps[i] = {std::chrono::duration<double>(times_[i]).count(), bytes_[i].load(std::memory_order_relaxed),
                        turns_[i]};
    return now;
}

Step StepMeter::enter(Step step) {
    const Clock::time_point now = Clock::now();
    if (current_ != Step::None) times_[static_cast<size_t>(current_)] += now - since_;
    if (step != Step::None) ++turns_[static_cast<size_t>(step)];
    since_ = now;
    return std::exchange(current_, step);
}

} // namespace coterie::engine
