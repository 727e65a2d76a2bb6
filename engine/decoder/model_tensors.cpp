// SPDX-License-Identifier: Apache-2.0
// See model_tensors.h. Shapes are written as in a file, fastest first: a matrix is [columns, rows].
#include "decoder/model_tensors.h"

#include "decoder/metadata.h"
#include "decoder/sizes.h"
#include "kernels/regroup.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_set>

namespace coterie::engine {
namespace {

constexpr char kAnotherFile[] = "Get the file again from its source, or choose another file of this model";

std::string shapeText(const std::array<uint64_t, 4>& shape) {
    std::string text = std::to_string(shape[0]);
    const size_t last = shape[3] != 1 ? 3 : shape[2] != 1 ? 2 : 1;
    for (size_t i = 1; i <= last; ++i) text += " x " + std::to_string(shape[i]);
    return text;
}

/// Looks tensors up, remembers which were asked for, and keeps the first thing that is wrong.
class Finder {
  public:
    explicit Finder(const gguf::Header& header) : header_(header) {}

    const gguf::Tensor* matrix(const std::string& name, int64_t columns, int64_t rows, int64_t count = 1) {
        return find(name, {columns, rows, count}, true);
    }
    const gguf::Tensor* vector(const std::string& name, int64_t n) { return find(name, {n, 1, 1}, true); }
    const gguf::Tensor* optionalVector(const std::string& name, int64_t n) { return find(name, {n, 1, 1}, false); }
    /// Of `count` matrices at once.
    const gguf::Tensor* bias(const std::string& name, int64_t n, int64_t count, bool required) {
        return find(name, {n, count, 1}, required);
    }

    /// One that the answers don't need.
    void ignore(std::string_view name) { known_.insert(name); }

    Status finish() {
        for (size_t i = 0; status_.ok() && i < header_.tensors.size(); ++i)
            if (!known_.contains(header_.tensors[i].name)) status_ = unknownTensor(header_.tensors[i].name);
        return status_;
    }

  private:
    const gguf::Tensor* find(const std::string& name, const std::array<int64_t, 3>& wanted, bool required) {
        if (!status_) return nullptr;
        const gguf::Tensor* tensor = header_.tensor(name);
        if (tensor == nullptr) {
            if (required) status_ = missingTensor(name);
            return nullptr;
        }
        known_.insert(tensor->name);
        const std::array<uint64_t, 4> shape{static_cast<uint64_t>(wanted[0]), static_cast<uint64_t>(wanted[1]),
                                            static_cast<uint64_t>(wanted[2]), 1};
        if (tensor->shape != shape)
            status_ = Error{ErrorKind::BadInput,
                            {"The tensor '%1' has the wrong shape", name},
                            {"It is %1, and the metadata ask for %2", shapeText(tensor->shape), shapeText(shape)},
                            kAnotherFile};
        else if (!tensor->type || !kernelsSupport(*tensor->type))
            status_ = unsupportedFormat(*tensor);
        return tensor;
    }

    static Error unsupportedFormat(const gguf::Tensor& tensor) {
        return {ErrorKind::Unsupported,
                {"This program can't compute with the format %1", typeName(tensor.typeId)},
                {"The tensor '%1' is stored in it", tensor.name},
                {"Choose a file of this model in one of these formats: %1", kernelFormats()}};
    }

    static Error unknownTensor(std::string_view name) {
        return {ErrorKind::Unsupported,
                "This program can't run this variant of the model",
                {"It doesn't know what the tensor '%1' is for, and leaving it out would give wrong answers",
                 shortened(name)},
                "Choose another file of this model"};
    }

    const gguf::Header& header_;
    std::unordered_set<std::string_view> known_;
    Status status_;
};

void findAttention(Finder& find, const ModelShape& shape, const std::string& prefix, LayerTensors& layer) {
    const int64_t q = shape.queryWidth(), k = shape.keyWidth();
    layer.attentionNorm = find.vector(prefix + "attn_norm.weight", shape.width);
    layer.query = find.matrix(prefix + "attn_q.weight", shape.width, q);
    layer.key = find.matrix(prefix + "attn_k.weight", shape.width, k);
    layer.value = find.matrix(prefix + "attn_v.weight", shape.width, k);
    layer.output = find.matrix(prefix + "attn_output.weight", q, shape.width);
    const bool biases = shape.architecture->needsBiases;
    layer.queryBias = find.bias(prefix + "attn_q.bias", q, 1, biases);
    layer.keyBias = find.bias(prefix + "attn_k.bias", k, 1, biases);
    layer.valueBias = find.bias(prefix + "attn_v.bias", k, 1, biases);
    layer.outputBias = find.bias(prefix + "attn_output.bias", shape.width, 1, biases);
    if (shape.architecture->sinks) layer.sinks = find.vector(prefix + "attn_sinks.weight", shape.heads);
    if (shape.architecture->headNorm == HeadNorm::None) return;
    const bool each = shape.architecture->headNorm == HeadNorm::EachHead;
    layer.queryNorm = find.vector(prefix + "attn_q_norm.weight", each ? shape.headDim : q);
    layer.keyNorm = find.vector(prefix + "attn_k_norm.weight", each ? shape.headDim : k);
}

void findFeedForward(Finder& find, const ModelShape& shape, const std::string& prefix, LayerTensors& layer) {
    const int64_t width = shape.width, neurons = shape.feedForward;
    const int64_t count = shape.experts == 0 ? 1 : shape.experts;
    const bool biases = shape.architecture->needsBiases;
    const std::string suffix = shape.experts == 0 ? "" : "_exps";
    const auto name = [&](const char* part, const char* what) { return prefix + part + suffix + what; };
    layer.feedForwardNorm = find.vector(prefix + shape.architecture->feedForwardNorm, width);
    if (shape.experts != 0) layer.router = find.matrix(prefix + "ffn_gate_inp.weight", width, shape.experts);
    if (shape.experts != 0 && biases) layer.routerBias = find.vector(prefix + "ffn_gate_inp.bias", shape.experts);
    layer.gate = find.matrix(name("ffn_gate", ".weight"), width, neurons, count);
    layer.up = find.matrix(name("ffn_up", ".weight"), width, neurons, count);
    layer.down = shape.transposedDown ? find.matrix(name("ffn_down", ".weight"), width, neurons, count)
                                      : find.matrix(name("ffn_down", ".weight"), neurons, width, count);
    if (shape.experts != 0 && !biases) return;
    layer.gateBias = find.bias(name("ffn_gate", ".bias"), neurons, count, biases);
    layer.upBias = find.bias(name("ffn_up", ".bias"), neurons, count, biases);
    layer.downBias = find.bias(name("ffn_down", ".bias"), width, count, biases);
}

void findSharedExpert(Finder& find, const ModelShape& shape, const std::string& prefix, LayerTensors& layer) {
    const int64_t width = shape.width, neurons = shape.sharedFeedForward;
    layer.sharedRouter = find.vector(prefix + "ffn_gate_inp_shexp.weight", width);
    layer.sharedGate = find.matrix(prefix + "ffn_gate_shexp.weight", width, neurons);
    layer.sharedUp = find.matrix(prefix + "ffn_up_shexp.weight", width, neurons);
    layer.sharedDown = find.matrix(prefix + "ffn_down_shexp.weight", neurons, width);
}

/// Every kind of tensor that the functions above and below ask for.
constexpr std::string_view kKnownKinds[] = {"token_embd.weight",
                                            "output_norm.weight",
                                            "output.weight",
                                            "rope_freqs.weight",
                                            "lm_head_profiler.weight",
                                            "attn_norm.weight",
                                            "attn_q.weight",
                                            "attn_k.weight",
                                            "attn_v.weight",
                                            "attn_output.weight",
                                            "attn_q.bias",
                                            "attn_k.bias",
                                            "attn_v.bias",
                                            "attn_output.bias",
                                            "attn_q_norm.weight",
                                            "attn_k_norm.weight",
                                            "attn_sinks.weight",
                                            "ffn_norm.weight",
                                            "post_attention_norm.weight",
                                            "ffn_gate_inp.weight",
                                            "ffn_gate_inp.bias",
                                            "ffn_gate.weight",
                                            "ffn_up.weight",
                                            "ffn_down.weight",
                                            "ffn_gate.bias",
                                            "ffn_up.bias",
                                            "ffn_down.bias",
                                            "ffn_gate_exps.weight",
                                            "ffn_up_exps.weight",
                                            "ffn_down_exps.weight",
                                            "ffn_gate_exps.bias",
                                            "ffn_up_exps.bias",
                                            "ffn_down_exps.bias",
                                            "ffn_gate_inp_shexp.weight",
                                            "ffn_gate_shexp.weight",
                                            "ffn_up_shexp.weight",
                                            "ffn_down_shexp.weight"};

} // namespace

std::string tensorKind(std::string_view name) {
    std::string kind;
    while (!name.empty()) {
        const std::string_view part = name.substr(0, name.find('.'));
        name.remove_prefix(std::min(name.size(), part.size() + 1));
        const bool number = !part.empty() && part.find_first_not_of("0123456789") == part.npos;
        if (number || (part == "blk" && kind.empty())) continue;
        kind += (kind.empty() ? "" : ".") + std::string(part);
    }
    return kind;
}

bool isKnownTensorKind(std::string_view kind) {
    return std::find(std::begin(kKnownKinds), std::end(kKnownKinds), kind) != std::end(kKnownKinds);
}

Result<ModelTensors> findTensors(const ModelShape& shape, const gguf::Header& header) {
    Finder find(header);
    ModelTensors tensors;
    tensors.embedding = find.matrix("token_embd.weight", shape.width, shape.vocabulary);
    tensors.outputNorm = find.vector("output_norm.weight", shape.width);
    tensors.head = shape.tiedHead ? tensors.embedding : find.matrix("output.weight", shape.width, shape.vocabulary);
    tensors.ropeFactors = find.optionalVector("rope_freqs.weight", shape.ropeDimensions / 2);
    if (shape.headPredictorRank != 0)
        tensors.headPredictor =
            find.vector("lm_head_profiler.weight", shape.headPredictorRank * (shape.width + shape.vocabulary));
    else if (shape.architecture->transposedDown)
        find.ignore("lm_head_profiler.weight"); // shape.notes says why it is not used
    tensors.layers.resize(static_cast<size_t>(shape.layers));
    for (size_t i = 0; i < tensors.layers.size(); ++i) {
        const std::string prefix = "blk." + std::to_string(i) + ".";
        findAttention(find, shape, prefix, tensors.layers[i]);
        findFeedForward(find, shape, prefix, tensors.layers[i]);
        if (shape.sharedFeedForward != 0) findSharedExpert(find, shape, prefix, tensors.layers[i]);
    }
    if (Status status = find.finish(); !status) return status.error();
    return tensors;
}

std::vector<ExpertLayer> expertLayers(const ModelShape& shape, const ModelTensors& tensors) {
    std::vector<ExpertLayer> layers;
    for (const LayerTensors& from : tensors.layers) {
        const auto matrix = [&shape](const gguf::Tensor* tensor) {
            return ExpertLayer::Matrix{tensor, tensor->bytes / static_cast<uint64_t>(shape.storedExperts())};
        };
        layers.push_back({.gate = matrix(from.gate),
                          .up = matrix(from.up),
                          .down = matrix(from.down),
                          .experts = static_cast<int>(shape.storedExperts()),
                          .canArrangeDown = shape.architecture->activation == Activation::ReGlu &&
                                            !shape.transposedDown &&
                                            canRegroup(*from.down->type, shape.width, shape.feedForward)});
    }
    return layers;
}

} // namespace coterie::engine
