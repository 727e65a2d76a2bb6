// SPDX-License-Identifier: Apache-2.0
// devices: lists the devices that can compute a model, and says which of them this machine can use.
#include "cli/commands/commands.h"
#include "cli/console.h"
#include "cli/format.h"

#include <nlohmann/json.hpp>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

void describe(CLI::App& command, CommonOptions& options) { addCommonOptions(command, options); }

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
            {"same_bits", device.abilities.sameBits}};
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
    for (const DeviceInfo& device : listDevices(options.open.devices)) {
        list.push_back(deviceJson(device));
        text += deviceLine(device);
    }
    return writeOut(options.json ? jsonText(ordered_json{{"devices", list}}) : text);
}

} // namespace

void addDevices(CLI::App& app, Command& chosen) {
    addCommand<CommonOptions>(app, chosen, "devices", "Devices that can compute, and which this machine can use",
                              describe, run);
}

} // namespace coterie::app
