// SPDX-License-Identifier: Apache-2.0
// Input and output through a terminal or pipes: UTF-8 bytes on every system, unchanged.
#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::app {

/// Prepares the console; call it before the other functions. Returns the arguments after the program's name, as UTF-8.
std::vector<std::string> prepareConsole(int argc, char** argv);

/// Writes to stdout at once. Returns an Io error if that fails (a full disk, a closed pipe).
engine::Status writeOut(std::string_view text);
void writeError(std::string_view text);

bool inputIsTerminal();
bool outputIsTerminal();
bool errorIsTerminal();

/// Reads one line of stdin, without its line end. Returns nothing at the end of the input or after Ctrl-C.
std::optional<std::string> readLine();
/// Reads the rest of stdin. Returns a BadInput error if it has more than `limit` bytes.
engine::Result<std::string> readRest(size_t limit);

/// Reads up to 64 KiB of stdin; returns an empty string at its end and when interrupted. Each system has its own
/// version, in console_posix.cpp or console_windows.cpp.
std::string readSome();

} // namespace coterie::app
