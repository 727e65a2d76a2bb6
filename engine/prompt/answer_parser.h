// SPDX-License-Identifier: Apache-2.0
// What a model's answer is made of: text for the user, thoughts, tool calls. A streaming parser of the forms that
// models write them in. Knows nothing of tokens or templates: which forms to look for is told.
//
//     AnswerParser parser({.toolTags = true});
//     for (const AnswerEvent& event : parser.push("<think>hm</think>Hello")) ...
//     for (const AnswerEvent& event : parser.finish()) ...
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// One call of a tool, as the model asks for it.
struct ToolCall {
    std::string name;      ///< empty where code is more than calls of tools
    std::string arguments; ///< a JSON object as text, with its members in the order written; "{}" where there are none
    std::string code;      ///< Python form: the source, without the tags around it

    bool operator==(const ToolCall&) const = default;
};

enum class AnswerPart { Text, Thought, ToolCall };

struct AnswerEvent {
    AnswerPart part = AnswerPart::Text;
    std::string
        text;      ///< Text, Thought: the next piece of it, never empty. ToolCall: what the model wrote, tags included
    ToolCall call; ///< of a ToolCall

    bool operator==(const AnswerEvent&) const = default;
};

/// The forms that an answer may use. Thoughts in <think> tags are always looked for.
struct AnswerForms {
    bool startsInThought = false; ///< the prompt has opened a thought already
    bool toolTags = false;        ///< <tool_call>{"name": ..., "arguments": {...}}</tool_call>: Hermes, Qwen, SmolLM3's
                                  ///< xml_tools; also Qwen3-Coder's <function=name><parameter=key>
    bool pythonTags = false;      ///< <code>get_time()</code>: SmolLM3's python_tools
    bool bareJson = false;        ///< the whole answer is {"name": ..., "parameters": {...}}: Llama 3, also after
                                  ///< <|python_tag|>
    bool channels = false;        ///< gpt-oss: <|channel|>analysis<|message|>...<|end|>
};

/// One answer. Not thread-safe. What comes out does not depend on how the text was cut into pieces, but for where
/// pieces of Text and Thought are cut. What looks like a tool call and is none (bad JSON, no end) comes out as Text,
/// word for word: nothing is lost.
class AnswerParser {
  public:
    explicit AnswerParser(const AnswerForms& forms);
    ~AnswerParser();
    AnswerParser(AnswerParser&&) noexcept;
    AnswerParser& operator=(AnswerParser&&) noexcept;

    /// text: whole UTF-8 characters; markers are spelled as the vocabulary spells them ("<|channel|>").
    std::vector<AnswerEvent> push(std::string_view text);
    /// The answer is over: what was held back comes out.
    std::vector<AnswerEvent> finish();
    /// Whether this text, where it is a control token of the vocabulary, must be pushed; all other control tokens stand
    /// for nothing.
    bool wantsMarker(std::string_view text) const;

  private:
    class State;
    std::unique_ptr<State> state_;
};

} // namespace coterie::engine
