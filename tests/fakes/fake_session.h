// SPDX-License-Identifier: Apache-2.0
// A session that follows a script: for tests of the app and the window, and for coterie-offline. It speaks no model's
// language and computes nothing; how it fails, how fast it is and what it says is all in the script.
//
//     auto control = std::make_shared<FakeControl>();
//     App app({.dataFolder = folder, .factory = fakeFactory(*fakeScript("story"), control)});
//     control->allow(3);   // three tokens, and it waits
#pragma once

#include "session/session.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coterie::test {

/// What one token adds to an answer: words of a text, words of a thought, or a whole call.
struct FakePiece {
    FakePiece(std::string words, engine::PartKind of = engine::PartKind::Text) : kind(of), text(std::move(words)) {}
    FakePiece(const char* words) : text(words) {}
    FakePiece(engine::ToolCall asked) : kind(engine::PartKind::ToolCall), call(std::move(asked)) {}

    engine::PartKind kind = engine::PartKind::Text;
    std::string text;
    engine::ToolCall call;
};

struct FakeScript {
    std::vector<FakePiece> pieces; ///< of every answer, one a token
    bool endless = false;          ///< begins again after the last piece
    int64_t promptTokens = 8;
    int64_t contextSize = 4096;
    engine::Turns turns = engine::Turns::Template;
    /// Its experts, of 2.5 MiB each: 12 layers of 32 fit into the automatic budget, 32 don't.
    int64_t layers = 12;
    bool dense = false;  ///< no experts: its layers take 60 MiB each, and all that comes from disk is read on a guess
    bool scarce = false; ///< for engine::RoutingWhen::Scarce
    uint64_t bytesFromDisk = 0;          ///< each token reads so much of experts that weren't in memory
    std::vector<engine::Sentence> notes; ///< about the model
    std::optional<engine::Error> openFailure;
    int64_t failAfter = -1; ///< tokens; -1: never
    engine::Error failure;  ///< what comes then
    // How long things take where no FakeControl holds them.
    std::chrono::microseconds openStep{0}; ///< each of ten; with a control opening takes no time
    std::chrono::microseconds promptStep{0};
    std::chrono::microseconds tokenStep{0};
};

/// The scripts by name: story, fast, slow, open-failure, out-of-memory, disk-lost, context-full, notes, continues,
/// from-disk, dense, dense-from-disk.
std::vector<std::string> fakeScriptNames();
std::optional<FakeScript> fakeScript(std::string_view name);

/// A test's hand on the fakes that share it: steps happen when they are allowed, and what was asked is kept.
/// Thread-safe.
class FakeControl {
  public:
    /// Lets `steps` more steps happen: each step of opening, each token of a prompt and of an answer is one.
    void allow(int64_t steps);
    /// Waits for nothing any more.
    void allowAll();
    /// Blocks until a step is allowed; false where `stop` says so first. For the fake.
    bool takeStep(const std::function<bool()>& stop);
    /// Wakes those who wait, to look at `stop` again.
    void wake();
    /// What the fakes were asked to answer, in order.
    std::vector<std::vector<engine::Message>> conversations() const;
    /// Whether they were asked to think first, in the same order.
    std::vector<std::optional<bool>> thinking() const;
    /// How, in the same order.
    std::vector<engine::GenerateOptions> options() const;
    void note(std::vector<engine::Message> conversation, const engine::GenerateOptions& options);
    /// What the fakes say of their expert store from now on, instead of their own figures.
    void setExperts(const engine::ExpertTelemetry& counted);
    std::optional<engine::ExpertTelemetry> experts() const;

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    int64_t allowed_ = 0;
    bool all_ = false;
    std::vector<std::vector<engine::Message>> conversations_;
    std::vector<engine::GenerateOptions> options_;
    std::optional<engine::ExpertTelemetry> experts_;
};

/// inspectModel() of that script: a plan made by simple sums, OutOfMemory as one of the problems where it doesn't fit.
std::function<engine::Result<engine::ModelInfo>(const engine::OpenOptions&)> fakeInspector(FakeScript script);

/// Without a control, the script's own times hold.
engine::SessionFactory fakeFactory(FakeScript script, std::shared_ptr<FakeControl> control = {});

} // namespace coterie::test
