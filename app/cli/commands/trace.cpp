// SPDX-License-Identifier: Apache-2.0
// trace: writes to a file which experts each token of a run used in each layer.
#include "base/files.h"
#include "cli/commands/commands.h"
#include "cli/interrupt.h"
#include "export/trace_text.h"
#include "records/trace_log.h"

#include <algorithm>

namespace coterie::app {

using namespace engine;

namespace {

constexpr int64_t kUsualTokens = 64; // a trace grows by hundreds of lines a token

struct TraceOptions {
    TraceOptions() { generate.maxTokens = kUsualTokens; }

    CommonOptions common;
    GenerateOptions generate;
    std::string prompt, outPath;
    bool raw = false;
};

void describe(CLI::App& command, TraceOptions& options) {
    addModelOptions(command, options.common);
    command.add_option("--prompt", options.prompt, "What to continue or to answer")->required();
    command.add_option("--out", options.outPath, "Where the trace goes: a file that ends in .csv or .json")->required();
    command.add_flag("--raw", options.raw, "Continue the text as it stands, without the chat template");
    addGenerateOptions(command, options.generate);
}

/// Creates a log with room for all tokens that the call can request.
Result<std::unique_ptr<TraceLog>> createLog(const ModelInfo& info, const TraceOptions& options, size_t promptTokens) {
    const int64_t context = info.memory.context;
    const int64_t prompt = std::min(static_cast<int64_t>(promptTokens), context), most = options.generate.maxTokens;
    const int64_t answer = most < 0 ? context - prompt : std::min(most, context - prompt);
    return TraceLog::create(traceShape(info), std::max<int64_t>(prompt + answer, 1));
}

Status run(TraceOptions& options) {
    const bool csv = options.outPath.ends_with(".csv");
    if (!csv && !options.outPath.ends_with(".json"))
        return Error{ErrorKind::BadInput,
                     {"A trace can't be written as %1", options.outPath},
                     "Its name does not say the format",
                     "Choose a name that ends in .csv or .json"};
    if (Status status = checkSamplingOptions(options.generate.sampling); !status) return status;
    const Result<std::unique_ptr<Session>> opened = openModel(options.common);
    if (!opened) return opened.error();
    Session& session = *opened.value();
    const std::vector<Message> conversation{Message::text(Role::User, options.prompt)};
    Result<std::vector<TokenId>> prompt = options.raw ? session.textTokens(options.prompt, options.generate)
                                                      : session.promptTokens(conversation, options.generate);
    if (!prompt) return prompt.error();

    const Result<std::unique_ptr<TraceLog>> log = createLog(session.info(), options, prompt->size());
    if (!log) return log.error();
    options.generate.trace = log->get();
    std::vector<TokenId> tokens = prompt.value();
    CancelOnInterrupt interrupt;
    options.generate.cancel = interrupt.flag();
    const Result<Generated> result =
        session.completeTokens(prompt.value(), options.generate, [&tokens](const Delta& delta) {
            if (delta.token >= 0) tokens.push_back(delta.token);
        });
    if (!result) return result.error();
    if (result->reason == FinishReason::Cancelled) return stoppedError();
    const TraceText text{.trace = *log.value(), .input = [&](int64_t position) {
                             const TokenId token = tokens[static_cast<size_t>(position)];
                             return TracedInput{.id = token,
                                                .text = tracedText(session.tokenizer(), token),
                                                .prompt = static_cast<size_t>(position) < prompt->size()};
                         }};
    return writeWholeFile(systemFiles(), options.outPath, csv ? text.csv() : text.json());
}

} // namespace

void addTrace(CLI::App& app, Command& chosen) {
    addCommand<TraceOptions>(app, chosen, "trace", "The per-token trace of a run, to a file", describe, run);
}

} // namespace coterie::app
