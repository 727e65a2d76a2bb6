// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any bytes as a chat template, rendered over a small conversation. Limits are low, so that slow
// inputs stand out.
#include "prompt/chat_template.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace coterie::engine;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const nlohmann::ordered_json context = {
        {"messages", {{{"role", "user"}, {"content", "Hi \xc3\xa9"}}, {{"role", "assistant"}, {"content", nullptr}}}},
        {"add_generation_prompt", true},
        {"x", 5},
        {"d", {{"k", 1.5}, {"items", false}}},
    };
    constexpr TemplateLimits kLimits{.steps = 50'000, .outputBytes = 1 << 20};
    const auto parsed = ChatTemplate::parse({reinterpret_cast<const char*>(data), size}, kLimits);
    if (!parsed) return 0;
    const auto prompt = parsed->render(context, {std::tm{}});
    if (prompt && prompt->text.size() > kLimits.outputBytes) std::abort();
    return 0;
}
