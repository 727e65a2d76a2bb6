// SPDX-License-Identifier: Apache-2.0
// logits: writes the model's raw logits after given tokens, as little-endian float32, positions x vocabulary.
#include "base/files.h"
#include "cli/commands/commands.h"
#include "cli/format.h"
#include "cli/interrupt.h"

#include <nlohmann/json.hpp>

#include <bit>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian");
constexpr uint64_t kLargestTokenFile = uint64_t(64) << 20;

struct LogitsOptions {
    CommonOptions common;
    std::string tokensPath, outPath;
};

struct LogitsRequest {
    std::vector<TokenId> tokens;
    std::vector<int64_t> positions; ///< in rising order; all positions if the file names none
};

void describe(CLI::App& command, LogitsOptions& options) {
    addModelOptions(command, options.common);
    command.add_option("--tokens", options.tokensPath, R"(A JSON file: {"tokens": [...], "positions": [...]})")
        ->required();
    command.add_option("--out", options.outPath, "Where the logits go")->required();
}

Error badRequest(const std::string& path, Sentence why) {
    return {ErrorKind::BadInput,
            {"%1 can't be used", path},
            std::move(why),
            R"(Write it as {"tokens": [1, 2, 3], "positions": [0, 2]}, positions in ascending order from 0)"};
}

/// Returns nothing if `value` is not a list of integers in [0, end).
std::optional<std::vector<int64_t>> integers(const ordered_json& value, int64_t end) {
    if (!value.is_array()) return std::nullopt;
    std::vector<int64_t> out;
    for (const ordered_json& item : value) {
        if (!item.is_number_integer() || item.get<int64_t>() < 0 || item.get<int64_t>() >= end) return std::nullopt;
        out.push_back(item.get<int64_t>());
    }
    return out;
}

Result<LogitsRequest> readRequest(const std::string& path) {
    const Result<ordered_json> json = readJsonFile(path, kLargestTokenFile);
    if (!json) return json.error();
    if (!json->is_object() || !json->contains("tokens")) return badRequest(path, "It has no member \"tokens\"");
    const auto tokens = integers(json->at("tokens"), INT32_MAX);
    if (!tokens || tokens->empty()) return badRequest(path, "Its tokens are not a list of ids");
    LogitsRequest request;
    request.tokens.assign(tokens->begin(), tokens->end());
    if (json->contains("positions")) {
        const auto positions = integers(json->at("positions"), static_cast<int64_t>(tokens->size()));
        if (!positions || positions->empty())
            return badRequest(path, "Its positions are not a list of places among the tokens");
        request.positions = *positions;
    } else {
        for (size_t i = 0; i < tokens->size(); ++i) request.positions.push_back(static_cast<int64_t>(i));
    }
    if (std::adjacent_find(request.positions.begin(), request.positions.end(), std::greater_equal<>()) !=
        request.positions.end())
        return badRequest(path, "Its positions are not in ascending order");
    return request;
}

Status run(LogitsOptions& options) {
    const Result<LogitsRequest> request = readRequest(options.tokensPath);
    if (!request) return request.error();
    Result<std::unique_ptr<Session>> session = openModel(options.common);
    if (!session) return session.error();
    Result<std::unique_ptr<OutputFile>> out = systemFiles().createOutput(options.outPath);
    if (!out) return out.error();

    const std::vector<int64_t>& positions = request->positions;
    auto next = positions.begin();
    Status written;
    CancelOnInterrupt interrupt;
    const auto take = [&](int64_t position, std::span<const float> logits) {
        if (!written || next == positions.end() || *next != position) return;
        ++next;
        written = out.value()->append(std::as_bytes(logits));
        if (!written) interrupt.cancel();
    };
    const size_t needed = static_cast<size_t>(positions.back()) + 1; // tokens after the last position change nothing
    const Status status = session.value()->logits(std::span(request->tokens).first(needed), take, interrupt.flag());
    if (!written) return written;
    if (!status) return status.error().kind == ErrorKind::Cancelled ? Status(stoppedError()) : status;
    return out.value()->commit();
}

} // namespace

void addLogits(CLI::App& app, Command& chosen) {
    addCommand<LogitsOptions>(app, chosen, "logits", "Raw logits after given tokens, to a file", describe, run);
}

} // namespace coterie::app
