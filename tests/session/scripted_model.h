// SPDX-License-Identifier: Apache-2.0
// A device that says what a test tells it to, a vocabulary of given pieces, and an answer over both, for tests of one
// answer without any arithmetic.
#pragma once

#include "prompt/tokenizer.h"
#include "session/device_switch.h"
#include "session/generation.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace coterie::test {

/// An id is a place in `pieces`; the last one ends an answer and has no text. Pieces like "<|this|>" and "[THIS]" are
/// control tokens.
class PieceTokenizer final : public engine::Tokenizer {
  public:
    explicit PieceTokenizer(std::vector<std::string> pieces)
        : pieces_(std::move(pieces)), ends_{static_cast<engine::TokenId>(pieces_.size() - 1)} {}

    std::vector<engine::TokenId> encode(std::string_view, bool) const override { return {}; }
    std::vector<engine::TokenId> encode(const engine::PromptText&) const override { return {}; }
    std::string decode(engine::TokenId token, bool) const override {
        return isControl(token) ? std::string() : pieces_.at(static_cast<size_t>(token));
    }
    int64_t vocabularySize() const override { return static_cast<int64_t>(pieces_.size()); }
    std::optional<engine::TokenId> beginning() const override { return std::nullopt; }
    bool addsBeginning() const override { return false; }
    const std::vector<engine::TokenId>& endOfGeneration() const override { return ends_; }
    bool isEndOfGeneration(engine::TokenId token) const override { return token == ends_.front(); }
    bool isControl(engine::TokenId token) const override {
        const std::string& piece = pieces_.at(static_cast<size_t>(token));
        const bool bars = piece.starts_with("<|") || piece.starts_with("<\xEF\xBD\x9C"); // U+FF5C, DeepSeek's
        return token == ends_.front() || bars || (piece.starts_with('[') && piece.ends_with(']'));
    }
    std::optional<engine::TokenId> find(std::string_view) const override { return std::nullopt; }
    std::string tokenText(engine::TokenId token) const override { return pieces_.at(static_cast<size_t>(token)); }
    std::span<const engine::TokenId> suppressed() const override { return never; }
    uint64_t memoryBytes() const override { return 0; }

    std::vector<engine::TokenId> never{}; ///< suppressed tokens

  private:
    std::vector<std::string> pieces_;
    std::vector<engine::TokenId> ends_;
};

/// Keeps the tokens it was given; after the last token of a request, `logits` says what comes next.
class ScriptedBackend final : public engine::Backend {
  public:
    static constexpr int64_t kLayers = 4; ///< one for each token of a chunk, so that progress is told for each

    std::vector<engine::TokenId> held;                                             ///< the KV cache
    std::function<std::vector<float>(const std::vector<engine::TokenId>&)> logits; ///< for the tokens that are held
    std::function<engine::Status(const std::vector<engine::TokenId>&)> beforeEach; ///< may fail before a token
    int64_t rewindKeeps = -1; ///< at most this many tokens survive a rewind; -1: as asked
    int64_t forwardedTokens = 0;
    bool findsOthers = true; ///< approximate routing changes the choice in one layer of each token
    std::vector<engine::ApproximateRouting> routings{}; ///< the routing of each chunk
    int64_t approximateTokens = 0;                      ///< tokens of chunks whose routing was not exact
    std::vector<engine::HeadRows> heads{};              ///< the rows asked for by each request for logits
    int64_t bestRows = 0;                               ///< the number asked for by the last such request

    std::string name() const override { return "scripted"; }
    engine::DeviceAbilities abilities() const override { return {}; }
    engine::Status prepare(const engine::ModelShape&, const engine::MemoryPlan&) override { return {}; }
    engine::Status upload(const engine::ModelFile&, const std::function<bool(uint64_t, uint64_t)>&) override {
        return {};
    }
    engine::Status begin(const engine::Chunk& chunk) override {
        if (chunk.position != committed_)
            return engine::Error{engine::ErrorKind::Internal, "The chunk has a wrong position",
                                 "It does not follow the committed tokens", "Commit each chunk that is done"};
        held.resize(static_cast<size_t>(chunk.position)); // a chunk that was not finished is forgotten
        routings.push_back(chunk.routing);
        for (const engine::TokenId token : chunk.tokens) {
            if (beforeEach)
                if (engine::Status status = beforeEach(held); !status) return status;
            held.push_back(token);
        }
        tokens_ = static_cast<int64_t>(chunk.tokens.size());
        return {};
    }
    engine::Result<engine::LayerRun> run(engine::LayerRange layers) override {
        if (layers.end < kLayers) return engine::LayerRun{};
        forwardedTokens += tokens_;
        if (routings.back().exact()) return engine::LayerRun{};
        approximateTokens += tokens_;
        return engine::LayerRun{.choicesChanged = findsOthers ? uint64_t{1} : 0};
    }
    engine::Result<engine::LayerRun> resume(const engine::ExpertOutputs&) override { return engine::LayerRun{}; }
    engine::Result<int64_t> head(const engine::HeadRequest& request) override {
        if (request.wanted != 0) heads.push_back(request.rows), bestRows = request.bestRows;
        if (request.wanted != 0) request.onLogits(tokens_ - 1, logits(held));
        return 1;
    }
    void commit() override { committed_ = static_cast<int64_t>(held.size()); }
    int64_t rewind(int64_t position) override {
        int64_t kept = std::min<int64_t>(position, static_cast<int64_t>(held.size()));
        if (rewindKeeps >= 0) kept = std::min(kept, rewindKeeps);
        held.resize(static_cast<size_t>(kept));
        committed_ = kept;
        return kept;
    }
    void limitSlots(uint64_t) override {}
    void expertStates(std::span<uint8_t>) const override {}
    void fillWhileIdle() override {}
    engine::BackendTelemetry telemetry() const override {
        engine::BackendTelemetry t;
        t.counts.weightBytesRead = static_cast<uint64_t>(forwardedTokens) * 100;
        t.counts.hits = static_cast<uint64_t>(forwardedTokens) * 5;
        t.counts.misses = static_cast<uint64_t>(forwardedTokens);
        t.counts.prefetchedUsed = static_cast<uint64_t>(forwardedTokens) * 2; // these are among the hits
        return t;
    }

  private:
    int64_t tokens_ = 0;    // tokens of the chunk
    int64_t committed_ = 0; // tokens of committed chunks
};

/// A decoder over a scripted backend, in chunks of four tokens. There is no other device to go on with.
class ScriptedModel {
  public:
    ScriptedModel() : ScriptedModel(std::make_unique<ScriptedBackend>()) {}

    ScriptedBackend& backend;
    engine::DeviceSwitch device;

  private:
    explicit ScriptedModel(std::unique_ptr<ScriptedBackend> scripted)
        : backend(*scripted), device(opened(std::move(scripted)), []() -> engine::Result<engine::OpenedDecoder> {
              return engine::Error{engine::ErrorKind::DeviceLost, "It is lost", "There is one alone", "Nothing"};
          }) {}
    static engine::OpenedDecoder opened(std::unique_ptr<ScriptedBackend> scripted) {
        engine::ModelShape shape;
        shape.layers = ScriptedBackend::kLayers;
        shape.layer.resize(ScriptedBackend::kLayers);
        for (engine::LayerShape& layer : shape.layer) layer.feedForward.experts = 8;
        shape.vocabulary = 1000;
        engine::OpenedDecoder opened{std::make_unique<engine::Decoder>(std::move(scripted)), {}};
        opened.plan.context = 1 << 20;
        opened.plan.chunk = 4;
        (void)opened.decoder->prepare(shape, opened.plan);
        return opened;
    }
};

/// Logits that make `token` win.
inline std::vector<float> only(engine::TokenId token, size_t vocabulary) {
    std::vector<float> logits(vocabulary, 0.0f);
    logits.at(static_cast<size_t>(token)) = 10.0f;
    return logits;
}

/// A model that says `said` after the prompt and then ends, with everything that an answer needs. Draws are greedy.
struct ScriptedAnswer {
    ScriptedAnswer(std::vector<std::string> pieces, int64_t context) : tokenizer(std::move(pieces)) {
        info.vocabulary = tokenizer.vocabularySize();
        info.memory.context = context;
        options.sampling.temperature = 0;
        device.logits = [this](const std::vector<engine::TokenId>& held) {
            const size_t at = held.size() - promptTokens;
            return only(at < said.size() ? said[at] : tokenizer.endOfGeneration().front(),
                        static_cast<size_t>(info.vocabulary));
        };
    }

    engine::Result<engine::Generated> generate(const std::vector<engine::TokenId>& prompt,
                                               const engine::DeltaCallback& onDelta) {
        promptTokens = prompt.size();
        options.cancel = &cancel;
        reading.start = engine::Generation::Clock::now();
        const engine::GenerationTools tools{script.device, cache, tokenizer, rate, info, &scarcity};
        return engine::Generation(tools, options, onDelta, reading).run(prompt);
    }

    PieceTokenizer tokenizer;
    ScriptedModel script;
    ScriptedBackend& device = script.backend;
    engine::PromptCache cache{script.device};
    engine::RateMeter rate;
    std::atomic<bool> cancel{false};
    engine::ModelInfo info;
    engine::PowerReading power{};
    engine::Scarcity scarcity{[this] { return power; }};
    engine::GenerateOptions options;
    engine::AnswerReading reading;
    std::vector<engine::TokenId> said;
    size_t promptTokens = 0;
};

} // namespace coterie::test
