// SPDX-License-Identifier: Apache-2.0
// The real engine with its pace under a test's control: each piece of an answer waits until the test allows it. So a
// test can stop in the middle of an answer, however fast the model is. This does not change what the engine computes.
#pragma once

#include "fakes/forwarding_session.h"

#include <atomic>
#include <chrono>
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
    /// Waits until a piece is allowed, or the call is cancelled, which is looked at every millisecond.
    void pass(const std::atomic<bool>& cancelled) {
        std::unique_lock lock(mutex_);
        const auto open = [&] { return cancelled || allowed_ > 0; };
        while (!changed_.wait_for(lock, std::chrono::milliseconds(1), open)) {
        }
        if (!cancelled) --allowed_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int allowed_ = 0;
};

class GatedSession : public test::ForwardingSession {
  public:
    GatedSession(std::unique_ptr<engine::Session> real, std::shared_ptr<Gate> gate)
        : ForwardingSession(std::move(real)), gate_(std::move(gate)) {}

    engine::Result<engine::Generated> chat(std::span<const engine::Message> conversation,
                                           const engine::GenerateOptions& options,
                                           const engine::DeltaCallback& onDelta) override {
        return ForwardingSession::chat(conversation, options, [&](const engine::Delta& delta) {
            if (delta.token >= 0) gate_->pass(*options.cancel);
            onDelta(delta);
        });
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
