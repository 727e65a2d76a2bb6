// SPDX-License-Identifier: Apache-2.0
// Files on Linux, macOS and other POSIX systems. Paths go to the system as they are: UTF-8 by convention.
#include "base/file_errors.h"
#include "base/files.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace coterie::engine {

namespace {

// One call moves at most this much: Linux stops at 2 GiB - 4 KiB, macOS refuses more than 2 GiB - 1.
constexpr size_t largestTransfer = size_t{1} << 30;

FileFault faultOf(int code) {
    switch (code) {
    case ENOENT:
    case ENOTDIR:
        return FileFault::Missing;
    case EACCES:
    case EPERM:
        return FileFault::Denied;
    case EROFS:
        return FileFault::ReadOnly;
    case ENOSPC:
    case EDQUOT:
        return FileFault::Full;
    case EISDIR:
        return FileFault::Folder;
    case EMFILE:
    case ENFILE:
        return FileFault::TooManyOpen;
    case ENAMETOOLONG:
        return FileFault::NameTooLong;
    default:
        return FileFault::Other;
    }
}

Error systemError(const char* verb, const std::string& path, int code) {
    return fileError(verb, path, faultOf(code), std::system_category().message(code));
}

/// Calls `call` until no signal interrupts it.
template <typename Call>
auto uninterrupted(Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

/// An open descriptor, closed at the end.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;

    int number() const { return number_; }
    /// Closes now; 0 or the error's code. EINTR closes too (Linux), and a second call could hit another thread's file.
    int close() {
        const int result = ::close(std::exchange(number_, -1));
        return result < 0 && errno != EINTR ? errno : 0;
    }

  private:
    int number_;
};

class PosixFile final : public RandomAccessFile {
  public:
    PosixFile(Descriptor descriptor, uint64_t size, std::string path)
        : descriptor_(std::move(descriptor)), size_(size), path_(std::move(path)) {}

    uint64_t size() const override { return size_; }
    const std::string& path() const override { return path_; }

    Status readAt(uint64_t offset, std::span<std::byte> out) override {
        constexpr uint64_t furthest = std::numeric_limits<off_t>::max();
        if (offset > furthest || out.size() > furthest - offset) return shortReadError(path_);
        while (!out.empty()) {
            const size_t wanted = std::min(out.size(), largestTransfer);
            const ssize_t got = uninterrupted(
                [&] { return ::pread(descriptor_.number(), out.data(), wanted, static_cast<off_t>(offset)); });
            if (got < 0) return systemError("read", path_, errno);
            if (got == 0) return shortReadError(path_);
            out = out.subspan(static_cast<size_t>(got));
            offset += static_cast<uint64_t>(got);
        }
        return {};
    }

  private:
    Descriptor descriptor_;
    uint64_t size_;
    std::string path_;
};

std::string folderOf(const std::string& path) {
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

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
    // A folder that may be written but not listed can't be synced; nor can one on a file system without the notion.
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
            const size_t wanted = std::min(bytes.size(), largestTransfer);
            const ssize_t put = uninterrupted([&] { return ::write(descriptor_.number(), bytes.data(), wanted); });
            if (put < 0) return systemError("write", target_, errno);
            bytes = bytes.subspan(static_cast<size_t>(put));
        }
        return {};
    }

    Status commit() override {
        if (temporary_.empty()) return finishedError();
        if (const int code = syncToDisk(descriptor_.number())) return systemError("write", target_, code);
        if (const int code = descriptor_.close()) return systemError("write", target_, code);
        if (std::rename(temporary_.c_str(), target_.c_str()) != 0) return systemError("replace", target_, errno);
        temporary_.clear();
        if (const int code = syncFolder(folderOf(target_))) return systemError("write", target_, code);
        return {};
    }

  private:
    Error finishedError() const {
        return {ErrorKind::Internal, "Can't write " + target_, "It was already finished", "Please report this"};
    }

    Descriptor descriptor_;
    std::string temporary_; // empty once renamed
    std::string target_;
};

/// A name that nobody else takes; independent of the target's name, which may be as long as the system allows.
std::string temporaryBeside(const std::string& target) {
    static std::atomic<uint64_t> counter{0};
    const std::string folder = folderOf(target);
    return (folder == "/" ? folder : folder + "/") + ".coterie-" + std::to_string(::getpid()) + "-" +
           std::to_string(counter.fetch_add(1, std::memory_order_relaxed)) + ".part";
}

class PosixFiles final : public FileSystem {
  public:
    Result<std::unique_ptr<RandomAccessFile>> openForReading(const std::string& path) override {
        if (path.find('\0') != std::string::npos) return fileError("open", path, FileFault::BadName, {});
        // O_NONBLOCK: opening a pipe that nobody writes to must not hang; ordinary files don't care.
        Descriptor descriptor(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
        if (descriptor.number() < 0) return systemError("open", path, errno);
        struct stat about {};
        if (::fstat(descriptor.number(), &about) != 0) return systemError("open", path, errno);
        if (S_ISDIR(about.st_mode)) return fileError("open", path, FileFault::Folder, {});
        if (!S_ISREG(about.st_mode)) return fileError("open", path, FileFault::NotRegular, {});
        return std::unique_ptr<RandomAccessFile>(
            std::make_unique<PosixFile>(std::move(descriptor), static_cast<uint64_t>(about.st_size), path));
    }

    Result<std::unique_ptr<OutputFile>> createOutput(const std::string& path) override {
        if (path.empty() || path.find('\0') != std::string::npos)
            return fileError("write", path, FileFault::BadName, {});
        std::string target = path;
        std::optional<mode_t> mode;
        if (struct stat about{}; ::stat(path.c_str(), &about) == 0) {
            // Renaming over /dev/null or a folder would be a disaster.
            if (S_ISDIR(about.st_mode)) return fileError("write", path, FileFault::Folder, {});
            if (!S_ISREG(about.st_mode)) return fileError("write", path, FileFault::NotRegular, {});
            mode = about.st_mode & 07777;
            // A link stays a link: what it points to is replaced.
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
            // Left over from a process with our number that was killed: the counter gives another name.
            if (descriptor.number() < 0 && errno == EEXIST) continue;
            if (descriptor.number() < 0) return systemError("write", target, errno);
            // Not worth failing for: the new file then has the default permissions.
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
