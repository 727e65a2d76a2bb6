// SPDX-License-Identifier: Apache-2.0
// The object that bench prints.
#include "cli/commands/bench_report.h"

#include "base/hash.h"
#include "base/number_text.h"
#include "cli/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <span>

namespace coterie::app {

using nlohmann::ordered_json;

namespace {

/// In the order of engine::Step.
constexpr std::array<const char*, engine::kSteps> kStepNames{
    "embedding",
    "router",
    "q, k, v",
    "attention",
    "state",
    "output",
    "guesses",
    "expert store",
    "gate",
    "up",
    "down",
    "embeddings by layer",
    "head",
    "waiting for the disk",
    "waiting at barriers",
    "norms and the rest",
};

/// Returns the ratio of two counts; null if the whole is 0.
ordered_json ratio(double part, double whole) {
    return rounded(whole > 0 ? std::optional<double>(part / whole) : std::nullopt);
}

void addMedian(ordered_json& report, const std::string& name, std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto at = [&](size_t index) {
        return rounded(values.empty() ? std::nullopt : std::optional<double>(values[index]));
    };
    report[name] = at(values.size() / 2);
    report[name + "_min"] = at(0);
    report[name + "_max"] = at(values.empty() ? 0 : values.size() - 1);
}

/// Returns bytes per item, rounded to whole bytes; null if there are no items.
ordered_json bytesEach(uint64_t bytes, uint64_t count) {
    return count > 0 ? ordered_json((bytes + count / 2) / count) : ordered_json(nullptr);
}

/// Returns what a pass takes, step by step. disk: bytes that all passes read from disk while others computed; so their
/// rate is that over the passes' whole time.
ordered_json passJson(const engine::StepMeter::Reading& all, uint64_t disk, const StepTotals& totals,
                      const std::optional<double>& memoryRate) {
    const auto passes = static_cast<double>(all.passes);
    const double seconds = all.seconds();
    ordered_json steps = ordered_json::array();
    for (size_t i = 0; i < engine::kSteps; ++i) {
        const bool isDisk = i == static_cast<size_t>(engine::Step::Disk);
        const uint64_t bytes = isDisk ? disk : all.steps[i].bytes;
        const double taken = all.steps[i].seconds, rateTime = isDisk ? seconds : taken;
        const double plain = (isDisk ? totals.diskRate : memoryRate).value_or(0);
        if (taken <= 0 && bytes == 0) continue;
        steps.push_back({{"step", kStepNames[i]},
                         {"us", ratio(taken * 1e6, passes)},
                         {"share", ratio(taken, seconds)},
                         {"bytes", bytes == 0 ? ordered_json(nullptr) : bytesEach(bytes, all.passes)},
                         {"gbps", ratio(static_cast<double>(bytes) / 1e9, bytes == 0 ? 0 : rateTime)},
                         {"read_share", ratio(static_cast<double>(bytes), bytes == 0 ? 0 : rateTime * plain)}});
    }
    return {{"passes", all.passes}, {"us", ratio(seconds * 1e6, passes)}, {"steps", steps}};
}

std::string cell(const ordered_json& value, double scale, int digits, const std::string& unit, size_t width) {
    const std::string text = value.is_null() ? "-" : numberText(value.get<double>() * scale, digits) + unit;
    return std::string(width - std::min(width - 1, text.size()), ' ') + text;
}

std::string passTable(const std::string& title, const ordered_json& pass) {
    constexpr size_t kFirst = 28;
    const auto first = [](const std::string& name) {
        return name + std::string(kFirst - std::min(kFirst - 1, name.size()), ' ');
    };
    std::string text = "\n" + first(title) + "          us   share          MB      GB/s   of a plain read\n";
    for (const ordered_json& step : pass["steps"])
        text += first(step["step"]) + cell(step["us"], 1, 1, "", 12) + cell(step["share"], 100, 1, " %", 8) +
                cell(step["bytes"], 1e-6, 3, "", 12) + cell(step["gbps"], 1, 2, "", 10) +
                cell(step["read_share"], 100, 0, " %", 18) + "\n";
    return text + first("together") + cell(pass["us"], 1, 1, "", 12) + "\n";
}

} // namespace

uint64_t hashLogits(const float* logits, size_t count) {
    static_assert(std::endian::native == std::endian::little, "the bits are hashed as little-endian");
    engine::Hash hash;
    hash.add(std::as_bytes(std::span(logits, count)));
    return hash.value();
}

ordered_json benchJson(const BenchFigures& f) {
    const PromptTotals& p = f.prompt;
    const DecodeTotals& d = f.decode;
    const engine::Counts& c = d.counts;
    const double tokens = static_cast<double>(d.tokens);
    const bool hasExperts = c.asked() > 0;
    ordered_json report;
    addMedian(report, "load_s", {f.loadSeconds});
    addMedian(report, "first_token_s", f.firstTokenSeconds);
    addMedian(report, "prefill_tps", f.prefillRates);
    report["chunk"] = f.chunk;
    report["chunk_why"] = f.chunkWhy;
    report["prompt_disk_bytes"] = bytesEach(p.counts.bytesRead, p.counts.asked() > 0 ? p.runs : 0);
    report["prompt_io_wait_share"] = ratio(p.counts.waitSeconds, p.counts.asked() > 0 ? p.seconds : 0);
    addMedian(report, "decode_tps", f.decodeRates);
    report["bytes_per_token"] = bytesEach(c.weightBytesRead, d.tokens);
    report["read_gbps"] = ratio(static_cast<double>(c.weightBytesRead) / 1e9, tokens > 0 ? d.seconds : 0);
    report["memory_gbps"] = rounded(f.memoryRate ? std::optional<double>(*f.memoryRate / 1e9) : std::nullopt);
    report["peak_rss"] = f.peakResident > 0 ? ordered_json(f.peakResident) : ordered_json(nullptr);
    report["budget"] = f.budget;
    report["hit_rate"] = ratio(static_cast<double>(c.hits), static_cast<double>(c.asked()));
    report["disk_bytes_per_token"] = bytesEach(c.bytesRead, hasExperts ? d.tokens : 0);
    report["io_wait_share"] = ratio(c.waitSeconds, hasExperts ? d.seconds : 0);
    report["experts_guessed"] = ratio(static_cast<double>(c.prefetched), hasExperts ? tokens : 0);
    report["guesses_used"] = ratio(static_cast<double>(c.prefetchedUsed), static_cast<double>(c.prefetched));
    report["neurons_active"] = ratio(static_cast<double>(c.activeNeurons), static_cast<double>(c.neurons));
    report["head_rows"] = ratio(static_cast<double>(c.headRows), static_cast<double>(c.headRowsPossible));
    report["logits_hash"] = engine::hexText(f.logitsHash);
    report["kernels"] = f.kernels;
    report["device"] = f.device;
    report["device_why"] = f.deviceWhy.empty() ? ordered_json(nullptr) : ordered_json(f.deviceWhy);
    report["threads"] = f.threads;
    if (f.steps)
        report["steps"] = {{"token", passJson(f.steps->decode, c.bytesRead, *f.steps, f.memoryRate)},
                           {"chunk", passJson(f.steps->prompt, p.counts.bytesRead, *f.steps, f.memoryRate)}};
    return report;
}

std::string benchText(const ordered_json& report) {
    constexpr size_t kColumn = 24;
    std::string text;
    for (const auto& [name, value] : report.items()) {
        if (value.is_object()) continue;
        text += name + std::string(kColumn - std::min(kColumn - 1, name.size()), ' ') +
                (value.is_string() ? value.get<std::string>()
                 : value.is_null() ? "-"
                                   : value.dump()) +
                "\n";
    }
    if (report.contains("steps"))
        text += passTable("steps of a token", report["steps"]["token"]) +
                passTable("steps of a prompt's chunk", report["steps"]["chunk"]);
    return text;
}

} // namespace coterie::app
