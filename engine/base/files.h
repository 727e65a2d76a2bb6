// SPDX-License-Identifier: Apache-2.0
// Files: every file-system call of the engine goes through here, so that a test can make the Nth call fail. Paths are
// UTF-8 on every system; spaces, non-ASCII letters, long Windows paths and files over 4 GiB all work. Nothing here maps
// a file into memory, because a mapped file that shrinks kills the process.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace coterie::engine {

/// An open file that is read at positions. Any thread may call any member at any time.
class RandomAccessFile {
  public:
    virtual ~RandomAccessFile() = default;
    /// The size in bytes at the time of opening.
    virtual uint64_t size() const = 0;
    /// The number that readAt()'s offset, length and address must be multiples of: a power of two, or 1 if anything is
    /// allowed. Other reads are an Internal error. It is one number for all three, although Windows would accept any
    /// page as an address.
    virtual uint64_t alignment() const { return 1; }
    /// Fills `out` from `offset`. A short read (the file shrank, or the disk went away) is an Io error that names the
    /// file. If alignment() is above 1, the last read may reach beyond the end by less than the alignment; the content
    /// of those bytes of `out` is undefined.
    virtual Status readAt(uint64_t offset, std::span<std::byte> out) = 0;
    virtual const std::string& path() const = 0;
    /// When the file was last changed before it was opened, in nanoseconds since 1970. It tells two versions of a file
    /// apart.
    virtual int64_t changedAt() const = 0;
    /// A number that tells the disk (the volume) of the file from other disks until the system restarts; 0 if it is not
    /// known.
    virtual uint64_t disk() const { return 0; }
};

/// A file that is written from start to end, by one thread at a time. If it is dropped without commit(), nothing is
/// left behind.
class OutputFile {
  public:
    virtual ~OutputFile() = default;
    virtual Status append(std::span<const std::byte> bytes) = 0;
    /// Syncs, renames over the final path, and syncs the folder. Afterwards append() is an error.
    virtual Status commit() = 0;
};

class AsyncReads; // base/reads.h

/// The door to the system's files. Implementations are stateless or thread-safe.
class FileSystem {
  public:
    virtual ~FileSystem() = default;
    virtual Result<std::unique_ptr<RandomAccessFile>> openForReading(const std::string& path) = 0;
    /// Opens a file for reads past the system's page cache: nothing is copied, and nothing else is pushed out of
    /// memory. If the file system cannot do that, the file is opened as usual; alignment() tells.
    virtual Result<std::unique_ptr<RandomAccessFile>> openDirect(const std::string& path) {
        return openForReading(path);
    }
    /// Returns a queue of reads of files that were opened here, with at most `depth` reads in flight. It is the
    /// system's own queue if there is one (base/reads.h). Returns null if the system gives no thread.
    virtual std::unique_ptr<AsyncReads> createReads(int depth);
    /// Writes to a temporary file in the same folder until commit() renames it. A link is followed; a folder or a
    /// device is refused.
    virtual Result<std::unique_ptr<OutputFile>> createOutput(const std::string& path) = 0;
};

/// The largest alignment of openDirect()'s files, so that room can be planned before a file is open: 4096 on Linux; 64
/// KiB on Windows, which is slow with less; 1 on macOS.
uint64_t directAlignment();

/// The system's files. The object lives as long as the program.
FileSystem& systemFiles();

/// Reads the text or the bytes of a whole file; refuses files over `limit` bytes.
Result<std::string> readWholeFile(FileSystem& files, const std::string& path, uint64_t limit);
/// Writes beside the file, syncs and renames: after a crash either the old file or the whole new one is there.
Status writeWholeFile(FileSystem& files, const std::string& path, std::string_view bytes);

} // namespace coterie::engine
