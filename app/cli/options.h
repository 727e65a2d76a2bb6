// SPDX-License-Identifier: Apache-2.0
// The options that commands share, and how a command is registered.
#pragma once

#include "base/result.h"
#include "session/session.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>

namespace coterie::app {

/// What runs after the command line has been read.
using Command = std::function<engine::Status()>;

/// Options of every command; those about a model mean nothing to commands without one.
struct CommonOptions {
    engine::OpenOptions open;
    bool json = false;
};

/// Adds --threads, --memory, --context, --kv-cache, --kernels, --data-dir, --device and --json.
void addCommonOptions(CLI::App& command, CommonOptions& options);
/// Adds MODEL, which is required, then the common options; returns MODEL.
CLI::Option* addModelOptions(CLI::App& command, CommonOptions& options);
/// Adds --temperature and its family, --max-tokens and --stop.
void addGenerateOptions(CLI::App& command, engine::GenerateOptions& options);

/// Adds --head, which is one of them.
void addHeadOption(CLI::App& command, engine::GenerateOptions& options);
/// Adds --prefer-cached and --sure, which are of them, too.
void addRoutingOptions(CLI::App& command, engine::GenerateOptions& options);
/// After those: adds --prefer-cached-when and --sure-when, likewise.
void addRoutingTimes(CLI::App& command, engine::GenerateOptions& options);

/// A subcommand `name` with its own options: `describe(app, options)` adds them, `run(options)` becomes `chosen` when
/// it is called.
template <typename Options>
void addCommand(CLI::App& app, Command& chosen, const char* name, const char* about,
                void (*describe)(CLI::App&, Options&), engine::Status (*run)(Options&)) {
    CLI::App* command = app.add_subcommand(name, about);
    auto options = std::make_shared<Options>();
    describe(*command, *options);
    command->callback([&chosen, options, run] { chosen = [options, run] { return run(*options); }; });
}

/// Opens the model; a progress line on stderr where that is a terminal; Ctrl-C while it loads is Cancelled.
engine::Result<std::unique_ptr<engine::Session>> openModel(CommonOptions& options);
/// Writes what an answer has to tell besides its text to stderr, a line each.
void writeNotes(const std::vector<engine::Sentence>& notes);
/// What every command returns that Ctrl-C has stopped.
engine::Error stoppedError();

} // namespace coterie::app
