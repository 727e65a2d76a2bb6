// SPDX-License-Identifier: Apache-2.0
// kernels: lists the instruction sets of this build, and says which of them this machine can run.
#include "kernels/kernels.h"
#include "cli/commands/commands.h"
#include "cli/console.h"
#include "cli/format.h"

#include <nlohmann/json.hpp>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

void describe(CLI::App& command, CommonOptions& options) { addCommonOptions(command, options); }

Status run(CommonOptions& options) {
    const Result<const KernelTable*> chosen = chooseKernels(options.open.kernels);
    if (!chosen) return chosen.error();
    ordered_json list = ordered_json::array();
    std::string text;
    for (const KernelTable* table : kernelTables()) {
        const bool runs = table->runsHere(), used = table == chosen.value();
        list.push_back(ordered_json{{"name", table->name}, {"runs_here", runs}, {"chosen", used}});
        text += std::string(table->name) +
                (used   ? "  chosen"
                 : runs ? "  runs here"
                        : "  needs another processor") +
                "\n";
    }
    return writeOut(options.json ? jsonText(ordered_json{{"kernels", list}}) : text);
}

} // namespace

void addKernels(CLI::App& app, Command& chosen) {
    addCommand<CommonOptions>(app, chosen, "kernels", "Instruction sets in this build, and which this machine can run",
                              describe, run);
}

} // namespace coterie::app
