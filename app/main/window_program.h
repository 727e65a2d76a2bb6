// SPDX-License-Identifier: Apache-2.0
// The window as a program: the command line, one data folder, the objects of App, and Main.qml over them. main()
// chooses the engine: the real one or the scripted one.
#pragma once

#include "shell/app.h"

#include <CLI/CLI.hpp>

#include <functional>

namespace coterie::app {

struct WindowProgram {
    const char* name = nullptr;                ///< name of the program, as typed
    const char* about = nullptr;               ///< for --help
    std::function<void(CLI::App&)> addOptions; ///< its own options; may be empty
    std::function<AppOptions()> engine; ///< returns the engine's functions; called after the command line has been read
};

/// Returns main()'s exit code: 0 done, 1 failed while running, 2 wrong command line.
int runWindow(const WindowProgram& program, int argc, char** argv);

} // namespace coterie::app
