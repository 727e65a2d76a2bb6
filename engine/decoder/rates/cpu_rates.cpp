// SPDX-License-Identifier: Apache-2.0
// See cpu_rates.h.
#include "decoder/rates/cpu_rates.h"

#include "base/memory.h"
#include "base/threads.h"
#include "decoder/compute.h"
#include "decoder/rates/rate_measure.h"

#include <algorithm>
#include <array>

namespace coterie::engine {
namespace {

/// The CPU with memory for matrices, vectors and results.
class CpuBench {
  public:
    CpuBench(const KernelTable& kernels, int threads) : pool_(threads), compute_(kernels, pool_, counters_) {}
    Status allocate();
    double secondsOfLoop();
    Result<double> rate(TensorType type, int64_t vectors, const RateCosts& costs);

  private:
    double secondsOfProducts(TensorType type, int64_t vectors, int64_t rows, int64_t products);

    ThreadPool pool_;
    Counters counters_;
    const Compute compute_;
    Buffer weights_, vectors_, out_;
    std::array<Buffer, 2> prepared_; // [VectorForm]
    NextMatrix next_{kRateBytes};
};

Status CpuBench::allocate() {
    const auto take = [](Buffer& buffer, uint64_t bytes) -> Status {
        Result<Buffer> taken =
            Buffer::allocate(bytes, "There is no memory for measuring the processor", Buffer::Pages::Large);
        if (!taken) return taken.error();
        buffer = std::move(taken).value();
        return {};
    };
    const auto vectors = static_cast<uint64_t>(kPromptVectors);
    if (Status taken = take(weights_, kRateBytes); !taken) return taken;
    if (Status taken = take(vectors_, vectors * kRateColumns * sizeof(float)); !taken) return taken;
    if (Status taken = take(out_, vectors * kMostRateRows * sizeof(float)); !taken) return taken;
    for (const VectorForm form : {VectorForm::Floats, VectorForm::Bytes})
        if (Status taken = take(prepared_[placeOf(form)], vectors * preparedBytes(form, kRateColumns)); !taken)
            return taken;
    fillWithWeights(weights_.bytes());
    fillWithWeights(vectors_.bytes());
    return {};
}

/// A loop of all threads that has nothing to do.
double CpuBench::secondsOfLoop() {
    constexpr int kLoops = 256, kRepetitions = 5;
    double best = 1;
    for (int i = 0; i < kRepetitions; ++i) {
        const Stopwatch watch;
        for (int loop = 0; loop < kLoops; ++loop) compute_.forEach(pool_.threads(), 1, [](int64_t, int64_t, int) {});
        best = std::min(best, watch.seconds() / kLoops);
    }
    return best;
}

double CpuBench::secondsOfProducts(TensorType type, int64_t vectors, int64_t rows, int64_t products) {
    PreparedInputs inputs({prepared_[0].data(), prepared_[1].data()});
    inputs.set(vectors_.as<float>(), kRateColumns, vectors);
    const PreparedInputs::Form form = inputs.form(compute_, type);
    const Stopwatch watch;
    for (int64_t i = 0; i < products; ++i) {
        Matrix matrix{.type = type, .rows = rows, .columns = kRateColumns, .data = weights_.data()};
        matrix.data += next_.take(matrix.bytes());
        multiply(
            compute_,
            {.weights = matrix, .input = form, .batch = vectors, .out = out_.as<float>(), .outStride = kMostRateRows});
    }
    return watch.seconds();
}

Result<double> CpuBench::rate(TensorType type, int64_t vectors, const RateCosts& costs) {
    return measureRate([&](int64_t rows, int64_t products) { return secondsOfProducts(type, vectors, rows, products); },
                       costs, {.bytesOfRow = rowBytes(type, kRateColumns), .vectors = vectors});
}

} // namespace

Result<DeviceRates> measureCpu(const KernelTable& kernels, int threads, std::span<const TensorType> formats) {
    CpuBench bench(kernels, threads);
    if (Status taken = bench.allocate(); !taken) return taken.error();
    DeviceRates rates;
    rates.dispatchSeconds = bench.secondsOfLoop();
    const RateCosts costs{.perProduct = rates.dispatchSeconds, .perRun = 0};
    for (const TensorType type : formats) {
        const Result<double> answers = bench.rate(type, 1, costs);
        const Result<double> prompts = bench.rate(type, kPromptVectors, costs);
        if (!answers || !prompts) return answers ? prompts.error() : answers.error();
        rates.formats.push_back({type, *answers, *prompts});
    }
    return rates;
}

} // namespace coterie::engine
