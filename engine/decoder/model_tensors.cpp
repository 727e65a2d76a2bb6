// SPDX-License-Identifier: Apache-2.0
// See model_tensors.h. Shapes are written as in a file, fastest first: a matrix is [columns, rows].
#include "decoder/model_tensors.h"

#include "decoder/metadata.h"
#include "decoder/sizes.h"

#include <array>
#include <unordered_set>

namespace coterie::engine {
namespace {

constexpr const char* kAnotherFile = "Get the file again from its source, or choose another file of this model";

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
            status_ = Error{ErrorKind::BadInput, "The tensor '" + name + "' has the wrong shape",
                            "It is " + shapeText(tensor->shape) + ", and the metadata ask for " + shapeText(shape),
                            kAnotherFile};
        else if (!tensor->type || !kernelsSupport(*tensor->type))
            status_ = unsupportedFormat(*tensor);
        return tensor;
    }

    static Error unsupportedFormat(const gguf::Tensor& tensor) {
        return {ErrorKind::Unsupported, "This program can't compute with the format " + typeName(tensor.typeId),
                "The tensor '" + std::string(tensor.name) + "' is stored in it",
                "Choose a file of this model in " + kernelFormats()};
    }

    static Error unknownTensor(std::string_view name) {
        return {ErrorKind::Unsupported, "This program can't run this variant of the model",
                "It doesn't know what the tensor '" + shortened(name) +
                    "' is for, and leaving it out would give wrong answers",
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
    layer.queryBias = find.optionalVector(prefix + "attn_q.bias", q);
    layer.keyBias = find.optionalVector(prefix + "attn_k.bias", k);
    layer.valueBias = find.optionalVector(prefix + "attn_v.bias", k);
    layer.outputBias = find.optionalVector(prefix + "attn_output.bias", shape.width);
    if (shape.architecture->headNorm == HeadNorm::None) return;
    const bool each = shape.architecture->headNorm == HeadNorm::EachHead;
    layer.queryNorm = find.vector(prefix + "attn_q_norm.weight", each ? shape.headDim : q);
    layer.keyNorm = find.vector(prefix + "attn_k_norm.weight", each ? shape.headDim : k);
}

void findFeedForward(Finder& find, const ModelShape& shape, const std::string& prefix, LayerTensors& layer) {
    const int64_t width = shape.width, neurons = shape.feedForward;
    const int64_t count = shape.experts == 0 ? 1 : shape.experts;
    const std::string suffix = shape.experts == 0 ? ".weight" : "_exps.weight";
    layer.feedForwardNorm = find.vector(prefix + "ffn_norm.weight", width);
    if (shape.experts != 0) layer.router = find.matrix(prefix + "ffn_gate_inp.weight", width, shape.experts);
    layer.gate = find.matrix(prefix + "ffn_gate" + suffix, width, neurons, count);
    layer.up = find.matrix(prefix + "ffn_up" + suffix, width, neurons, count);
    layer.down = shape.transposedDown ? find.matrix(prefix + "ffn_down" + suffix, width, neurons, count)
                                      : find.matrix(prefix + "ffn_down" + suffix, neurons, width, count);
}

} // namespace

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
    tensors.layers.resize(static_cast<size_t>(shape.layers));
    for (size_t i = 0; i < tensors.layers.size(); ++i) {
        const std::string prefix = "blk." + std::to_string(i) + ".";
        findAttention(find, shape, prefix, tensors.layers[i]);
        findFeedForward(find, shape, prefix, tensors.layers[i]);
    }
    if (Status status = find.finish(); !status) return status.error();
    return tensors;
}

std::vector<ExpertLayer> expertLayers(const ModelShape& shape, const ModelTensors& tensors) {
    std::vector<ExpertLayer> layers;
    if (shape.experts == 0) return layers;
    for (const LayerTensors& from : tensors.layers) {
        ExpertLayer layer;
        layer.experts = static_cast<int>(shape.experts);
        uint64_t offset = 0;
        for (const gguf::Tensor* tensor : {from.gate, from.up, from.down}) {
            const uint64_t bytes = tensor->bytes / static_cast<uint64_t>(shape.experts);
            layer.parts.push_back({.tensor = tensor, .bytes = bytes, .slotOffset = offset});
            offset = alignedSize(Size(offset) + bytes).value();
        }
        layers.push_back(std::move(layer));
    }
    return layers;
}

} // namespace coterie::engine
