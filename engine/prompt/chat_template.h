// SPDX-License-Identifier: Apache-2.0
// Chat templates: a sandboxed subset of Jinja2, as published models use it. Templates are programs from strangers:
// depth, steps and output are limited, nothing but the context can be reached.
//
//     Result<ChatTemplate> t = ChatTemplate::parse(source);
//     Result<std::string> prompt = t->render({{"messages", ...}, {"add_generation_prompt", true}}, {});
#pragma once

#include "base/result.h"

#include <cstdint>
#include <ctime>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace coterie::engine {

/// What a rendering may use up before it ends in a BadInput error that names the limit.
struct TemplateLimits {
    uint64_t steps = 5'000'000;
    uint32_t depth = 128;            ///< nesting of expressions, blocks and macro calls
    uint64_t outputBytes = 16 << 20; ///< text written, and any one string or list made on the way
};

/// Wall-clock time as strftime_now() sees it.
struct TemplateClock {
    std::optional<std::tm> now; ///< nothing: the system's local time
};

/// Immutable after parse(): any thread may render.
class ChatTemplate {
  public:
    /// BadInput with the line of the mistake.
    static Result<ChatTemplate> parse(std::string_view source, const TemplateLimits& limits = {});
    /// `context` is an object: its members are the template's variables. BadInput where the template itself raises an
    /// exception (its words are in `why`) or a limit is reached.
    Result<std::string> render(const nlohmann::ordered_json& context, const TemplateClock& clock) const;

    struct Program;

  private:
    ChatTemplate() = default;

    std::shared_ptr<const Program> program_;
    TemplateLimits limits_;
};

} // namespace coterie::engine
