// SPDX-License-Identifier: Apache-2.0
// How fast each table of kernels reads weights: GB/s, and the share of what a plain read of the same memory reaches
// with as many threads. Matrices are far larger than caches. Not a test: figures mean something on an idle machine
// only.
#include "kernels/kernels.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace coterie::engine;

namespace {

constexpr int64_t weightBytes = int64_t{256} << 20; ///< eight times the largest last-level cache of a common desktop
constexpr int64_t columns = 1536;                   ///< SmallThinker 4B's width, the shape that decoding meets most

/// The same random bytes for every benchmark: exponents of halves and floats stay small enough for sums to be finite.
const std::vector<std::byte>& weights() {
    static const std::vector<std::byte> bytes = [] {
        std::vector<std::byte> made(weightBytes);
        std::mt19937_64 random(1);
        for (size_t i = 0; i < made.size(); i += 8) {
            const uint64_t value = random() & 0xbbffbbffbbffbbffu;
            std::memcpy(made.data() + i, &value, sizeof value);
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

/// Bytes a second of the best of five plain reads by `threads` threads.
double plainRead(int threads) {
    static std::mutex mutex;
    static std::map<int, double> known;
    const std::lock_guard lock(mutex);
    double& best = known[threads];
    if (best > 0) return best;
    const int64_t part = weightBytes / threads;
    for (int run = 0; run < 5; ++run) {
        const auto start = std::chrono::steady_clock::now();
        std::vector<std::thread> pool;
        pool.reserve(static_cast<size_t>(threads));
        for (int t = 0; t < threads; ++t)
            pool.emplace_back([t, part] { benchmark::DoNotOptimize(sumOfWords(weights().data() + t * part, part)); });
        for (std::thread& thread : pool) thread.join();
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        best = std::max(best, static_cast<double>(part * threads) / seconds.count());
    }
    return best;
}

/// Each thread multiplies its part of the rows by all tokens, over and over.
void multiply(benchmark::State& state, const KernelTable& kernels, TensorType type, int64_t batch) {
    const int64_t stride = static_cast<int64_t>(rowBytes(type, columns));
    const int64_t rows = weightBytes / stride;
    const int64_t share = rows / state.threads() / batch; // many tokens: a smaller part, as arithmetic is the limit
    const int64_t begin = state.thread_index() * share;
    const Matrix w{type, rows, columns, weights().data()};
    const size_t preparedStride = kernels.preparedBytes(type, columns);
    std::vector<float> x(columns, 0.5f), out(static_cast<size_t>(share * batch));
    std::vector<std::byte> room(preparedStride * static_cast<size_t>(batch) + 64);
    std::byte* prepared = room.data() + (64 - reinterpret_cast<uintptr_t>(room.data()) % 64) % 64;
    for (int64_t t = 0; t < batch; ++t) kernels.prepare(type, x.data(), columns, prepared + t * preparedStride);
    const double limit = plainRead(state.threads());
    const Matrix part{type, share, columns, w.row(begin)};
    for ([[maybe_unused]] auto _ : state) {
        kernels.multiply(part, 0, share, prepared, preparedStride, batch, out.data(), share);
        benchmark::ClobberMemory();
    }
    const double bytes = static_cast<double>(state.iterations() * share * stride);
    using benchmark::Counter;
    state.counters["GB/s"] = Counter(bytes / 1e9, Counter::kIsRate);
    state.counters["of_plain_read"] = Counter(bytes / limit, Counter::kIsRate);
    state.counters["GMAC/s"] =
        Counter(static_cast<double>(state.iterations() * share * columns * batch) / 1e9, Counter::kIsRate);
}

/// One head over 4096 positions: 1 MiB of halves.
void attention(benchmark::State& state, const KernelTable& kernels, TensorType type, bool values) {
    constexpr int64_t headDim = 128, positions = 4096;
    const int64_t stride = static_cast<int64_t>(rowBytes(type, headDim));
    std::vector<float> q(headDim, 0.5f), scores(positions, 0.5f);
    const CacheRows rows{type, weights().data(), stride, positions, headDim};
    for ([[maybe_unused]] auto _ : state) {
        if (values)
            kernels.attentionValues(rows, scores.data(), positions, 1, q.data(), headDim);
        else
            kernels.attentionScores(rows, q.data(), headDim, 1, 0.1f, scores.data(), positions);
        benchmark::ClobberMemory();
    }
    using benchmark::Counter;
    const double rowsRead = static_cast<double>(state.iterations()) * positions;
    state.counters["GB/s"] = Counter(rowsRead * static_cast<double>(stride) / 1e9, Counter::kIsRate);
    state.counters["Grows/s"] = Counter(rowsRead / 1e9, Counter::kIsRate);
}

void registerAll(const KernelTable& kernels) {
    const std::string name = kernels.name;
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    for (uint32_t id = 0; id <= static_cast<uint32_t>(TensorType::MXFP4); ++id) {
        if (!typeTraits(id)) continue;
        const auto type = static_cast<TensorType>(id);
        for (const int64_t batch : {1, 4, 64}) {
            const std::string label = name + "/multiply/" + traits(type).name + "/batch:" + std::to_string(batch);
            auto* made = benchmark::RegisterBenchmark(label.c_str(), [&kernels, type, batch](benchmark::State& state) {
                multiply(state, kernels, type, batch);
            });
            made->UseRealTime()->Threads(1);
            if (cores > 1) made->Threads(cores);
        }
    }
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
