// SPDX-License-Identifier: Apache-2.0
// Files that fail when a test says so: the Nth call, reads that come up short, a file that is gone after K reads, a
// slow disk, direct reads that must be aligned. FaultyFiles wraps any FileSystem, including its direct files and its
// reads in flight, and counts every call through it.
//
//     FaultyFiles files;              // over the system's own
//     files.failCall(3);              // the third call from now on fails, once
//     files.vanishAfterReads(10);     // every read after the tenth fails
//
// A sweep: for (n = 1;; ++n) { FaultyFiles f; f.failCall(n); run(f); if (!f.fired()) break; }
#pragma once

#include "base/files.h"
#include "base/reads.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace coterie::test {

/// Thread-safe. Must outlive the files and reads that come from it.
class FaultyFiles final : public engine::FileSystem {
  public:
    explicit FaultyFiles(engine::FileSystem& real = engine::systemFiles()) : real_(real) {}

    /// The `n`th call from now (1: the next) fails, of any kind: open, create, read, append, commit, list, remove, make
    /// a folder, ask for space. Reads in flight count in the order in which they were submitted.
    void failCall(int64_t n) { failAt_.store(calls_.load() + n); }
    /// Reads from the `n`th from now on, `count` of them, stop halfway.
    void shortenReads(int64_t n, int64_t count = 1) {
        shortFrom_.store(reads_.load() + n);
        shortCount_.store(count);
    }
    /// After `count` more reads every read fails, as if the disk were gone.
    void vanishAfterReads(int64_t count) { vanishAt_.store(reads_.load() + count); }
    /// Every read takes at least this long; reads that are in flight at the same time don't wait for each other.
    void slowReads(int64_t milliseconds) { slow_.store(milliseconds); }
    /// Stops all failures and delays.
    void heal() {
        failAt_.store(never);
        shortFrom_.store(never);
        vanishAt_.store(never);
        slow_.store(0);
    }
    /// Direct files that are opened from now on require reads aligned to `bytes` on any disk; 1: as the disk requires.
    /// A read that is not aligned is an error and is counted; bytes beyond the end are filled with rubbish.
    void pretendAlignment(uint64_t bytes) { pretended_.store(bytes); }

    int64_t calls() const { return calls_.load(); }
    int64_t reads() const { return reads_.load(); }
    int64_t bytesRead() const { return bytesRead_.load(); }
    int64_t misaligned() const { return misaligned_.load(); }
    /// Whether any failure has occurred.
    bool fired() const { return fired_.load(); }

    engine::Result<std::unique_ptr<engine::RandomAccessFile>> openForReading(const std::string& path) override {
        if (countCall()) return failure("open", path);
        return wrapped(real_.openForReading(path), 0);
    }

    engine::Result<std::unique_ptr<engine::RandomAccessFile>> openDirect(const std::string& path) override {
        if (countCall()) return failure("open", path);
        const uint64_t pretended = pretended_.load();
        return pretended > 1 ? wrapped(real_.openForReading(path), pretended) : wrapped(real_.openDirect(path), 0);
    }

    std::unique_ptr<engine::AsyncReads> createReads(int depth) override {
        auto real = real_.createReads(depth);
        if (!real) return nullptr;
        return std::make_unique<Reads>(std::move(real));
    }

    engine::Result<std::unique_ptr<engine::OutputFile>> createOutput(const std::string& path) override {
        if (countCall()) return failure("write", path);
        auto file = real_.createOutput(path);
        if (!file) return file.error();
        return std::unique_ptr<engine::OutputFile>(std::make_unique<Output>(*this, std::move(file).value(), path));
    }

    engine::Result<std::vector<engine::FolderEntry>> listFiles(const std::string& folder) override {
        if (countCall()) return failure("list", folder);
        return real_.listFiles(folder);
    }
    engine::Status removeFile(const std::string& path) override {
        if (countCall()) return failure("remove", path);
        return real_.removeFile(path);
    }
    engine::Status makeFolder(const std::string& folder) override {
        if (countCall()) return failure("make", folder);
        return real_.makeFolder(folder);
    }
    engine::Result<uint64_t> freeSpace(const std::string& folder) override {
        if (countCall()) return failure("measure", folder);
        return real_.freeSpace(folder);
    }

  private:
    static constexpr int64_t never = std::numeric_limits<int64_t>::max();

    /// The way in which a read will end.
    struct Fate {
        enum { Whole, Half, Nothing } comes = Whole;
        int64_t milliseconds = 0;
    };

    class Input final : public engine::RandomAccessFile {
      public:
        Input(FaultyFiles& owner, std::unique_ptr<engine::RandomAccessFile> real, uint64_t pretended)
            : owner_(owner), real_(std::move(real)), pretended_(pretended) {}
        uint64_t size() const override { return real_->size(); }
        uint64_t alignment() const override { return pretended_ ? pretended_ : real_->alignment(); }
        uint64_t disk() const override { return real_->disk(); }
        const std::string& path() const override { return real_->path(); }
        int64_t changedAt() const override { return real_->changedAt(); }
        engine::Status readAt(uint64_t offset, std::span<std::byte> out) override {
            return meet(fateOf(out.size()), offset, out);
        }

        Fate fateOf(size_t bytes) {
            const int64_t number = owner_.reads_.fetch_add(1) + 1;
            const bool fails = owner_.countCall() || number > owner_.vanishAt_.load();
            const int64_t first = owner_.shortFrom_.load();
            Fate fate{.milliseconds = owner_.slow_.load()};
            if (fails)
                fate.comes = Fate::Nothing;
            else if (number >= first && number - first < owner_.shortCount_.load())
                fate.comes = Fate::Half;
            else
                owner_.bytesRead_.fetch_add(static_cast<int64_t>(bytes));
            return fate;
        }
        /// Returns the real file if this read must succeed at once, else null.
        engine::RandomAccessFile* untouched(const Fate& fate) const {
            return fate.comes == Fate::Whole && fate.milliseconds == 0 && !pretended_ ? real_.get() : nullptr;
        }
        engine::Status meet(const Fate& fate, uint64_t offset, std::span<std::byte> out) {
            if (fate.milliseconds > 0) std::this_thread::sleep_for(std::chrono::milliseconds(fate.milliseconds));
            if (fate.comes == Fate::Nothing) return owner_.failure("read", path());
            if (fate.comes == Fate::Whole) return pretended_ ? readPretended(offset, out) : real_->readAt(offset, out);
            // This is how a disk goes away: some bytes have come.
            const size_t half = out.size() / 2 / alignment() * alignment();
            const auto some = out.first(half);
            if (engine::Status came = pretended_ ? readPretended(offset, some) : real_->readAt(offset, some); !came)
                return came;
            return owner_.failure("read", path());
        }

      private:
        engine::Status readPretended(uint64_t offset, std::span<std::byte> out) {
            const uint64_t rest = offset < size() ? size() - offset : 0;
            const bool aligned =
                ((offset | out.size() | reinterpret_cast<uintptr_t>(out.data())) & (pretended_ - 1)) == 0;
            if (!aligned || (!out.empty() && out.size() >= rest + pretended_)) {
                owner_.misaligned_.fetch_add(1);
                return engine::Error{engine::ErrorKind::Internal,
                                     {"Can't read %1", path()},
                                     "A direct read was not aligned, or reached too far beyond the end",
                                     "Mend it"};
            }
            const auto real = out.first(static_cast<size_t>(std::min<uint64_t>(rest, out.size())));
            std::fill(out.begin() + static_cast<std::ptrdiff_t>(real.size()), out.end(), std::byte{0xdb});
            return real_->readAt(offset, real);
        }

        FaultyFiles& owner_;
        std::unique_ptr<engine::RandomAccessFile> real_;
        const uint64_t pretended_; ///< 0: the files' own alignment
    };

    /// Reads that must succeed go to the real files' queue; the others take the path of files that the queue does not
    /// know.
    class Reads final : public engine::AsyncReads {
      public:
        explicit Reads(std::unique_ptr<engine::AsyncReads> real) : jobs_(real->depth()), real_(std::move(real)) {
            for (Job& job : jobs_) free_.push_back(&job);
        }
        const char* name() const override { return real_->name(); }
        size_t depth() const override { return real_->depth(); }
        size_t inFlight() const override { return real_->inFlight(); }
        void wake() override { real_->wake(); }

        void submit(const engine::ReadRequest& request) override {
            auto* const input = dynamic_cast<Input*>(request.file);
            Job& job = *free_.back();
            free_.pop_back();
            job.id = request.id;
            engine::ReadRequest real = request;
            real.id = static_cast<uint64_t>(&job - jobs_.data());
            if (input != nullptr) {
                job.input = input;
                job.fate = input->fateOf(request.out.size());
                real.file = input->untouched(job.fate);
                if (real.file == nullptr) real.file = &job;
            }
            real_->submit(real);
        }
        std::span<engine::ReadDone> collect(std::span<engine::ReadDone> out) override {
            const auto done = real_->collect(out);
            for (engine::ReadDone& read : done) {
                Job& job = jobs_[static_cast<size_t>(read.id)];
                read.id = job.id;
                free_.push_back(&job);
            }
            return done;
        }

      private:
        /// One read of an Input. Its outcome was decided when it was submitted.
        struct Job final : engine::RandomAccessFile {
            uint64_t size() const override { return input->size(); }
            uint64_t alignment() const override { return input->alignment(); }
            const std::string& path() const override { return input->path(); }
            int64_t changedAt() const override { return input->changedAt(); }
            engine::Status readAt(uint64_t offset, std::span<std::byte> out) override {
                return input->meet(fate, offset, out);
            }
            uint64_t id = 0;
            Input* input = nullptr;
            Fate fate;
        };

        std::vector<Job> jobs_; ///< [depth]
        std::vector<Job*> free_;
        std::unique_ptr<engine::AsyncReads> real_; ///< destroyed first: it waits for the jobs
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

    using Opened = engine::Result<std::unique_ptr<engine::RandomAccessFile>>;
    Opened wrapped(Opened file, uint64_t pretended) {
        if (!file) return file.error();
        return std::unique_ptr<engine::RandomAccessFile>(
            std::make_unique<Input>(*this, std::move(file).value(), pretended));
    }

    /// Returns whether this call must fail.
    bool countCall() { return calls_.fetch_add(1) + 1 == failAt_.load(); }
    engine::Error failure(const char* verb, const std::string& path) {
        fired_.store(true);
        return {engine::ErrorKind::Io, {"Can't %1 %2", verb, path}, "A test made this call fail", "Nothing"};
    }

    engine::FileSystem& real_;
    std::atomic<int64_t> calls_{0}, reads_{0}, bytesRead_{0}, misaligned_{0};
    std::atomic<int64_t> failAt_{never}, shortFrom_{never}, shortCount_{0}, vanishAt_{never}, slow_{0};
    std::atomic<uint64_t> pretended_{1};
    std::atomic<bool> fired_{false};
};

} // namespace coterie::test
