// SPDX-License-Identifier: Apache-2.0
// The object that bench prints.
#include "cli/commands/bench_report.h"

#include "base/hash.h"
#include "base/number_text.h"
#include "cli/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <span>

namespace coterie::app {

using nlohmann::ordered_json;

namespace {

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
    report["threads"] = f.threads;
    return report;
}

std::string benchText(const ordered_json& report) {
    constexpr size_t kColumn = 24;
    std::string text;
    for (const auto& [name, value] : report.items())
        text += name + std::string(kColumn - std::min(kColumn - 1, name.size()), ' ') +
                (value.is_string() ? value.get<std::string>()
                 : value.is_null() ? "-"
                                   : value.dump()) +
                "\n";
    return text;
}

} // namespace coterie::app
