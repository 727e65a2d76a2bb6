// SPDX-License-Identifier: Apache-2.0
// make-test-model: writes one of the tests' small random models to a file, for tests that run programs, or a file with
// the sizes of a published model, for measuring. The answers of these models make no sense.
//
//     make-test-model --architecture smallthinker --type q4_0 out.gguf
//     make-test-model --shape gemma4-e2b --type q4_0 --no-weights out.gguf    (on disk it takes next to nothing)
#include "support/tiny_model.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>
#include <optional>
#include <string>

namespace {

/// Limit of ids, above the id of every format.
constexpr uint32_t kMostTypeId = 64;

std::map<std::string, coterie::engine::TensorType> knownTypes() {
    std::map<std::string, coterie::engine::TensorType> types;
    for (uint32_t id = 0; id < kMostTypeId; ++id)
        if (const auto known = coterie::engine::typeTraits(id))
            types[known->name] = static_cast<coterie::engine::TensorType>(id);
    return types;
}

/// Adds the option that sets all sizes; options that follow it on the command line change them.
void addShape(CLI::App& program, coterie::test::TinyModelOptions& options, std::string& architecture) {
    const auto take = [&](const std::string& name) {
        options = *coterie::test::publishedShape(name);
        architecture = options.architecture;
    };
    program.add_option_function<std::string>("--shape", take, "sizes of a published model")
        ->check(CLI::IsMember(coterie::test::publishedShapes()))
        ->trigger_on_parse();
}

} // namespace

int main(int argc, char** argv) {
    using coterie::engine::TensorType;
    coterie::test::TinyModelOptions options;
    std::string path, architecture = options.architecture;
    std::optional<TensorType> expertType;

    CLI::App program("Writes a small random model for tests");
    program.add_option("OUT", path)->required();
    addShape(program, options, architecture);
    program.add_flag("!--no-weights", options.weights, "zeros, which take no room on disk");
    program.add_option("--architecture", architecture,
                       "a family that the engine knows, or smallthinker-transposed (PowerInfer's layout)");
    const std::map<std::string, TensorType> types = knownTypes();
    program.add_option("--type", options.type)->transform(CLI::CheckedTransformer(types, CLI::ignore_case));
    program.add_option("--expert-type", expertType, "of the experts, where it differs")
        ->transform(CLI::CheckedTransformer(types, CLI::ignore_case));
    program.add_flag("!--untied", options.tied, "a head of its own, apart from the embedding");
    program.add_flag("!--without-tokenizer", options.tokenizer, "no vocabulary: a file for the decoder alone");
    program.add_option("--vocabulary", options.vocabulary);
    program.add_option("--heads", options.heads);
    program.add_option("--kv-heads", options.kvHeads);
    program.add_option("--head-dim", options.headDim);
    program.add_option("--shared-feed-forward", options.sharedFeedForward);
    program.add_option("--layers", options.layers);
    program.add_option("--attention-interval", options.attentionInterval, "layers with attention, where others recur");
    program.add_option("--key-heads", options.keyHeads, "of the delta rule");
    program.add_option("--value-heads", options.valueHeads, "of the delta rule");
    program.add_option("--state-size", options.stateSize, "of the delta rule");
    program.add_option("--taps", options.taps, "of the convolutions in layers that recur");
    program.add_option("--width", options.width);
    program.add_option("--feed-forward", options.feedForward);
    program.add_option("--experts", options.experts);
    program.add_option("--context", options.context);
    program.add_option("--window", options.window);
    program.add_option("--layer-embedding", options.layerEmbedding, "gemma4: values of embeddings by layer");
    program.add_option("--neuron-biases", options.neuronBiases, "their deviation in gpt-oss; 6 reaches the clamps");
    program.add_option("--yarn-factor", options.yarnFactor);
    program.add_option("--yarn-context", options.yarnContext);
    program.add_option("--shards", options.shards, "number of files over which the tensors are distributed");
    program.add_option("--seed", options.seed);
    CLI11_PARSE(program, argc, argv);

    if (expertType)
        options.typeOf = [&](const std::string& name) {
            return name.find("_exps.") == std::string::npos ? options.type : *expertType;
        };
    options.transposedDown = architecture == "smallthinker-transposed";
    options.architecture = options.transposedDown ? "smallthinker" : architecture;
    if (coterie::test::saveTinyModel(options, path)) return 0;
    std::fprintf(stderr, "error: %s was not written; the file system refused; check the path and the space left\n",
                 path.c_str());
    return 1;
}
