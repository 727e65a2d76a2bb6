// SPDX-License-Identifier: Apache-2.0
// How fast each table of kernels reads weights: GB/s, and the share of a plain read of the same memory with as many
// threads. Matrices are far larger than caches, or there are many of them. It is no test: figures count on an idle
// machine only.
#include "aligned_room.h"
#include "kernels/kernels.h"
#include "kernels/regroup.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace coterie::engine;

namespace {

constexpr int64_t kWeightBytes = int64_t{256} << 20; ///< eight times the largest last-level cache of a common desktop
constexpr int64_t kColumns = 1536;                   ///< SmallThinker 4B's width, the shape that decoding meets most

/// The same random bytes for every benchmark: exponents of halves and floats stay small enough for sums to be finite.
const std::byte* weights() {
    static const std::byte* const bytes = [] {
        static Room room(kWeightBytes);
        std::byte* made = room.data();
        std::mt19937_64 random(1);
        for (int64_t i = 0; i < kWeightBytes; i += 8) {
            const uint64_t value = random() & 0xbbffbbffbbffbbffu;
            std::memcpy(made + i, &value, sizeof value);
        }
        return made;
    }();
    return bytes;
}

uint64_t sumOfWords(const std::byte* begin, int64_t bytes) {
    uint64_t sums[8] = {};
    for (int64_t i = 0; i + 64 <= bytes; i += 64) {
        uint64_t words[8];
        std::memcpy(words, begin + i, sizeof words);
        for (int j = 0; j < 8; ++j) sums[j] += words[j];
    }
    return sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
}

/// Bytes per second of the best of five plain reads by `threads` threads.
double plainRead(int threads) {
    static std::mutex mutex;
    static std::map<int, double> known;
    const std::lock_guard lock(mutex);
    double& best = known[threads];
    if (best > 0) return best;
    const int64_t share = kWeightBytes / threads;
    for (int run = 0; run < 5; ++run) {
        const auto start = std::chrono::steady_clock::now();
        std::vector<std::thread> pool;
        pool.reserve(static_cast<size_t>(threads));
        for (int t = 0; t < threads; ++t)
            pool.emplace_back([t, share] { benchmark::DoNotOptimize(sumOfWords(weights() + t * share, share)); });
        for (std::thread& thread : pool) thread.join();
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        best = std::max(best, static_cast<double>(share * threads) / seconds.count());
    }
    return best;
}

using benchmark::Counter;

void countBytes(benchmark::State& state, double bytes, double limit) {
    state.counters["GB/s"] = Counter(bytes / 1e9, Counter::kIsRate);
    state.counters["of_plain_read"] = Counter(bytes / limit, Counter::kIsRate);
}

/// Each thread multiplies its share of the rows by all tokens, over and over.
void multiply(benchmark::State& state, const KernelTable& kernels, TensorType type, int64_t batch) {
    const int64_t stride = static_cast<int64_t>(rowBytes(type, kColumns));
    const int64_t rows = kWeightBytes / stride;
    const int64_t share =
        rows / state.threads() / batch; // with many tokens a smaller share, because arithmetic is the limit
    const int64_t begin = state.thread_index() * share;
    const Matrix w{type, rows, kColumns, weights()};
    const size_t preparedStride = kernels.preparedBytes(type, kColumns);
    std::vector<float> x(kColumns, 0.5f), out(static_cast<size_t>(share * batch));
    Room room(preparedStride * static_cast<size_t>(batch));
    std::byte* prepared = room.data();
    for (int64_t t = 0; t < batch; ++t) kernels.prepare(type, x.data(), kColumns, prepared + t * preparedStride);
    const double limit = plainRead(state.threads());
    const Matrix own{type, share, kColumns, w.row(begin)};
    for ([[maybe_unused]] auto _ : state) {
        kernels.multiply(own, 0, share, prepared, preparedStride, batch, out.data(), share);
        benchmark::ClobberMemory();
    }
    countBytes(state, static_cast<double>(state.iterations() * share * stride), limit);
    state.counters["GMAC/s"] =
        Counter(static_cast<double>(state.iterations() * share * kColumns * batch) / 1e9, Counter::kIsRate);
}

/// An expert's up or down matrix, and the share of its neurons that fired.
struct SparseShape {
    TensorType type;
    int64_t width, neurons;
    int percent;
};

/// Vectors with the same number of fired neurons; in each vector other neurons fire.
class SparseVectors {
  public:
    static constexpr int64_t kCount = 64; ///< together they fit the second cache

    SparseVectors(const KernelTable& kernels, const SparseShape& shape)
        : stride_(kernels.preparedBytes(shape.type, shape.neurons)), room_(stride_ * kCount) {
        std::mt19937_64 random(2);
        std::vector<int64_t> order(static_cast<size_t>(shape.neurons));
        std::iota(order.begin(), order.end(), 0);
        for (int64_t i = 0; i < kCount; ++i) {
            std::shuffle(order.begin(), order.end(), random);
            std::vector<float> x(order.size());
            for (int64_t k = 0; k < shape.neurons * shape.percent / 100; ++k)
                x[static_cast<size_t>(order[static_cast<size_t>(k)])] = 0.5f;
            kernels.prepare(shape.type, x.data(), shape.neurons, at(i));
        }
    }
    std::byte* at(int64_t i) { return room_.data() + stride_ * static_cast<size_t>(i % kCount); }

  private:
    size_t stride_;
    Room room_;
};

/// Each thread goes through its own experts with one token each, as decoding does with few threads. Random bytes serve
/// as a matrix in the order of regroup.h just as well as in the file's.
void multiplySparse(benchmark::State& state, const KernelTable& kernels, const SparseShape& shape) {
    const auto matrixBytes =
        shape.width * static_cast<int64_t>(rowBytes(shape.type, static_cast<uint64_t>(shape.neurons)));
    const int64_t share = kWeightBytes / matrixBytes / state.threads();
    const std::byte* own = weights() + state.thread_index() * share * matrixBytes;
    assert(canRegroup(shape.type, shape.width, shape.neurons));
    SparseVectors vectors(kernels, shape);
    std::vector<float> out(static_cast<size_t>(shape.width));
    const double limit = plainRead(state.threads());
    uint64_t bytes = 0;
    int64_t next = 0;
    for ([[maybe_unused]] auto _ : state) {
        const Matrix w{shape.type, shape.width, shape.neurons, own + next % share * matrixBytes};
        bytes += kernels.multiplySparse(w, 0, shape.width, vectors.at(next++), out.data());
        benchmark::ClobberMemory();
    }
    countBytes(state, static_cast<double>(bytes), limit);
}

/// Neurons of an expert that fired, in rising order; another choice for each expert.
class FiredNeurons {
  public:
    FiredNeurons(int64_t neurons, int percent) : count_(neurons * percent / 100) {
        std::mt19937_64 random(3);
        std::vector<int32_t> order(static_cast<size_t>(neurons));
        std::iota(order.begin(), order.end(), 0);
        for (std::vector<int32_t>& rows : rows_) {
            std::shuffle(order.begin(), order.end(), random);
            rows.assign(order.begin(), order.begin() + count_);
            std::sort(rows.begin(), rows.end());
        }
    }
    int64_t count() const { return count_; }
    const int32_t* rows(int64_t i) const { return rows_[static_cast<size_t>(i % kChoices)].data(); }

  private:
    static constexpr int64_t kChoices = 64;
    int64_t count_;
    std::vector<int32_t> rows_[kChoices];
};

/// Runs over an expert's matrix that is stored by neuron, of which only the rows of fired neurons are read. Each
/// iteration takes another expert, and each thread has its own experts.
template <typename Run>
void readFired(benchmark::State& state, const SparseShape& shape, Run run) {
    const auto stride = static_cast<int64_t>(rowBytes(shape.type, static_cast<uint64_t>(shape.width)));
    const int64_t matrixBytes = shape.neurons * stride, share = kWeightBytes / matrixBytes / state.threads();
    const std::byte* own = weights() + state.thread_index() * share * matrixBytes;
    const FiredNeurons fired(shape.neurons, shape.percent);
    const double limit = plainRead(state.threads());
    int64_t next = 0;
    for ([[maybe_unused]] auto _ : state) {
        const Matrix w{shape.type, shape.neurons, shape.width, own + next % share * matrixBytes};
        run(w, fired.rows(next++), fired.count());
        benchmark::ClobberMemory();
    }
    countBytes(state, static_cast<double>(state.iterations() * fired.count() * stride), limit);
}

/// Multiplies the up rows of fired neurons with one token.
void multiplySome(benchmark::State& state, const KernelTable& kernels, const SparseShape& shape) {
    std::vector<float> x(static_cast<size_t>(shape.width), 0.5f), out(static_cast<size_t>(shape.neurons));
    Room prepared(kernels.preparedBytes(shape.type, shape.width));
    kernels.prepare(shape.type, x.data(), shape.width, prepared.data());
    readFired(state, shape, [&](const Matrix& w, const int32_t* rows, int64_t count) {
        kernels.multiplySome(w, rows, count, prepared.data(), out.data());
    });
}

/// Adds the down rows of fired neurons, in pieces of as many columns as in feed_forward.cpp.
void addScaledRows(benchmark::State& state, const KernelTable& kernels, const SparseShape& shape) {
    constexpr int64_t pieceColumns = 256;
    std::vector<float> scales(static_cast<size_t>(shape.neurons), 0.5f), out(static_cast<size_t>(shape.width));
    readFired(state, shape, [&](const Matrix& w, const int32_t* rows, int64_t count) {
        std::fill(out.begin(), out.end(), 0.0f);
        for (int64_t begin = 0; begin < shape.width; begin += pieceColumns)
            kernels.addScaledRows(w, rows, scales.data(), count, begin, std::min(shape.width, begin + pieceColumns),
                                  out.data());
    });
}

/// The sketch of SmallThinker 4B's head; each thread has its share of the rows. Each iteration takes another sketch,
/// because a processor's last cache may hold one.
void multiplySigns(benchmark::State& state, const KernelTable& kernels) {
    constexpr int64_t vocabulary = 151936, spans = kColumns / kSignSpan;
    constexpr int64_t bitBytes = vocabulary * spans * (kSignSpan / 8), scaleBytes = vocabulary * int64_t{sizeof(float)};
    constexpr int64_t sketches = kWeightBytes / (bitBytes + scaleBytes);
    const int64_t begin = vocabulary * state.thread_index() / state.threads();
    const int64_t end = vocabulary * (state.thread_index() + 1) / state.threads();
    Room values(kColumns);
    std::memset(values.data(), 3, kColumns);
    const ByteVector x{reinterpret_cast<const int8_t*>(values.data()), 3 * kColumns, 0.01f};
    std::vector<float> out(vocabulary);
    const double limit = plainRead(state.threads());
    int64_t next = 0;
    for ([[maybe_unused]] auto _ : state) {
        const std::byte* sketch = weights() + next++ % sketches * (bitBytes + scaleBytes);
        const SignRows w{spans, reinterpret_cast<const uint8_t*>(sketch),
                         reinterpret_cast<const float*>(sketch + bitBytes)};
        kernels.multiplySigns(w, begin, end, x, 1.0f, out.data());
        benchmark::ClobberMemory();
    }
    const int64_t read = (end - begin) * (bitBytes + scaleBytes) / vocabulary;
    countBytes(state, static_cast<double>(state.iterations() * read), limit);
}

/// One head over 4096 positions, which are 1 MiB of halves.
void attention(benchmark::State& state, const KernelTable& kernels, TensorType type, bool values) {
    constexpr int64_t headDim = 128, positions = 4096;
    const int64_t stride = static_cast<int64_t>(rowBytes(type, headDim));
    std::vector<float> q(headDim, 0.5f), scores(positions, 0.5f);
    const CacheRows rows{type, weights(), stride, positions, headDim};
    for ([[maybe_unused]] auto _ : state) {
        if (values)
            kernels.attentionValues(rows, scores.data(), positions, 1, q.data(), headDim);
        else
            kernels.attentionScores(rows, q.data(), headDim, 1, 0.1f, scores.data(), positions);
        benchmark::ClobberMemory();
    }
    const double rowsRead = static_cast<double>(state.iterations()) * positions;
    state.counters["GB/s"] = Counter(rowsRead * static_cast<double>(stride) / 1e9, Counter::kIsRate);
    state.counters["Grows/s"] = Counter(rowsRead / 1e9, Counter::kIsRate);
}

/// With one thread and with as many as there are cores.
template <typename Run>
void registerReading(const std::string& label, Run run) {
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    auto* made = benchmark::RegisterBenchmark(label.c_str(), run);
    made->UseRealTime()->Threads(1);
    if (cores > 1) made->Threads(cores);
}

void registerSparse(const KernelTable& kernels) {
    using Run = void (*)(benchmark::State&, const KernelTable&, const SparseShape&);
    for (const auto& [name, run] : {std::pair<const char*, Run>{"multiplySparse", multiplySparse},
                                    {"multiplySome", multiplySome},
                                    {"addScaledRows", addScaledRows}})
        for (const TensorType type : {TensorType::Q4_0, TensorType::Q8_0})
            for (const int64_t width : {1536, 2560}) // SmallThinker 4B's and 21B's
                for (const int percent : {10, 30, 60, 100}) {
                    const SparseShape shape{type, width, 768, percent};
                    registerReading(
                        std::string(kernels.name) + "/" + name + "/" + traits(type).name +
                            "/width:" + std::to_string(width) + "/percent:" + std::to_string(percent),
                        [&kernels, shape, run = run](benchmark::State& state) { run(state, kernels, shape); });
                }
}

void registerAll(const KernelTable& kernels) {
    const std::string name = kernels.name;
    for (const TensorType type : supportedFormats())
        for (const int64_t batch : {1, 4, 64})
            registerReading(
                name + "/multiply/" + traits(type).name + "/batch:" + std::to_string(batch),
                [&kernels, type, batch](benchmark::State& state) { multiply(state, kernels, type, batch); });
    registerSparse(kernels);
    registerReading(name + "/multiplySigns", [&kernels](benchmark::State& state) { multiplySigns(state, kernels); });
    for (const TensorType type : {TensorType::F16, TensorType::Q8_0})
        for (const bool values : {false, true}) {
            const std::string label = name + (values ? "/attentionValues/" : "/attentionScores/") + traits(type).name;
            benchmark::RegisterBenchmark(label.c_str(), [&kernels, type, values](benchmark::State& state) {
                attention(state, kernels, type, values);
            });
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
