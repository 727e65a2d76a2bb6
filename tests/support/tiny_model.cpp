// SPDX-License-Identifier: Apache-2.0
// See tiny_model.h. Weights are drawn as doubles and stored in the file's format; the oracle gets the stored values.
#include "support/tiny_model.h"

#include "support/quantised_values.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace coterie::test {
namespace {

using engine::TensorType;
using Vector = std::vector<double>;

/// The facts that distinguish a family, taken from its formulas and not from the engine's table.
struct Family {
    std::string_view name;
    bool ropeInHalves = true;
    OracleActivation activation = OracleActivation::SwiGlu;
    bool queryBiases = false, allBiases = false, sinks = false;
    bool seesImages = false; ///< positions have three parts, which are equal in a text
    enum class Norm { None, Head, Projection } norm = Norm::None; ///< norm of q and k
    const char* feedForwardNorm = "ffn_norm.weight";
    bool experts = false;
    bool leadingDense = false; ///< leading_dense_block_count
    /// The order in which value heads use key heads, in families whose layers recur; attention is gated there.
    enum class Delta { None, Repeated, Grouped } delta = Delta::None;
    bool convolutions = false; ///< in layers without attention
    const char* outputNorm = "output_norm.weight";
    bool gemma = false;       ///< norms after each part, GELU, and an embedding times sqrt(width)
    bool gemma4 = false;      ///< heads by kind of layer, normed values, unscaled scores and a scale of each layer
    bool softCaps = false;    ///< scores and logits are capped
    double windowTheta = 0;   ///< in layers with a window, whose rotation is not scaled; 0: as the others
    int64_t windowPeriod = 0; ///< every windowPeriod-th layer sees everything, the others have the window
    bool routesFirst = false, sigmoid = false, normalised = true;
    bool selectionBias = false, routerKeys = false; ///< routerKeys: expert_weights_norm, expert_weights_scale, groups
    enum class Shared { None, Gated, Ungated } shared = Shared::None;
};

constexpr Family kFamilies[] = {
    {.name = "llama", .ropeInHalves = false},
    {.name = "smollm3", .ropeInHalves = false},
    {.name = "smallthinker",
     .activation = OracleActivation::ReGlu,
     .experts = true,
     .routesFirst = true,
     .sigmoid = true},
    {.name = "qwen2", .queryBiases = true},
    {.name = "qwen3", .norm = Family::Norm::Head},
    {.name = "qwen3moe", .norm = Family::Norm::Head, .experts = true},
    {.name = "qwen3vl", .seesImages = true, .norm = Family::Norm::Head},
    {.name = "qwen3vlmoe", .seesImages = true, .norm = Family::Norm::Head, .experts = true},
    {.name = "qwen2moe", .queryBiases = true, .experts = true, .normalised = false, .shared = Family::Shared::Gated},
    {.name = "olmoe", .norm = Family::Norm::Projection, .experts = true, .normalised = false},
    {.name = "gpt-oss",
     .activation = OracleActivation::ClampedSwiGlu,
     .queryBiases = true,
     .allBiases = true,
     .sinks = true,
     .feedForwardNorm = "post_attention_norm.weight",
     .experts = true,
     .windowPeriod = 2},
    {.name = "glm4moe",
     .queryBiases = true,
     .norm = Family::Norm::Head,
     .feedForwardNorm = "post_attention_norm.weight",
     .experts = true,
     .leadingDense = true,
     .sigmoid = true,
     .selectionBias = true,
     .routerKeys = true,
     .shared = Family::Shared::Ungated},
    {.name = "qwen35",
     .norm = Family::Norm::Head,
     .feedForwardNorm = "post_attention_norm.weight",
     .delta = Family::Delta::Repeated},
    {.name = "qwen35moe",
     .norm = Family::Norm::Head,
     .feedForwardNorm = "post_attention_norm.weight",
     .experts = true,
     .delta = Family::Delta::Repeated,
     .shared = Family::Shared::Gated},
    {.name = "qwen3next",
     .norm = Family::Norm::Head,
     .feedForwardNorm = "post_attention_norm.weight",
     .experts = true,
     .delta = Family::Delta::Grouped,
     .shared = Family::Shared::Gated},
    {.name = "lfm2", .norm = Family::Norm::Head, .convolutions = true, .outputNorm = "token_embd_norm.weight"},
    {.name = "lfm2moe",
     .norm = Family::Norm::Head,
     .experts = true,
     .leadingDense = true,
     .convolutions = true,
     .outputNorm = "token_embd_norm.weight",
     .sigmoid = true,
     .selectionBias = true,
     .routerKeys = true},
    {.name = "gemma2", .activation = OracleActivation::GeGlu, .gemma = true, .softCaps = true, .windowPeriod = 2},
    {.name = "gemma3",
     .activation = OracleActivation::GeGlu,
     .norm = Family::Norm::Head,
     .gemma = true,
     .windowTheta = 10000,
     .windowPeriod = 6},
    {.name = "gemma4",
     .activation = OracleActivation::GeGlu,
     .norm = Family::Norm::Head,
     .gemma = true,
     .gemma4 = true,
     .windowTheta = 10000,
     .windowPeriod = 3},
};

/// Returns the facts of llama for an unknown name, which tests of errors use.
const Family& familyOf(const std::string& name) {
    const auto* found = std::find_if(std::begin(kFamilies), std::end(kFamilies),
                                     [&name](const Family& family) { return family.name == name; });
    return found == std::end(kFamilies) ? kFamilies[0] : *found;
}
bool isInteger(TensorType type) {
    return type != TensorType::F32 && type != TensorType::F16 && type != TensorType::BF16;
}

/// GPT-2's alphabet: printable Latin-1 stands for itself, the other bytes for U+0100 and up.
std::vector<std::string> byteWords() {
    std::vector<std::string> words(256);
    uint32_t next = 256;
    for (uint32_t byte = 0; byte < 256; ++byte) {
        const bool plain = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
        const uint32_t code = plain ? byte : next++;
        if (code >= 128) words[byte] += static_cast<char>(0xc0 | (code >> 6)); // two bytes of UTF-8
        words[byte] += static_cast<char>(code < 128 ? code : 0x80 | (code & 63));
    }
    return words;
}

const char* const kChatMl =
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + "
    "'<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

/// Writes the file and fills the oracle on the way.
class Builder {
  public:
    explicit Builder(const TinyModelOptions& options)
        : o_(options), family_(familyOf(options.architecture)), random_(options.seed),
          writers_(static_cast<size_t>(options.shards)), writer_(writers_[0]) {}

    TinyModel build() {
        write();
        if (o_.shards == 1) return {writers_[0].bytes(), {}, std::move(model_)};
        TinyModel whole{{}, {}, std::move(model_)};
        for (const GgufWriter& writer : writers_) whole.shards.push_back(writer.bytes());
        whole.bytes = whole.shards[0];
        return whole;
    }

    bool save(const std::string& path) {
        write();
        if (o_.shards == 1) return writers_[0].save(path);
        for (int i = 0; i < o_.shards; ++i)
            if (!writers_[static_cast<size_t>(i)].save(shardPath(path, i + 1, o_.shards))) return false;
        return true;
    }

  private:
    void write() {
        shapeKeys();
        familyKeys();
        if (o_.tokenizer) tokenizerKeys();
        if (o_.extraKeys) o_.extraKeys(writer_);
        describeOracle();
        tensors();
        for (size_t i = 0; o_.shards > 1 && i < writers_.size(); ++i) {
            writers_[i].u16("split.no", static_cast<uint16_t>(i)).u16("split.count", static_cast<uint16_t>(o_.shards));
            writers_[i].i32("split.tensors.count", tensorsWritten_);
        }
    }

    bool wanted(const std::string& key) const { return key != o_.skipKey; }
    void u32(const std::string& key, int64_t value) {
        const std::string full = o_.architecture + "." + key;
        if (wanted(full)) writer_.u32(full, static_cast<uint32_t>(value));
    }
    void f32(const std::string& key, float value) {
        const std::string full = o_.architecture + "." + key;
        if (wanted(full)) writer_.f32(full, value);
    }

    void shapeKeys() {
        if (wanted("general.architecture")) writer_.string("general.architecture", o_.architecture);
        writer_.string("general.name", o_.name.empty() ? "tiny-" + o_.architecture : o_.name)
            .string("general.license", "apache-2.0");
        u32("block_count", o_.layers + o_.draftLayers);
        if (o_.draftLayers > 0) u32("nextn_predict_layers", o_.draftLayers);
        u32("context_length", o_.context);
        u32("embedding_length", o_.width);
        if (!family_.gemma4) u32("feed_forward_length", family_.leadingDense ? o_.denseFeedForward : o_.feedForward);
        u32("attention.head_count", o_.heads);
        if (family_.convolutions)
            convolutionKeys();
        else if (family_.gemma4)
            gemma4Keys();
        else
            u32("attention.head_count_kv", o_.kvHeads);
        u32("attention.key_length", o_.headDim);
        u32("attention.value_length", o_.headDim);
        u32("rope.dimension_count", ropeDimensions());
        f32("rope.freq_base", static_cast<float>(theta()));
        f32("attention.layer_norm_rms_epsilon", static_cast<float>(kEpsilon));
        u32("vocab_size", o_.vocabulary);
        if (o_.ropeStretch > 1) {
            writer_.string(o_.architecture + ".rope.scaling.type", "linear");
            f32("rope.scaling.factor", static_cast<float>(o_.ropeStretch));
        }
        if (o_.yarnFactor <= 1) return;
        writer_.string(o_.architecture + ".rope.scaling.type", "yarn");
        f32("rope.scaling.factor", static_cast<float>(o_.yarnFactor));
        u32("rope.scaling.original_context_length", o_.yarnContext);
    }

    /// A layer with a convolution has no heads of keys and values.
    void convolutionKeys() {
        std::vector<int32_t> heads;
        for (int64_t i = 0; i < o_.layers; ++i) heads.push_back(hasState(i) ? 0 : static_cast<int32_t>(o_.kvHeads));
        const std::string key = o_.architecture + ".attention.head_count_kv";
        if (wanted(key)) writer_.i32s(key, heads);
        u32("shortconv.l_cache", o_.taps);
    }

    bool hasExperts() const { return family_.experts || (family_.gemma4 && o_.expertsBeside); }
    bool hasWindow(int64_t layer) const {
        const int64_t period = family_.gemma4 ? o_.windowPeriod : family_.windowPeriod;
        return period > 0 && (layer + 1) % period != 0;
    }
    bool ownsKeys(int64_t layer) const { return o_.sharedLayers == 0 || layer < o_.layers - o_.sharedLayers; }
    int64_t kvHeadsOf(int64_t layer) const {
        return family_.gemma4 && !o_.alikeKeys && !hasWindow(layer) ? std::max<int64_t>(1, o_.kvHeads / 2) : o_.kvHeads;
    }
    int64_t headDimOf(int64_t layer) const {
        return family_.gemma4 && hasWindow(layer) ? o_.windowHeadDim : o_.headDim;
    }
    /// Layers that share keys have more neurons.
    int64_t feedForwardOf(int64_t layer) const {
        if (family_.gemma4 && o_.expertsBeside) return o_.denseFeedForward;
        return family_.gemma4 && o_.sharedAreWider && !ownsKeys(layer) ? 2 * o_.feedForward : o_.feedForward;
    }

    void gemma4Keys() {
        std::vector<int32_t> heads, neurons;
        std::vector<bool> windows;
        for (int64_t i = 0; i < o_.layers; ++i) {
            heads.push_back(static_cast<int32_t>(kvHeadsOf(i)));
            neurons.push_back(static_cast<int32_t>(feedForwardOf(i)));
            windows.push_back(hasWindow(i));
        }
        const std::string name = o_.architecture + ".";
        if (wanted(name + "attention.head_count_kv")) writer_.i32s(name + "attention.head_count_kv", heads);
        if (wanted(name + "feed_forward_length")) writer_.i32s(name + "feed_forward_length", neurons);
        if (wanted(name + "attention.sliding_window_pattern"))
            writer_.booleans(name + "attention.sliding_window_pattern", windows);
        u32("attention.key_length_swa", o_.windowHeadDim);
        u32("attention.value_length_swa", o_.windowHeadDim);
        u32("rope.dimension_count_swa", o_.windowHeadDim);
        f32("rope.freq_base_swa", static_cast<float>(family_.windowTheta));
        u32("attention.shared_kv_layers", o_.sharedLayers);
        u32("embedding_length_per_layer_input", o_.layerEmbedding);
        f32("final_logit_softcapping", static_cast<float>(o_.logitCap));
    }

    bool hasState(int64_t layer) const {
        return (family_.convolutions || family_.delta != Family::Delta::None) &&
               (layer + 1) % o_.attentionInterval != 0;
    }

    void deltaKeys() {
        if (family_.delta == Family::Delta::None) return;
        u32("ssm.group_count", o_.keyHeads);
        u32("ssm.time_step_rank", o_.valueHeads);
        u32("ssm.state_size", o_.stateSize);
        u32("ssm.conv_kernel", o_.taps);
        u32("ssm.inner_size", o_.valueHeads * o_.stateSize);
        u32("full_attention_interval", o_.attentionInterval);
    }

    void familyKeys() {
        deltaKeys();
        if (family_.seesImages && wanted(o_.architecture + ".rope.dimension_sections")) {
            const auto pairs = static_cast<int32_t>(ropeDimensions() / 2), third = pairs / 3;
            writer_.i32s(o_.architecture + ".rope.dimension_sections", {pairs - 2 * third, third, third, 0});
        }
        if (o_.window > 0) u32("attention.sliding_window", o_.window);
        if (family_.softCaps && o_.scoreCap > 0) f32("attn_logit_softcapping", static_cast<float>(o_.scoreCap));
        if (family_.softCaps && o_.logitCap > 0) f32("final_logit_softcapping", static_cast<float>(o_.logitCap));
        if (!hasExperts()) return;
        u32("expert_count", o_.experts);
        u32("expert_used_count", o_.expertsPerToken);
        u32("expert_feed_forward_length", o_.feedForward);
        if (family_.shared == Family::Shared::Gated) u32("expert_shared_feed_forward_length", o_.sharedFeedForward);
        if (family_.shared == Family::Shared::Ungated)
            u32("expert_shared_count", o_.sharedFeedForward / o_.feedForward);
        const bool named = o_.architecture == "smallthinker" && !o_.gating.empty();
        if (named || family_.routerKeys) u32("expert_gating_func", sigmoid() ? 2 : 1);
        if (family_.leadingDense) u32("leading_dense_block_count", o_.leadingDense);
        if (!family_.routerKeys) return;
        f32("expert_weights_scale", static_cast<float>(o_.weightsScale));
        if (wanted(o_.architecture + ".expert_weights_norm"))
            writer_.boolean(o_.architecture + ".expert_weights_norm", family_.normalised);
        if (o_.groups > 0) u32("expert_group_count", o_.groups);
        if (o_.groups > 0) u32("expert_group_used_count", o_.groupsUsed);
    }

    double theta() const { return family_.windowTheta > 0 ? kSlowTheta : kTheta; }
    bool sigmoid() const { return family_.sigmoid && o_.gating != "softmax"; }
    int64_t ropeDimensions() const { return o_.ropeDimensions > 0 ? o_.ropeDimensions : o_.headDim; }

    void tokenizerKeys() {
        std::vector<std::string> words = byteWords(), merges;
        const std::string letters = "etaoinshrdlucmfwypvbgkjqxz";
        for (const char a : letters)
            for (const char b : letters) {
                if (words.size() + 3 >= static_cast<size_t>(o_.vocabulary)) continue;
                words.push_back({a, b});
                merges.push_back({a, ' ', b});
            }
        std::vector<int32_t> types(words.size(), 1);
        while (words.size() + 3 < static_cast<size_t>(o_.vocabulary)) {
            words.push_back("<|filler_" + std::to_string(words.size()) + "|>");
            types.push_back(5);
        }
        for (const char* control : {"<|endoftext|>", "<|im_start|>", "<|im_end|>"}) {
            words.emplace_back(control);
            types.push_back(3);
        }
        const auto last = static_cast<uint32_t>(words.size() - 1);
        writer_.string("tokenizer.ggml.model", "gpt2").string("tokenizer.ggml.pre", "qwen2");
        writer_.strings("tokenizer.ggml.tokens", words).i32s("tokenizer.ggml.token_type", types);
        writer_.strings("tokenizer.ggml.merges", merges);
        writer_.u32("tokenizer.ggml.bos_token_id", last - 2).u32("tokenizer.ggml.eos_token_id", last);
        writer_.u32("tokenizer.ggml.padding_token_id", last - 2).boolean("tokenizer.ggml.add_bos_token", false);
        if (!o_.chatTemplate.empty())
            writer_.string("tokenizer.chat_template", o_.chatTemplate == "chatml" ? kChatMl : o_.chatTemplate);
    }

    void describeOracle() {
        model_.width = o_.width;
        model_.heads = o_.heads;
        model_.kvHeads = o_.kvHeads;
        model_.headDim = o_.headDim;
        model_.vocabulary = o_.vocabulary;
        model_.expertsPerToken = o_.expertsPerToken;
        model_.ropeDimensions = ropeDimensions();
        model_.ropeInHalves = family_.ropeInHalves;
        model_.routesFirst = family_.routesFirst;
        model_.activation = family_.activation;
        if (family_.gemma) model_.embeddingScale = std::sqrt(static_cast<double>(o_.width));
        if (family_.gemma4) model_.scoreScale = 1, model_.logitCap = o_.logitCap;
        if (family_.softCaps) {
            model_.scoreCap = static_cast<float>(o_.scoreCap > 0 ? o_.scoreCap : 50);
            model_.logitCap = static_cast<float>(o_.logitCap > 0 ? o_.logitCap : 30);
        }
        model_.router.sigmoid = sigmoid();
        model_.router.normalised = family_.normalised;
        if (family_.routerKeys) model_.router.scale = static_cast<double>(static_cast<float>(o_.weightsScale));
        if (o_.groups > 0) model_.router.groups = o_.groups, model_.router.groupsUsed = o_.groupsUsed;
        model_.cache = OracleCache::Half;
        model_.downByNeuron = o_.transposedDown;
        model_.yarnFactor = o_.yarnFactor;
        model_.yarnContext = static_cast<double>(o_.yarnContext);
        model_.ropeTheta = static_cast<float>(theta());
        model_.ropeStretch = o_.ropeStretch;
        model_.epsilon = static_cast<float>(kEpsilon);
    }

    TensorType typeOf(const std::string& name) const { return o_.typeOf ? o_.typeOf(name) : o_.type; }

    /// Stores the values in the format and writes the tensor; without values it is all zeros. shape: fastest first.
    Vector tensor(const std::string& name, const std::vector<uint64_t>& shape, TensorType type, Vector values) {
        GgufWriter& writer = writers_[static_cast<size_t>(tensorsWritten_ % o_.shards)];
        const bool zeros = values.empty();
        const std::string bytes = zeros ? std::string() : storeValues(type, values, random_);
        if (name == o_.skipTensor) return values;
        ++tensorsWritten_;
        uint64_t elements = 1;
        for (const uint64_t size : shape) elements *= size;
        if (zeros)
            writer.zeros(name, shape, static_cast<uint32_t>(type), engine::rowBytes(type, elements));
        else
            writer.tensor(name, shape, static_cast<uint32_t>(type), bytes);
        return values;
    }
    Vector vector(const std::string& name, int64_t n, double deviation, double mean) {
        return tensor(name, {static_cast<uint64_t>(n)}, TensorType::F32, normals(n, deviation, mean));
    }
    Vector normals(int64_t n, double deviation, double mean = 0) {
        return o_.weights ? random_.normals(n, deviation, mean) : Vector();
    }
    /// Its outputs have a size of about `scale` for inputs of size 1. count: number of matrices in the tensor; 0 for a
    /// tensor of two dimensions.
    OracleMatrix matrix(const std::string& name, int64_t columns, int64_t rows, double scale, int64_t count = 0) {
        std::vector<uint64_t> shape{static_cast<uint64_t>(columns), static_cast<uint64_t>(rows)};
        if (count > 0) shape.push_back(static_cast<uint64_t>(count));
        const TensorType type = typeOf(name);
        const double deviation = scale / std::sqrt(static_cast<double>(columns));
        const int64_t n = columns * rows * std::max<int64_t>(1, count);
        // A quantised format uses only the deviation: drawing values for it would take half of the time.
        const bool drawn = o_.weights && !isInteger(type);
        return {tensor(name, shape, type,
                       drawn ? normals(n, deviation) : Vector(static_cast<size_t>(o_.weights ? n : 0), deviation)),
                isInteger(type)};
    }
    OracleMatrix experts(const std::string& name, int64_t columns, int64_t rows) {
        return matrix(name, columns, rows, 1, o_.experts);
    }
    /// Writes n values for each expert.
    Vector biases(const std::string& name, int64_t n, double deviation) {
        return tensor(name, {static_cast<uint64_t>(n), static_cast<uint64_t>(o_.experts)}, TensorType::F32,
                      normals(n * o_.experts, deviation));
    }

    void tensors() {
        const OracleMatrix embedding =
            matrix("token_embd.weight", o_.width, o_.vocabulary,
                   std::sqrt(static_cast<double>(o_.width)) * kEmbeddingSize / model_.embeddingScale);
        model_.embedding = embedding.values;
        if (o_.ropeFactors || family_.gemma4) {
            Vector factors(static_cast<size_t>(ropeDimensions() / 2));
            const double slow = family_.gemma4 ? 1e30 : 8; // 1e30: these pairs do not rotate
            for (size_t i = 0; i < factors.size(); ++i)
                factors[i] = i < factors.size() / 2 ? 1.0 : static_cast<float>(slow);
            model_.ropeFactors = tensor("rope_freqs.weight", {factors.size()}, TensorType::F32, factors);
        }
        if (o_.layerEmbedding > 0) layerEmbeddings();
        for (int64_t i = 0; i < o_.layers; ++i) {
            OracleLayer layer;
            layerPattern(i, layer);
            if (hasState(i) && family_.convolutions)
                convolution("blk." + std::to_string(i) + ".", layer);
            else if (hasState(i))
                deltaRule("blk." + std::to_string(i) + ".", layer);
            else
                attention(i, "blk." + std::to_string(i) + ".", layer);
            feedForward(i, "blk." + std::to_string(i) + ".", layer);
            model_.layers.push_back(std::move(layer));
        }
        for (int64_t i = o_.layers; i < o_.layers + o_.draftLayers; ++i) draftLayer("blk." + std::to_string(i) + ".");
        model_.outputNorm = vector(family_.outputNorm, o_.width, 0.1, 1);
        model_.head = o_.tied ? embedding : matrix("output.weight", o_.width, o_.vocabulary, 2);
        if (o_.headPredictorRank > 0) {
            const int64_t n = o_.headPredictorRank * (o_.width + o_.vocabulary);
            tensor("lm_head_profiler.weight", {static_cast<uint64_t>(n)}, o_.predictorType,
                   o_.predictorIsHead ? headAsPredictor() : normals(n, 0.1));
        }
    }

    /// The unit matrix, then the head.
    Vector headAsPredictor() const {
        if (!o_.weights) return {};
        Vector values(static_cast<size_t>(o_.width * o_.width));
        for (int64_t i = 0; i < o_.width; ++i) values[static_cast<size_t>(i * o_.width + i)] = 1;
        values.insert(values.end(), model_.head.values.begin(), model_.head.values.end());
        return values;
    }

    void layerEmbeddings() {
        const int64_t values = o_.layers * o_.layerEmbedding;
        model_.layerEmbedding = o_.layerEmbedding;
        model_.layerTable =
            matrix("per_layer_token_embd.weight", values, o_.vocabulary, std::sqrt(static_cast<double>(o_.layers)))
                .values;
        model_.layerProjection = matrix("per_layer_model_proj.weight", o_.width, values, 1);
        model_.layerProjectionNorm = vector("per_layer_proj_norm.weight", o_.layerEmbedding, 0.1, 1);
    }

    void ownEmbedding(const std::string& prefix, OracleLayer& layer) {
        layer.ownGate = matrix(prefix + "inp_gate.weight", o_.width, o_.layerEmbedding, 1);
        layer.ownOutput = matrix(prefix + "proj.weight", o_.layerEmbedding, o_.width, 1);
        layer.ownNorm = vector(prefix + "post_norm.weight", o_.width, 0.1, 1);
    }

    void layerPattern(int64_t index, OracleLayer& layer) const {
        if (o_.architecture == "smollm3") layer.rope = (index + 1) % 4 != 0;
        if (hasWindow(index) || o_.architecture == "lfm2") layer.window = o_.window;
        if (layer.window > 0) layer.ropeTheta = family_.windowTheta;
        if (family_.gemma4) {
            layer.headDim = headDimOf(index), layer.kvHeads = kvHeadsOf(index), layer.normsValues = true;
            if (layer.window > 0) layer.ropeDimensions = o_.windowHeadDim;
            for (int64_t i = 0; i < index && !ownsKeys(index); ++i)
                if (ownsKeys(i) && hasWindow(i) == hasWindow(index)) layer.keysOf = i;
        }
        if (o_.architecture != "smallthinker" || o_.window == 0) return;
        layer.rope = index % 4 != 0;
        layer.window = layer.rope ? o_.window : 0;
    }

    void attention(int64_t index, const std::string& prefix, OracleLayer& layer) {
        const int64_t headDim = headDimOf(index), q = o_.heads * headDim, k = kvHeadsOf(index) * headDim;
        layer.attentionNorm = vector(prefix + "attn_norm.weight", o_.width, 0.1, 1);
        layer.gated = family_.delta != Family::Delta::None;
        layer.query = matrix(prefix + "attn_q.weight", o_.width, layer.gated ? 2 * q : q, 1.5);
        if (ownsKeys(index)) {
            layer.key = matrix(prefix + "attn_k.weight", o_.width, k, 1.5);
            if (!family_.gemma4 || o_.alikeKeys || hasWindow(index))
                layer.value = matrix(prefix + "attn_v.weight", o_.width, k, 1);
        }
        layer.output = matrix(prefix + "attn_output.weight", q, o_.width, 1);
        if (family_.gemma) layer.mixerOutputNorm = vector(prefix + "post_attention_norm.weight", o_.width, 0.1, 1);
        const bool all = o_.biases || family_.allBiases;
        if (all || family_.queryBiases) {
            layer.queryBias = vector(prefix + "attn_q.bias", q, 0.3, 0);
            layer.keyBias = vector(prefix + "attn_k.bias", k, 0.3, 0);
            layer.valueBias = vector(prefix + "attn_v.bias", k, 0.3, 0);
        }
        if (family_.sinks) layer.sinks = vector(prefix + "attn_sinks.weight", o_.heads, 1, 1);
        if (all) layer.outputBias = vector(prefix + "attn_output.bias", o_.width, 0.3, 0);
        if (family_.norm == Family::Norm::None || !o_.headNorms) return;
        const bool each = family_.norm == Family::Norm::Head;
        const double mean = family_.gemma4 ? 0.4 : 1; // scores that are not scaled would be large
        layer.queryNorm = vector(prefix + "attn_q_norm.weight", each ? headDim : q, 0.1, mean);
        if (ownsKeys(index)) layer.keyNorm = vector(prefix + "attn_k_norm.weight", each ? headDim : k, 0.1, mean);
    }

    void convolution(const std::string& prefix, OracleLayer& layer) {
        layer.attentionNorm = vector(prefix + "attn_norm.weight", o_.width, 0.1, 1);
        layer.convolution.taps = o_.taps;
        layer.convolution.input = matrix(prefix + "shortconv.in_proj.weight", o_.width, 3 * o_.width, 1);
        layer.convolution.tapWeights =
            tensor(prefix + "shortconv.conv.weight", {static_cast<uint64_t>(o_.taps), static_cast<uint64_t>(o_.width)},
                   TensorType::F32, normals(o_.width * o_.taps, 0.6));
        layer.convolution.output = matrix(prefix + "shortconv.out_proj.weight", o_.width, o_.width, 1);
    }

    void deltaRule(const std::string& prefix, OracleLayer& layer) {
        layer.attentionNorm = vector(prefix + "attn_norm.weight", o_.width, 0.1, 1);
        OracleDelta& delta = layer.delta;
        delta.keyHeads = o_.keyHeads, delta.valueHeads = o_.valueHeads, delta.size = o_.stateSize, delta.taps = o_.taps;
        delta.grouped = family_.delta == Family::Delta::Grouped;
        const int64_t values = o_.valueHeads * o_.stateSize, channels = 2 * o_.keyHeads * o_.stateSize + values;
        delta.input = matrix(prefix + "attn_qkv.weight", o_.width, channels, 1);
        delta.gate = matrix(prefix + "attn_gate.weight", o_.width, values, 1);
        delta.tapWeights =
            tensor(prefix + "ssm_conv1d.weight", {static_cast<uint64_t>(o_.taps), static_cast<uint64_t>(channels)},
                   TensorType::F32, normals(channels * o_.taps, 0.6));
        delta.bias = vector(prefix + "ssm_dt.bias", o_.valueHeads, 0.5, 0);
        Vector decay = normals(o_.valueHeads, 0.5);
        for (double& value : decay) value = -std::exp(value);
        delta.decay = tensor(prefix + "ssm_a", {static_cast<uint64_t>(o_.valueHeads)}, TensorType::F32, decay);
        if (delta.grouped) {
            splitGates(matrix(prefix + "ssm_ba.weight", o_.width, 2 * o_.valueHeads, 1), delta);
        } else {
            delta.beta = matrix(prefix + "ssm_beta.weight", o_.width, o_.valueHeads, 1);
            delta.alpha = matrix(prefix + "ssm_alpha.weight", o_.width, o_.valueHeads, 1);
        }
        delta.norm = vector(prefix + "ssm_norm.weight", o_.stateSize, 0.1, 1);
        delta.output = matrix(prefix + "ssm_out.weight", values, o_.width, 1);
    }

    /// The rows of each key head: those of its value heads' betas, then those of their alphas.
    void splitGates(const OracleMatrix& gates, OracleDelta& delta) const {
        delta.beta.eightBitInputs = delta.alpha.eightBitInputs = gates.eightBitInputs;
        const size_t share = static_cast<size_t>(o_.valueHeads / o_.keyHeads * o_.width);
        for (size_t at = 0; at < gates.values.size(); at += 2 * share)
            for (size_t i = 0; i < share; ++i) {
                delta.beta.values.push_back(gates.values[at + i]);
                delta.alpha.values.push_back(gates.values[at + share + i]);
            }
    }

    void feedForward(int64_t index, const std::string& prefix, OracleLayer& layer) {
        layer.feedForwardNorm = vector(prefix + family_.feedForwardNorm, o_.width, 0.1, 1);
        if (family_.gemma) layer.feedForwardOutputNorm = vector(prefix + "post_ffw_norm.weight", o_.width, 0.1, 1);
        const bool leading = family_.leadingDense && index < o_.leadingDense;
        if (!hasExperts() || leading)
            denseLayer(prefix, leading ? o_.denseFeedForward : feedForwardOf(index), layer);
        else
            expertLayer(prefix, layer);
        if (!family_.gemma4) return;
        if (o_.layerEmbedding > 0) ownEmbedding(prefix, layer);
        const double scale = static_cast<float>(0.7 + 0.05 * static_cast<double>(index));
        layer.outputScale = tensor(prefix + "layer_output_scale.weight", {1}, TensorType::F32, {scale})[0];
    }

    void expertLayer(const std::string& prefix, OracleLayer& layer) {
        layer.experts = o_.experts;
        layer.feedForward = o_.feedForward;
        const double inputSize = family_.gemma4 ? 1 : std::sqrt(static_cast<double>(o_.width)); // length of the input
        layer.router = {tensor(prefix + "ffn_gate_inp.weight",
                               {static_cast<uint64_t>(o_.width), static_cast<uint64_t>(o_.experts)}, TensorType::F32,
                               normals(o_.experts * o_.width, 2 / inputSize))};
        if (o_.joinedExperts.value_or(family_.gemma4)) {
            joinedExperts(prefix, layer);
        } else {
            layer.gate = experts(prefix + "ffn_gate_exps.weight", o_.width, o_.feedForward);
            layer.up = experts(prefix + "ffn_up_exps.weight", o_.width, o_.feedForward);
        }
        if (family_.gemma4) besideDense(prefix, layer);
        if (o_.transposedDown)
            layer.down = transposed(experts(prefix + "ffn_down_exps.weight", o_.width, o_.feedForward));
        else
            layer.down = experts(prefix + "ffn_down_exps.weight", o_.feedForward, o_.width);
        if (family_.shared != Family::Shared::None) sharedExpert(prefix, layer);
        if (family_.selectionBias) layer.selectionBias = vector(prefix + "exp_probs_b.bias", o_.experts, 0.3, 0);
        if (!family_.allBiases) return;
        layer.routerBias = vector(prefix + "ffn_gate_inp.bias", o_.experts, 0.5, 0);
        layer.gateBias = biases(prefix + "ffn_gate_exps.bias", o_.feedForward, o_.neuronBiases);
        layer.upBias = biases(prefix + "ffn_up_exps.bias", o_.feedForward, o_.neuronBiases);
        layer.downBias = biases(prefix + "ffn_down_exps.bias", o_.width, 0.3);
    }

    void joinedExperts(const std::string& prefix, OracleLayer& layer) {
        const OracleMatrix both = experts(prefix + "ffn_gate_up_exps.weight", o_.width, 2 * o_.feedForward);
        layer.gate.eightBitInputs = layer.up.eightBitInputs = both.eightBitInputs;
        const auto share = static_cast<std::ptrdiff_t>(o_.feedForward * o_.width);
        for (auto at = both.values.begin(); at != both.values.end(); at += 2 * share) {
            layer.gate.values.insert(layer.gate.values.end(), at, at + share);
            layer.up.values.insert(layer.up.values.end(), at + share, at + 2 * share);
        }
    }

    /// Writes what experts beside a dense part need: norms, scales, and the dense part.
    void besideDense(const std::string& prefix, OracleLayer& layer) {
        layer.routerNorm = vector(prefix + "ffn_gate_inp.scale", o_.width, 0.1, 1);
        layer.expertsNorm = vector(prefix + "pre_ffw_norm_2.weight", o_.width, 0.1, 1);
        layer.denseOutputNorm = vector(prefix + "post_ffw_norm_1.weight", o_.width, 0.1, 1);
        layer.expertsOutputNorm = vector(prefix + "post_ffw_norm_2.weight", o_.width, 0.1, 1);
        layer.expertScales = vector(prefix + "ffn_down_exps.scale", o_.experts, 0.3, 1);
        layer.sharedGate = matrix(prefix + "ffn_gate.weight", o_.width, o_.denseFeedForward, 1);
        layer.sharedUp = matrix(prefix + "ffn_up.weight", o_.width, o_.denseFeedForward, 1);
        layer.sharedDown = matrix(prefix + "ffn_down.weight", o_.denseFeedForward, o_.width, 1);
    }

    void denseLayer(const std::string& prefix, int64_t neurons, OracleLayer& layer) {
        layer.feedForward = neurons;
        layer.gate = matrix(prefix + "ffn_gate.weight", o_.width, neurons, 1);
        layer.up = matrix(prefix + "ffn_up.weight", o_.width, neurons, 1);
        layer.down = matrix(prefix + "ffn_down.weight", neurons, o_.width, 1);
        if (!o_.biases) return;
        layer.gateBias = vector(prefix + "ffn_gate.bias", neurons, 0.3, 0);
        layer.upBias = vector(prefix + "ffn_up.bias", neurons, 0.3, 0);
        layer.downBias = vector(prefix + "ffn_down.bias", o_.width, 0.3, 0);
    }

    /// A whole layer, and a tensor that only draft layers have.
    void draftLayer(const std::string& prefix) {
        OracleLayer unused;
        attention(o_.layers, prefix, unused);
        feedForward(o_.layers, prefix, unused);
        matrix(prefix + "nextn.eh_proj.weight", 2 * o_.width, o_.width, 1);
    }

    void sharedExpert(const std::string& prefix, OracleLayer& layer) {
        if (family_.shared == Family::Shared::Gated)
            layer.sharedRouter = {vector(prefix + "ffn_gate_inp_shexp.weight", o_.width, 0.2, 0)};
        layer.sharedGate = matrix(prefix + "ffn_gate_shexp.weight", o_.width, o_.sharedFeedForward, 1);
        layer.sharedUp = matrix(prefix + "ffn_up_shexp.weight", o_.width, o_.sharedFeedForward, 1);
        layer.sharedDown = matrix(prefix + "ffn_down_shexp.weight", o_.sharedFeedForward, o_.width, 1);
    }

    /// [experts, feedForward, width] -> [experts, width, feedForward].
    OracleMatrix transposed(const OracleMatrix& from) const {
        OracleMatrix to = from;
        for (int64_t e = 0; o_.weights && e < o_.experts; ++e)
            for (int64_t n = 0; n < o_.feedForward; ++n)
                for (int64_t c = 0; c < o_.width; ++c)
                    to.values[static_cast<size_t>((e * o_.width + c) * o_.feedForward + n)] =
                        from.values[static_cast<size_t>((e * o_.feedForward + n) * o_.width + c)];
        return to;
    }

    static constexpr double kSlowTheta = 1e6; // beside layers with a theta of their own
    static constexpr double kTheta = 10000, kEpsilon = 1e-6;
    static constexpr double kEmbeddingSize =
        0.5; // size of a row's values: large enough for layers not to drown it, small for a tied head

    const TinyModelOptions& o_;
    const Family& family_;
    Random random_;
    std::vector<GgufWriter> writers_; // one for each shard
    GgufWriter& writer_;              // the first shard's, which holds the keys
    int32_t tensorsWritten_ = 0;
    OracleModel model_;
};

} // namespace

TinyModel makeTinyModel(const TinyModelOptions& options) { return Builder(options).build(); }

std::string shardPath(const std::string& path, int shard, int shards) {
    const auto digits = [](int n) { return std::string(5 - std::to_string(n).size(), '0') + std::to_string(n); };
    const std::string stem = path.ends_with(".gguf") ? path.substr(0, path.size() - 5) : path;
    return stem + "-" + digits(shard) + "-of-" + digits(shards) + ".gguf";
}

bool saveTinyModel(const TinyModelOptions& options, const std::string& path) { return Builder(options).save(path); }

std::vector<int32_t> randomTokens(int64_t count, int64_t vocabulary, uint64_t seed) {
    Random random(seed);
    std::vector<int32_t> tokens(static_cast<size_t>(count));
    for (int32_t& token : tokens) token = static_cast<int32_t>(random.bits() % static_cast<uint64_t>(vocabulary));
    return tokens;
}

} // namespace coterie::test
