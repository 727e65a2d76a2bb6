// SPDX-License-Identifier: Apache-2.0
// The real engine, which notes what it was asked and how much work that was. This changes nothing of what it computes.
//
//     Notes notes;
//     App app({.dataFolder = folder, .factory = notingFactory(notes), .model = path});
//     notes.last().statistics.promptTokens;
#pragma once

#include "fakes/forwarding_session.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace coterie::test {

/// A conversation that was answered, or a question beside it.
struct Note {
    std::vector<engine::Message> conversation;
    engine::GenerationStatistics statistics;
    std::vector<float> logits; ///< those of the last draw; minus infinity for rows that were not computed

    int64_t rowsComputed() const {
        return std::count_if(logits.begin(), logits.end(), [](float logit) { return std::isfinite(logit); });
    }
};

/// Thread-safe. It outlives the sessions that write into it.
class Notes {
  public:
    void add(Note note) {
        const std::lock_guard lock(mutex_);
        list_.push_back(std::move(note));
    }
    Note last() const {
        const std::lock_guard lock(mutex_);
        return list_.empty() ? Note{} : list_.back();
    }

  private:
    mutable std::mutex mutex_;
    std::vector<Note> list_;
};

class NotingSession : public ForwardingSession {
  public:
    NotingSession(std::unique_ptr<engine::Session> inner, Notes& notes)
        : ForwardingSession(std::move(inner)), notes_(notes) {}

    engine::Result<engine::Generated> chat(std::span<const engine::Message> conversation,
                                           const engine::GenerateOptions& options,
                                           const engine::DeltaCallback& onDelta) override {
        Note note{.conversation = {conversation.begin(), conversation.end()}, .statistics = {}, .logits = {}};
        engine::GenerateOptions watched = options;
        watched.onLogits = [&note](std::span<const float> logits) { note.logits.assign(logits.begin(), logits.end()); };
        auto answer = ForwardingSession::chat(conversation, watched, onDelta);
        if (answer) note.statistics = answer.value().statistics;
        notes_.add(std::move(note));
        return answer;
    }

  private:
    Notes& notes_;
};

inline engine::SessionFactory notingFactory(Notes& notes) {
    return [&notes](const engine::OpenOptions& options) -> engine::Result<std::unique_ptr<engine::Session>> {
        auto real = engine::openSession(options);
        if (!real) return real.error();
        return std::unique_ptr<engine::Session>(new NotingSession(std::move(real).value(), notes));
    };
}

} // namespace coterie::test
