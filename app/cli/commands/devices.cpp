// SPDX-License-Identifier: Apache-2.0
// devices: lists the devices that can compute a model, says which of them this machine can use, and measures these.
#include "cli/commands/commands.h"
#include "cli/console.h"
#include "cli/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

void describe(CLI::App& command, CommonOptions& options) {
    addCommonOptions(command, options);
    command.footer("Rates are bytes of weights a second: of answers with one token, of prompts with " +
                   std::to_string(kPromptVectors) +
                   " tokens together, each counted by itself. The processor is measured with --kernels and --threads, "
                   "and only beside a device");
}

/// Whole bytes a second; null for 0, which was not measured.
ordered_json rateJson(double rate) {
    return rate > 0 ? ordered_json(static_cast<uint64_t>(rate)) : ordered_json(nullptr);
}

constexpr int kSecondDigits = 9; // nanoseconds

ordered_json ratesJson(const std::optional<DeviceRates>& rates) {
    if (!rates) return nullptr;
    ordered_json formats = ordered_json::object();
    for (const FormatRate& rate : rates->formats)
        formats[traits(rate.type).name] = {{"answers", rateJson(rate.answers)}, {"prompts", rateJson(rate.prompts)}};
    return {{"formats", formats},
            {"dispatch_s", rounded(rates->dispatchSeconds, kSecondDigits)},
            {"submission_s", rounded(rates->submissionSeconds, kSecondDigits)},
            {"up", rateJson(rates->upRate)},
            {"down", rateJson(rates->downRate)}};
}

ordered_json heapsJson(const std::vector<DeviceHeap>& heaps) {
    ordered_json list = ordered_json::array();
    for (const DeviceHeap& heap : heaps)
        list.push_back({{"bytes", heap.bytes},
                        {"budget", heap.budget == 0 ? ordered_json(nullptr) : ordered_json(heap.budget)},
                        {"local", heap.own}});
    return list;
}

ordered_json deviceJson(const DeviceInfo& device) {
    const auto given = [](const std::string& text) {
        return text.empty() ? ordered_json(nullptr) : ordered_json(text);
    };
    return {{"name", device.name},
            {"description", device.description},
            {"memory", device.memory},
            {"simulated", device.simulated},
            {"usable", device.usable()},
            {"problem", given(device.problem.english())},
            {"trace", device.abilities.trace},
            {"predicted_head", device.abilities.predictedHead},
            {"approximate_routing", device.abilities.approximateRouting},
            {"same_bits", device.abilities.sameBits},
            {"driver", given(device.driver)},
            {"heaps", heapsJson(device.heaps)},
            {"self_test", device.passedSelfTest ? ordered_json(*device.passedSelfTest) : ordered_json(nullptr)},
            {"rates", ratesJson(device.rates)},
            {"choice", given(device.choice.english())}};
}

std::string row(const std::string& label, const std::string& value) {
    constexpr size_t kColumn = 14;
    return value.empty() ? value
                         : "  " + label + std::string(kColumn - std::min(kColumn, label.size()), ' ') + value + "\n";
}

std::string heapsText(const std::vector<DeviceHeap>& heaps) {
    std::string text;
    for (const DeviceHeap& heap : heaps)
        text += (text.empty() ? "" : "; ") + bytesText(heap.bytes) + (heap.own ? " near it" : " of main memory") +
                (heap.budget == 0 ? "" : ", of which this program may take " + bytesText(heap.budget));
    return text;
}

std::string gigabytesText(double rate) { return numberText(rate / 1e9, 2); }

std::string costsText(const DeviceRates& rates) {
    const auto microseconds = [](double seconds) { return numberText(seconds * 1e6, 1) + " us"; };
    std::string text = microseconds(rates.dispatchSeconds) + " for a dispatch";
    if (rates.submissionSeconds > 0) text += ", " + microseconds(rates.submissionSeconds) + " for a submission";
    if (rates.upRate > 0)
        text += ", " + gigabytesText(rates.upRate) + " GB/s up and " + gigabytesText(rates.downRate) + " GB/s down";
    return text;
}

/// One row for each format.
std::string ratesText(const DeviceRates& rates) {
    std::string text = row("costs", costsText(rates));
    for (const FormatRate& rate : rates.formats)
        text += row(traits(rate.type).name, gigabytesText(rate.answers) + " GB/s of weights for answers, " +
                                                gigabytesText(rate.prompts) + " for prompts");
    return text;
}

/// The rows under a device's line.
std::string detailsText(const DeviceInfo& device) {
    std::string text = row("driver", device.driver) + row("memory", heapsText(device.heaps));
    if (device.passedSelfTest) text += row("self-test", *device.passedSelfTest ? "passed" : "failed");
    if (device.rates) text += ratesText(*device.rates);
    return text + row("auto", device.choice.english());
}

std::string deviceLine(const DeviceInfo& device) {
    std::string line = device.name + "  " + device.description;
    if (device.memory != 0) line += ", " + bytesText(device.memory) + " of its own";
    if (device.simulated) line += ", imitated by a driver on the processor, and slower than it";
    if (!device.usable()) line += "; can't be used: " + device.problem.english();
    return line + "\n";
}

Status run(CommonOptions& options) {
    ordered_json list = ordered_json::array();
    std::string text;
    const Result<std::vector<DeviceInfo>> devices = measureDevices(options.open);
    if (!devices) return devices.error();
    for (const DeviceInfo& device : *devices) {
        list.push_back(deviceJson(device));
        text += deviceLine(device) + detailsText(device);
    }
    return writeOut(options.json ? jsonText(ordered_json{{"devices", list}}) : text);
}

} // namespace

void addDevices(CLI::App& app, Command& chosen) {
    addCommand<CommonOptions>(app, chosen, "devices",
                              "Devices that can compute, which this machine can use, and how fast they are", describe,
                              run);
}

} // namespace coterie::app
