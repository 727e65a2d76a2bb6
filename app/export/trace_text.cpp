// SPDX-License-Identifier: Apache-2.0
// Writes a run's trace as CSV (RFC 4180 quoting, LF) and as JSON.
#include "export/trace_text.h"

#include "export/number_text.h"
#include "prompt/utf8_stream.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

constexpr int kWeightDigits = 5; // as many as a TraceLog keeps

std::string useColumns(const ExpertUse& use, size_t rank) {
    return std::to_string(rank) + "," + std::to_string(use.expert) + "," +
           numberText(static_cast<double>(use.weight), kWeightDigits) + "," + (use.hit ? "1," : "0,") +
           std::to_string(use.activeNeurons);
}

/// Returns the columns from layer to wait_s, for each expert that the token used.
std::vector<std::string> layerColumns(const TracedToken& token) {
    std::vector<std::string> lines;
    for (const TracedLayer& layer : token.layers) {
        const std::string start = std::to_string(layer.layer) + ",";
        std::string end = ",";
        end += numberText(layer.waitSeconds, 6);
        for (size_t rank = 0; rank < layer.uses.size(); ++rank)
            lines.push_back(start + useColumns(layer.uses[rank], rank) + end);
    }
    return lines;
}

ordered_json layerJson(const TracedLayer& layer) {
    ordered_json experts = ordered_json::array();
    for (const ExpertUse& use : layer.uses)
        experts.push_back(ordered_json{{"expert", use.expert},
                                       {"weight", rounded(static_cast<double>(use.weight), kWeightDigits)},
                                       {"hit", use.hit},
                                       {"active_neurons", use.activeNeurons}});
    return {{"layer", layer.layer}, {"wait_s", rounded(layer.waitSeconds, 9)}, {"experts", std::move(experts)}};
}

} // namespace

std::string tracedText(const Tokenizer& tokenizer, TokenId token) {
    Utf8Stream stream;
    std::string text = stream.push(tokenizer.decode(token, true));
    return text += stream.finish();
}

/// The first position whose record is there: a long answer may have lost its beginning.
int64_t TraceText::first() const {
    int64_t position = trace.reused();
    while (position <= trace.newest() && !trace.token(position)) ++position;
    return position;
}

std::string TraceText::csv() const {
    std::string out =
        "position,token,text,prompt,layer,rank,expert,weight,hit,active_neurons,wait_s,head_rows,seconds\n";
    for (int64_t p = first(); const std::optional<TracedToken> token = trace.token(p); ++p) {
        const TracedInput in = input(p);
        std::string start = std::to_string(p) + ",";
        if (in.id) start += std::to_string(*in.id);
        start += ',';
        start += csvText(in.text) + (in.prompt ? ",1," : ",0,");
        std::string end = ",";
        end += std::to_string(token->headRows) + "," + numberText(token->seconds, 6) + "\n";
        for (const std::string& columns : layerColumns(*token)) out += start + columns + end;
    }
    return out;
}

std::string TraceText::json() const {
    ordered_json list = ordered_json::array();
    for (int64_t p = first(); const std::optional<TracedToken> token = trace.token(p); ++p) {
        const TracedInput in = input(p);
        ordered_json layers = ordered_json::array();
        for (const TracedLayer& layer : token->layers) layers.push_back(layerJson(layer));
        list.push_back(ordered_json{{"position", p},
                                    {"token", in.id ? ordered_json(*in.id) : ordered_json(nullptr)},
                                    {"text", in.text},
                                    {"prompt", in.prompt},
                                    {"head_rows", token->headRows},
                                    {"seconds", rounded(token->seconds, 9)},
                                    {"layers", std::move(layers)}});
    }
    return jsonText(ordered_json{{"tokens", std::move(list)}}, -1);
}

} // namespace coterie::app
