// SPDX-License-Identifier: Apache-2.0
// A model's answer in any bytes: the first byte chooses the forms to look for, the second how the text is cut. What
// comes out must not depend on the cuts, and a call's arguments must be an object.
#include "prompt/answer_parser.h"
#include "prompt/tool_calls.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace coterie::engine;

namespace {

AnswerForms formsOf(uint8_t bits) {
    return {.startsInThought = (bits & 1) != 0,
            .toolTags = (bits & 2) != 0,
            .pythonTags = (bits & 4) != 0,
            .bareJson = (bits & 8) != 0,
            .channels = (bits & 16) != 0};
}

void require(bool holds) {
    if (!holds) std::abort();
}

void add(std::vector<AnswerEvent>& to, std::vector<AnswerEvent> events) {
    for (AnswerEvent& event : events) {
        const bool joins = !to.empty() && to.back().part == event.part;
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
    return events;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2) return 0;
    const AnswerForms forms = formsOf(data[0]);
    const std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
    const std::vector<AnswerEvent> whole = parsed(forms, text, text.size() + 1);
    require(whole == parsed(forms, text, size_t{1} + data[1] % 16));
    size_t bytes = 0;
    for (const AnswerEvent& event : whole) {
        bytes += event.text.size();
        if (event.kind == PartKind::ToolCall) require(jsonObject(event.call.arguments).has_value());
    }
    require(bytes <= text.size());
    return 0;
}
