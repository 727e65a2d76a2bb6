// SPDX-License-Identifier: Apache-2.0
// Turns a conversation into the text that a model reads: by its own template, by ChatML if the vocabulary has its
// control tokens, or as plain text.
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
    /// A template that does not parse is not used. Adds to `notes` what was chosen and why, unless it is the file's
    /// template.
    static PromptFormat choose(const gguf::Header& header, const Tokenizer& tokenizer, std::vector<Sentence>& notes);

    /// Returns the prompt, in which everything that a person, a tool or the model wrote is foreign text. BadInput if
    /// the template refuses the conversation, or if an option is not the JSON that it should be.
    Result<PromptText> render(std::span<const Message> conversation, const PromptOptions& options) const;
    /// Returns the forms that an answer to this prompt may use. They include calls if tools were offered or called
    /// before.
    AnswerForms answerForms(std::span<const Message> conversation, const PromptOptions& options,
                            std::string_view prompt) const;
    Turns turns() const { return turns_; }
    /// Whether PromptOptions::thinking changes the prompt.
    bool canThink() const { return knows("enable_thinking") || knows("/no_think"); }

  private:
    Result<PromptText> renderTemplate(std::span<const Message> conversation, const PromptOptions& options) const;
    /// Whether the template's source has this word.
    bool knows(std::string_view word) const { return source_.find(word) != source_.npos; }

    Turns turns_ = Turns::Plain;
    std::optional<ChatTemplate> template_;
    std::string source_;          ///< the template's
    bool hasChannels_ = false;    ///< the vocabulary has the control tokens of gpt-oss's channels
    std::string beginning_, end_; ///< bos_token and eos_token, as the vocabulary writes them
};

} // namespace coterie::engine
