// SPDX-License-Identifier: Apache-2.0
// A session that passes every call on to another one. Tests override the calls that they watch or delay.
#pragma once

#include "session/session.h"

#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace coterie::test {

class ForwardingSession : public engine::Session {
  public:
    explicit ForwardingSession(std::unique_ptr<engine::Session> inner) : inner_(std::move(inner)) {}

    const engine::ModelInfo& info() const override { return inner_->info(); }
    const engine::Tokenizer& tokenizer() const override { return inner_->tokenizer(); }
    engine::Result<engine::Generated> chat(std::span<const engine::Message> conversation,
                                           const engine::GenerateOptions& options,
                                           const engine::DeltaCallback& onDelta) override {
        return inner_->chat(conversation, options, onDelta);
    }
    engine::Result<engine::Generated> complete(std::string_view text, const engine::GenerateOptions& options,
                                               const engine::DeltaCallback& onDelta) override {
        return inner_->complete(text, options, onDelta);
    }
    engine::Result<engine::Generated> completeTokens(std::span<const engine::TokenId> prompt,
                                                     const engine::GenerateOptions& options,
                                                     const engine::DeltaCallback& onDelta) override {
        return inner_->completeTokens(prompt, options, onDelta);
    }
    engine::Result<std::vector<engine::TokenId>> promptTokens(std::span<const engine::Message> conversation,
                                                              const engine::GenerateOptions& options) const override {
        return inner_->promptTokens(conversation, options);
    }
    engine::Result<std::vector<engine::TokenId>> textTokens(std::string_view text,
                                                            const engine::GenerateOptions& options) const override {
        return inner_->textTokens(text, options);
    }
    engine::Status logits(std::span<const engine::TokenId> tokens,
                          const std::function<void(int64_t, std::span<const float>)>& onLogits,
                          const std::atomic<bool>* cancel) override {
        return inner_->logits(tokens, onLogits, cancel);
    }
    engine::Telemetry telemetry() const override { return inner_->telemetry(); }
    void expertStates(std::span<uint8_t> states) const override { inner_->expertStates(states); }

  private:
    std::unique_ptr<engine::Session> inner_;
};

} // namespace coterie::test
