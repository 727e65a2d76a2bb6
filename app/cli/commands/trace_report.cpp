// SPDX-License-Identifier: Apache-2.0
// A run's trace as CSV (RFC 4180 quoting, LF) and as JSON.
#include "cli/commands/trace_report.h"

#include "cli/format.h"
#include "prompt/utf8_stream.h"

#include <algorithm>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

/// A token may be part of a character: what is no UTF-8 becomes U+FFFD.
std::string shown(const Tokenizer& tokenizer, TokenId token) {
    Utf8Stream stream;
    std::string text = stream.push(tokenizer.decode(token, true));
    return text += stream.finish();
}

std::string useColumns(const ExpertUse& use, size_t rank) {
    return std::to_string(rank) + "," + std::to_string(use.expert) + "," +
           numberText(static_cast<double>(use.weight), 6) + "," + (use.hit ? "1," : "0,") +
           std::to_string(use.activeNeurons);
}

/// From layer to wait_s, a line for each expert; empty columns where there is none to tell of.
std::vector<std::string> layerColumns(const TraceRecorder::Token& token) {
    if (token.layers.empty()) return {",,,,,,"};
    std::vector<std::string> lines;
    for (const TraceRecorder::Layer& layer : token.layers) {
        const std::string start = std::to_string(layer.layer) + ",", end = "," + numberText(layer.waitSeconds, 6);
        if (layer.uses.empty()) lines.push_back(start + ",,,," + end);
        for (size_t rank = 0; rank < layer.uses.size(); ++rank)
            lines.push_back(start + useColumns(layer.uses[rank], rank) + end);
    }
    return lines;
}

ordered_json layerJson(const TraceRecorder::Layer& layer) {
    ordered_json experts = ordered_json::array();
    for (const ExpertUse& use : layer.uses)
        experts.push_back(ordered_json{{"expert", use.expert},
                                       {"weight", rounded(static_cast<double>(use.weight))},
                                       {"hit", use.hit},
                                       {"active_neurons", use.activeNeurons}});
    return {{"layer", layer.layer}, {"wait_s", rounded(layer.waitSeconds, 9)}, {"experts", std::move(experts)}};
}

} // namespace

TraceRecorder::Token& TraceRecorder::at(int64_t position) {
    const size_t index = static_cast<size_t>(std::max<int64_t>(position, 0));
    if (index >= tokens_.size()) tokens_.resize(index + 1);
    return tokens_[index];
}

void TraceRecorder::layerDone(int64_t position, int layer, std::span<const ExpertUse> uses, double waitSeconds) {
    at(position).layers.push_back({layer, waitSeconds, {uses.begin(), uses.end()}});
}

void TraceRecorder::tokenDone(int64_t position, int64_t headRows) { at(position).headRows = headRows; }

std::string TraceText::csv() const {
    std::string out = "position,token,text,prompt,layer,rank,expert,weight,hit,active_neurons,wait_s,head_rows\n";
    for (size_t p = 0; p < std::min(tokens.size(), trace.tokens().size()); ++p) {
        const TraceRecorder::Token& token = trace.tokens()[p];
        std::string start = std::to_string(p) + "," + std::to_string(tokens[p]);
        start += "," + quoted(shown(tokenizer, tokens[p])) + "," + (p < promptTokens ? "1," : "0,");
        const std::string end = "," + std::to_string(token.headRows) + "\n";
        for (const std::string& columns : layerColumns(token)) out += start + columns + end;
    }
    return out;
}

std::string TraceText::json() const {
    ordered_json list = ordered_json::array();
    for (size_t p = 0; p < std::min(tokens.size(), trace.tokens().size()); ++p) {
        const TraceRecorder::Token& token = trace.tokens()[p];
        ordered_json layers = ordered_json::array();
        for (const TraceRecorder::Layer& layer : token.layers) layers.push_back(layerJson(layer));
        list.push_back(ordered_json{{"position", p},
                                    {"token", tokens[p]},
                                    {"text", shown(tokenizer, tokens[p])},
                                    {"prompt", p < promptTokens},
                                    {"head_rows", token.headRows},
                                    {"layers", std::move(layers)}});
    }
    return jsonText(ordered_json{{"tokens", std::move(list)}}, -1);
}

} // namespace coterie::app
