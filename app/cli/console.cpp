// SPDX-License-Identifier: Apache-2.0
// The part of the console that is the same on every system: what a terminal may get, and lines from pieces of input.
#include "cli/console.h"

#include "prompt/utf8.h"

#include <cstdio>

namespace coterie::app {

namespace {

/// Input that was read beyond the requested line. The program has one stdin, so this has one owner.
std::string& readAhead() {
    static std::string bytes;
    return bytes;
}

bool isControl(uint32_t character) {
    if (character == '\n' || character == '\t') return false;
    return character < 0x20 || (character >= 0x7f && character < 0xa0); // C0, DEL and C1 (ISO 6429)
}

/// Writes these bytes as they are.
engine::Status writeBytes(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return {};
    return engine::Error{engine::ErrorKind::Io, "The output could not be written",
                         "The system did not take it: a full disk, or a closed pipe",
                         "Make room, or check the program that reads it"};
}

void writeErrorBytes(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

} // namespace

std::string withoutControls(std::string_view text) {
    std::string kept;
    kept.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const engine::Utf8Step step = engine::utf8Step(text, at);
        if (step.kind == engine::Utf8Step::Character) {
            if (!isControl(step.codePoint)) kept += text.substr(at, step.length);
        } else {
            for (const char byte : text.substr(at, step.length))
                if (!isControl(static_cast<unsigned char>(byte))) kept += byte;
        }
        at += step.length;
    }
    return kept;
}

engine::Status writeOut(std::string_view text) {
    return outputIsTerminal() ? writeBytes(withoutControls(text)) : writeBytes(text);
}

void writeError(std::string_view text) {
    errorIsTerminal() ? writeErrorBytes(withoutControls(text)) : writeErrorBytes(text);
}

engine::Status dimOut(bool dimmed) {
    if (!outputIsTerminal()) return {};
    return writeBytes(dimmed ? "\x1b[2m" : "\x1b[0m"); // ECMA-48 SGR
}

void rewriteErrorLine(std::string_view line) {
    if (!errorIsTerminal()) return;
    writeErrorBytes("\r");
    writeErrorBytes(withoutControls(line));
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
