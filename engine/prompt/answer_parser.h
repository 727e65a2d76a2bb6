// SPDX-License-Identifier: Apache-2.0
// Cuts a model's answer into parts while it is written: text for the user, thoughts, tool calls. The caller says which
// forms to look for and which tools were offered; the parser knows nothing of tokens or templates.
//
//     AnswerParser parser({.calls = kMarkedCalls, .tools = offered});
//     for (const AnswerEvent& event : parser.push("<think>hm</think>Hello")) addTo(parts, event);
//     for (const AnswerEvent& event : parser.finish()) addTo(parts, event);
#pragma once

#include "prompt/answer_forms.h"
#include "prompt/parts.h"
#include "prompt/prompt_text.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// A piece of a part of the answer: of a text or a thought, or a whole tool call. Or the news that the answer up to
/// here was a thought.
struct AnswerEvent {
    PartKind kind = PartKind::Text; ///< never ToolResult: a model does not write those
    size_t part = 0;                ///< index of the part that it belongs to; rises by one when a new part begins
    std::string text{}; ///< the next words of a Text or Thought, never empty; all words of a ToolCall (Part::text)
    ToolCall call{};    ///< the call of a ToolCall
    size_t source = 0;  ///< bytes that were pushed before the first byte of `text`; a part's events follow each other
    /// A thought ended whose beginning nobody marked: all parts so far are thoughts, with the words that they have.
    /// `part` is the first that was not one, and `text` is empty.
    bool makesThoughts = false;

    bool operator==(const AnswerEvent&) const = default;
};

/// The words around a thought.
struct ThoughtMarkers {
    ThoughtForm form;
    std::string_view begin, end;

    /// The token with which the beginning begins: Gemma 4's is a token and a word.
    std::string_view token() const { return begin.substr(0, begin.find_first_of(">]") + 1); }
};
std::span<const ThoughtMarkers> thoughtMarkers();

/// Adds an event to the parts of its answer. Events must come in the parser's order.
void addTo(std::vector<Part>& parts, const AnswerEvent& event);

/// The words of a tool call (Part::text) for the next prompt: the markers around the call are own text.
PromptText wordsOfCall(std::string_view words);

/// Parses one answer. Not thread-safe. The parts do not depend on how the text was cut into pieces; only the borders
/// between the events of one text or thought do.
///
/// - A call names an offered tool and has arguments, or it is a program, in a form that is only looked for if the model
///   was offered Python. Text that looks like a call and is none comes out as Text, word for word: nothing is lost.
/// - A thought begins with its marker at the start of a line, or with the answer if its end marker alone comes. There
///   may be several.
/// - Markers within a thought, or within a fenced block of Markdown, are text.
class AnswerParser {
  public:
    explicit AnswerParser(const AnswerForms& forms);
    ~AnswerParser();
    AnswerParser(AnswerParser&&) noexcept;
    AnswerParser& operator=(AnswerParser&&) noexcept;

    /// text: whole UTF-8 characters; markers are spelled as the vocabulary spells them ("<|channel|>").
    std::vector<AnswerEvent> push(std::string_view text);
    /// Ends the answer: text that was held back comes out. cut: somebody else than the model ended it, so a call that
    /// lacks its end is text, however little is missing.
    std::vector<AnswerEvent> finish(bool cut = false);
    /// All pushed bytes before this one have come out in an event or never will.
    size_t settled() const;
    /// Whether a control token with this text must be pushed. All other control tokens stand for nothing.
    bool wantsMarker(std::string_view text) const;

  private:
    class State;
    std::unique_ptr<State> state_;
};

} // namespace coterie::engine
