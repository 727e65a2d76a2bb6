// SPDX-License-Identifier: Apache-2.0
// A session that follows a script, for tests of the app and the window and for coterie-offline. It runs no model and
// computes nothing; the script says how it fails, how fast it is and what it answers. Its traces and token records are
// made up by fixed formulas, which tests can compute too; the words of a question are in its prompt as fakeQuestion()
// says. The ids of its tokens are the indexes of its pieces; an
// answer that continues a prefix of such tokens goes on with the next piece, and one that continues other tokens, which
// are bytes of a text, with the first one.
//
//     auto control = std::make_shared<FakeControl>();
//     App app({.dataFolder = folder, .factory = fakeFactory(*fakeScript("story"), control)});
//     control->allow(3);   // three tokens, then it waits
#pragma once

#include "records/trace_log.h"
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

/// The piece that one token adds to an answer: words of a text, words of a thought, or a whole call.
struct FakePiece {
    FakePiece(std::string words, engine::PartKind of = engine::PartKind::Text) : kind(of), text(std::move(words)) {}
    FakePiece(const char* words) : text(words) {}
    FakePiece(engine::ToolCall asked) : kind(engine::PartKind::ToolCall), call(std::move(asked)) {}
    /// A token without text that ends a thought which nothing began: all parts so far are thoughts.
    static FakePiece thoughtEnd() {
        FakePiece piece("");
        piece.makesThoughts = true;
        return piece;
    }

    engine::PartKind kind = engine::PartKind::Text;
    std::string text;
    engine::ToolCall call;
    bool makesThoughts = false;
};

/// Neurons of the fakes' experts, of which some are active. The layers of a dense model have none to count.
inline constexpr int32_t kFakeNeurons = 96;

struct FakeScript {
    std::string name = "Scripted"; ///< the model's
    std::vector<FakePiece> pieces; ///< pieces of every answer, one per token
    bool endless = false;          ///< starts again after the last piece
    /// Pieces of an answer to the results of tools; empty: the same as of every other answer.
    std::vector<FakePiece> afterTools;
    /// The vocabulary's first tokens are the pieces, and the piece after a token is the next one; otherwise each token
    /// is a byte of text.
    bool wordTokens = false;
    /// Rows of the head that a predictor has computed for each token; 0: there is no predictor.
    int64_t headRows = 0;
    int64_t promptTokens = 8; ///< tokens of every prompt; traces are of prompts that were fitted to this length
    int64_t promptReused = 0; ///< the first tokens of a prompt that traces say nothing about
    /// An answer that continues a prefix reads the prompt and the prefix again, as after a start; otherwise they are
    /// reused, except the prefix's last token.
    bool rereads = false;
    int64_t contextSize = 4096; ///< unless it is opened with another one
    bool fixedContext = false;  ///< it has this context even then
    engine::Turns turns = engine::Turns::Template;
    /// Layers of 32 experts of 2.5 MiB each: the automatic budget has room for 12 layers, but not for 32.
    int64_t layers = 12;
    int64_t experts = 32, expertsPerToken = 4; ///< in each layer, unless the model is dense
    int32_t neurons = kFakeNeurons;            ///< neurons in each expert
    /// Routes look random, so that packing them saves no more than with a real model; otherwise they are plain sums.
    bool scattered = false;
    /// Each answer has routes of its own, and begins with its number: "[3] Once". Otherwise all answers have the same.
    bool numbered = false;
    int64_t recurrentLayers = 0; ///< layers with a state, for which 2 MiB each are planned
    bool dense = false;          ///< no experts: its layers take 60 MiB each, and all reads from disk are prefetches
    bool scarce = false;         ///< whether engine::RoutingWhen::Scarce applies
    uint64_t cardBytes = 0;      ///< memory of a device's own that holds a part of the model
    uint64_t bytesFromDisk = 0;  ///< bytes of missing experts that each token reads
    std::vector<engine::Sentence> notes;       ///< notes about the model
    std::vector<engine::Sentence> answerNotes; ///< notes about each answer
    std::optional<engine::Error> openFailure;
    int64_t failAfter = -1; ///< number of tokens; -1: it never fails
    engine::Error failure;  ///< the error after failAfter tokens
    // Time that each step takes if there is no FakeControl.
    std::chrono::microseconds openStep{0}; ///< one of ten steps; with a control, opening takes no time
    std::chrono::microseconds promptStep{0};
    std::chrono::microseconds tokenStep{0};
};

/// Returns what a trace says about this layer at this position. Misses add up to those of the statistics; the layer
/// waits 0.2 ms for each. answer: the number of an answer of a numbered script, from 1; else 0.
engine::TracedLayer fakeRoute(const FakeScript& script, int64_t position, int layer, int64_t answer = 0);
/// Returns the tokens of a prompt that hold the words of this message: the second token has the first word, and so on.
/// The last token but one has the rest; the first and the last are the template's.
engine::QuestionTokens fakeQuestion(const FakeScript& script, std::string_view message);
/// Seconds from the call to the moment at which the answer's token with this index is drawn.
double fakeSeconds(int64_t token);
/// Seconds that computing each token takes, as traces say.
inline constexpr double kFakePromptSeconds = 0.03125, kFakeTokenSeconds = 0.05;
/// Probability of the answer's token with this index, if GenerateOptions::details asks for it.
double fakeProbability(int64_t token);

/// Names of the scripts: story, fast, slow, open-failure, out-of-memory, disk-lost, context-full, notes, device-lost,
/// continues, from-disk, dense, dense-from-disk, words, predicted, numbered, tools.
std::vector<std::string> fakeScriptNames();
std::optional<FakeScript> fakeScript(std::string_view name);

/// Controls the fakes that share it: they take a step only when the test allows it, and their requests are recorded.
/// Thread-safe.
class FakeControl {
  public:
    /// Allows `steps` more steps: each step of opening, each token of a prompt and each token of an answer is one.
    void allow(int64_t steps);
    /// Allows all steps from now on.
    void allowAll();
    /// Allows nothing from now on.
    void hold();
    /// Blocks until a step is allowed; returns false if `stop`, which is asked every millisecond, returns true first.
    /// Called by the fake.
    bool takeStep(const std::function<bool()>& stop);
    /// Whether a fake waits for a step to be allowed.
    bool waits() const;
    /// The conversations that the fakes were asked to answer, in order.
    std::vector<std::vector<engine::Message>> conversations() const;
    /// Whether they were asked to think first, in the same order.
    std::vector<std::optional<bool>> thinking() const;
    /// The options of these requests, in the same order.
    std::vector<engine::GenerateOptions> options() const;
    void note(std::vector<engine::Message> conversation, const engine::GenerateOptions& options);
    /// Replaces the fakes' own figures of their expert store from now on.
    void setExperts(const engine::Counts& counts, const engine::SlotUse& slots);
    void replaceExperts(engine::Counts& counts, engine::SlotUse& slots) const;
    /// Replaces what the fakes say of the places of their experts, from now on: see Session::expertStates().
    void setExpertStates(const std::vector<engine::ExpertState>& states);
    std::vector<uint8_t> expertStates() const; ///< empty: nothing replaces them

  private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    int64_t allowed_ = 0;
    int waiting_ = 0; ///< calls of takeStep() that have not returned
    bool all_ = false;
    std::vector<std::vector<engine::Message>> conversations_;
    std::vector<engine::GenerateOptions> options_;
    std::optional<std::pair<engine::Counts, engine::SlotUse>> experts_;
    std::vector<uint8_t> states_;
};

/// Acts as inspectModel() for this script: the plan is made of simple sums, and OutOfMemory is one of the problems if
/// it doesn't fit.
std::function<engine::Result<engine::ModelInfo>(const engine::OpenOptions&)> fakeInspector(FakeScript script);

/// Without a control, the times in the script apply.
engine::SessionFactory fakeFactory(FakeScript script, std::shared_ptr<FakeControl> control = {});

} // namespace coterie::test
