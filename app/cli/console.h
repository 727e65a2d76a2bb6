// SPDX-License-Identifier: Apache-2.0
// Input and output through a terminal or pipes: UTF-8 on every system. Pipes and files get the bytes unchanged; to a
// terminal all text goes through withoutControls(), because names, answers and errors come from files and models.
#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::app {

/// Prepares the console; call it before the other functions. Returns the arguments after the program's name, as UTF-8.
std::vector<std::string> prepareConsole(int argc, char** argv);

/// Returns the text without characters that a terminal obeys: all controls of C0 and C1 and DEL, except line ends and
/// tabs. Bytes that are controls to a terminal which doesn't read UTF-8 are left out, too, if they are in no character.
std::string withoutControls(std::string_view text);

/// Writes to stdout at once. Returns an Io error if that fails (a full disk, a closed pipe).
engine::Status writeOut(std::string_view text);
void writeError(std::string_view text);

// The program's own ways to steer a terminal. They write nothing if there is none.

/// Begins or ends dimmed text on stdout.
engine::Status dimOut(bool dimmed);
/// Writes a line of stderr over the one before it.
void rewriteErrorLine(std::string_view line);

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
