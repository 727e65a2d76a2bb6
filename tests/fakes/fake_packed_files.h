// SPDX-License-Identifier: Apache-2.0
// Packed files that exist only in memory: this answers the window's questions to the engine about them, and fails when
// a test asks for it. It is for tests of the controller, for pictures and for coterie-offline.
#pragma once

#include "models/packed_file_controller.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

namespace coterie::test {

/// Thread-safe.
class FakePackedFile {
  public:
    /// bytes: the size that the file has or would have.
    explicit FakePackedFile(engine::PackedFileStatus::State state = engine::PackedFileStatus::State::None,
                            const std::string& path = "/cache/coterie/Scripted.experts",
                            uint64_t bytes = uint64_t{11} << 30)
        : file_{.state = state, .path = path, .bytes = bytes, .needed = bytes} {}

    /// The next call that makes or removes a file fails with this error.
    void failWith(const engine::Error& error) {
        const std::lock_guard lock(mutex_);
        failure_ = error;
    }
    /// Packing goes up to this share of the file and waits there.
    void packUpTo(double share) {
        const std::lock_guard lock(mutex_);
        limit_ = share;
        changed_.notify_all();
    }
    /// Models of this kind can't be packed.
    void refuse() {
        const std::lock_guard lock(mutex_);
        refused_ = true;
    }
    /// Sets the packed files of models that are gone, which take so many bytes together.
    void leave(uint64_t bytes, const QStringList& models) {
        const std::lock_guard lock(mutex_);
        unused_.clear();
        for (const QString& model : models)
            unused_.push_back({.path = {},
                               .model = model.toStdString(),
                               .bytes = unused_.empty() ? bytes : 0,
                               .state = engine::PackedFileEntry::State::Gone});
    }
    engine::Result<std::vector<engine::PackedFileEntry>> list() {
        const std::lock_guard lock(mutex_);
        return unused_;
    }
    engine::Result<uint64_t> removeUnused() {
        const std::lock_guard lock(mutex_);
        if (failure_) return *std::exchange(failure_, std::nullopt);
        unused_.clear();
        return uint64_t{0};
    }
    engine::Result<engine::PackedFileStatus> inspect() {
        const std::lock_guard lock(mutex_);
        if (refused_)
            return engine::Error{engine::ErrorKind::Unsupported, "It can't be packed", "It has no experts", ""};
        return file_;
    }
    engine::Result<engine::PackedFileStatus> pack(const engine::PackProgress& report, std::chrono::milliseconds step) {
        constexpr int steps = 50;
        constexpr double kAll = 1e6;
        const auto progress = [&](double share) {
            return report(static_cast<uint64_t>(share * kAll), static_cast<uint64_t>(kAll));
        };
        std::unique_lock lock(mutex_);
        for (int i = 0; i <= steps; ++i) {
            const double share = static_cast<double>(i) / steps;
            while (share > limit_) {
                if (!progress(limit_)) return cancelled();
                changed_.wait_for(lock, std::chrono::milliseconds(10));
            }
            if (step.count() > 0) changed_.wait_for(lock, step);
            if (!progress(share)) return cancelled();
        }
        if (failure_) return *std::exchange(failure_, std::nullopt);
        file_.state = engine::PackedFileStatus::State::Current;
        return file_;
    }
    engine::Result<uint64_t> remove() {
        const std::lock_guard lock(mutex_);
        if (failure_) return *std::exchange(failure_, std::nullopt);
        file_.state = engine::PackedFileStatus::State::None;
        return file_.bytes;
    }

  private:
    static engine::Error cancelled() {
        return {engine::ErrorKind::Cancelled, "Nothing was packed", "It was stopped", ""};
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    engine::PackedFileStatus file_;
    std::vector<engine::PackedFileEntry> unused_;
    std::optional<engine::Error> failure_;
    double limit_ = 1;
    bool refused_ = false;
};

inline app::PackedFileCalls
fakePackedFiles(const std::shared_ptr<FakePackedFile>& file = std::make_shared<FakePackedFile>(),
                std::chrono::milliseconds step = std::chrono::milliseconds(100)) {
    return {.inspect = [file](const engine::OpenOptions&) { return file->inspect(); },
            .pack = [file, step](const engine::OpenOptions&,
                                 const engine::PackProgress& progress) { return file->pack(progress, step); },
            .remove = [file](const engine::OpenOptions&) { return file->remove(); },
            .list = [file](const engine::OpenOptions&) { return file->list(); },
            .removeUnused = [file](const engine::OpenOptions&) { return file->removeUnused(); }};
}

} // namespace coterie::test
