// SPDX-License-Identifier: Apache-2.0
// The commands of coterie-cli: each function adds one to the command line. Each command has its own file.
#pragma once

#include "cli/options.h"

namespace coterie::app {

void addInfo(CLI::App& app, Command& chosen);
void addTokenize(CLI::App& app, Command& chosen);
void addRender(CLI::App& app, Command& chosen);
void addLogits(CLI::App& app, Command& chosen);
void addGenerate(CLI::App& app, Command& chosen);
void addChat(CLI::App& app, Command& chosen);
void addBench(CLI::App& app, Command& chosen);
void addTrace(CLI::App& app, Command& chosen);
void addAgreement(CLI::App& app, Command& chosen);
void addExperts(CLI::App& app, Command& chosen);
void addReplay(CLI::App& app, Command& chosen);
void addPack(CLI::App& app, Command& chosen);
void addKernels(CLI::App& app, Command& chosen);
void addDevices(CLI::App& app, Command& chosen);

} // namespace coterie::app
