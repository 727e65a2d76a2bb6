// SPDX-License-Identifier: Apache-2.0
// See posix_file.h. Reads past the page cache use O_DIRECT on Linux (the BSDs have it too) and F_NOCACHE on macOS.
#include "base/posix_file.h"

#include "base/file_errors.h"
#include "base/read_pieces.h"

#include <bit>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <system_error>

namespace coterie::engine {

namespace {

FileFault faultOf(int code) {
    constexpr std::pair<int, FileFault> faults[] = {
        {ENOENT, FileFault::Missing},     {ENOTDIR, FileFault::Missing},         {EACCES, FileFault::Denied},
        {EPERM, FileFault::Denied},       {EROFS, FileFault::ReadOnly},          {ENOSPC, FileFault::Full},
        {EDQUOT, FileFault::Full},        {EISDIR, FileFault::Folder},           {EMFILE, FileFault::TooManyOpen},
        {ENFILE, FileFault::TooManyOpen}, {ENAMETOOLONG, FileFault::NameTooLong}};
    for (const auto& [known, fault] : faults)
        if (known == code) return fault;
    return FileFault::Other;
}

int64_t changedAtOf(const struct stat& about) {
#ifdef __APPLE__
    const timespec& time = about.st_mtimespec;
#else
    const timespec& time = about.st_mtim;
#endif
    return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// A number for the file system: the one that common file systems keep in the volume, and its size, because some have
/// no such number.
uint64_t diskOf(int descriptor) {
    struct statvfs about {};
    if (uninterrupted([&] { return ::fstatvfs(descriptor, &about); }) != 0) return 0;
    const auto number = static_cast<uint64_t>(about.f_fsid);
    return number == 0 ? 0 : number ^ static_cast<uint64_t>(about.f_blocks) * 0x9e3779b97f4a7c15u;
}

#ifdef O_DIRECT

constexpr uint64_t kLargestAlignment = 4096;

/// The alignment that the kernel reports (Linux 6.1 and newer, not for every file system): 0 if the file cannot be read
/// directly, nothing if the kernel does not report it.
std::optional<uint64_t> statedAlignment([[maybe_unused]] int descriptor) {
#ifdef STATX_DIOALIGN
    struct statx about {};
    if (::statx(descriptor, "", AT_EMPTY_PATH, STATX_DIOALIGN, &about) != 0) return std::nullopt;
    if ((about.stx_mask & STATX_DIOALIGN) == 0) return std::nullopt;
    return std::max<uint64_t>(about.stx_dio_offset_align, about.stx_dio_offset_align ? about.stx_dio_mem_align : 0);
#else
    return std::nullopt;
#endif
}

/// The alignment that direct reads of the file need; 0 if there are none, or if they need more than callers plan for.
uint64_t alignmentOf(int descriptor) {
    if (const std::optional<uint64_t> stated = statedAlignment(descriptor))
        return std::has_single_bit(*stated) && *stated <= kLargestAlignment ? *stated : 0;
    alignas(kLargestAlignment) std::byte first[kLargestAlignment];
    const bool works = uninterrupted([&] { return ::pread(descriptor, first, sizeof first, 0); }) >= 0;
    return works ? kLargestAlignment : 0;
}

#endif

/// The alignment that reads past the cache through `descriptor` need; 0 if they are impossible.
uint64_t makeDirect([[maybe_unused]] int descriptor) {
#if defined(O_DIRECT)
    const int flags = ::fcntl(descriptor, F_GETFL);
    return flags >= 0 && ::fcntl(descriptor, F_SETFL, flags | O_DIRECT) == 0 ? alignmentOf(descriptor) : 0;
#elif defined(F_NOCACHE)
    return ::fcntl(descriptor, F_NOCACHE, 1) == 0 ? 1 : 0;
#else
    return 0;
#endif
}

} // namespace

uint64_t directAlignment() {
#ifdef O_DIRECT
    return kLargestAlignment;
#else
    return 1;
#endif
}

Error systemError(FileCall call, const std::string& path, int code) {
    return fileError(call, path, faultOf(code), std::system_category().message(code));
}

Result<std::unique_ptr<RandomAccessFile>> PosixFile::open(const std::string& path, bool direct) {
    if (path.find('\0') != std::string::npos) return fileError(FileCall::Open, path, FileFault::BadName);
    // O_NONBLOCK: opening a pipe without a writer must not hang.
    Descriptor descriptor(uninterrupted([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
    if (descriptor.number() < 0) return systemError(FileCall::Open, path, errno);
    struct stat about {};
    if (::fstat(descriptor.number(), &about) != 0) return systemError(FileCall::Open, path, errno);
    if (S_ISDIR(about.st_mode)) return fileError(FileCall::Open, path, FileFault::Folder);
    if (!S_ISREG(about.st_mode)) return fileError(FileCall::Open, path, FileFault::NotRegular);
    // An ordinary file ignores the flag, but io_uring would return EAGAIN instead of waiting for the disk.
    if (::fcntl(descriptor.number(), F_SETFL, 0) != 0) return systemError(FileCall::Open, path, errno);
    uint64_t alignment = 1;
    if (direct) {
        alignment = makeDirect(descriptor.number());
        if (alignment == 0) return open(path, false);
    }
    const About known{.size = static_cast<uint64_t>(about.st_size),
                      .alignment = alignment,
                      .disk = diskOf(descriptor.number()),
                      .changedAt = changedAtOf(about)};
    return std::unique_ptr<RandomAccessFile>(std::make_unique<PosixFile>(std::move(descriptor), known, path));
}

Status PosixFile::readAt(uint64_t offset, std::span<std::byte> out) {
    ReadPieces pieces(*this, offset, out);
    if (Status possible = pieces.check(); !possible) return possible;
    while (!pieces.done()) {
        const ssize_t got = uninterrupted(
            [&] { return ::pread(descriptor(), pieces.data(), pieces.length(), static_cast<off_t>(pieces.offset())); });
        if (got < 0) return systemError(FileCall::Read, path_, errno);
        if (Status more = pieces.advance(static_cast<size_t>(got)); !more) return more;
    }
    return checkUnchanged();
}

Status PosixFile::checkUnchanged() const {
    struct stat about {};
    if (::fstat(descriptor(), &about) != 0) return systemError(FileCall::Read, path_, errno);
    const bool same = static_cast<uint64_t>(about.st_size) == about_.size && changedAtOf(about) == about_.changedAt;
    return same ? Status() : Status(changedFileError(path_));
}

} // namespace coterie::engine
