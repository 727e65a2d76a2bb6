// SPDX-License-Identifier: Apache-2.0
// coterie-cli: the engine on the command line. Reads the call, runs one command, and turns its error into one line and
// an exit code.
#include "cli/commands/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/program_version.h"

#include <CLI/CLI.hpp> // everything that CLI/App.hpp, which the commands include, only declares

#include <algorithm>
#include <exception>
#include <new>
#include <string>

namespace coterie::app {

namespace {

using engine::Error;
using engine::ErrorKind;

constexpr int kDone = 0, kFailed = 1, kBadCall = 2;

int fail(const Error& error) {
    writeError("error: " + error.line() + "\n");
    const bool badCall =
        error.kind == ErrorKind::BadInput || error.kind == ErrorKind::Unsupported || error.kind == ErrorKind::NotFound;
    return badCall ? kBadCall : kFailed;
}

void addCommands(CLI::App& app, Command& chosen) {
    addInfo(app, chosen);
    addTokenize(app, chosen);
    addRender(app, chosen);
    addLogits(app, chosen);
    addGenerate(app, chosen);
    addChat(app, chosen);
    addBench(app, chosen);
    addTrace(app, chosen);
    addAgreement(app, chosen);
    addExperts(app, chosen);
    addReplay(app, chosen);
    addPack(app, chosen);
    addKernels(app, chosen);
    addDevices(app, chosen);
}

/// Returns 0 if help or the version was requested and printed, and nothing if there is a command to run.
std::optional<int> readCall(CLI::App& app, std::vector<std::string> arguments) {
    std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the back
    try {
        app.parse(std::move(arguments));
    } catch (const CLI::CallForHelp&) {
        const std::vector<CLI::App*> commands = app.get_subcommands();
        const engine::Status written = writeOut(commands.empty() ? app.help() : commands.front()->help("coterie-cli"));
        return written ? kDone : fail(written.error());
    } catch (const CLI::CallForVersion& version) {
        const engine::Status written = writeOut(std::string(version.what()) + "\n");
        return written ? kDone : fail(written.error());
    } catch (const CLI::ParseError& e) {
        const std::vector<CLI::App*> commands = app.get_subcommands();
        const std::string command = commands.empty() ? "" : " " + commands.front()->get_name();
        return fail(
            {ErrorKind::BadInput, "The call is wrong", {"%1", e.what()}, {"See coterie-cli%1 --help", command}});
    }
    return std::nullopt;
}

int runProgram(int argc, char** argv) {
    const std::vector<std::string> arguments = prepareConsole(argc, argv);
    CLI::App app("Runs Mixture-of-Experts models from GGUF files", "coterie-cli");
    app.set_version_flag("--version", versionLine("coterie-cli"));
    app.require_subcommand(1);
    app.allow_windows_style_options(false); // "/home/..." is a path on every system
    Command chosen;
    addCommands(app, chosen);
    if (const std::optional<int> code = readCall(app, arguments)) return *code;
    catchInterrupts();
    const engine::Status status = chosen();
    return status ? kDone : fail(status.error());
}

} // namespace

} // namespace coterie::app

int main(int argc, char** argv) {
    try {
        return coterie::app::runProgram(argc, argv);
    } catch (const std::bad_alloc&) {
        coterie::app::writeError(
            "error: The command could not go on; the system has no memory left; close other programs\n");
    } catch (const std::exception& problem) {
        coterie::app::writeError(std::string("error: The command could not go on; ") + problem.what() +
                                 "; report this\n");
    }
    return 1;
}
