// SPDX-License-Identifier: Apache-2.0
// tokenize: reads text from stdin and writes token ids to stdout. No BOS is added.
#include "cli/commands/commands.h"
#include "cli/console.h"
#include "cli/format.h"

#include <nlohmann/json.hpp>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

constexpr size_t kLongestText = size_t(1) << 30; // 1 GiB; more text at once is probably a mistake

struct TokenizeOptions {
    CommonOptions common;
    bool lines = false, special = false;
};

void describe(CLI::App& command, TokenizeOptions& options) {
    addModelOptions(command, options.common);
    command.add_flag("--jsonl", options.lines, "Each line of stdin is a JSON string (default: stdin is one text)");
    command.add_flag("--special", options.special, "Markers such as <|im_end|> in the text become their tokens");
}

std::string idsLine(const Tokenizer& tokenizer, const std::string& text, bool special) {
    return jsonText(tokenizer.encode(text, special), -1);
}

Status tokenizeLines(const Tokenizer& tokenizer, bool special) {
    int64_t number = 0;
    while (const std::optional<std::string> line = readLine()) {
        ++number;
        const ordered_json value = ordered_json::parse(*line, nullptr, false);
        if (!value.is_string())
            return Error{ErrorKind::BadInput,
                         {"Line %1 of the input can't be used", number},
                         "It is not a JSON string",
                         "Write each text as a JSON string on a line of its own"};
        if (Status status = writeOut(idsLine(tokenizer, value.get<std::string>(), special)); !status) return status;
    }
    return {};
}

Status run(TokenizeOptions& options) {
    const Result<std::unique_ptr<Tokenizer>> tokenizer = openTokenizer(options.common.open.path);
    if (!tokenizer) return tokenizer.error();
    if (options.lines) return tokenizeLines(*tokenizer.value(), options.special);
    const Result<std::string> text = readRest(kLongestText);
    if (!text) return text.error();
    return writeOut(idsLine(*tokenizer.value(), text.value(), options.special));
}

} // namespace

void addTokenize(CLI::App& app, Command& chosen) {
    addCommand<TokenizeOptions>(app, chosen, "tokenize", "Text on stdin to token ids on stdout", describe, run);
}

} // namespace coterie::app
