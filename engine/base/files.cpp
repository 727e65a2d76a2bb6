// SPDX-License-Identifier: Apache-2.0
// Reads and writes whole files through any FileSystem. The system's calls are in files_posix.cpp, files_windows.cpp and
// folders.cpp.
#include "base/files.h"

#include "base/reads.h"

namespace coterie::engine {

std::unique_ptr<AsyncReads> FileSystem::createReads(int depth) { return createThreadedReads(depth); }

namespace {

Error noFolders(const std::string& path) {
    return {ErrorKind::Unsupported,
            {"Can't use the folder of %1", path},
            "This file system has no folders",
            "Use the system's files"};
}

} // namespace

Result<std::vector<FolderEntry>> FileSystem::listFiles(const std::string& folder) { return noFolders(folder); }
Status FileSystem::removeFile(const std::string& path) { return noFolders(path); }
Status FileSystem::makeFolder(const std::string& folder) { return noFolders(folder); }
Result<uint64_t> FileSystem::freeSpace(const std::string& folder) { return noFolders(folder); }

Result<std::string> readWholeFile(FileSystem& files, const std::string& path, uint64_t limit) {
    auto file = files.openForReading(path);
    if (!file) return file.error();
    const uint64_t size = file.value()->size();
    if (size > limit)
        return Error{ErrorKind::BadInput,
                     {"Can't read %1", path},
                     {"It has %1 bytes, and at most %2 make sense here", size, limit},
                     "Check that it is the right file"};
    std::string text(static_cast<size_t>(size), '\0');
    if (Status read = file.value()->readAt(0, std::as_writable_bytes(std::span(text))); !read) return read.error();
    return text;
}

Status writeWholeFile(FileSystem& files, const std::string& path, std::string_view bytes) {
    auto output = files.createOutput(path);
    if (!output) return output.error();
    if (Status written = output.value()->append(std::as_bytes(std::span(bytes))); !written) return written;
    return output.value()->commit();
}

} // namespace coterie::engine
