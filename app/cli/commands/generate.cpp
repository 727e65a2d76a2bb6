// SPDX-License-Identifier: Apache-2.0
// generate: writes a prompt's continuation, and nothing else, to stdout while it is generated.
#include "cli/commands/commands.h"
#include "cli/delta_writer.h"
#include "cli/format.h"
#include "cli/interrupt.h"

#include <nlohmann/json.hpp>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

struct GenerateCommand {
    CommonOptions common;
    GenerateOptions generate;
    std::string prompt, system;
    bool raw = false;
};

void describe(CLI::App& command, GenerateCommand& options) {
    addModelOptions(command, options.common);
    command.add_option("--prompt", options.prompt, "What to continue or to answer")->required();
    command.add_flag("--raw", options.raw, "Continue the text as it stands, without the chat template");
    command.add_flag("--special", options.generate.special,
                     "With --raw: control tokens such as <|im_end|> in the text count as such");
    command.add_option("--system", options.system, "A text that the model reads before the conversation");
    addGenerateOptions(command, options.generate);
}

constexpr const char* kReasons[] = {"end", "stop", "max_tokens", "context_full", "cancelled"}; // by FinishReason

ordered_json resultJson(const Generated& result) {
    const GenerationStatistics& s = result.statistics;
    ordered_json calls = ordered_json::array();
    for (const ToolCall& call : result.toolCalls()) calls.push_back(callJson(call));
    return {{"text", result.text()},
            {"thought", result.thought()},
            {"tool_calls", calls},
            {"finish", kReasons[static_cast<size_t>(result.reason)]},
            {"seed", s.seed},
            {"prompt_tokens", s.promptTokens},
            {"generated", s.generated},
            {"first_token_s", rounded(s.firstTokenSeconds)},
            {"decode_tps", rounded(s.decodeRate())},
            {"exact", s.exactness != Exactness::Approximate},
            {"same_bits", s.exactness == Exactness::SameBits},
            {"choices_changed", rounded(s.changedShare())}};
}

Result<Generated> answer(Session& session, const GenerateCommand& options, const DeltaCallback& onDelta) {
    if (options.raw) return session.complete(options.prompt, options.generate, onDelta);
    std::vector<Message> conversation;
    if (!options.system.empty()) conversation.push_back(Message::text(Role::System, options.system));
    conversation.push_back(Message::text(Role::User, options.prompt));
    return session.chat(conversation, options.generate, onDelta);
}

Status run(GenerateCommand& options) {
    if (Status status = checkSamplingOptions(options.generate.sampling); !status) return status;
    Result<std::unique_ptr<Session>> session = openModel(options.common);
    if (!session) return session.error();
    CancelOnInterrupt interrupt;
    options.generate.cancel = interrupt.flag();
    DeltaWriter writer(interrupt, false);
    const Result<Generated> result =
        answer(*session.value(), options, options.common.json ? DeltaCallback() : std::ref(writer));
    if (!writer.status()) return writer.status();
    if (!result) return result.error();
    writeNotes(result->notes);
    if (result->reason == FinishReason::Cancelled) return stoppedError();
    return options.common.json ? writeOut(jsonText(resultJson(result.value()))) : Status();
}

} // namespace

void addGenerate(CLI::App& app, Command& chosen) {
    addCommand<GenerateCommand>(app, chosen, "generate", "A prompt's continuation", describe, run);
}

} // namespace coterie::app
