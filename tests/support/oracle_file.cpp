// SPDX-License-Identifier: Apache-2.0
// See oracle_file.h. The keys and the pattern of layers are those of FACTS.md: every fourth layer has neither rotary
// positions nor a window.
#include "support/oracle_file.h"

#include "gguf/model_file.h"
#include "support/quant_oracle.h"

#include <memory>

namespace coterie::test {
namespace {

using engine::ModelFile;
using engine::TensorType;
namespace gguf = engine::gguf;

class OracleReader {
  public:
    explicit OracleReader(const ModelFile& file) : file_(file), header_(file.header()) {}

    std::optional<OracleModel> read() {
        if (header_.string("general.architecture") != "smallthinker") return std::nullopt;
        shape();
        for (int64_t l = 0; l < whole("block_count"); ++l) layer(l);
        model_.embedding = tensor("token_embd.weight").values;
        model_.vocabulary = static_cast<int64_t>(model_.embedding.size()) / model_.width;
        model_.outputNorm = tensor("output_norm.weight").values;
        model_.head = tensor(header_.tensor("output.weight") ? "output.weight" : "token_embd.weight");
        if (failed_) return std::nullopt;
        return std::move(model_);
    }

  private:
    int64_t whole(const std::string& key, int64_t otherwise = 0) const {
        const auto value = header_.unsignedInteger("smallthinker." + key);
        return value ? static_cast<int64_t>(*value) : otherwise;
    }

    void shape() {
        model_.width = whole("embedding_length");
        model_.heads = whole("attention.head_count");
        model_.kvHeads = whole("attention.head_count_kv");
        model_.headDim = whole("attention.key_length", model_.width / std::max<int64_t>(1, model_.heads));
        model_.expertsPerToken = whole("expert_used_count");
        model_.ropeDimensions = whole("rope.dimension_count", model_.headDim);
        model_.ropeInHalves = true;
        model_.activation = OracleActivation::ReGlu;
        model_.routesFirst = true;
        model_.router.sigmoid = whole("expert_gating_func", 2) == 2;
        model_.ropeTheta = header_.number("smallthinker.rope.freq_base").value_or(10000);
        model_.epsilon = header_.number("smallthinker.attention.layer_norm_rms_epsilon").value_or(1e-6);
        model_.cache = OracleCache::Half;
    }

    OracleMatrix tensor(const std::string& name) {
        const gguf::Tensor* found = header_.tensor(name);
        if (!found || !found->type) {
            failed_ = true;
            return {};
        }
        std::vector<std::byte> bytes(found->bytes);
        if (!file_.read(*found, 0, bytes)) failed_ = true;
        const engine::TypeTraits& type = engine::traits(*found->type);
        OracleMatrix matrix{.values = {}, .eightBitInputs = type.blockElements > 1};
        matrix.values.reserve(found->elements());
        for (uint64_t i = 0; i < found->elements(); ++i) {
            const uint64_t block = i / type.blockElements, at = i % type.blockElements;
            const auto* data = reinterpret_cast<const uint8_t*>(bytes.data()) + block * type.blockBytes;
            matrix.values.push_back(BlockOracle(*found->type, data).at(static_cast<int>(at)).value());
        }
        return matrix;
    }

    void layer(int64_t index) {
        const std::string prefix = "blk." + std::to_string(index) + ".";
        OracleLayer layer;
        layer.experts = whole("expert_count");
        layer.feedForward = whole("expert_feed_forward_length");
        const int64_t window = whole("attention.sliding_window");
        layer.rope = window == 0 || index % 4 != 0;
        layer.window = layer.rope ? window : 0;
        layer.attentionNorm = tensor(prefix + "attn_norm.weight").values;
        layer.feedForwardNorm = tensor(prefix + "ffn_norm.weight").values;
        layer.query = tensor(prefix + "attn_q.weight");
        layer.key = tensor(prefix + "attn_k.weight");
        layer.value = tensor(prefix + "attn_v.weight");
        layer.output = tensor(prefix + "attn_output.weight");
        layer.router = tensor(prefix + "ffn_gate_inp.weight");
        layer.gate = tensor(prefix + "ffn_gate_exps.weight");
        layer.up = tensor(prefix + "ffn_up_exps.weight");
        layer.down = tensor(prefix + "ffn_down_exps.weight");
        const gguf::Tensor* down = header_.tensor(prefix + "ffn_down_exps.weight");
        if (down && static_cast<int64_t>(down->shape[0]) == model_.width && model_.width != layer.feedForward) {
            model_.downByNeuron = true;
            byRow(layer);
        }
        model_.layers.push_back(std::move(layer));
    }

    /// [experts, feedForward, width] -> [experts, width, feedForward].
    void byRow(OracleLayer& layer) const {
        const std::vector<double> from = layer.down.values;
        const int64_t neurons = layer.feedForward, width = model_.width;
        for (int64_t e = 0; e < layer.experts; ++e)
            for (int64_t n = 0; n < neurons; ++n)
                for (int64_t c = 0; c < width; ++c)
                    layer.down.values[static_cast<size_t>((e * width + c) * neurons + n)] =
                        from[static_cast<size_t>((e * neurons + n) * width + c)];
    }

    const ModelFile& file_;
    const gguf::Header& header_;
    OracleModel model_;
    bool failed_ = false;
};

} // namespace

std::optional<OracleModel> readOracle(const std::string& path) {
    const auto file = ModelFile::open(engine::systemFiles(), path);
    if (!file) return std::nullopt;
    return OracleReader(*file.value()).read();
}

} // namespace coterie::test
