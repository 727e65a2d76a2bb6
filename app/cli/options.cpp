// SPDX-License-Identifier: Apache-2.0
// The options that commands share.
#include "cli/options.h"

#include "base/files.h"
#include "cli/console.h"
#include "cli/data_folder.h"
#include "cli/interrupt.h"
#include "cli/program_devices.h"
#include "prompt/json_text.h"
#include "sampling/sampling_limits.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <optional>
#include <string_view>

namespace coterie::app {

using namespace engine;

namespace {

constexpr const char* kLossy = "Lossy: fewer experts are read, and the answer changes (the command agreement measures "
                               "by how much)";

constexpr std::string_view kMark = "\xEF\xBB\xBF"; // some systems begin files in UTF-8 with it

/// Adds an option that names a JSON file.
void addJsonOption(CLI::App& command, const char* name, std::string& text, const char* about) {
    constexpr uint64_t kMostBytes = 8 << 20;
    const auto read = [&text](const std::string& path) {
        const Result<std::string> file = readWholeFile(systemFiles(), path, kMostBytes);
        const std::string_view bytes = file ? std::string_view(file.value()) : std::string_view();
        if (const auto value = readJson(bytes.substr(bytes.starts_with(kMark) ? kMark.size() : 0))) {
            text = writeJson(*value); // numbers of any size keep their digits
            return std::string();
        }
        const Result<nlohmann::ordered_json> json = readJsonFile(path, kMostBytes); // which says where the mistake is
        if (!json) return json.error().line();
        const Error tooDeep{ErrorKind::BadInput,
                            {"%1 can't be used", path},
                            "Its values are nested too deeply",
                            "Write it with fewer levels"};
        return tooDeep.line();
    };
    command.add_option(name)->description(about)->type_name("FILE")->check(read);
}

/// Adds an option whose text `parse` turns into a value, or refuses in words.
template <typename Value>
CLI::Option* addNamed(CLI::App& command, const char* name, Value& value, Result<Value> (*parse)(std::string_view),
                      const char* about) {
    const auto read = [&value, parse](const std::string& text) {
        const Result<Value> parsed = parse(text);
        if (!parsed) return parsed.error().line();
        value = parsed.value();
        return std::string();
    };
    return command.add_option(name)->description(about)->check(read);
}

/// The ranges are those of checkSamplingOptions().
void addSamplingOptions(CLI::App& command, SamplingOptions& sampling) {
    using Limits = SamplingLimits;
    const auto add = [&command](const char* name, auto& value, auto least, auto most, const char* about) {
        addNumber(command, name, value, least, most, about)->capture_default_str();
    };
    add("--temperature", sampling.temperature, 0.0f, Limits::kTemperature, "0 always takes the likeliest token");
    add("--top-k", sampling.topK, 0, std::numeric_limits<int>::max(), "Keep the K likeliest tokens; 0: all");
    add("--top-p", sampling.topP, 0.0f, 1.0f, "Keep the likeliest tokens that hold this share; 1: all");
    add("--min-p", sampling.minP, 0.0f, 1.0f, "Keep tokens at least this likely beside the likeliest; 0: all");
    add("--repetition-penalty", sampling.repetitionPenalty, Limits::kLeastRepetition, Limits::kPenalty, "1: off");
    add("--presence-penalty", sampling.presencePenalty, -Limits::kPenalty, Limits::kPenalty, "0: off");
    add("--frequency-penalty", sampling.frequencyPenalty, -Limits::kPenalty, Limits::kPenalty, "0: off");
    add("--penalty-window", sampling.penaltyWindow, 0, Limits::kPenaltyWindow, "Tokens that the penalties look back");
    addNumber(command, "--seed", sampling.seed, uint64_t{0}, std::numeric_limits<uint64_t>::max(),
              "The same seed gives the same text (default: a new one)");
}

} // namespace

void addCommonOptions(CLI::App& command, CommonOptions& options) {
    OpenOptions& open = options.open;
    addNumber(command, "--threads", open.threads, 1, 1024, "Threads that compute (default: what the machine has)");
    command.add_option("--memory", "Memory that the whole process may hold: 900MiB, 6GiB or auto")
        ->type_name("SIZE")
        ->check([&open](const std::string& text) { return parseMemory(text, open.memory); });
    addNumber(command, "--context", open.context, int64_t{1}, int64_t{1} << 30,
              "Tokens that a conversation may have (default: automatic)");
    addNamed(command, "--kv-cache", open.keyValueFormat, parseKeyValueFormat,
             "Keys and values of past tokens: f16 (exact) or q8_0 (compact)")
        ->type_name("FORMAT");
    command.add_option("--kernels", open.kernels, "Instruction set to compute with, see the command kernels")
        ->type_name("NAME");
    open.recordsFolder = usualDataFolder();
    open.packedFolder = usualPackedFolder();
    command
        .add_option("--data-dir", open.recordsFolder,
                    "Folder for measurements of models and disks, and for packed files (default: the user's "
                    "folders for Coterie)")
        ->type_name("FOLDER")
        ->each([&open](const std::string& folder) { open.packedFolder = packedFolderIn(folder); });
    open.devices = programDevices();
    command
        .add_option("--device", open.device,
                    "What computes: a name that the command devices lists, or auto, which measures them and takes one "
                    "that promises 1.2 times the processor's speed for answers or prompts (default: cpu)")
        ->type_name("NAME");
    command
        .add_option("--device-memory",
                    "Memory of the device's own that the model may take: 6GiB, or auto for all of it")
        ->type_name("SIZE")
        ->check([&open](const std::string& text) { return parseMemory(text, open.deviceMemory); });
    command.add_flag("--json", options.json, "Print JSON");
}

CLI::Option* addModelOptions(CLI::App& command, CommonOptions& options) {
    CLI::Option* model = command.add_option("MODEL", options.open.path, "A model file (GGUF)")->required();
    addCommonOptions(command, options);
    return model;
}

void addGenerateOptions(CLI::App& command, GenerateOptions& options) {
    addSamplingOptions(command, options.sampling);
    addHeadOption(command, options);
    addRoutingOptions(command, options);
    addRoutingTimes(command, options);
    addNumber(command, "--max-tokens", options.maxTokens, int64_t{0}, std::numeric_limits<int64_t>::max(),
              "At most so many tokens (default: until the answer ends)");
    command.add_option("--stop", options.stop, "A text that ends the answer; may be given again")
        ->allow_extra_args(false);
    command.add_flag("--thinking,!--no-thinking", options.prompt.thinking,
                     "Ask the model to think first, or not to, where its template knows how");
    addJsonOption(command, "--tools", options.prompt.tools, "Functions that the model may call: a JSON array");
    addJsonOption(command, "--xml-tools", options.prompt.xmlTools, "The same as SmolLM3's xml_tools");
    addJsonOption(command, "--python-tools", options.prompt.pythonTools, "SmolLM3's python_tools");
    addJsonOption(command, "--variables", options.prompt.variables, "More of the template's variables: a JSON object");
}

void addHeadOption(CLI::App& command, GenerateOptions& options) {
    static const std::map<std::string, HeadRows> names{{"full", HeadRows::All}, {"predicted", HeadRows::Predicted}};
    command
        .add_option(
            "--head", options.head,
            "full, or predicted: the rows alone that the head's predictor names, the file's or a derived one, for "
            "greedy and top-k draws (default: predicted)")
        ->transform(CLI::CheckedTransformer(names).description(""))
        ->type_name("ROWS");
}

void addRoutingOptions(CLI::App& command, GenerateOptions& options) {
    const auto share = [&command](const char* name, float& value, const char* about) {
        addNumber(command, name, value, 0.0f, 1.0f, about)->type_name("SHARE")->group(kLossy);
    };
    share("--prefer-cached", options.routing.preferCached,
          "Experts in memory go before ones whose router logits are higher by up to this share of the logits' range, "
          "but for the best one (default: 0, exact)");
    share("--sure", options.routing.topWeightShare,
          "Of a token's experts only the best that hold this share of the weights run (default: 0, all)");
}

void addRoutingTimes(CLI::App& command, GenerateOptions& options) {
    const auto when = [&command](const char* name, const char* share, RoutingWhen& value, const char* about) {
        addNamed(command, name, value, parseRoutingWhen, about)
            ->type_name("WHEN")
            ->needs(command.get_option(share))
            ->group(kLossy);
    };
    when("--prefer-cached-when", "--prefer-cached", options.preferCachedWhen,
         "always, or scarce: for tokens that are made while the battery is at 20 % or less and not being charged, or "
         "while other programs have taken memory that --memory auto had planned for experts (default: always)");
    when("--sure-when", "--sure", options.topWeightShareWhen, "The same for --sure (default: always)");
}

void writeNotes(const std::vector<Sentence>& notes) {
    for (const Sentence& note : notes) writeError("note: " + note.english() + "\n");
}

Error stoppedError() {
    return {ErrorKind::Cancelled, "The command was stopped", "Ctrl-C or a request to end came in", "Run it again"};
}

Result<std::unique_ptr<Session>> openModel(CommonOptions& options) {
    options.open.onProgress = [](double) { return interrupts() == 0; };
    Result<std::unique_ptr<Session>> session = openSession(options.open);
    if (!session && session.error().kind == ErrorKind::Cancelled) return stoppedError();
    if (session && options.open.context > session.value()->info().trainedContext)
        writeError("note: The context of " + std::to_string(options.open.context) +
                   " tokens is longer than what the model was trained for; the command info says what is done about "
                   "it\n");
    return session;
}

} // namespace coterie::app
