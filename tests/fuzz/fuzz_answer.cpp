// SPDX-License-Identifier: Apache-2.0
// A model's answer in any bytes, with any tools: the first byte chooses the forms to look for, the second how the text
// is cut; a JSON list of tools may follow, up to a zero byte. What comes out must not depend on the cuts, every byte of
// it must be the answer's, and a call must name an offered tool and have arguments of the types that its schema says.
#include "prompt/answer_parser.h"
#include "prompt/json_text.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

using namespace coterie::engine;

namespace {

AnswerForms formsOf(uint8_t bits) {
    AnswerForms forms{.startsInThought = (bits & 1) != 0};
    if ((bits & 2) != 0) forms.calls.add(kMarkedCalls);
    if ((bits & 4) != 0) forms.calls.add(CallForm::PythonCode);
    if ((bits & 8) != 0) forms.calls.add(CallForm::BareJson);
    if ((bits & 64) != 0) forms.calls.add(CallForm::PythonTag);
    if ((bits & 16) != 0) forms.calls.add(CallForm::GptOssChannels);
    if ((bits & 32) != 0)
        forms.thoughts.add({ThoughtForm::SeedThink, ThoughtForm::BracketThink, ThoughtForm::GemmaChannel});
    return forms;
}

void require(bool holds) {
    if (!holds) std::abort();
}

void add(std::vector<AnswerEvent>& to, std::vector<AnswerEvent> events) {
    for (AnswerEvent& event : events) {
        const bool joins = !to.empty() && to.back().part == event.part && !event.makesThoughts;
        if (joins)
            to.back().text += event.text;
        else
            to.push_back(std::move(event));
    }
}

std::vector<AnswerEvent> parsed(const AnswerForms& forms, std::string_view text, size_t step) {
    AnswerParser parser(forms);
    std::vector<AnswerEvent> events;
    for (size_t at = 0; at < text.size(); at += step) add(events, parser.push(text.substr(at, step)));
    add(events, parser.finish());
    require(parser.settled() <= text.size());
    return events;
}

void checkCall(const AnswerEvent& event, const AnswerForms& forms) {
    const bool code = event.call.name.empty() && !event.call.code.empty();
    require(!code || forms.calls.hasAnyOf({CallForm::PythonCode, CallForm::PythonTag}));
    require(code || !forms.tools || forms.tools->has(event.call.name));
    const std::optional<JsonText> arguments = readJson(event.call.arguments);
    require(arguments && arguments->is(JsonText::Kind::Object));
    require(writeJson(*arguments) == event.call.arguments);
    const bool mayBeLarge = event.call.arguments.find_first_of("eE") != std::string::npos; // 1e999 is no double
    require(mayBeLarge || nlohmann::json::accept(event.call.arguments));
    if (!forms.tools) return;
    JsonText again = *arguments;
    forms.tools->fit(event.call.name, again);
    require(again == *arguments);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2) return 0;
    AnswerForms forms = formsOf(data[0]);
    std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
    if (const size_t zero = text.find('\0'); zero != text.npos) {
        const auto tools = std::make_shared<OfferedTools>();
        tools->add(text.substr(0, zero));
        forms.tools = tools;
        text.remove_prefix(zero + 1);
    }
    const std::vector<AnswerEvent> whole = parsed(forms, text, text.size() + 1);
    require(whole == parsed(forms, text, size_t{1} + data[1] % 16));
    size_t end = 0;
    for (const AnswerEvent& event : whole) {
        if (event.kind == PartKind::ToolCall) checkCall(event, forms);
        if (event.text.empty()) continue; // another call in the same markers
        require(event.source >= end && text.substr(event.source, event.text.size()) == event.text);
        end = event.source + event.text.size();
    }
    return 0;
}
