// SPDX-License-Identifier: Apache-2.0
// The options that commands share, and how a command is registered.
#pragma once

#include "base/result.h"
#include "cli/number_option.h"
#include "session/session.h"

#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <string>

namespace coterie::app {

/// The function of a command, which runs after the command line has been read.
using Command = std::function<engine::Status()>;

/// Options that every command has. A command without a model ignores those about a model.
struct CommonOptions {
    engine::OpenOptions open;
    bool json = false;
};

/// Adds --threads, --memory, --context, --kv-cache, --kernels, --data-dir, --device, --device-memory and --json.
void addCommonOptions(CLI::App& command, CommonOptions& options);
/// Adds MODEL, which is required, then the common options; returns MODEL.
CLI::Option* addModelOptions(CLI::App& command, CommonOptions& options);
/// Adds --temperature and the other options of generation, such as --max-tokens and --stop.
void addGenerateOptions(CLI::App& command, engine::GenerateOptions& options);

/// Adds --head alone.
void addHeadOption(CLI::App& command, engine::GenerateOptions& options);
/// Adds --prefer-cached and --sure alone.
void addRoutingOptions(CLI::App& command, engine::GenerateOptions& options);
/// Adds --prefer-cached-when and --sure-when alone. Call it after addRoutingOptions().
void addRoutingTimes(CLI::App& command, engine::GenerateOptions& options);

/// Adds a subcommand `name` with its own options. `describe(app, options)` adds these; `run(options)` becomes `chosen`
/// if the user calls the command.
template <typename Options>
void addCommand(CLI::App& app, Command& chosen, const char* name, const char* about,
                void (*describe)(CLI::App&, Options&), engine::Status (*run)(Options&)) {
    CLI::App* command = app.add_subcommand(name, about);
    auto options = std::make_shared<Options>();
    describe(*command, *options);
    command->callback([&chosen, options, run] { chosen = [options, run] { return run(*options); }; });
}

/// Opens the model. If the context is longer than the model was trained for, a note goes to stderr. Ctrl-C while it
/// loads is a Cancelled error.
engine::Result<std::unique_ptr<engine::Session>> openModel(CommonOptions& options);
/// Writes the notes of an answer to stderr, one per line.
void writeNotes(const std::vector<engine::Sentence>& notes);
/// Returns the error of a command that Ctrl-C has stopped.
engine::Error stoppedError();

} // namespace coterie::app
