// SPDX-License-Identifier: Apache-2.0
// Chat templates: a sandboxed subset of Jinja2, as published models use it. Templates are programs from strangers:
// their depth, steps and output are limited, and they reach nothing but the context.
//
//     Result<ChatTemplate> t = ChatTemplate::parse(source);
//     Result<PromptText> prompt = t->render({{"messages", ...}, {"add_generation_prompt", true}}, {});
#pragma once

#include "base/result.h"
#include "prompt/prompt_text.h"

#include <cstdint>
#include <ctime>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// Limits of one rendering. A rendering that reaches one ends with a BadInput error that names it.
struct TemplateLimits {
    uint64_t steps = 5'000'000;
    uint32_t depth = 128;            ///< nesting of expressions, blocks and macro calls
    uint64_t outputBytes = 16 << 20; ///< limit of the text, and of each string or list on the way
};

/// Input of a rendering besides the context.
struct TemplateInput {
    std::optional<std::tm> now{}; ///< the time that strftime_now() returns; nothing: the system's local time
    /// For each message, the ranges of its `content`, or of the text of the content's only part, that are own text:
    /// markers of tool calls that the caller spelled. Shorter than the messages: the others have none.
    std::vector<std::vector<ByteRange>> ownContent{};
};

/// Immutable after parse(): any thread may render.
class ChatTemplate {
  public:
    /// Returns BadInput with the line of the mistake.
    static Result<ChatTemplate> parse(std::string_view source, const TemplateLimits& limits = {});
    /// `context` is an object: its members are the template's variables. Texts of the context are foreign in the
    /// result, whatever the template does with them, except for bos_token, eos_token, the roles of messages and the
    /// ranges that `input` names. Returns BadInput if the template itself raises an exception (its words are in `why`)
    /// or a limit is reached.
    Result<PromptText> render(const nlohmann::ordered_json& context, const TemplateInput& input) const;

    struct Program;

  private:
    ChatTemplate() = default;

    std::shared_ptr<const Program> program_;
    TemplateLimits limits_;
};

} // namespace coterie::engine
