// SPDX-License-Identifier: Apache-2.0
// The part of the console that is the same on every system: whole writes, and lines from pieces of input.
#include "cli/console.h"

#include <cstdio>

namespace coterie::app {

namespace {

/// Input that was read beyond the requested line. The program has one stdin, so this has one owner.
std::string& readAhead() {
    static std::string bytes;
    return bytes;
}

} // namespace

engine::Status writeOut(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return {};
    return engine::Error{engine::ErrorKind::Io, "The output could not be written",
                         "The system did not take it: a full disk, or a closed pipe",
                         "Make room, or check the program that reads it"};
}

void writeError(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

std::optional<std::string> readLine() {
    std::string& bytes = readAhead();
    size_t searched = 0, end;
    while ((end = bytes.find('\n', searched)) == std::string::npos) {
        searched = bytes.size();
        const std::string more = readSome();
        if (more.empty()) {
            if (bytes.empty()) return std::nullopt;
            end = bytes.size();
            break;
        }
        bytes += more;
    }
    std::string line = bytes.substr(0, end);
    bytes.erase(0, end + 1);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    return line;
}

engine::Result<std::string> readRest(size_t limit) {
    std::string bytes = std::move(readAhead());
    readAhead().clear();
    for (std::string more = readSome(); !more.empty(); more = readSome()) {
        bytes += more;
        if (bytes.size() > limit)
            return engine::Error{engine::ErrorKind::BadInput,
                                 "The input is too long",
                                 {"It is larger than %1", engine::ByteCount{limit}},
                                 "Give it in parts"};
    }
    return bytes;
}

} // namespace coterie::app
