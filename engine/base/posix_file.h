// SPDX-License-Identifier: Apache-2.0
// An open file on POSIX systems: files_posix.cpp creates it and uring_reads.cpp reads it. Only for base/.
#pragma once

#include "base/file_errors.h"
#include "base/files.h"

#include <cerrno>
#include <memory>
#include <string>
#include <unistd.h>
#include <utility>

namespace coterie::engine {

/// The sentences for an errno.
Error systemError(FileCall call, const std::string& path, int code);

/// Calls `call` until no signal interrupts it.
template <typename Call>
auto uninterrupted(Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR) result = call();
    return result;
}

/// An open descriptor, which the destructor closes.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;

    int number() const { return number_; }
    /// Closes now. Returns 0 or the error's code. EINTR closes too (Linux), and a second call could hit another
    /// thread's file.
    int close() {
        const int result = ::close(std::exchange(number_, -1));
        return result < 0 && errno != EINTR ? errno : 0;
    }

  private:
    int number_;
};

class PosixFile final : public RandomAccessFile {
  public:
    /// Opens a file. direct: past the page cache if the system can (see FileSystem::openDirect()).
    static Result<std::unique_ptr<RandomAccessFile>> open(const std::string& path, bool direct);

    struct About {
        uint64_t size = 0, alignment = 1, disk = 0;
        int64_t changedAt = 0;
    };
    PosixFile(Descriptor descriptor, const About& about, std::string path)
        : descriptor_(std::move(descriptor)), about_(about), path_(std::move(path)) {}

    uint64_t size() const override { return about_.size; }
    uint64_t alignment() const override { return about_.alignment; }
    uint64_t disk() const override { return about_.disk; }
    int64_t changedAt() const override { return about_.changedAt; }
    const std::string& path() const override { return path_; }
    Status readAt(uint64_t offset, std::span<std::byte> out) override;
    /// Returns an Io error if the file's size or time of change is no longer what it was when the file was opened. The
    /// system sets that time before it writes, so success after a read means that the bytes are those of the file that
    /// was opened.
    Status checkUnchanged() const;

    int descriptor() const { return descriptor_.number(); }

  private:
    Descriptor descriptor_;
    About about_;
    std::string path_;
};

} // namespace coterie::engine
