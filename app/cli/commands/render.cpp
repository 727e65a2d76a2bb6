// SPDX-License-Identifier: Apache-2.0
// render: writes the exact bytes that a chat template makes from a context.
#include "cli/commands/commands.h"
#include "cli/console.h"
#include "cli/format.h"
#include "prompt/chat_template.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <string_view>

namespace coterie::app {

using namespace engine;

namespace {

constexpr uint64_t kLargestTemplate = uint64_t(4) << 20, kLargestContext = uint64_t(64)
                                                                           << 20; // published templates have 20 KiB

struct RenderOptions {
    CommonOptions common;
    std::string templatePath, contextPath, now;
};

void describe(CLI::App& command, RenderOptions& options) {
    command.add_option("TEMPLATE", options.templatePath, "A chat template (Jinja)")->required();
    command.add_option("CONTEXT", options.contextPath, "A JSON object: the template's variables")->required();
    command.add_option("--now", options.now,
                       "The time that strftime_now() tells, such as 2026-01-15T09:30:00 (default: now)");
    addCommonOptions(command, options.common);
}

/// Returns the number in text[at, at + digits), which must be digits only.
int numberAt(const std::string& text, size_t at, size_t digits) {
    int number = 0;
    for (size_t i = at; i < at + digits && i < text.size(); ++i) number = number * 10 + (text[i] - '0');
    return number;
}

/// "2026-01-15T09:30:00", where the seconds or the whole time of day may be missing.
bool looksLikeTime(const std::string& text) {
    constexpr std::string_view kPattern = "0000-00-00T00:00:00";
    if (text.size() != 10 && text.size() != 16 && text.size() != 19) return false;
    for (size_t i = 0; i < text.size(); ++i)
        if (kPattern[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != kPattern[i]) return false;
    return true;
}

Result<TemplateInput> parseTime(const std::string& text) {
    const Error error{ErrorKind::BadInput,
                      {"The time %1 can't be used", text},
                      "It is not a date and a time of day",
                      "Write it as 2026-01-15T09:30:00"};
    if (!looksLikeTime(text)) return error;
    using namespace std::chrono;
    const year_month_day date{year(numberAt(text, 0, 4)), month(static_cast<unsigned>(numberAt(text, 5, 2))),
                              day(static_cast<unsigned>(numberAt(text, 8, 2)))};
    const int hour = numberAt(text, 11, 2), minute = numberAt(text, 14, 2), second = numberAt(text, 17, 2);
    if (!date.ok() || hour > 23 || minute > 59 || second > 60) return error; // 60: a leap second
    const sys_days days(date);
    std::tm tm{};
    tm.tm_year = static_cast<int>(date.year()) - 1900;
    tm.tm_mon = static_cast<int>(static_cast<unsigned>(date.month())) - 1;
    tm.tm_mday = static_cast<int>(static_cast<unsigned>(date.day()));
    tm.tm_hour = hour;
    tm.tm_min = minute;
    tm.tm_sec = second;
    tm.tm_wday = static_cast<int>(weekday(days).c_encoding());
    tm.tm_yday = static_cast<int>((days - sys_days(date.year() / 1 / 1)).count());
    return TemplateInput{.now = tm};
}

Status run(RenderOptions& options) {
    TemplateInput input;
    if (!options.now.empty()) {
        const Result<TemplateInput> parsed = parseTime(options.now);
        if (!parsed) return parsed.error();
        input = parsed.value();
    }
    const Result<std::string> source = readWholeFile(systemFiles(), options.templatePath, kLargestTemplate);
    if (!source) return source.error();
    const Result<nlohmann::ordered_json> context = readJsonFile(options.contextPath, kLargestContext);
    if (!context) return context.error();
    if (!context->is_object())
        return Error{ErrorKind::BadInput,
                     {"%1 can't be used", options.contextPath},
                     "It is JSON, but not an object",
                     "Write the template's variables as the members of one object"};
    const Result<ChatTemplate> parsed = ChatTemplate::parse(source.value());
    if (!parsed) return parsed.error();
    const Result<PromptText> prompt = parsed->render(context.value(), input);
    return prompt ? writeOut(prompt->text) : Status(prompt.error());
}

} // namespace

void addRender(CLI::App& app, Command& chosen) {
    addCommand<RenderOptions>(app, chosen, "render", "The text that a chat template makes of a context", describe, run);
}

} // namespace coterie::app
