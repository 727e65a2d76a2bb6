// SPDX-License-Identifier: Apache-2.0
// Small random models for tests: a whole GGUF file with a byte-level BPE vocabulary, and the same weights for the
// oracle, exactly as the file's format holds them. The same options give the same bytes. Tests link
// coterie_test_models.
//
//     TinyModel model = makeTinyModel({.architecture = "smallthinker", .type = engine::TensorType::Q4_0});
//     write(path, model.bytes);                       // or saveTinyModel(options, path)
//     OracleRun want = runOracle(model.oracle, tokens);
#pragma once

#include "gguf/tensor_type.h"
#include "support/gguf_writer.h"
#include "support/oracle_decoder.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coterie::test {

struct TinyModelOptions {
    std::string architecture = "llama"; ///< any family of the engine's table
    std::string name{};                 ///< general.name; "" for "tiny-" and the architecture
    /// Type of all matrices except the router; widths must be whole blocks of it.
    engine::TensorType type = engine::TensorType::F32;
    /// If set, the type of each matrix by its name, for files of mixed formats.
    std::function<engine::TensorType(const std::string& name)> typeOf{};
    int64_t layers = 2, width = 64, heads = 4, kvHeads = 2, headDim = 32;
    int64_t feedForward = 96;                 ///< neurons of a dense layer, or of one expert
    int64_t experts = 8, expertsPerToken = 2; ///< in families with experts
    int64_t sharedFeedForward = 128;          ///< in families with a shared expert
    int64_t leadingDense = 1;                 ///< number of dense layers, in families that begin with some
    int64_t denseFeedForward = 160;           ///< neurons of these layers
    int64_t groups = 0, groupsUsed = 0;       ///< if above 0: expert_group_count, expert_group_used_count
    double weightsScale = 2.5;                ///< expert_weights_scale, in families that have one
    int64_t draftLayers = 0;                  ///< layers that follow the others: nextn_predict_layers
    int64_t ropeDimensions = 0;               ///< rope.dimension_count, if above 0; else headDim
    /// Families whose layers have a state: with the delta rule, heads and size; taps of the convolutions, and the
    /// distance of layers with attention.
    int64_t keyHeads = 2, valueHeads = 4, stateSize = 16, taps = 4, attentionInterval = 2;
    int64_t vocabulary = 300; ///< at least 260: 256 bytes, merged pairs, three control tokens
    int64_t context = 512;
    int64_t window = 0;                  ///< in families with windows: attention.sliding_window if above 0
    bool expertsBeside = false;          ///< gemma4: experts beside the dense part of denseFeedForward neurons
    std::optional<bool> joinedExperts{}; ///< gate and up in one tensor; nothing: as published files of the family
    int64_t windowHeadDim = 32;          ///< gemma4: head size of layers with a window
    int64_t sharedLayers = 0;            ///< gemma4: attention.shared_kv_layers
    bool sharedAreWider = true;          ///< gemma4: these layers have twice as many neurons
    int64_t windowPeriod = 3;            ///< gemma4: every so many layers one has no window
    bool alikeKeys = false;     ///< gemma4: layers without a window have as many key heads as the others, and values
    int64_t layerEmbedding = 0; ///< gemma4: embedding_length_per_layer_input
    double ropeStretch = 1;     ///< above 1: rope.scaling.factor, and "linear" as its type
    double scoreCap = 2, logitCap = 1; ///< gemma2: attn_logit_softcapping, final_logit_softcapping; 0: no key
    double yarnFactor = 1;             ///< above 1: the file asks for YaRN
    int64_t yarnContext = 0;           ///< rope.scaling.original_context_length then
    std::string gating = "sigmoid";    ///< smallthinker: "sigmoid", "softmax", or "" for no key (sigmoid)
    bool transposedDown = false;       ///< smallthinker: PowerInfer's layout
    int64_t headPredictorRank = 0;     ///< smallthinker: adds lm_head_profiler.weight
    engine::TensorType predictorType = engine::TensorType::F16;
    bool predictorIsHead = false; ///< the predictor has rank `width` and scores each row with its own logit
    bool headNorms = true;        ///< false: none, in a family where they are optional
    bool tied = true;
    bool ropeFactors = false;
    bool biases = false;       ///< biases of q, k, v, the attention's output and dense layers
    double neuronBiases = 0.3; ///< gpt-oss: deviation of the experts' gate and up biases; large ones reach the clamps
    uint64_t seed = 1;
    /// False: zeros except where a file may have none, for tests of the header, and for files of any size.
    bool weights = true;
    bool tokenizer = true;               ///< false: no vocabulary in the file, which may then be of any size
    std::string chatTemplate = "chatml"; ///< a template's text; "chatml" for ChatML's template; "" for none
    /// Called before the tensors are written, to add keys (later ones of the same name make a file wrong: use
    /// `skipKey`).
    std::function<void(GgufWriter&)> extraKeys{};
    std::string skipKey{};    ///< a key that is left out, by its full name
    std::string skipTensor{}; ///< a tensor that is left out
    int shards = 1;           ///< number of files over which the tensors are distributed
};

struct TinyModel {
    std::string bytes;               ///< the file, or the first shard
    std::vector<std::string> shards; ///< the files of a split model, the first one included
    OracleModel oracle;
};

TinyModel makeTinyModel(const TinyModelOptions& options);
/// The sizes of a published model by its name, such as "gemma4-e2b"; nothing if they are not known here.
std::optional<TinyModelOptions> publishedShape(const std::string& name);
/// The names that publishedShape() knows.
std::vector<std::string> publishedShapes();
/// A model that several tests use. It is made when the first of them asks for it.
class SharedModel {
  public:
    SharedModel(std::string called, TinyModelOptions made) : name(std::move(called)), options(std::move(made)) {}
    const std::string& bytes() const {
        if (bytes_.empty()) bytes_ = makeTinyModel(options).bytes;
        return bytes_;
    }
    const std::string name;
    const TinyModelOptions options;

  private:
    mutable std::string bytes_;
};

/// The name of a shard: "path-00001-of-00003.gguf" for the first of three shards of a model at "path.gguf".
std::string shardPath(const std::string& path, int shard, int shards);
/// Writes the file, or its shards under their names, with plain streams. Returns false if that failed.
bool saveTinyModel(const TinyModelOptions& options, const std::string& path);

/// `tokens` random ids below `vocabulary`.
std::vector<int32_t> randomTokens(int64_t count, int64_t vocabulary, uint64_t seed = 7);

} // namespace coterie::test
