// SPDX-License-Identifier: Apache-2.0
// bench: measures how fast a model runs on this machine. Each run starts with an empty KV cache, reads a made-up
// prompt, and then generates greedily past every end-of-generation token.
#include "base/memory.h"
#include "base/threads.h"
#include "cli/commands/bench_report.h"
#include "cli/commands/chunk_text.h"
#include "cli/commands/commands.h"
#include "cli/console.h"
#include "cli/format.h"
#include "cli/interrupt.h"
#include "kernels/kernels.h"
#include "records/trace_log.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

namespace coterie::app {

using namespace engine;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int64_t kMostTokens = 1 << 24, kMostRuns = 1000; // more than any context has; more than is useful
constexpr int64_t kMostRest = 3600;                        // seconds

struct BenchOptions {
    CommonOptions common;
    GenerateOptions generation;
    int64_t promptTokens = 512, generate = 128, runs = 5;
    int64_t rest = 0; ///< seconds
    bool trace = false, steps = false;
};

void describe(CLI::App& command, BenchOptions& options) {
    std::map<std::string, EvictionKind> evictions;
    for (const auto& [name, kind] : kEvictionNames) evictions.emplace(name, kind);
    addModelOptions(command, options.common);
    const auto add = [&command](const char* name, int64_t& value, int64_t most, const char* about) {
        addNumber(command, name, value, int64_t{1}, most, about)->capture_default_str();
    };
    add("--prompt-tokens", options.promptTokens, kMostTokens, "Tokens to read");
    add("--generate", options.generate, kMostTokens, "Tokens to generate");
    add("--runs", options.runs, kMostRuns, "How often");
    addHeadOption(command, options.generation);
    addRoutingOptions(command, options.generation);
    constexpr const char* kGroup = "For measuring what each brings; the answer stays the same";
    const auto without = [&command](const char* name, bool& taken, const char* about) {
        command
            .add_flag_callback(
                name, [&taken] { taken = false; }, about)
            ->group(kGroup);
    };
    Shortcuts& shortcuts = options.common.open.shortcuts;
    without("--no-kv-cache", options.generation.keepCache, "Each token reads everything before it again");
    without("--no-sparsity", shortcuts.sparsity, "Neurons that are shut are computed like the others");
    without("--no-grouping", shortcuts.grouping, "The prompt's tokens go to their experts one by one, not together");
    ExpertStoreChoices& store = options.common.open.experts;
    without(
        "--no-prefetch", store.prefetch,
        "Nothing is read while something is computed: a layer's experts are read when it wants to compute them, and "
        "computed when all are there");
    without("--buffered-reads", store.direct,
            "Experts, and embeddings that stay on disk, are read through the system's page cache");
    command
        .add_option("--eviction", store.eviction, "Which experts make room: expected (by expected next use), lru, lfu")
        ->transform(CLI::CheckedTransformer(evictions).description(""))
        ->type_name("POLICY")
        ->group(kGroup);
    command
        .add_flag("--trace", options.trace,
                  "The latest 512 tokens' experts are recorded in memory, as an inspector wants them")
        ->group(kGroup);
    addNumber(command, "--chunk", options.common.open.chunk, int64_t{1}, kMostTokens,
              "Tokens of the prompt that are computed together (default: as info says)")
        ->group(kGroup);
    addNumber(
        command, "--rest", options.rest, int64_t{0}, kMostRest,
        "Seconds between opening and the first prompt, in which a person would type and experts are read (default: 0)")
        ->group(kGroup);
    command
        .add_flag("--steps", options.steps,
                  "Prints the time of each step of a token and of a prompt's chunk on the CPU, the bytes of weights, "
                  "keys and values that it reads, and their rate as a share of a plain read's")
        ->group(kGroup);
    addNumber(command, "--read-depth", store.readDepth, 1, 256, "Reads in flight (default: as measured)")
        ->group(kGroup);
    command.footer(
        "hit_rate counts experts that were in memory, or on their way there, when they were asked for; those "
        "that a guess had read in time are among them. disk_bytes_per_token counts all that was read");
}

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Returns ids below 500, in an order that no cache can learn. Other engines' tools are given the same ids.
std::vector<TokenId> benchPrompt(int64_t count, int64_t vocabulary) {
    std::vector<TokenId> tokens;
    const int64_t ids = std::min<int64_t>(500, vocabulary);
    for (int64_t i = 0; i < count; ++i) tokens.push_back(static_cast<TokenId>((i * 7919 + 13) % ids));
    return tokens;
}

/// Returns null if no trace was requested.
Result<std::unique_ptr<TraceLog>> recorder(const BenchOptions& options, const ModelInfo& model) {
    constexpr int64_t kTokens = 512;
    if (!options.trace) return std::unique_ptr<TraceLog>();
    return TraceLog::create(traceShape(model), kTokens);
}

StepMeter::Reading readSteps(const BenchOptions& options) {
    const StepMeter* meter = options.common.open.steps;
    return meter == nullptr ? StepMeter::Reading() : meter->read();
}

Status runOnce(Session& session, const BenchOptions& options, TraceSink* trace, BenchFigures& figures) {
    GenerateOptions generate = options.generation;
    generate.trace = trace;
    generate.sampling.temperature = 0;
    generate.maxTokens = options.generate;
    generate.ignoreEnd = true;
    generate.reuseCache = false;
    int64_t drawn = 0;
    const StepMeter::Reading before = readSteps(options);
    StepMeter::Reading atFirst; // token
    // Only the last logits are hashed, because a hash takes time that isn't the model's.
    generate.onLogits = [&](std::span<const float> logits) {
        if (++drawn == 1) atFirst = readSteps(options);
        if (drawn == options.generate) figures.logitsHash = hashLogits(logits.data(), logits.size());
    };
    const std::vector<TokenId> prompt = benchPrompt(options.promptTokens, session.info().vocabulary);
    const Result<Generated> result = session.completeTokens(prompt, generate, {});
    if (!result) return result.error();
    if (result->reason == FinishReason::Cancelled) return stoppedError();

    const GenerationStatistics& s = result->statistics;
    figures.firstTokenSeconds.push_back(s.firstTokenSeconds);
    figures.prefillRates.push_back(static_cast<double>(s.promptTokens) / s.prefillSeconds);
    ++figures.prompt.runs;
    figures.prompt.seconds += s.prefillSeconds;
    figures.prompt.counts += s.counts - s.decoding;
    if (figures.steps) {
        figures.steps->prompt += atFirst - before;
        figures.steps->decode += readSteps(options) - atFirst;
    }
    const std::optional<double> rate = s.decodeRate();
    if (!rate) return {};
    figures.decodeRates.push_back(*rate);
    figures.decode.tokens += static_cast<uint64_t>(s.decodePasses);
    figures.decode.seconds += s.decodeSeconds;
    figures.decode.counts += s.decoding;
    return {};
}

/// Returns the bytes per second of a plain read with `threads` threads: the best of a few passes over a buffer that is
/// larger than any cache. Returns nothing if `allowed` bytes are not enough for such a buffer.
std::optional<double> measureMemoryRate(int threads, uint64_t allowed) {
    constexpr uint64_t kBytes = uint64_t(512) << 20, kLeast = uint64_t(128) << 20; // caches reach 100 MiB
    constexpr int kPasses = 4;                                                     // the first touches the pages
    const uint64_t bytes = std::min(kBytes, allowed / 4096 * 4096);
    if (bytes < kLeast) return std::nullopt;
    const Result<Buffer> buffer = Buffer::allocate(bytes, "measuring memory", Buffer::Pages::Large); // like weights
    if (!buffer) return std::nullopt;
    std::fill_n(buffer->as<uint64_t>(), bytes / 8, 1); // pages that were never written all share one page of zeros
    ThreadPool pool(threads);
    std::atomic<uint64_t> total{0};
    double best = 0;
    for (int pass = 0; pass < kPasses; ++pass) {
        const Clock::time_point start = Clock::now();
        pool.parallelFor(static_cast<int64_t>(bytes / 8), 1 << 17, [&](int64_t begin, int64_t end, int) {
            const uint64_t* words = buffer->as<uint64_t>();
            uint64_t sum = 0;
            for (int64_t i = begin; i < end; ++i) sum += words[i];
            total.fetch_add(sum, std::memory_order_relaxed);
        });
        best = std::max(best, static_cast<double>(bytes) / secondsSince(start));
    }
    return total.load() == bytes / 8 * kPasses ? std::optional<double>(best) : std::nullopt;
}

Error onlyOnCpu(const std::string& device) {
    return {ErrorKind::BadInput,
            "The steps can't be measured",
            {"%1 computes the model, and the steps are those of the CPU", device},
            "Give --device cpu, or leave --steps out"};
}

Result<BenchFigures> measure(BenchOptions& options) {
    OpenOptions& open = options.common.open;
    if (open.threads == 0) open.threads = defaultThreads();
    if (open.context == 0) open.context = options.promptTokens + options.generate;
    const Result<const KernelTable*> kernels = chooseKernels(open.kernels);
    if (!kernels) return kernels.error();

    BenchFigures figures;
    StepMeter meter;
    if (options.steps) open.steps = &meter;
    figures.kernels = kernels.value()->name;
    figures.threads = open.threads;
    const Clock::time_point start = Clock::now();
    const Result<std::unique_ptr<Session>> session = openModel(options.common);
    if (!session) return session.error();
    figures.loadSeconds = secondsSince(start);
    const ModelInfo& info = session.value()->info();
    figures.device = info.device;
    figures.deviceWhy = info.deviceChoice.english();
    if (options.steps && figures.device != "cpu") return onlyOnCpu(figures.device);
    if (options.steps)
        figures.steps = {.diskRate = info.disk ? std::optional(info.disk->bytesPerSecond) : std::nullopt};
    const MemoryPlan& plan = info.memory;
    figures.budget = plan.budget;
    figures.chunk = plan.longChunk;
    figures.chunkWhy = open.chunk == 0 ? chunkReason(plan) : "--chunk";
    const Result<std::unique_ptr<TraceLog>> trace = recorder(options, info);
    if (!trace) return trace.error();
    CancelOnInterrupt interrupt;
    options.generation.cancel = interrupt.flag();
    const Clock::time_point ready = Clock::now();
    while (secondsSince(ready) < static_cast<double>(options.rest) && !interrupt.flag()->load())
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (int64_t run = 0; run < options.runs; ++run)
        if (Status status = runOnce(*session.value(), options, trace->get(), figures); !status) return status.error();
    figures.peakResident = readMemory().peakResident;
    return figures;
}

Status run(BenchOptions& options) {
    Result<BenchFigures> figures = measure(options);
    if (!figures) return figures.error();
    // The model is closed by now. The buffer takes its place and stays within the user's budget.
    const MemoryReading now = readMemory();
    const uint64_t allowed = figures->budget > now.resident ? figures->budget - now.resident : 0;
    figures->memoryRate = measureMemoryRate(figures->threads, allowed);
    const nlohmann::ordered_json report = benchJson(figures.value());
    return writeOut(options.common.json ? jsonText(report) : benchText(report));
}

} // namespace

void addBench(CLI::App& app, Command& chosen) {
    addCommand<BenchOptions>(app, chosen, "bench", "How fast a model runs on this machine", describe, run);
}

} // namespace coterie::app
