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
    explicit FakePackedFile(app::PackedFileInfo info = {.path = QStringLiteral("/cache/coterie/Scripted.experts"),
                                                        .bytes = quint64{11} << 30})
        : info_(std::move(info)) {}

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
    /// Sets the packed files of models that are gone.
    void leave(app::UnusedPackedFiles unused) {
        const std::lock_guard lock(mutex_);
        unused_ = std::move(unused);
    }
    engine::Result<app::UnusedPackedFiles> unused() {
        const std::lock_guard lock(mutex_);
        return unused_;
    }
    engine::Status removeUnused() {
        const std::lock_guard lock(mutex_);
        if (failure_) return *std::exchange(failure_, std::nullopt);
        unused_ = {};
        return {};
    }
    engine::Result<app::PackedFileInfo> inspect() {
        const std::lock_guard lock(mutex_);
        if (refused_)
            return engine::Error{engine::ErrorKind::Unsupported, "It can't be packed", "It has no experts", ""};
        return info_;
    }
    engine::Status pack(const std::function<bool(double)>& progress, std::chrono::milliseconds step) {
        constexpr int steps = 50;
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
        info_.state = app::PackedFileInfo::State::Current;
        return {};
    }
    engine::Status remove() {
        const std::lock_guard lock(mutex_);
        if (failure_) return *std::exchange(failure_, std::nullopt);
        info_.state = app::PackedFileInfo::State::None;
        return {};
    }

  private:
    static engine::Error cancelled() {
        return {engine::ErrorKind::Cancelled, "Nothing was packed", "It was stopped", ""};
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    app::PackedFileInfo info_;
    app::UnusedPackedFiles unused_;
    std::optional<engine::Error> failure_;
    double limit_ = 1;
    bool refused_ = false;
};

inline app::PackedFileCalls
fakePackedFiles(const std::shared_ptr<FakePackedFile>& file = std::make_shared<FakePackedFile>(),
                std::chrono::milliseconds step = std::chrono::milliseconds(100)) {
    return {.inspect = [file](const engine::OpenOptions&) { return file->inspect(); },
            .pack = [file, step](const engine::OpenOptions&,
                                 const std::function<bool(double)>& progress) { return file->pack(progress, step); },
            .remove = [file](const engine::OpenOptions&) { return file->remove(); },
            .unused = [file](const engine::OpenOptions&) { return file->unused(); },
            .removeUnused = [file](const engine::OpenOptions&) { return file->removeUnused(); }};
}

} // namespace coterie::test
