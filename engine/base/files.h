// SPDX-License-Identifier: Apache-2.0
// Files: every file-system call of the engine goes through here, so that a test can make the Nth of them fail.
// Paths are UTF-8 on every system; spaces, non-ASCII letters, long Windows paths and files over 4 GiB all work.
// Not for directories, and nothing here maps a file into memory (a mapped file that shrinks kills the process).
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace coterie::engine {

/// An open file, read at positions. Every member may be called from any thread at the same time.
class RandomAccessFile {
  public:
    virtual ~RandomAccessFile() = default;
    /// The size when it was opened, in bytes.
    virtual uint64_t size() const = 0;
    /// Fills `out` from `offset`. A short read (the file shrank, or the disk went away) is an Io error that names the
    /// file.
    virtual Status readAt(uint64_t offset, std::span<std::byte> out) = 0;
    virtual const std::string& path() const = 0;
};

/// A file being written from start to end. One thread at a time. Dropped without commit(), nothing is left behind.
class OutputFile {
  public:
    virtual ~OutputFile() = default;
    virtual Status append(std::span<const std::byte> bytes) = 0;
    /// Syncs, renames over the final path, syncs the folder. After it, append() is an error.
    virtual Status commit() = 0;
};

/// The door to the system's files. Implementations are stateless or thread-safe.
class FileSystem {
  public:
    virtual ~FileSystem() = default;
    virtual Result<std::unique_ptr<RandomAccessFile>> openForReading(const std::string& path) = 0;
    /// Writes beside `path` (same folder, a name of its own) until commit() renames. A link is followed; a folder or a
    /// device is refused.
    virtual Result<std::unique_ptr<OutputFile>> createOutput(const std::string& path) = 0;
};

/// The system's own. Lives as long as the program.
FileSystem& systemFiles();

/// A whole file's text or bytes; refuses files over `limit` bytes.
Result<std::string> readWholeFile(FileSystem& files, const std::string& path, uint64_t limit);
/// Beside, sync, rename: after a crash either the old file or the whole new one stands there.
Status writeWholeFile(FileSystem& files, const std::string& path, std::string_view bytes);

} // namespace coterie::engine
