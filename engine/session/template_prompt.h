// SPDX-License-Identifier: Apache-2.0
// A chat template with the findings of a probe: the form in which it takes messages, and what it leaves out. It turns a
// conversation into a prompt. Which template of a file is used is chosen by prompt_format.h.
//
//     Result<TemplatePrompt> made = TemplatePrompt::probe(source, {.end = "<|im_end|>"});
//     Result<PromptText> prompt = made->render(conversation, options);
#pragma once

#include "prompt/chat_template.h"
#include "session/session.h"
#include "session/turns.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace coterie::engine {

/// bos_token and eos_token, as the vocabulary writes them.
struct TemplateTokens {
    std::string beginning{}, end{};
};

/// The abilities of a template. Each one was tried with marked words that either stand in the prompt or don't.
struct TemplateAbilities {
    bool question = false;         ///< a question stands in the prompt
    ContentForms forms{};          ///< the form that shows the words of each role
    bool system = false;           ///< a system message stands there too
    bool systemWithTools = false;  ///< also while tools are offered
    bool tools = false;            ///< an offered tool stands there
    bool pythonTools = false;      ///< but only as one of python_tools: the model calls it in Python's form
    bool toolsAsXmlTools = false;  ///< only under SmolLM3's name, xml_tools
    bool thoughts = false;         ///< thoughts of earlier answers stand there
    bool resultsWithCalls = false; ///< tool results are wanted beside the calls, in tool_responses
};

/// Whether PromptOptions offers tools under any of their names.
bool offersTools(const PromptOptions& options);

/// Immutable: any thread may render.
class TemplatePrompt {
  public:
    /// Parses the template and renders marked conversations with it. BadInput if it does not parse, or if it fails with
    /// every one of them; a template that renders and shows nothing has no ability. needsTools: the template is for
    /// conversations with tools alone.
    static Result<TemplatePrompt> probe(std::string_view source, TemplateTokens tokens,
                                        const TemplateLimits& limits = {}, bool needsTools = false);

    /// Returns the prompt, in which everything that a person, a tool or the model wrote is foreign text. A system
    /// message that the template has no place for, or refuses, joins the first question. BadInput if the template
    /// refuses the conversation, or if an option is not the JSON that it should be.
    Result<PromptText> render(std::span<const Message> conversation, const PromptOptions& options) const;
    const TemplateAbilities& abilities() const { return abilities_; }
    /// Whether the template's source has this word.
    bool knows(std::string_view word) const { return source_.find(word) != source_.npos; }

  private:
    TemplatePrompt(ChatTemplate parsed, std::string_view source, TemplateTokens tokens)
        : template_(std::move(parsed)), source_(source), tokens_(std::move(tokens)) {}
    Result<PromptText> renderAs(const ContentForms& forms, std::span<const Message> messages,
                                const PromptOptions& options) const;
    std::optional<Error> findQuestion(const PromptOptions& options);
    void findAbilities();

    ChatTemplate template_;
    std::string source_;
    TemplateTokens tokens_;
    TemplateAbilities abilities_;
};

} // namespace coterie::engine
