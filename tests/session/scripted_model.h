// SPDX-License-Identifier: Apache-2.0
// A device that says what a test tells it to, and a vocabulary of given pieces: for tests of one answer without any
// arithmetic.
#pragma once

#include "decoder/device.h"
#include "prompt/tokenizer.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace coterie::test {

/// Ids are places in `pieces`; the last one ends an answer and has no text. Pieces like "<|this|>" are control tokens.
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
        return token == ends_.front() || pieces_.at(static_cast<size_t>(token)).starts_with("<|");
    }
    std::optional<engine::TokenId> find(std::string_view) const override { return std::nullopt; }
    std::string tokenText(engine::TokenId token) const override { return pieces_.at(static_cast<size_t>(token)); }
    uint64_t memoryBytes() const override { return 0; }

  private:
    std::vector<std::string> pieces_;
    std::vector<engine::TokenId> ends_;
};

/// Keeps the tokens it was given; after the last of a request, `logits` says what comes next.
class ScriptedDevice final : public engine::Device {
  public:
    std::vector<engine::TokenId> held;                                             ///< the KV cache
    std::function<std::vector<float>(const std::vector<engine::TokenId>&)> logits; ///< for the tokens that are held
    std::function<engine::Status(const std::vector<engine::TokenId>&)> beforeEach; ///< may fail before a token
    int64_t chunk = 4;        ///< a cancelled request keeps whole chunks
    int64_t rewindKeeps = -1; ///< at most so many tokens survive a rewind; -1: as asked
    int64_t forwardedTokens = 0;
    int64_t approximateTokens = 0;                      ///< tokens of requests that did not ask for exact routing
    bool findsOthers = true;                            ///< such routing changes one of each token's two choices
    std::vector<engine::ApproximateRouting> routings{}; ///< one for each request

    std::string name() const override { return "scripted"; }
    engine::Status prepare(const engine::ModelShape&, const engine::MemoryPlan&) override { return {}; }
    engine::Status upload(const engine::ModelFile&, const std::function<bool(uint64_t, uint64_t)>&) override {
        return {};
    }
    engine::Status forward(const engine::ForwardRequest& request) override {
        const size_t before = held.size();
        routings.push_back(request.routing);
        for (size_t i = 0; i < request.tokens.size(); ++i) {
            engine::Status status = beforeEach ? beforeEach(held) : engine::Status();
            if (status && request.cancel && request.cancel->load())
                status = engine::Error{engine::ErrorKind::Cancelled, "Cancelled", "Asked to", "Nothing"};
            if (!status) {
                const size_t whole = i / static_cast<size_t>(chunk) * static_cast<size_t>(chunk);
                held.resize(before + whole);
                return status;
            }
            held.push_back(request.tokens[i]);
            ++forwardedTokens;
            approximateTokens += !request.routing.exact();
            if (request.onProgress) request.onProgress(static_cast<int64_t>(i) + 1);
        }
        if (request.onLogits) request.onLogits(static_cast<int64_t>(request.tokens.size()) - 1, logits(held));
        return {};
    }
    int64_t position() const override { return static_cast<int64_t>(held.size()); }
    int64_t rewind(int64_t position) override {
        int64_t kept = std::min<int64_t>(position, static_cast<int64_t>(held.size()));
        if (rewindKeeps >= 0) kept = std::min(kept, rewindKeeps);
        held.resize(static_cast<size_t>(kept));
        return kept;
    }
    void limitSlots(uint64_t) override {}
    void rest() override {}
    engine::DeviceTelemetry telemetry() const override {
        engine::DeviceTelemetry t;
        t.position = position();
        t.weightBytesRead = static_cast<uint64_t>(forwardedTokens) * 100;
        t.experts.hits = static_cast<uint64_t>(forwardedTokens) * 5;
        t.experts.misses = static_cast<uint64_t>(forwardedTokens);
        t.experts.prefetchedUsed = static_cast<uint64_t>(forwardedTokens) * 2; // a part of the hits
        t.choices = static_cast<uint64_t>(forwardedTokens) * 2;
        if (findsOthers) t.choicesChanged = static_cast<uint64_t>(approximateTokens);
        return t;
    }
};

/// Logits that make `token` win.
inline std::vector<float> only(engine::TokenId token, size_t vocabulary) {
    std::vector<float> logits(vocabulary, 0.0f);
    logits.at(static_cast<size_t>(token)) = 10.0f;
    return logits;
}

} // namespace coterie::test
