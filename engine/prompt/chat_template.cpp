// SPDX-License-Identifier: Apache-2.0
// The border of the template engine. Failures are thrown inside it, and this file turns them into values.
#include "prompt/chat_template.h"

#include "prompt/jinja/interpreter.h"
#include "prompt/jinja/parser.h"
#include "prompt/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <new>

namespace coterie::engine {

struct ChatTemplate::Program {
    jinja::Program parsed;
};

namespace {

/// The longest published templates have some 30 kB.
constexpr size_t kMostSourceBytes = 1 << 20;

/// Bytes of a message that people read: a template may raise megabytes.
constexpr size_t kMostMessageBytes = 1000;

/// The failure's own words, as those of any compiler, are for the template's author and stay English.
Error errorOf(const jinja::Failure& failure) {
    const std::string message = cutText(failure.message, kMostMessageBytes);
    const Sentence place("%1 in line %2", message, failure.line);
    switch (failure.kind) {
    case jinja::Failure::Kind::Syntax:
        return {ErrorKind::BadInput, "The chat template cannot be read", place,
                "Choose another template or model file"};
    case jinja::Failure::Kind::Raised:
        return {ErrorKind::BadInput,
                "The chat template refuses this conversation",
                {"%1", message},
                "Change the conversation, for example its system message, or choose another template"};
    case jinja::Failure::Kind::Limit:
        return {ErrorKind::BadInput,
                "The chat template was stopped",
                {"It reached a limit in line %1: %2", failure.line, message},
                "Choose another template, because this one never ends or asks for too much"};
    case jinja::Failure::Kind::Running:
        break;
    }
    return {ErrorKind::BadInput, "The chat template failed", place, "Choose another template or model file"};
}

Error outOfMemory() {
    return {ErrorKind::OutOfMemory, "The chat template could not be used", "The system has no memory left",
            "Close other programs and try again"};
}

std::tm localTime() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
#ifdef _WIN32
    localtime_s(&parts, &now);
#else
    localtime_r(&now, &parts);
#endif
    return parts;
}

PromptText promptOf(const jinja::SourcedText& rendered) {
    PromptText prompt;
    const std::string_view bytes = rendered.bytes, sources = rendered.sources;
    if (sources.empty()) prompt.addOwn(bytes);
    for (size_t begin = 0, end = 0; begin < sources.size(); begin = end) {
        end = std::min(sources.find_first_not_of(sources[begin], begin), sources.size());
        const std::string_view piece = bytes.substr(begin, end - begin);
        sources[begin] == jinja::kOwn ? prompt.addOwn(piece) : prompt.addForeign(piece);
    }
    return prompt;
}

} // namespace

Result<ChatTemplate> ChatTemplate::parse(std::string_view source, const TemplateLimits& limits) {
    jinja::Meter meter(limits);
    try {
        if (source.size() > kMostSourceBytes)
            meter.fail("a template of more than " + std::to_string(kMostSourceBytes) + " bytes",
                       jinja::Failure::Kind::Limit);
        ChatTemplate made;
        made.program_ = std::make_shared<const Program>(Program{jinja::parseTemplate(meter, source)});
        made.limits_ = limits;
        return made;
    } catch (const jinja::Failure& failure) {
        return errorOf(failure);
    } catch (const std::bad_alloc&) {
        return outOfMemory();
    }
}

Result<PromptText> ChatTemplate::render(const nlohmann::ordered_json& context, const TemplateInput& input) const {
    try {
        jinja::Runtime runtime(limits_);
        runtime.now = input.now ? *input.now : localTime();
        return promptOf(jinja::Interpreter(program_->parsed, runtime).render(context, input.ownContent));
    } catch (const jinja::Failure& failure) {
        return errorOf(failure);
    } catch (const std::bad_alloc&) {
        return outOfMemory();
    }
}

} // namespace coterie::engine
