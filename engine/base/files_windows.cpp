// SPDX-License-Identifier: Apache-2.0
// Files on Windows: the wide API, with \\?\ paths so that no path is too long.
#include "base/file_errors.h"
#include "base/files.h"
#include "base/folders.h"
#include "base/read_pieces.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>
#include <windows.h>

namespace coterie::engine {

namespace {

// The most that one write may take: lengths have 32 bits here.
constexpr size_t kLargestTransfer = size_t{1} << 30;

FileFault faultOf(DWORD code) {
    switch (code) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_BAD_NETPATH:
    case ERROR_NOT_READY:
        return FileFault::Missing;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
        return FileFault::Denied;
    case ERROR_WRITE_PROTECT:
        return FileFault::ReadOnly;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        return FileFault::Full;
    case ERROR_TOO_MANY_OPEN_FILES:
        return FileFault::TooManyOpen;
    case ERROR_FILENAME_EXCED_RANGE:
        return FileFault::NameTooLong;
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
        return FileFault::BadName;
    default:
        return FileFault::Other;
    }
}

std::string toUtf8(const wchar_t* text, int length) {
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, text, length, nullptr, 0, nullptr, nullptr);
    std::string out(static_cast<size_t>(std::max(bytes, 0)), '\0');
    if (bytes > 0) WideCharToMultiByte(CP_UTF8, 0, text, length, out.data(), bytes, nullptr, nullptr);
    return out;
}

/// The system's sentence, in the user's language, without its full stop and line end.
std::string systemText(DWORD code) {
    wchar_t text[512];
    DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, code, 0, text,
                                  static_cast<DWORD>(std::size(text)), nullptr);
    while (length > 0 && (text[length - 1] <= L' ' || text[length - 1] == L'.')) --length;
    if (length == 0) return "Windows error " + std::to_string(code);
    return toUtf8(text, static_cast<int>(length));
}

Error systemError(FileCall call, const std::string& path, DWORD code) {
    return fileError(call, path, faultOf(code), systemText(code));
}

/// The path for the wide API: absolute, with \\?\ in front. Returns nothing if it is not UTF-8.
std::optional<std::wstring> widePath(const std::string& path) {
    if (path.empty() || path.find('\0') != std::string::npos || path.size() > 32767) return std::nullopt;
    const int size = static_cast<int>(path.size());
    const int units = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(), size, nullptr, 0);
    if (units <= 0) return std::nullopt;
    std::wstring wide(static_cast<size_t>(units), L'\0');
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path.data(), size, wide.data(), units);

    const DWORD needed = GetFullPathNameW(wide.c_str(), 0, nullptr, nullptr);
    if (needed == 0) return std::nullopt;
    std::wstring full(needed, L'\0');
    full.resize(GetFullPathNameW(wide.c_str(), needed, full.data(), nullptr));
    if (full.starts_with(L"\\\\?\\") || full.starts_with(L"\\\\.\\")) return full;
    if (full.starts_with(L"\\\\")) return L"\\\\?\\UNC\\" + full.substr(2);
    return L"\\\\?\\" + full;
}

/// An open handle, which the destructor closes.
class Handle {
  public:
    explicit Handle(HANDLE handle) : handle_(handle) {}
    ~Handle() { close(); }
    Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, INVALID_HANDLE_VALUE)) {}
    Handle& operator=(Handle&&) = delete;

    bool valid() const { return handle_ != INVALID_HANDLE_VALUE && handle_ != nullptr; }
    HANDLE get() const { return handle_; }
    bool close() {
        const bool closed = !valid() || CloseHandle(handle_) != 0;
        handle_ = INVALID_HANDLE_VALUE;
        return closed;
    }

  private:
    HANDLE handle_;
};

/// Nanoseconds since 1970; Windows counts steps of 100 ns since 1601.
int64_t nanosecondsOf(const FILETIME& time) {
    constexpr int64_t between = 116'444'736'000'000'000; // 1601 to 1970, in those steps
    const auto steps = static_cast<int64_t>(uint64_t{time.dwHighDateTime} << 32 | time.dwLowDateTime);
    return (steps - between) * 100;
}

uint64_t sizeOf(const BY_HANDLE_FILE_INFORMATION& about) {
    return uint64_t{about.nFileSizeHigh} << 32 | about.nFileSizeLow;
}

class WindowsFile final : public RandomAccessFile {
  public:
    struct About {
        uint64_t size = 0, alignment = 1, disk = 0;
        int64_t changedAt = 0;
    };
    WindowsFile(Handle handle, const About& about, std::string path)
        : handle_(std::move(handle)), about_(about), path_(std::move(path)) {}

    uint64_t size() const override { return about_.size; }
    uint64_t alignment() const override { return about_.alignment; }
    uint64_t disk() const override { return about_.disk; }
    int64_t changedAt() const override { return about_.changedAt; }
    const std::string& path() const override { return path_; }

    Status readAt(uint64_t offset, std::span<std::byte> out) override {
        ReadPieces pieces(*this, offset, out);
        if (Status possible = pieces.check(); !possible) return possible;
        // Each call has its own event: otherwise reads on one handle would wake each other.
        Handle event(CreateEventW(nullptr, TRUE, FALSE, nullptr));
        if (!event.valid()) return systemError(FileCall::Read, path_, GetLastError());
        while (!pieces.done()) {
            DWORD got = 0;
            const DWORD code =
                readOnce(event.get(), pieces.offset(), pieces.data(), static_cast<DWORD>(pieces.length()), got);
            if (code != ERROR_SUCCESS && code != ERROR_HANDLE_EOF) return systemError(FileCall::Read, path_, code);
            if (Status more = pieces.advance(code == ERROR_SUCCESS ? got : 0); !more) return more;
        }
        return checkUnchanged();
    }

  private:
    Status checkUnchanged() const {
        BY_HANDLE_FILE_INFORMATION now{};
        if (!GetFileInformationByHandle(handle_.get(), &now)) return systemError(FileCall::Read, path_, GetLastError());
        const bool same = sizeOf(now) == about_.size && nanosecondsOf(now.ftLastWriteTime) == about_.changedAt;
        return same ? Status() : Status(changedFileError(path_));
    }

    DWORD readOnce(HANDLE event, uint64_t offset, std::byte* out, DWORD wanted, DWORD& got) {
        OVERLAPPED where{};
        where.Offset = static_cast<DWORD>(offset);
        where.OffsetHigh = static_cast<DWORD>(offset >> 32);
        where.hEvent = event;
        if (!ReadFile(handle_.get(), out, wanted, nullptr, &where)) {
            if (const DWORD code = GetLastError(); code != ERROR_IO_PENDING) return code;
        }
        return GetOverlappedResult(handle_.get(), &where, &got, TRUE) ? ERROR_SUCCESS : GetLastError();
    }

    Handle handle_; // opened for overlapped reads: otherwise the system would let only one thread read at a time
    About about_;
    std::string path_;
};

class WindowsOutput final : public OutputFile {
  public:
    WindowsOutput(Handle handle, std::wstring temporary, std::wstring target, std::string path)
        : handle_(std::move(handle)), temporary_(std::move(temporary)), target_(std::move(target)),
          path_(std::move(path)) {}
    ~WindowsOutput() override {
        handle_.close();
        if (!temporary_.empty()) DeleteFileW(temporary_.c_str());
    }

    Status append(std::span<const std::byte> bytes) override {
        if (temporary_.empty()) return finishedError();
        while (!bytes.empty()) {
            const DWORD wanted = static_cast<DWORD>(std::min(bytes.size(), kLargestTransfer));
            DWORD put = 0;
            if (!WriteFile(handle_.get(), bytes.data(), wanted, &put, nullptr))
                return systemError(FileCall::Write, path_, GetLastError());
            bytes = bytes.subspan(put);
        }
        return {};
    }

    Status commit() override {
        if (temporary_.empty()) return finishedError();
        if (!FlushFileBuffers(handle_.get())) return systemError(FileCall::Write, path_, GetLastError());
        if (!handle_.close()) return systemError(FileCall::Write, path_, GetLastError());
        // WRITE_THROUGH: returns when the new name is on the disk, which is what syncing the folder does elsewhere.
        if (!MoveFileExW(temporary_.c_str(), target_.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH))
            return systemError(FileCall::Replace, path_, GetLastError());
        temporary_.clear();
        return {};
    }

  private:
    Error finishedError() const {
        return {ErrorKind::Internal, {"Can't write %1", path_}, "It was already finished", "Please report this"};
    }

    Handle handle_;
    std::wstring temporary_; // empty once renamed
    std::wstring target_;
    std::string path_;
};

std::wstring temporaryBeside(const std::wstring& target) {
    static std::atomic<uint64_t> counter{0};
    return target.substr(0, target.rfind(L'\\') + 1) + L".coterie-" + std::to_wstring(GetCurrentProcessId()) + L"-" +
           std::to_wstring(counter.fetch_add(1, std::memory_order_relaxed)) + L".part";
}

class WindowsFiles final : public FolderCalls {
  public:
    Result<std::unique_ptr<RandomAccessFile>> openForReading(const std::string& path) override { return open(path, 0); }

    Result<std::unique_ptr<RandomAccessFile>> openDirect(const std::string& path) override {
        auto file = open(path, FILE_FLAG_NO_BUFFERING);
        // Some network drives refuse the flag.
        return file ? std::move(file) : open(path, 0);
    }

    Result<std::unique_ptr<OutputFile>> createOutput(const std::string& path) override {
        const auto target = widePath(path);
        if (!target) return fileError(FileCall::Write, path, FileFault::BadName);
        if (target->starts_with(L"\\\\.\\")) return fileError(FileCall::Write, path, FileFault::NotRegular);
        const DWORD attributes = GetFileAttributesW(target->c_str());
        if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
            return fileError(FileCall::Write, path, FileFault::Folder);
        for (;;) {
            std::wstring temporary = temporaryBeside(*target);
            Handle handle(
                CreateFileW(temporary.c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr));
            // A killed process with our number left it behind: the counter gives another name.
            if (!handle.valid() && GetLastError() == ERROR_FILE_EXISTS) continue;
            if (!handle.valid()) return systemError(FileCall::Write, path, GetLastError());
            return std::unique_ptr<OutputFile>(
                std::make_unique<WindowsOutput>(std::move(handle), std::move(temporary), *target, path));
        }
    }

  private:
    static Result<std::unique_ptr<RandomAccessFile>> open(const std::string& path, DWORD flags) {
        const auto wide = widePath(path);
        if (!wide) return fileError(FileCall::Open, path, FileFault::BadName);
        const DWORD attributes = GetFileAttributesW(wide->c_str());
        if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
            return fileError(FileCall::Open, path, FileFault::Folder);
        Handle handle(CreateFileW(wide->c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                  nullptr, OPEN_EXISTING, FILE_FLAG_OVERLAPPED | flags, nullptr));
        if (!handle.valid()) return systemError(FileCall::Open, path, GetLastError());
        if (GetFileType(handle.get()) != FILE_TYPE_DISK) return fileError(FileCall::Open, path, FileFault::NotRegular);
        BY_HANDLE_FILE_INFORMATION about{};
        if (!GetFileInformationByHandle(handle.get(), &about)) return systemError(FileCall::Open, path, GetLastError());
        const WindowsFile::About known{.size = sizeOf(about),
                                       .alignment = flags == FILE_FLAG_NO_BUFFERING ? directAlignment() : 1,
                                       .disk = about.dwVolumeSerialNumber,
                                       .changedAt = nanosecondsOf(about.ftLastWriteTime)};
        return std::unique_ptr<RandomAccessFile>(std::make_unique<WindowsFile>(std::move(handle), known, path));
    }
};

} // namespace

// Any sector would do, but unbuffered reads are slow in pieces that are no multiples of 64 KiB.
uint64_t directAlignment() { return uint64_t{64} << 10; }

FileSystem& systemFiles() {
    static WindowsFiles files;
    return files;
}

} // namespace coterie::engine
