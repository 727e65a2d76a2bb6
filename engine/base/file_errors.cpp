// SPDX-License-Identifier: Apache-2.0
// The sentences for failed file-system calls.
#include "base/file_errors.h"

namespace coterie::engine {

namespace {

struct Sentences {
    ErrorKind kind;
    const char* why; // nothing: the system's own words
    const char* action;
};

Sentences sentences(FileFault fault) {
    switch (fault) {
    case FileFault::Missing:
        return {ErrorKind::NotFound, "There is no such file or folder",
                "Check the path, and that the disk is attached"};
    case FileFault::Denied:
        return {ErrorKind::Io, "The system does not permit it", "Check the permissions of the file and of its folder"};
    case FileFault::ReadOnly:
        return {ErrorKind::Io, "The disk can only be read", "Choose another folder"};
    case FileFault::Full:
        return {ErrorKind::Io, "The disk is full", "Free some space and try again"};
    case FileFault::Folder:
        return {ErrorKind::BadInput, "It is a folder", "Give the path of a file"};
    case FileFault::NotRegular:
        return {ErrorKind::BadInput, "It is a device or a pipe, not a file", "Give the path of an ordinary file"};
    case FileFault::TooManyOpen:
        return {ErrorKind::Io, "Too many files are open", "Close other programs and try again"};
    case FileFault::NameTooLong:
        return {ErrorKind::BadInput, "The path is too long for this system", "Move it to a folder with a shorter path"};
    case FileFault::BadName:
        return {ErrorKind::BadInput, "The path is not valid text", "Rename the file"};
    case FileFault::Other:
        break;
    }
    return {ErrorKind::Io, nullptr, "Check that the disk is attached and in order"};
}

} // namespace

Error fileError(const char* verb, const std::string& path, FileFault fault, const std::string& systemText) {
    const Sentences s = sentences(fault);
    return {s.kind, std::string("Can't ") + verb + " " + path, s.why ? s.why : systemText, s.action};
}

Error shortReadError(const std::string& path) {
    return {ErrorKind::Io, "Can't read " + path, "The file is shorter than it was when it was opened",
            "Make sure that nothing replaces or deletes it, then open it again"};
}

} // namespace coterie::engine
