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
    /// What readAt()'s offset, length and address must be multiples of, a power of two; 1 where anything goes. One
    /// number for all three: Windows would take any page as an address. Anything else is an Internal error.
    virtual uint64_t alignment() const { return 1; }
    /// Fills `out` from `offset`. A short read (the file shrank, or the disk went away) is an Io error that names the
    /// file. Where alignment() is above 1 the last read may reach beyond the end by less than that: those bytes of
    /// `out` are then anything.
    virtual Status readAt(uint64_t offset, std::span<std::byte> out) = 0;
    virtual const std::string& path() const = 0;
    /// When it was last changed, as it was opened, in nanoseconds since 1970; to tell two versions of a file apart.
    virtual int64_t changedAt() const = 0;
    /// Tells the disk (the volume) that it lies on from others, from one start of the system to the next; 0 where that
    /// is not known.
    virtual uint64_t disk() const { return 0; }
};

/// A file being written from start to end. One thread at a time. Dropped without commit(), nothing is left behind.
class OutputFile {
  public:
    virtual ~OutputFile() = default;
    virtual Status append(std::span<const std::byte> bytes) = 0;
    /// Syncs, renames over the final path, syncs the folder. After it, append() is an error.
    virtual Status commit() = 0;
};

class AsyncReads; // base/reads.h

/// The door to the system's files. Implementations are stateless or thread-safe.
class FileSystem {
  public:
    virtual ~FileSystem() = default;
    virtual Result<std::unique_ptr<RandomAccessFile>> openForReading(const std::string& path) = 0;
    /// The same past the system's page cache: no copy, and nothing else is pushed out of memory. Opened as usual where
    /// the file system has no such thing; alignment() tells.
    virtual Result<std::unique_ptr<RandomAccessFile>> openDirect(const std::string& path) {
        return openForReading(path);
    }
    /// Many reads at once, of files opened here, at most `depth` in flight; at best by the system's own queue
    /// (base/reads.h). Nothing where the system gives no thread.
    virtual std::unique_ptr<AsyncReads> createReads(int depth);
    /// Writes beside `path` (same folder, a name of its own) until commit() renames. A link is followed; a folder or a
    /// device is refused.
    virtual Result<std::unique_ptr<OutputFile>> createOutput(const std::string& path) = 0;
};

/// What openDirect()'s files are aligned to at most: room for it is planned before a file is open. Linux 4096; Windows
/// 64 KiB, because it is slow with less; macOS 1.
uint64_t directAlignment();

/// The system's own. Lives as long as the program.
FileSystem& systemFiles();

/// A whole file's text or bytes; refuses files over `limit` bytes.
Result<std::string> readWholeFile(FileSystem& files, const std::string& path, uint64_t limit);
/// Beside, sync, rename: after a crash either the old file or the whole new one stands there.
Status writeWholeFile(FileSystem& files, const std::string& path, std::string_view bytes);

} // namespace coterie::engine
