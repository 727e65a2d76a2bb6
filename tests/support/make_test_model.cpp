// SPDX-License-Identifier: Apache-2.0
// make-test-model: writes one of the tests' small random models to a file, for tests that run programs. Not a way to
// make models worth talking to.
//
//     make-test-model --architecture smallthinker --type q4_0 out.gguf
#include "support/tiny_model.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>
#include <string>

int main(int argc, char** argv) {
    using coterie::engine::TensorType;
    coterie::test::TinyModelOptions options;
    std::string path, architecture = options.architecture;

    CLI::App program("Writes a small random model for tests");
    program.add_option("OUT", path)->required();
    program.add_option("--architecture", architecture,
                       "llama, smallthinker, or smallthinker-transposed (PowerInfer's layout)");
    const std::map<std::string, TensorType> types = {{"f32", TensorType::F32},
                                                     {"f16", TensorType::F16},
                                                     {"bf16", TensorType::BF16},
                                                     {"q8_0", TensorType::Q8_0},
                                                     {"q4_0", TensorType::Q4_0}};
    program.add_option("--type", options.type)->transform(CLI::CheckedTransformer(types));
    program.add_option("--layers", options.layers);
    program.add_option("--width", options.width);
    program.add_option("--feed-forward", options.feedForward);
    program.add_option("--experts", options.experts);
    program.add_option("--context", options.context);
    program.add_option("--window", options.window);
    program.add_option("--seed", options.seed);
    CLI11_PARSE(program, argc, argv);

    options.transposedDown = architecture == "smallthinker-transposed";
    options.architecture = options.transposedDown ? "smallthinker" : architecture;
    if (coterie::test::saveTinyModel(options, path)) return 0;
    std::fprintf(stderr, "error: %s was not written; the file system refused; check the path and the space left\n",
                 path.c_str());
    return 1;
}
