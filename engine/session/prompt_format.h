// SPDX-License-Identifier: Apache-2.0
// How a conversation becomes the text that a model reads: its own template, ChatML where the vocabulary knows it, or
// the plain text.
#pragma once

#include "prompt/answer_parser.h"
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
    static PromptFormat choose(const gguf::Header& header, const Tokenizer& tokenizer, std::vector<Sentence>& notes);

    /// BadInput where the template refuses, or an option is not the JSON it should be.
    Result<std::string> render(std::span<const Message> conversation, const PromptOptions& options) const;
    /// What an answer to this prompt may be made of. Calls are looked for where tools were offered or called before.
    AnswerForms answerForms(std::span<const Message> conversation, const PromptOptions& options,
                            std::string_view prompt) const;
    /// Turns are marked by control tokens, so the text is to be read with them, and an answer starts afresh.
    bool marksTurns() const { return kind_ != Kind::Plain; }
    bool fromFile() const { return kind_ == Kind::Template; }
    /// PromptOptions::thinking changes the prompt.
    bool canThink() const { return knows("enable_thinking") || knows("/no_think"); }

  private:
    enum class Kind { Template, ChatMl, Plain };
    Result<std::string> renderTemplate(std::span<const Message> conversation, const PromptOptions& options) const;
    /// The template's source says this word.
    bool knows(std::string_view word) const { return source_.find(word) != source_.npos; }

    Kind kind_ = Kind::Plain;
    std::optional<ChatTemplate> template_;
    std::string source_;          ///< the template's
    bool hasChannels_ = false;    ///< the vocabulary marks channels, as gpt-oss's does
    std::string beginning_, end_; ///< bos_token and eos_token, as the vocabulary writes them
};

} // namespace coterie::engine
