// SPDX-License-Identifier: Apache-2.0
// The console on Windows: UTF-16 arguments and keystrokes become UTF-8, and no line end is changed on the way out.
#include "cli/console.h"

#include <array>
#include <cstdio>
#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <shellapi.h>

namespace coterie::app {

namespace {

std::string toUtf8(const wchar_t* text, int length) {
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, text, length, nullptr, 0, nullptr, nullptr);
    std::string out(static_cast<size_t>(bytes > 0 ? bytes : 0), '\0');
    if (bytes > 0) WideCharToMultiByte(CP_UTF8, 0, text, length, out.data(), bytes, nullptr, nullptr);
    return out;
}

bool isConsole(DWORD which) {
    DWORD mode = 0;
    return GetConsoleMode(GetStdHandle(which), &mode) != 0;
}

/// Reads keys, which arrive as UTF-16; a pair of surrogates may be split between two reads.
std::string readKeys() {
    static wchar_t leftSurrogate = 0;
    std::array<wchar_t, 4096> keys{};
    DWORD had = 0, got = 0;
    if (leftSurrogate) keys[had++] = leftSurrogate;
    leftSurrogate = 0;
    if (!ReadConsoleW(GetStdHandle(STD_INPUT_HANDLE), keys.data() + had, static_cast<DWORD>(keys.size()) - had, &got,
                      nullptr) ||
        got == 0)
        return {};
    if (keys[had] == 26) return {}; // Ctrl-Z at the start of a line ends the input, as is usual on Windows
    DWORD count = had + got;
    if (keys[count - 1] >= 0xD800 && keys[count - 1] <= 0xDBFF) leftSurrogate = keys[--count];
    return toUtf8(keys.data(), static_cast<int>(count));
}

} // namespace

std::vector<std::string> prepareConsole(int, char**) {
    SetConsoleOutputCP(CP_UTF8);
    for (FILE* stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
    std::vector<std::string> arguments;
    int count = 0;
    if (wchar_t** wide = CommandLineToArgvW(GetCommandLineW(), &count)) {
        for (int i = 1; i < count; ++i) arguments.push_back(toUtf8(wide[i], static_cast<int>(wcslen(wide[i]))));
        LocalFree(wide);
    }
    return arguments;
}

bool inputIsTerminal() { return isConsole(STD_INPUT_HANDLE); }
bool outputIsTerminal() { return isConsole(STD_OUTPUT_HANDLE); }
bool errorIsTerminal() { return isConsole(STD_ERROR_HANDLE); }

std::string readSome() {
    if (inputIsTerminal()) return readKeys();
    std::string bytes(size_t(64) << 10, '\0');
    const int got = _read(_fileno(stdin), bytes.data(), static_cast<unsigned>(bytes.size()));
    bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return bytes;
}

} // namespace coterie::app
