// SPDX-License-Identifier: Apache-2.0
// Files and folders: every file-system call of the engine goes through here, so that a test can make the Nth of them
// fail. Paths are UTF-8 on every system; spaces, non-ASCII letters, long Windows paths and files over 4 GiB all work.
// Nothing here maps a file into memory (a mapped file that shrinks kills the process).
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// An open file that is read at positions. Any thread may call any member at any time.
class RandomAccessFile {
  public:
    virtual ~RandomAccessFile() = default;
    /// The size in bytes at the time of opening.
    virtual uint64_t size() const = 0;
    /// readAt()'s offset, length and address must be multiples of this power of two, or readAt() returns an Internal
    /// error. It is 1 if there is no such condition. One number serves all three, although Windows would accept any
    /// page as an address.
    virtual uint64_t alignment() const { return 1; }
    /// Fills `out` from `offset`. A short read (the file shrank, or the disk went away) is an Io error that names the
    /// file, and so is a read of a file that was changed since it was opened: its size and its time of change are
    /// looked at after the read, so that no foreign bytes count as the file's. If alignment() is above 1, the last read
    /// may reach beyond the end by less than alignment(); the bytes of `out` beyond the end are then undefined.
    virtual Status readAt(uint64_t offset, std::span<std::byte> out) = 0;
    virtual const std::string& path() const = 0;
    /// The time of the last change, as it was when the file was opened, in nanoseconds since 1970. It distinguishes two
    /// versions of a file.
    virtual int64_t changedAt() const = 0;
    /// A number for the disk (the volume) that holds the file. It stays the same when the system is restarted, and is 0
    /// if the system does not name its disks.
    virtual uint64_t disk() const { return 0; }
};

/// A file that is written from start to end. One thread at a time. Without commit(), nothing is left behind.
class OutputFile {
  public:
    virtual ~OutputFile() = default;
    virtual Status append(std::span<const std::byte> bytes) = 0;
    /// Syncs the file, renames it to its final path and syncs the folder. After that, append() is an error.
    virtual Status commit() = 0;
};

/// An ordinary file of a folder.
struct FolderEntry {
    std::string name; ///< without the folder
    uint64_t bytes = 0;
    int64_t changedAt = 0; ///< nanoseconds since 1970, right to a millisecond
};

class AsyncReads; // base/reads.h

/// The system's files and folders. Implementations are stateless or thread-safe.
class FileSystem {
  public:
    virtual ~FileSystem() = default;
    virtual Result<std::unique_ptr<RandomAccessFile>> openForReading(const std::string& path) = 0;
    /// Opens a file whose reads bypass the system's page cache: nothing is copied, and nothing else is pushed out of
    /// memory. If the file system can't do that, the file is opened as usual; alignment() says which.
    virtual Result<std::unique_ptr<RandomAccessFile>> openDirect(const std::string& path) {
        return openForReading(path);
    }
    /// Reads many pieces at once from files that were opened here, at most `depth` in flight, if possible through the
    /// system's own queue (base/reads.h). Returns nothing if the system refuses a thread.
    virtual std::unique_ptr<AsyncReads> createReads(int depth);
    /// Writes to a temporary file in the same folder until commit() renames it. A link is followed; a folder or a
    /// device is refused.
    virtual Result<std::unique_ptr<OutputFile>> createOutput(const std::string& path) = 0;

    // A file system without folders (most of the tests') refuses the following calls: Unsupported.

    /// The ordinary files of a folder, sorted by name; an empty list if the folder does not exist. An error if not all
    /// of them can be listed: a list is never cut short.
    virtual Result<std::vector<FolderEntry>> listFiles(const std::string& folder);
    /// Success if the file does not exist.
    virtual Status removeFile(const std::string& path);
    /// Makes the folder, and those above it, unless they exist.
    virtual Status makeFolder(const std::string& folder);
    /// Bytes that may still be written to the disk of an existing folder.
    virtual Result<uint64_t> freeSpace(const std::string& folder);
};

/// The largest alignment() of a file from openDirect(), so that memory can be planned before a file is open: 4096 on
/// Linux, 64 KiB on Windows, which is slow with less, and 1 on macOS.
uint64_t directAlignment();

/// The system's own files. They live as long as the program.
FileSystem& systemFiles();

/// The folder of a file, as listFiles() takes it: "." for a name alone.
std::string folderOf(const std::string& path);

/// Reads a whole file. A file of more than `limit` bytes is refused.
Result<std::string> readWholeFile(FileSystem& files, const std::string& path, uint64_t limit);
/// Writes a temporary file, syncs and renames it: after a crash there is either the old file or the whole new one.
Status writeWholeFile(FileSystem& files, const std::string& path, std::string_view bytes);

/// "folder/name". A folder that ends in a separator gets no second one.
std::string joinPath(const std::string& folder, const std::string& name);
/// "model" for "/folder/model.gguf".
std::string fileStem(const std::string& path);
/// The same path however a file is named: absolute and without "..". Returns `path` if the system refuses.
std::string absolutePath(const std::string& path);

} // namespace coterie::engine
