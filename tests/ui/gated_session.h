// SPDX-License-Identifier: Apache-2.0
// The real engine with its pace under a test's control: each piece of an answer waits until the test allows it. So a
// test can stop in the middle of an answer, however fast the model is. This does not change what the engine computes.
#pragma once

#include "fakes/forwarding_session.h"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace coterie::tests {

/// Thread-safe.
class Gate {
  public:
    void allow(int pieces) {
        const std::lock_guard lock(mutex_);
        allowed_ += pieces;
        changed_.notify_all();
    }
    /// Stays open for the rest of the running call, which must not wait once it is cancelled.
    void release() {
        const std::lock_guard lock(mutex_);
        released_ = true;
        changed_.notify_all();
    }
    void begin() {
        const std::lock_guard lock(mutex_);
        released_ = false;
    }
    void pass() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return released_ || allowed_ > 0; });
        if (!released_) --allowed_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int allowed_ = 0;
    bool released_ = false;
};

class GatedSession : public test::ForwardingSession {
  public:
    GatedSession(std::unique_ptr<engine::Session> real, std::shared_ptr<Gate> gate)
        : ForwardingSession(std::move(real)), gate_(std::move(gate)) {}

    engine::Result<engine::Generated> chat(std::span<const engine::Message> conversation,
                                           const engine::GenerateOptions& options,
                                           const engine::DeltaCallback& onDelta) override {
        gate_->begin();
        return ForwardingSession::chat(conversation, options, [this, &onDelta](const engine::Delta& delta) {
            if (delta.token >= 0) gate_->pass();
            onDelta(delta);
        });
    }
    void cancel() noexcept override {
        ForwardingSession::cancel();
        gate_->release();
    }

  private:
    std::shared_ptr<Gate> gate_;
};

inline engine::SessionFactory gatedFactory(std::shared_ptr<Gate> gate) {
    return [gate](const engine::OpenOptions& options) -> engine::Result<std::unique_ptr<engine::Session>> {
        auto real = engine::openSession(options);
        if (!real) return real.error();
        return std::unique_ptr<engine::Session>(new GatedSession(std::move(real.value()), gate));
    };
}

} // namespace coterie::tests
