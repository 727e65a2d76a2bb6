// SPDX-License-Identifier: Apache-2.0
// The window as a program: the command line, one data folder, the objects of App, and Main.qml over them. Which engine
// stands behind it, main() says: the real one or the scripted one.
#pragma once

#include "app.h"

#include <CLI/CLI.hpp>

#include <functional>

namespace coterie::app {

struct WindowProgram {
    const char* name = nullptr;                ///< of the program, as typed
    const char* about = nullptr;               ///< for --help
    std::function<void(CLI::App&)> addOptions; ///< its own options; may be empty
    std::function<AppOptions()> engine;        ///< the engine's calls; asked for when the command line has been read
};

/// What main() returns: 0 done, 1 it failed while running, 2 the call is wrong.
int runWindow(const WindowProgram& program, int argc, char** argv);

} // namespace coterie::app
