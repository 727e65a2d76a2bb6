// SPDX-License-Identifier: Apache-2.0
// The console on POSIX systems: bytes are passed on unchanged.
#include "cli/console.h"

#include <unistd.h>

namespace coterie::app {

std::vector<std::string> prepareConsole(int argc, char** argv) { return {argv + (argc > 0 ? 1 : 0), argv + argc}; }

bool inputIsTerminal() { return isatty(STDIN_FILENO) == 1; }
bool outputIsTerminal() { return isatty(STDOUT_FILENO) == 1; }
bool errorIsTerminal() { return isatty(STDERR_FILENO) == 1; }

std::string readSome() {
    std::string bytes(size_t(64) << 10, '\0');
    const ssize_t got =
        read(STDIN_FILENO, bytes.data(), bytes.size()); // EINTR ends it too, because interrupt.cpp sets no SA_RESTART
    bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return bytes;
}

} // namespace coterie::app
