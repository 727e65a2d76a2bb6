// SPDX-License-Identifier: Apache-2.0
// Turns a conversation into the text that a model reads: by its own template, by ChatML if the vocabulary has its
// control tokens, or as plain text.
#pragma once

#include "prompt/answer_parser.h"
#include "prompt/tokenizer.h"
#include "session/session.h"
#include "session/template_prompt.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// Immutable after choose(): any thread may render.
class PromptFormat {
  public:
    /// A template that does not parse, or that shows no question, is not used. Adds to `notes` what is wrong with the
    /// vocabulary's metadata, what was chosen and why, unless it is the file's template, and what that template can't
    /// do. limits: those of each rendering.
    static PromptFormat choose(const gguf::Header& header, const Tokenizer& tokenizer, std::vector<Sentence>& notes,
                               const TemplateLimits& limits = {});

    /// Returns the prompt, in which everything that a person, a tool or the model wrote is foreign text. The last
    /// question stands in it. BadInput if the template refuses the conversation or leaves that question out, or if an
    /// option is not the JSON that it should be.
    Result<PromptText> render(std::span<const Message> conversation, const PromptOptions& options) const;
    /// Returns the forms that an answer to this prompt may use. They include calls if tools were offered or called
    /// before. If the template doesn't say how its model calls or thinks, the forms of the architecture's published
    /// files count whose markers are tokens of the vocabulary: no text spells those by chance. In plain turns only
    /// these count.
    AnswerForms answerForms(std::span<const Message> conversation, const PromptOptions& options,
                            std::string_view prompt) const;
    Turns turns() const { return turns_; }
    /// Whether tools that these options offer stand in the prompt.
    bool showsTools(const PromptOptions& options) const;
    /// Whether PromptOptions::thinking changes the prompt.
    bool canThink() const {
        return template_ && (template_->knows("enable_thinking") || template_->knows("/no_think"));
    }

  private:
    void readTemplates(const gguf::Header& header, const TemplateTokens& tokens, const TemplateLimits& limits,
                       std::optional<Sentence>& unusable, std::vector<Sentence>& notes);
    void chooseWithoutTemplate(bool namesChatMl, const std::optional<Sentence>& unusable, const Tokenizer& tokenizer,
                               std::vector<Sentence>& notes);
    void readHabits(const gguf::Header& header, const Tokenizer& tokenizer);
    /// Returns nullptr if a prompt with these options is made without a template.
    const TemplatePrompt* templateFor(const PromptOptions& options) const;

    Turns turns_ = Turns::Plain;
    std::optional<TemplatePrompt> template_;
    std::optional<TemplatePrompt> toolTemplate_; ///< used while tools are offered
    bool hasChannels_ = false;                   ///< the vocabulary has the control tokens of gpt-oss's channels
    FormSet<CallForm> familyCalls_;              ///< the forms of published files whose markers the vocabulary has
    FormSet<ThoughtForm> familyThoughts_;
};

} // namespace coterie::engine
