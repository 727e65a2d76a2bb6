// SPDX-License-Identifier: Apache-2.0
// How a conversation becomes the text that a model reads: its own template, ChatML where the vocabulary knows it, or
// the plain text.
#pragma once

#include "prompt/chat_template.h"
#include "prompt/tokenizer.h"
#include "session/session.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coterie::engine {

/// Immutable after choose(): any thread may render.
class PromptFormat {
  public:
    /// A template that does not parse is passed over. What was chosen, and why, is added to `notes` unless it is the
    /// file's template.
    static PromptFormat choose(const gguf::Header& header, const Tokenizer& tokenizer, std::vector<std::string>& notes);

    /// BadInput where the template refuses.
    Result<std::string> render(std::span<const Message> conversation, std::optional<bool> thinking) const;
    /// Turns are marked by control tokens, so the text is to be read with them, and an answer starts afresh.
    bool marksTurns() const { return kind_ != Kind::Plain; }
    bool fromFile() const { return kind_ == Kind::Template; }

  private:
    enum class Kind { Template, ChatMl, Plain };
    Result<std::string> renderTemplate(std::span<const Message> conversation, std::optional<bool> thinking) const;

    Kind kind_ = Kind::Plain;
    std::optional<ChatTemplate> template_;
    std::string beginning_, end_; ///< bos_token and eos_token, as the vocabulary writes them
};

} // namespace coterie::engine
