// SPDX-License-Identifier: Apache-2.0
// Files that fail when a test says so: the Nth call, reads that come up short, a file that is gone after K reads. Wraps
// any FileSystem and counts every call through it.
//
//     FaultyFiles files;              // over the system's own
//     files.failCall(3);              // the third call from now on fails, once
//     files.vanishAfterReads(10);     // every read after the tenth fails
//
// A sweep: for (n = 1;; ++n) { FaultyFiles f; f.failCall(n); run(f); if (!f.fired()) break; }
#pragma once

#include "base/files.h"

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace coterie::test {

/// Thread-safe. Must outlive the files opened through it.
class FaultyFiles final : public engine::FileSystem {
  public:
    explicit FaultyFiles(engine::FileSystem& real = engine::systemFiles()) : real_(real) {}

    /// The `n`th call from now (1: the next) fails, of any kind: open, create, read, append, commit.
    void failCall(int64_t n) { failAt_.store(calls_.load() + n); }
    /// Reads from the `n`th from now on, `count` of them, stop halfway.
    void shortenReads(int64_t n, int64_t count = 1) {
        shortFrom_.store(reads_.load() + n);
        shortCount_.store(count);
    }
    /// After `count` more reads every read fails, as when the disk is gone.
    void vanishAfterReads(int64_t count) { vanishAt_.store(reads_.load() + count); }
    /// Nothing fails any more.
    void heal() {
        failAt_.store(never);
        shortFrom_.store(never);
        vanishAt_.store(never);
    }

    int64_t calls() const { return calls_.load(); }
    int64_t reads() const { return reads_.load(); }
    int64_t bytesRead() const { return bytesRead_.load(); }
    /// Whether any failure has been dealt out.
    bool fired() const { return fired_.load(); }

    engine::Result<std::unique_ptr<engine::RandomAccessFile>> openForReading(const std::string& path) override {
        if (countCall()) return failure("open", path);
        auto file = real_.openForReading(path);
        if (!file) return file.error();
        return std::unique_ptr<engine::RandomAccessFile>(std::make_unique<Input>(*this, std::move(file).value()));
    }

    engine::Result<std::unique_ptr<engine::OutputFile>> createOutput(const std::string& path) override {
        if (countCall()) return failure("write", path);
        auto file = real_.createOutput(path);
        if (!file) return file.error();
        return std::unique_ptr<engine::OutputFile>(std::make_unique<Output>(*this, std::move(file).value(), path));
    }

  private:
    static constexpr int64_t never = std::numeric_limits<int64_t>::max();

    class Input final : public engine::RandomAccessFile {
      public:
        Input(FaultyFiles& owner, std::unique_ptr<engine::RandomAccessFile> real)
            : owner_(owner), real_(std::move(real)) {}
        uint64_t size() const override { return real_->size(); }
        const std::string& path() const override { return real_->path(); }
        engine::Status readAt(uint64_t offset, std::span<std::byte> out) override {
            const int64_t number = owner_.reads_.fetch_add(1) + 1;
            if (owner_.countCall() || number > owner_.vanishAt_.load()) return owner_.failure("read", path());
            const int64_t first = owner_.shortFrom_.load();
            if (number >= first && number - first < owner_.shortCount_.load()) {
                // As a disk that goes away does it: some bytes have come.
                if (engine::Status half = real_->readAt(offset, out.first(out.size() / 2)); !half) return half;
                return owner_.failure("read", path());
            }
            owner_.bytesRead_.fetch_add(static_cast<int64_t>(out.size()));
            return real_->readAt(offset, out);
        }

      private:
        FaultyFiles& owner_;
        std::unique_ptr<engine::RandomAccessFile> real_;
    };

    class Output final : public engine::OutputFile {
      public:
        Output(FaultyFiles& owner, std::unique_ptr<engine::OutputFile> real, std::string path)
            : owner_(owner), real_(std::move(real)), path_(std::move(path)) {}
        engine::Status append(std::span<const std::byte> bytes) override {
            if (owner_.countCall()) return owner_.failure("write", path_);
            return real_->append(bytes);
        }
        engine::Status commit() override {
            if (owner_.countCall()) return owner_.failure("write", path_);
            return real_->commit();
        }

      private:
        FaultyFiles& owner_;
        std::unique_ptr<engine::OutputFile> real_;
        std::string path_;
    };

    /// True where this call is the one to fail.
    bool countCall() { return calls_.fetch_add(1) + 1 == failAt_.load(); }
    engine::Error failure(const char* verb, const std::string& path) {
        fired_.store(true);
        return {engine::ErrorKind::Io, std::string("Can't ") + verb + " " + path, "A test made this call fail",
                "Nothing"};
    }

    engine::FileSystem& real_;
    std::atomic<int64_t> calls_{0}, reads_{0}, bytesRead_{0};
    std::atomic<int64_t> failAt_{never}, shortFrom_{never}, shortCount_{0}, vanishAt_{never};
    std::atomic<bool> fired_{false};
};

} // namespace coterie::test
