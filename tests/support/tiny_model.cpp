// SPDX-License-Identifier: Apache-2.0
// See tiny_model.h. Weights are drawn as doubles, stored in the file's format, and read back as the doubles that format
// holds.
#include "support/tiny_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <numbers>

namespace coterie::test {
namespace {

using engine::TensorType;
using Vector = std::vector<double>;

/// splitmix64 (Steele et al. 2014) and Box-Muller: the same numbers everywhere, unlike the library's distributions.
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
    uint64_t bits() {
        uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform()); }
    Vector normals(int64_t n, double deviation, double mean = 0) {
        Vector values(static_cast<size_t>(n));
        for (double& value : values) value = mean + deviation * normal();
        return values;
    }

  private:
    uint64_t state_;
};

/// The nearest number with `mantissaBits` after the leading one and exponents from `least` up; ties to even.
double rounded(double value, int mantissaBits, int least) {
    if (value == 0) return 0;
    const int exponent = std::max(std::ilogb(value), least) - mantissaBits;
    return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}
double roundedToHalf(double value) { return rounded(value, 10, -14); }

uint16_t halfBits(double value) { // value is a finite half
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double magnitude = std::abs(value);
    if (magnitude < 0x1p-14) return static_cast<uint16_t>(sign | static_cast<uint16_t>(magnitude * 0x1p24));
    const int exponent = std::ilogb(magnitude);
    const auto mantissa = static_cast<uint16_t>(std::ldexp(magnitude, 10 - exponent) - 1024);
    return static_cast<uint16_t>(sign | ((exponent + 15) << 10) | mantissa);
}

template <typename T>
void append(std::string& bytes, T value) {
    bytes += GgufWriter::bytesOf(value);
}

/// Appends a block of 32 and replaces the values by what it holds. Layouts: the format's published description in ggml.
void storeQ8(double* x, std::string& bytes) {
    double largest = 0;
    for (int i = 0; i < 32; ++i) largest = std::max(largest, std::abs(x[i]));
    const double scale = roundedToHalf(largest / 127);
    append(bytes, halfBits(scale));
    for (int i = 0; i < 32; ++i) {
        const double q = scale == 0 ? 0 : std::clamp(std::nearbyint(x[i] / scale), -127.0, 127.0);
        append(bytes, static_cast<int8_t>(q));
        x[i] = scale * q;
    }
}

void storeQ4(double* x, std::string& bytes) {
    double extreme = 0;
    for (int i = 0; i < 32; ++i) extreme = std::abs(x[i]) > std::abs(extreme) ? x[i] : extreme;
    const double scale = roundedToHalf(extreme / -8);
    append(bytes, halfBits(scale));
    int q[32];
    for (int i = 0; i < 32; ++i) {
        q[i] = scale == 0 ? 8 : static_cast<int>(std::clamp(std::nearbyint(x[i] / scale) + 8, 0.0, 15.0));
        x[i] = scale * (q[i] - 8);
    }
    for (int i = 0; i < 16; ++i) append(bytes, static_cast<uint8_t>(q[i] | (q[i + 16] << 4)));
}

std::string store(TensorType type, Vector& values) {
    std::string bytes;
    if (type == TensorType::Q8_0 || type == TensorType::Q4_0) {
        for (size_t i = 0; i + 32 <= values.size(); i += 32)
            type == TensorType::Q8_0 ? storeQ8(&values[i], bytes) : storeQ4(&values[i], bytes);
        return bytes;
    }
    for (double& value : values) {
        if (type == TensorType::F16) {
            value = roundedToHalf(value);
            append(bytes, halfBits(value));
        } else if (type == TensorType::BF16) {
            value = rounded(value, 7, -126);
            append(bytes, static_cast<uint16_t>(std::bit_cast<uint32_t>(static_cast<float>(value)) >> 16));
        } else {
            value = static_cast<float>(value);
            append(bytes, static_cast<float>(value));
        }
    }
    return bytes;
}

bool isSmallThinker(const TinyModelOptions& o) { return o.architecture == "smallthinker"; }
bool hasExperts(const TinyModelOptions& o) {
    return isSmallThinker(o) || o.architecture == "qwen3moe" || o.architecture == "olmoe";
}

/// GPT-2's alphabet: printable Latin-1 stands for itself, the other bytes for U+0100 and up.
std::vector<std::string> byteWords() {
    std::vector<std::string> words(256);
    uint32_t next = 256;
    for (uint32_t byte = 0; byte < 256; ++byte) {
        const bool plain = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
        const uint32_t code = plain ? byte : next++;
        if (code >= 128) words[byte] += static_cast<char>(0xc0 | (code >> 6)); // UTF-8 of two bytes
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
    explicit Builder(const TinyModelOptions& options) : o_(options), random_(options.seed) {}

    TinyModel build() {
        shapeKeys();
        familyKeys();
        tokenizerKeys();
        if (o_.extraKeys) o_.extraKeys(writer_);
        describeOracle();
        tensors();
        return {writer_.bytes(), std::move(model_)};
    }

  private:
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
        writer_.string("general.name", "tiny-" + o_.architecture).string("general.license", "apache-2.0");
        u32("block_count", o_.layers);
        u32("context_length", o_.context);
        u32("embedding_length", o_.width);
        u32("feed_forward_length", o_.feedForward);
        u32("attention.head_count", o_.heads);
        u32("attention.head_count_kv", o_.kvHeads);
        u32("attention.key_length", o_.headDim);
        u32("attention.value_length", o_.headDim);
        u32("rope.dimension_count", o_.headDim);
        f32("rope.freq_base", static_cast<float>(kTheta));
        f32("attention.layer_norm_rms_epsilon", static_cast<float>(kEpsilon));
        u32("vocab_size", o_.vocabulary);
    }

    void familyKeys() {
        if (!hasExperts(o_)) return;
        u32("expert_count", o_.experts);
        u32("expert_used_count", o_.expertsPerToken);
        u32("expert_feed_forward_length", o_.feedForward);
        if (!isSmallThinker(o_)) return;
        if (!o_.gating.empty()) u32("expert_gating_func", o_.gating == "sigmoid" ? 2 : 1);
        if (o_.window > 0) u32("attention.sliding_window", o_.window);
    }

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
        model_.feedForward = o_.feedForward;
        model_.vocabulary = o_.vocabulary;
        model_.experts = hasExperts(o_) ? o_.experts : 0;
        model_.expertsPerToken = hasExperts(o_) ? o_.expertsPerToken : 0;
        model_.ropeInHalves = o_.architecture != "llama" && o_.architecture != "smollm3";
        model_.relu = model_.routesFirst = isSmallThinker(o_);
        model_.sigmoid = isSmallThinker(o_) && o_.gating != "softmax";
        model_.halfCache = true;
        model_.eightBitInputs = o_.type == TensorType::Q8_0 || o_.type == TensorType::Q4_0;
        model_.downByNeuron = o_.transposedDown;
        model_.normalised = o_.architecture != "olmoe";
        model_.ropeTheta = static_cast<float>(kTheta);
        model_.epsilon = static_cast<float>(kEpsilon);
    }

    /// shape: fastest first. Draws, stores, writes.
    Vector tensor(const std::string& name, const std::vector<uint64_t>& shape, TensorType type, Vector values) {
        const std::string bytes = store(type, values);
        if (name != o_.skipTensor) writer_.tensor(name, shape, static_cast<uint32_t>(type), bytes);
        return values;
    }
    Vector vector(const std::string& name, int64_t n, double deviation, double mean) {
        return tensor(name, {static_cast<uint64_t>(n)}, TensorType::F32, random_.normals(n, deviation, mean));
    }
    /// Each output about `scale` in size for inputs of size 1.
    Vector matrix(const std::string& name, int64_t columns, int64_t rows, double scale) {
        return tensor(name, {static_cast<uint64_t>(columns), static_cast<uint64_t>(rows)}, o_.type,
                      random_.normals(columns * rows, scale / std::sqrt(static_cast<double>(columns))));
    }

    void tensors() {
        model_.embedding = matrix("token_embd.weight", o_.width, o_.vocabulary,
                                  std::sqrt(static_cast<double>(o_.width)) * kEmbeddingSize);
        if (o_.ropeFactors) {
            Vector factors(static_cast<size_t>(o_.headDim / 2));
            for (size_t i = 0; i < factors.size(); ++i) factors[i] = i < factors.size() / 2 ? 1.0 : 8.0;
            model_.ropeFactors = tensor("rope_freqs.weight", {factors.size()}, TensorType::F32, factors);
        }
        for (int64_t i = 0; i < o_.layers; ++i) {
            OracleLayer layer;
            layerPattern(i, layer);
            attention("blk." + std::to_string(i) + ".", layer);
            feedForward("blk." + std::to_string(i) + ".", layer);
            model_.layers.push_back(std::move(layer));
        }
        model_.outputNorm = vector("output_norm.weight", o_.width, 0.1, 1);
        model_.head = o_.tied ? model_.embedding : matrix("output.weight", o_.width, o_.vocabulary, 2);
        if (o_.headPredictorRank > 0) {
            const int64_t n = o_.headPredictorRank * (o_.width + o_.vocabulary);
            tensor("lm_head_profiler.weight", {static_cast<uint64_t>(n)}, TensorType::F16, random_.normals(n, 0.1));
        }
    }

    void layerPattern(int64_t index, OracleLayer& layer) const {
        if (o_.architecture == "smollm3") layer.rope = (index + 1) % 4 != 0;
        if (!isSmallThinker(o_) || o_.window == 0) return;
        layer.rope = index % 4 != 0;
        layer.window = layer.rope ? o_.window : 0;
    }

    void attention(const std::string& prefix, OracleLayer& layer) {
        const int64_t q = o_.heads * o_.headDim, k = o_.kvHeads * o_.headDim;
        layer.attentionNorm = vector(prefix + "attn_norm.weight", o_.width, 0.1, 1);
        layer.query = matrix(prefix + "attn_q.weight", o_.width, q, 1.5);
        layer.key = matrix(prefix + "attn_k.weight", o_.width, k, 1.5);
        layer.value = matrix(prefix + "attn_v.weight", o_.width, k, 1);
        layer.output = matrix(prefix + "attn_output.weight", q, o_.width, 1);
        if (o_.biases || o_.architecture == "qwen2") {
            layer.queryBias = vector(prefix + "attn_q.bias", q, 0.3, 0);
            layer.keyBias = vector(prefix + "attn_k.bias", k, 0.3, 0);
            layer.valueBias = vector(prefix + "attn_v.bias", k, 0.3, 0);
        }
        if (o_.biases) layer.outputBias = vector(prefix + "attn_output.bias", o_.width, 0.3, 0);
        const bool each = o_.architecture == "qwen3" || o_.architecture == "qwen3moe";
        if (!each && o_.architecture != "olmoe") return;
        layer.queryNorm = vector(prefix + "attn_q_norm.weight", each ? o_.headDim : q, 0.1, 1);
        layer.keyNorm = vector(prefix + "attn_k_norm.weight", each ? o_.headDim : k, 0.1, 1);
    }

    void feedForward(const std::string& prefix, OracleLayer& layer) {
        layer.feedForwardNorm = vector(prefix + "ffn_norm.weight", o_.width, 0.1, 1);
        if (!hasExperts(o_)) {
            layer.gate = matrix(prefix + "ffn_gate.weight", o_.width, o_.feedForward, 1);
            layer.up = matrix(prefix + "ffn_up.weight", o_.width, o_.feedForward, 1);
            layer.down = matrix(prefix + "ffn_down.weight", o_.feedForward, o_.width, 1);
            return;
        }
        layer.router = tensor(prefix + "ffn_gate_inp.weight",
                              {static_cast<uint64_t>(o_.width), static_cast<uint64_t>(o_.experts)}, TensorType::F32,
                              random_.normals(o_.experts * o_.width, 2 / std::sqrt(static_cast<double>(o_.width))));
        layer.gate = experts(prefix + "ffn_gate_exps.weight", o_.width, o_.feedForward);
        layer.up = experts(prefix + "ffn_up_exps.weight", o_.width, o_.feedForward);
        if (o_.transposedDown)
            layer.down = transposed(experts(prefix + "ffn_down_exps.weight", o_.width, o_.feedForward));
        else
            layer.down = experts(prefix + "ffn_down_exps.weight", o_.feedForward, o_.width);
    }

    Vector experts(const std::string& name, int64_t columns, int64_t rows) {
        const double deviation = 1 / std::sqrt(static_cast<double>(columns));
        return tensor(name,
                      {static_cast<uint64_t>(columns), static_cast<uint64_t>(rows), static_cast<uint64_t>(o_.experts)},
                      o_.type, random_.normals(columns * rows * o_.experts, deviation));
    }

    /// [experts, feedForward, width] -> [experts, width, feedForward].
    Vector transposed(const Vector& from) const {
        Vector to(from.size());
        for (int64_t e = 0; e < o_.experts; ++e)
            for (int64_t n = 0; n < o_.feedForward; ++n)
                for (int64_t c = 0; c < o_.width; ++c)
                    to[static_cast<size_t>((e * o_.width + c) * o_.feedForward + n)] =
                        from[static_cast<size_t>((e * o_.feedForward + n) * o_.width + c)];
        return to;
    }

    static constexpr double kTheta = 10000, kEpsilon = 1e-6;
    static constexpr double kEmbeddingSize =
        0.5; // of a row's values: large enough for layers not to drown it, small for a tied head

    const TinyModelOptions& o_;
    Random random_;
    GgufWriter writer_;
    OracleModel model_;
};

} // namespace

TinyModel makeTinyModel(const TinyModelOptions& options) { return Builder(options).build(); }

bool saveTinyModel(const TinyModelOptions& options, const std::string& path) {
    const std::string bytes = makeTinyModel(options).bytes;
    std::ofstream file(path, std::ios::binary);
    return file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).good();
}

std::vector<int32_t> randomTokens(int64_t count, int64_t vocabulary, uint64_t seed) {
    Random random(seed);
    std::vector<int32_t> tokens(static_cast<size_t>(count));
    for (int32_t& token : tokens) token = static_cast<int32_t>(random.bits() % static_cast<uint64_t>(vocabulary));
    return tokens;
}

} // namespace coterie::test
