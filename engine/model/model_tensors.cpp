// SPDX-License-Identifier: Apache-2.0
// See model_tensors.h. Shapes are written as in a file, fastest first: a matrix is [columns, rows].
#include "model/model_tensors.h"

#include "kernels/regroup.h"
#include "model/metadata.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

namespace coterie::engine {
namespace {

/// A shape in the file's order, fastest first: columns, rows, count.
using TensorShape = std::array<int64_t, 3>;

constexpr char kAnotherFile[] = "Get the file again from its source, or choose another file of this model";

std::string shapeText(const std::array<uint64_t, 4>& shape) {
    std::string text = std::to_string(shape[0]);
    const size_t last = shape[3] != 1 ? 3 : shape[2] != 1 ? 2 : 1;
    for (size_t i = 1; i <= last; ++i) text += " x " + std::to_string(shape[i]);
    return text;
}

/// Returns N of "blk.N.name", or -1 if the tensor belongs to no layer.
int64_t layerOf(std::string_view name) {
    constexpr std::string_view start = "blk.";
    int64_t layer = -1;
    if (name.starts_with(start)) std::from_chars(name.data() + start.size(), name.data() + name.size(), layer);
    return layer;
}

/// Looks tensors up, remembers which were asked for, and keeps the first thing that is wrong.
class Finder {
  public:
    explicit Finder(const gguf::Header& header) : header_(header) {}

    /// Returns null if the tensor is missing and may be missing.
    const gguf::Tensor* find(const std::string& name, const TensorShape& wanted, Presence presence) {
        if (!status_ || presence == Presence::Never) return nullptr;
        const gguf::Tensor* tensor = header_.tensor(name);
        if (tensor == nullptr) {
            if (presence == Presence::Required) status_ = missingTensor(name);
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

    /// Tensors that the answers do not need.
    void ignore(std::string_view name) { known_.insert(name); }
    void ignoreLayers(int64_t first, int64_t count) {
        for (const gguf::Tensor& tensor : header_.tensors)
            if (const int64_t layer = layerOf(tensor.name); layer >= first && layer < first + count)
                known_.insert(tensor.name);
    }

    Status finish() {
        for (size_t i = 0; status_.ok() && i < header_.tensors.size(); ++i)
            if (!known_.contains(header_.tensors[i].name)) status_ = unknownTensor(header_.tensors[i].name);
        return status_;
    }

  private:
    /// Names a type of files that opens. A dynamic quantisation may be of the usual type and hold a missing format.
    Error unsupportedFormat(const gguf::Tensor& tensor) const {
        constexpr uint64_t q4KM = 15; // llama.cpp's number for files of the type Q4_K_M
        const std::string opens = header_.unsignedInteger("general.file_type") == q4KM ? "Q8_0" : "Q4_K_M";
        return {ErrorKind::Unsupported,
                {"This program can't compute with the format %1", typeName(tensor.typeId)},
                {"The tensor '%1' is stored in it", tensor.name},
                {"Choose a file of this model of the type %1, or another one in these formats: %2", opens,
                 kernelFormats()}};
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

// Definitions of the words that tensor_list.h uses.
using enum Presence;
constexpr Presence onlyIf(bool condition) { return condition ? Required : Never; }
template <typename T>
constexpr T byKind(const FeedForwardShape& layer, T ofDense, T ofExperts) {
    return layer.isDense() ? ofDense : ofExperts;
}
constexpr const char* sharedName(const Architecture& family, const char* ofDensePart, const char* ofSharedExpert) {
    return family.denseBesideExperts ? ofDensePart : ofSharedExpert;
}
/// In layers with attention only.
Presence attends(const LayerShape& layer, Presence presence = Required) {
    return layer.hasAttention() ? presence : Never;
}
/// In layers that have keys and values of their own.
Presence hasKeys(const LayerShape& layer, Presence presence = Required) {
    return layer.hasAttention() && layer.attention.hasKeys() ? presence : Never;
}
Presence recurs(const LayerShape& layer, bool condition = true) {
    return layer.mixer == Mixer::DeltaRule && condition ? Required : Never;
}
Presence convolves(const LayerShape& layer) { return layer.mixer == Mixer::ShortConvolution ? Required : Never; }
constexpr Presence headNorm(const Architecture& family) {
    if (family.headNorm == HeadNorm::None) return Never;
    return family.headNormIsOptional ? Optional : Required;
}
int64_t normWidth(const AttentionShape& attention, int64_t projection) {
    return attention.norm == HeadNorm::EachHead ? attention.headDim : projection;
}

#define COTERIE_FIND(member, form, name, presence, columns, rows, count)                                               \
    to.member = find.find(prefix + (name), {columns, rows, count}, presence);
void findModel(Finder& find, const ModelShape& m, const std::string& prefix, ModelTensors& to) {
    const Architecture& a = *m.architecture;
    COTERIE_MODEL_TENSORS(COTERIE_FIND)
}
void findLayer(Finder& find, const ModelShape& m, const LayerShape& l, const std::string& prefix, LayerTensors& to) {
    const Architecture& a = *m.architecture;
    const FeedForwardShape& f = l.feedForward;
    COTERIE_LAYER_TENSORS(COTERIE_FIND)
}
#undef COTERIE_FIND

#define COTERIE_COMPARE(member, form, name, ...)                                                                       \
    if (kind == (name)) return true;
bool modelHas(const Architecture& a, std::string_view kind) {
    COTERIE_MODEL_TENSORS(COTERIE_COMPARE)
    return false;
}
bool layerHas(const Architecture& a, const FeedForwardShape& f, std::string_view kind) {
    COTERIE_LAYER_TENSORS(COTERIE_COMPARE)
    return false;
}
#undef COTERIE_COMPARE

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
    const std::vector<const Architecture*> families = architectures();
    return std::any_of(families.begin(), families.end(), [kind](const Architecture* family) {
        return modelHas(*family, kind) || layerHas(*family, {}, kind) || layerHas(*family, {.experts = 1}, kind);
    });
}

Result<ModelTensors> findTensors(const ModelShape& shape, const gguf::Header& header) {
    Finder find(header);
    ModelTensors tensors;
    findModel(find, shape, "", tensors);
    if (shape.tiedHead) tensors.head = tensors.embedding;
    // shape.notes says why a predictor is not used.
    if (shape.headPredictorRank == 0 && shape.architecture->transposedDown) find.ignore("lm_head_profiler.weight");
    tensors.layers.resize(static_cast<size_t>(shape.layers));
    for (size_t i = 0; i < tensors.layers.size(); ++i)
        findLayer(find, shape, shape.layer[i], "blk." + std::to_string(i) + ".", tensors.layers[i]);
    find.ignoreLayers(shape.layers, shape.draftLayers);
    if (Status status = find.finish(); !status) return status.error();
    return tensors;
}

uint64_t longestRegroupedRow(std::span<const ExpertLayer> layers) {
    uint64_t longest = 0;
    for (const ExpertLayer& layer : layers)
        if (layer.canArrangeDown)
            longest = std::max(longest, rowBytes(*layer.down.tensor->type, layer.down.tensor->shape[0]));
    return longest;
}

ModelTensors expertTensors(const ModelTensors& tensors) {
    ModelTensors only;
    for (const LayerTensors& layer : tensors.layers) {
        LayerTensors experts;
        experts.gateAndUp = layer.gateAndUp;
        experts.gate = layer.gate;
        experts.up = layer.up;
        experts.down = layer.down;
        experts.gateBias = layer.gateBias;
        experts.upBias = layer.upBias;
        experts.downBias = layer.downBias;
        only.layers.push_back(experts);
    }
    return only;
}

std::vector<ExpertLayer> expertLayers(const ModelShape& shape, const ModelTensors& tensors) {
    const bool skipsNeurons = shape.activation == Activation::ReGlu && !shape.transposedDown;
    std::vector<ExpertLayer> layers;
    for (size_t i = 0; i < tensors.layers.size(); ++i) {
        const LayerTensors& from = tensors.layers[i];
        const FeedForwardShape& layer = shape.layer[i].feedForward;
        const auto matrix = [&layer](const gguf::Tensor* tensor) {
            return ExpertLayer::Matrix{tensor, tensor->bytes / static_cast<uint64_t>(layer.storedExperts())};
        };
        // Each expert's gate rows, then its up rows.
        const auto half = [&layer](const gguf::Tensor* tensor, uint64_t index) {
            const uint64_t both = tensor->bytes / static_cast<uint64_t>(layer.experts);
            return ExpertLayer::Matrix{tensor, both / 2, index * (both / 2), both};
        };
        layers.push_back({.gate = from.gateAndUp != nullptr ? half(from.gateAndUp, 0) : matrix(from.gate),
                          .up = from.gateAndUp != nullptr ? half(from.gateAndUp, 1) : matrix(from.up),
                          .down = matrix(from.down),
                          .experts = static_cast<int>(layer.storedExperts()),
                          .chosen = static_cast<int>(layer.chosenExperts()),
                          .canArrangeDown = skipsNeurons && canRegroup(*from.down->type, shape.width, layer.width)});
    }
    return layers;
}

} // namespace coterie::engine
