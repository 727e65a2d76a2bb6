// SPDX-License-Identifier: Apache-2.0
// Files on Linux, macOS and other POSIX systems. Paths go to the system as they are: UTF-8 by convention.
#include "base/file_errors.h"
#include "base/files.h"
#include "base/folders.h"
#include "base/posix_file.h"
#include "base/reads.h"
#include "base/uring_reads.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace coterie::engine {

namespace {

// The most that one call may write: Linux stops at 2 GiB - 4 KiB, macOS refuses more than 2 GiB - 1.
constexpr size_t kLargestTransfer = size_t{1} << 30;

/// Makes the bytes of a file, or the names in a folder, survive a power cut.
int syncToDisk(int descriptor) {
#ifdef F_FULLFSYNC
    // macOS: fsync() stops at the drive's own cache.
    if (uninterrupted([&] { return ::fcntl(descriptor, F_FULLFSYNC); }) == 0) return 0;
#endif
    return uninterrupted([&] { return ::fsync(descriptor); }) == 0 ? 0 : errno;
}

int syncFolder(const std::string& folder) {
    Descriptor descriptor(uninterrupted([&] { return ::open(folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY); }));
    // A folder that may be written but not listed cannot be synced; some file systems cannot sync folders at all.
    if (descriptor.number() < 0) return errno == EACCES ? 0 : errno;
    const int code = syncToDisk(descriptor.number());
    return code == EINVAL || code == ENOTSUP ? 0 : code;
}

class PosixOutput final : public OutputFile {
  public:
    PosixOutput(Descriptor descriptor, std::string temporary, std::string target)
        : descriptor_(std::move(descriptor)), temporary_(std::move(temporary)), target_(std::move(target)) {}
    ~PosixOutput() override {
        if (!temporary_.empty()) ::unlink(temporary_.c_str());
    }

    Status append(std::span<const std::byte> bytes) override {
        if (temporary_.empty()) return finishedError();
        while (!bytes.empty()) {
            const size_t wanted = std::min(bytes.size(), kLargestTransfer);
            const ssize_t put = uninterrupted([&] { return ::write(descriptor_.number(), bytes.data(), wanted); });
            if (put < 0) return systemError(FileCall::Write, target_, errno);
            bytes = bytes.subspan(static_cast<size_t>(put));
        }
        return {};
    }

    Status commit() override {
        if (temporary_.empty()) return finishedError();
        if (const int code = syncToDisk(descriptor_.number())) return systemError(FileCall::Write, target_, code);
        if (const int code = descriptor_.close()) return systemError(FileCall::Write, target_, code);
        if (std::rename(temporary_.c_str(), target_.c_str()) != 0)
            return systemError(FileCall::Replace, target_, errno);
        temporary_.clear();
        if (const int code = syncFolder(folderOf(target_))) return systemError(FileCall::Write, target_, code);
        return {};
    }

  private:
    Error finishedError() const {
        return {ErrorKind::Internal, {"Can't write %1", target_}, "It was already finished", "Please report this"};
    }

    Descriptor descriptor_;
    std::string temporary_; // empty once renamed
    std::string target_;
};

/// A name that no other file has. It does not contain the target's name, which may be as long as the system allows.
std::string temporaryBeside(const std::string& target) {
    static std::atomic<uint64_t> counter{0};
    const uint64_t number = counter.fetch_add(1, std::memory_order_relaxed);
    const std::string name = ".coterie-" + std::to_string(::getpid()) + "-" + std::to_string(number) + ".part";
    return joinPath(folderOf(target), name);
}

/// The path that a link names, link by link, even if there is nothing yet.
std::string endOfLinks(std::string path) {
    constexpr int mostLinks = 40; // Linux's own limit
    for (int i = 0; i < mostLinks; ++i) {
        std::error_code failed;
        const std::filesystem::path next = std::filesystem::read_symlink(path, failed);
        if (failed) break;
        path = joinPath(folderOf(path), next.string());
    }
    return path;
}

class PosixFiles final : public FolderCalls {
  public:
    Result<std::unique_ptr<RandomAccessFile>> openForReading(const std::string& path) override {
        return PosixFile::open(path, false);
    }

    Result<std::unique_ptr<RandomAccessFile>> openDirect(const std::string& path) override {
        return PosixFile::open(path, true);
    }

#ifdef COTERIE_URING
    std::unique_ptr<AsyncReads> createReads(int depth) override {
        if (auto reads = createUringReads(depth)) return reads;
        return createThreadedReads(depth);
    }
#endif

    Result<std::unique_ptr<OutputFile>> createOutput(const std::string& path) override {
        if (path.empty() || path.find('\0') != std::string::npos)
            return fileError(FileCall::Write, path, FileFault::BadName);
        std::string target = endOfLinks(path); // realpath() below needs a file that exists
        std::optional<mode_t> mode;
        if (struct stat about{}; ::stat(path.c_str(), &about) == 0) {
            // Renaming over /dev/null or a folder would do great harm.
            if (S_ISDIR(about.st_mode)) return fileError(FileCall::Write, path, FileFault::Folder);
            if (!S_ISREG(about.st_mode)) return fileError(FileCall::Write, path, FileFault::NotRegular);
            mode = about.st_mode & 07777;
            // A link stays a link: the file it points to is replaced.
            if (char* resolved = ::realpath(path.c_str(), nullptr)) {
                target = resolved;
                std::free(resolved);
            }
        }
        return createBeside(std::move(target), mode);
    }

  private:
    static Result<std::unique_ptr<OutputFile>> createBeside(std::string target, std::optional<mode_t> mode) {
        for (;;) {
            std::string temporary = temporaryBeside(target);
            Descriptor descriptor(uninterrupted(
                [&] { return ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }));
            // A killed process with our number left it behind: the counter gives another name.
            if (descriptor.number() < 0 && errno == EEXIST) continue;
            if (descriptor.number() < 0) return systemError(FileCall::Write, target, errno);
            // A failure here is no reason to give up: the new file then has the default permissions.
            if (mode && ::fchmod(descriptor.number(), *mode) != 0) errno = 0;
            return std::unique_ptr<OutputFile>(
                std::make_unique<PosixOutput>(std::move(descriptor), std::move(temporary), std::move(target)));
        }
    }
};

} // namespace

FileSystem& systemFiles() {
    static PosixFiles files;
    return files;
}

} // namespace coterie::engine
