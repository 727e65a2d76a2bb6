// SPDX-License-Identifier: Apache-2.0
// How long a prompt takes in what a recurrent layer computes besides its matrices, and the share of the time that these
// matrices take: a gated delta rule in the published shape of Qwen 3.5 to 3.6 35B-A3B. It is no test: figures count on
// an idle machine only.
#include "aligned_room.h"
#include "base/threads.h"
#include "kernels/kernels.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace coterie::engine;

namespace {

constexpr int64_t kWidth = 2048, kKeyHeads = 16, kValueHeads = 32, kSize = 128, kTaps = 4;
constexpr int64_t kKeys = kKeyHeads * kSize, kValues = kValueHeads * kSize, kChannels = 2 * kKeys + kValues;
constexpr int64_t kState = kValueHeads * kSize * kSize; ///< floats
constexpr int64_t kLayers = 30; ///< recurrent layers of the model: a token meets each state once
constexpr int64_t kChunk = 512; ///< tokens that the decoder takes through a layer at a time
constexpr float kEpsilon = 1e-6f;

std::vector<float> randomFloats(int64_t count, uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> unit(-1, 1);
    std::vector<float> made(static_cast<size_t>(count));
    for (float& x : made) x = unit(random);
    return made;
}

/// The layer without its matrices. Each chunk has the same inputs.
class DeltaLayer {
  public:
    DeltaLayer(const KernelTable& kernels, ThreadPool& pool) : kernels_(kernels), pool_(pool) {}

    void run(int64_t tokens) {
        float* state = reinterpret_cast<float*>(states_.data()) + layer_ * kState;
        layer_ = (layer_ + 1) % kLayers;
        for (int64_t left = tokens; left > 0; left -= kChunk) runChunk(std::min(kChunk, left), state);
    }

  private:
    void runChunk(int64_t tokens, float* state) {
        pool_.parallelFor(kChannels, 256, [&](int64_t begin, int64_t end, int) { convolve(tokens, begin, end); });
        pool_.parallelFor(tokens, 8, [&](int64_t begin, int64_t end, int) {
            for (int64_t t = begin; t < end; ++t) normAndGate(t);
        });
        pool_.parallelFor(kValueHeads, 1, [&](int64_t begin, int64_t end, int) {
            for (int64_t head = begin; head < end; ++head) runHead(tokens, head, state);
        });
        pool_.parallelFor(tokens, 8, [&](int64_t begin, int64_t end, int) {
            for (int64_t t = begin; t < end; ++t) {
                float* out = out_.data() + t * kValues;
                kernels_.groupedRmsNorm(out, norm_.data(), 0, kValueHeads, kSize, kEpsilon, out);
                kernels_.swiGlu(gate_.data() + t * kValues, out, kValues, out);
            }
        });
    }

    void convolve(int64_t tokens, int64_t begin, int64_t end) {
        kernels_.causalConvolution({taps_.data(), history_.data(), projected_.data(), kChannels, tokens, begin, end,
                                    kChannels, kTaps, mixed_.data()});
        for (int64_t t = 0; t < tokens; ++t) {
            float* x = mixed_.data() + t * kChannels + begin;
            kernels_.silu(x, end - begin, x);
        }
    }

    void normAndGate(int64_t t) {
        float* x = mixed_.data() + t * kChannels;
        const float scale = 1 / std::sqrt(static_cast<float>(kSize));
        for (int64_t i = 0; i < 2 * kKeyHeads; ++i)
            kernels_.l2Norm(x + i * kSize, kSize, kEpsilon, i < kKeyHeads ? scale : 1, x + i * kSize);
        float* decay = decay_.data() + t * kValueHeads;
        float* beta = beta_.data() + t * kValueHeads;
        kernels_.softplus(alpha_.data() + t * kValueHeads, kValueHeads, decay);
        for (int64_t i = 0; i < kValueHeads; ++i) decay[i] = std::exp(-0.1f * decay[i]);
        std::fill_n(beta, kValueHeads, 1.0f);
        kernels_.sigmoidGate(alpha_.data() + t * kValueHeads, kValueHeads, beta);
    }

    void runHead(int64_t tokens, int64_t i, float* state) {
        DeltaRuleHead head;
        head.queries = mixed_.data() + i % kKeyHeads * kSize;
        head.keys = head.queries + kKeys;
        head.values = mixed_.data() + 2 * kKeys + i * kSize;
        head.queryStride = head.keyStride = head.valueStride = kChannels;
        head.decay = decay_.data() + i;
        head.beta = beta_.data() + i;
        head.gateStride = kValueHeads;
        head.tokens = tokens;
        head.size = kSize;
        head.out = out_.data() + i * kSize;
        head.outStride = kValues;
        kernels_.deltaRule(head, state + i * kSize * kSize);
    }

    const KernelTable& kernels_;
    ThreadPool& pool_;
    int64_t layer_ = 0;
    std::vector<float> taps_ = randomFloats(kChannels * kTaps, 1), history_ = randomFloats(kChannels * (kTaps - 1), 2);
    std::vector<float> projected_ = randomFloats(kChunk * kChannels, 3), gate_ = randomFloats(kChunk * kValues, 4);
    std::vector<float> alpha_ = randomFloats(kChunk * kValueHeads, 5), norm_ = randomFloats(kSize, 6);
    std::vector<float> mixed_ = std::vector<float>(static_cast<size_t>(kChunk * kChannels));
    std::vector<float> out_ = std::vector<float>(static_cast<size_t>(kChunk * kValues));
    std::vector<float> decay_ = std::vector<float>(static_cast<size_t>(kChunk * kValueHeads)), beta_ = decay_;
    Room states_{kLayers * kState * sizeof(float)};
};

/// The layer's matrices: queries, keys, values and gate from the layer's input, and its output. The two small ones for
/// alpha and beta, half a percent, are left out.
class LayerMatrices {
  public:
    LayerMatrices(const KernelTable& kernels, ThreadPool& pool, TensorType type)
        : kernels_(kernels), pool_(pool), in_(matrix(type, kChannels + kValues, kWidth)),
          back_(matrix(type, kWidth, kValues)) {}

    void run(int64_t tokens) {
        for (int64_t left = tokens; left > 0; left -= kChunk)
            for (const Matrix& w : {in_, back_}) multiply(w, std::min(kChunk, left));
    }

  private:
    Matrix matrix(TensorType type, int64_t rows, int64_t columns) {
        Matrix w{type, rows, columns, nullptr};
        std::vector<uint64_t>& words = bytes_.emplace_back(w.bytes() / sizeof(uint64_t));
        std::mt19937_64 random(7);
        for (uint64_t& word : words) word = random() & 0xbbffbbffbbffbbffu; // exponents stay small
        w.data = reinterpret_cast<const std::byte*>(words.data());
        return w;
    }
    void multiply(const Matrix& w, int64_t tokens) {
        const size_t stride = kernels_.preparedBytes(w.type, w.columns);
        pool_.parallelFor(tokens, 8, [&](int64_t begin, int64_t end, int) {
            for (int64_t t = begin; t < end; ++t)
                kernels_.prepare(w.type, x_.data(), w.columns, prepared_.data() + static_cast<size_t>(t) * stride);
        });
        pool_.parallelFor(w.rows, 128, [&](int64_t begin, int64_t end, int) {
            kernels_.multiply(w, begin, end, prepared_.data(), stride, tokens, out_.data(), w.rows);
        });
    }

    const KernelTable& kernels_;
    ThreadPool& pool_;
    std::vector<std::vector<uint64_t>> bytes_;
    Matrix in_, back_;
    std::vector<float> x_ = randomFloats(kValues, 8);
    std::vector<float> out_ = std::vector<float>(static_cast<size_t>(kChunk * (kChannels + kValues)));
    Room prepared_{kChunk * kValues * sizeof(float)}; ///< in the largest form, floats
};

template <typename Run>
double secondsOf(Run run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    return seconds.count();
}

/// Tokens of a prompt in the layer and in its matrices, in turns; the counters are the medians of both.
void layer(benchmark::State& state, const KernelTable& kernels, TensorType type, int64_t tokens, int threads) {
    ThreadPool pool(threads);
    DeltaLayer layer(kernels, pool);
    LayerMatrices matrices(kernels, pool, type);
    std::vector<double> own, others;
    for ([[maybe_unused]] auto _ : state) {
        own.push_back(secondsOf([&] { layer.run(tokens); }));
        others.push_back(secondsOf([&] { matrices.run(tokens); }));
        state.SetIterationTime(own.back());
    }
    const auto median = [](std::vector<double>& times) {
        std::nth_element(times.begin(), times.begin() + static_cast<int64_t>(times.size() / 2), times.end());
        return times[times.size() / 2];
    };
    state.counters["matrices_ms"] = 1e3 * median(others);
    state.counters["of_matrices"] = median(own) / median(others);
    const double stateBytes = 2.0 * kState * sizeof(float); // read and written
    if (tokens == 1) state.counters["state_GB/s"] = stateBytes / 1e9 / median(own);
}

void registerAll(const KernelTable& kernels) {
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    for (const TensorType type : {TensorType::Q4_0, TensorType::Q4_K, TensorType::Q8_0})
        for (const int64_t tokens : {1, 64, 4096})
            for (const int threads : {1, cores}) {
                const std::string label = std::string(kernels.name) + "/deltaLayer/" + traits(type).name +
                                          "/tokens:" + std::to_string(tokens) + "/threads:" + std::to_string(threads);
                benchmark::RegisterBenchmark(label.c_str(),
                                             [&kernels, type, tokens, threads](benchmark::State& state) {
                                                 layer(state, kernels, type, tokens, threads);
                                             })
                    ->UseManualTime()
                    ->Unit(benchmark::kMillisecond);
                if (cores == 1) break;
            }
}

} // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    for (const KernelTable* table : kernelTables())
        if (table->runsHere()) registerAll(*table);
    const size_t ran = benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return ran > 0 ? 0 : 1; // a filter that picks nothing is a mistake
}
