// SPDX-License-Identifier: Apache-2.0
// The sentences for failed file-system calls.
#include "base/file_errors.h"

#include <utility>

namespace coterie::engine {

namespace {

Sentence whatFailed(FileCall call, const std::string& path) {
    switch (call) {
    case FileCall::Open:
        return {"Can't open %1", path};
    case FileCall::Read:
        return {"Can't read %1", path};
    case FileCall::Write:
        return {"Can't write %1", path};
    case FileCall::Replace:
        return {"Can't replace %1", path};
    case FileCall::List:
        return {"Can't read the folder %1", path};
    case FileCall::Remove:
        return {"Can't remove %1", path};
    case FileCall::MakeFolder:
        return {"Can't make the folder %1", path};
    case FileCall::Measure:
        return {"Can't find out how much space is free in %1", path};
    }
    return {};
}

struct Reason {
    ErrorKind kind;
    Sentence why;
    Sentence action;
};

Reason reason(FileFault fault, const std::string& systemText) {
    static const Reason reasons[] = {
        // By FileFault.
        {ErrorKind::NotFound, "There is no such file or folder", "Check the path, and that the disk is attached"},
        {ErrorKind::Io, "The system does not permit it", "Check the permissions of the file and of its folder"},
        {ErrorKind::Io, "The disk can only be read", "Choose another folder"},
        {ErrorKind::Io, "The disk is full", "Free some space and try again"},
        {ErrorKind::BadInput, "It is a folder", "Give the path of a file"},
        {ErrorKind::BadInput, "It is a device or a pipe, not a file", "Give the path of an ordinary file"},
        {ErrorKind::Io, "Too many files are open", "Close other programs and try again"},
        {ErrorKind::BadInput, "The path is too long for this system", "Move it to a folder with a shorter path"},
        {ErrorKind::BadInput, "The path is not valid text", "Rename the file"},
    };
    if (fault != FileFault::Other) return reasons[static_cast<size_t>(fault)];
    return {ErrorKind::Io, {"%1", systemText}, "Check that the disk is attached and in order"};
}

} // namespace

Error fileError(FileCall call, const std::string& path, FileFault fault, const std::string& systemText) {
    Reason found = reason(fault, systemText);
    return {found.kind, whatFailed(call, path), std::move(found.why), std::move(found.action)};
}

Error shortReadError(const std::string& path) {
    return {ErrorKind::Io, whatFailed(FileCall::Read, path), "The file is shorter than it was when it was opened",
            "Make sure that nothing replaces or deletes it, then open it again"};
}

Error changedFileError(const std::string& path) {
    return {ErrorKind::Io, whatFailed(FileCall::Read, path), "The file was changed after it had been opened",
            "Make sure that nothing writes to it, then open it again"};
}

} // namespace coterie::engine
