// SPDX-License-Identifier: Apache-2.0
// The terminal or the pipes around the program: UTF-8 bytes in and out on every system, unchanged.
#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::app {

/// Call first. Returns the arguments after the program's name, as UTF-8.
std::vector<std::string> prepareConsole(int argc, char** argv);

/// Writes to stdout at once. Io where nobody takes it (a full disk, a closed pipe).
engine::Status writeOut(std::string_view text);
void writeError(std::string_view text);

bool inputIsTerminal();
bool outputIsTerminal();
bool errorIsTerminal();

/// One line of stdin, without its end; nothing at the end of the input, or where Ctrl-C broke in.
std::optional<std::string> readLine();
/// What is left of stdin, up to `limit` bytes: more is a BadInput error.
engine::Result<std::string> readRest(size_t limit);

/// The system's part, console_posix.cpp or console_windows.cpp: up to 64 KiB of stdin; empty at its end and when
/// interrupted.
std::string readSome();

} // namespace coterie::app
