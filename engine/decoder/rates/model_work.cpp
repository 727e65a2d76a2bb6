// SPDX-License-Identifier: Apache-2.0
// See model_work.h.
#include "decoder/rates/model_work.h"

#include "base/rounding.h"
#include "model/weights.h"

#include <algorithm>

namespace coterie::engine {
namespace {

/// Dispatches of a layer, and of a pass beside its layers: those of gpu/pass_recorder.h. The CPU has about as many
/// loops.
constexpr int64_t kDispatchesOfDense = 9, kDispatchesWithExperts = 10, kDispatchesBesides = 3;
constexpr int64_t kExampleLayers = 32, kExampleChunk = 128;

void add(std::vector<FormatBytes>& weights, const gguf::Tensor* tensor, double share) {
    if (tensor == nullptr || !tensor->type) return;
    const double bytes = static_cast<double>(tensor->bytes) * share;
    const auto known =
        std::ranges::find_if(weights, [&](const FormatBytes& part) { return part.type == *tensor->type; });
    if (known == weights.end())
        weights.push_back({*tensor->type, bytes});
    else
        known->bytes += bytes;
}

/// The share of a tensor in this form that a token reads.
double shareOf(TensorForm form, const FeedForwardShape& shape) {
    if (form == TensorForm::Matrix) return 1;
    if (form != TensorForm::Streamed) return 0;
    return static_cast<double>(shape.chosenExperts()) / static_cast<double>(shape.storedExperts());
}

std::vector<FormatBytes> weightsOfLayers(const ModelShape& shape, const ModelTensors& tensors) {
    std::vector<FormatBytes> weights;
    for (size_t layer = 0; layer < tensors.layers.size(); ++layer) {
        const FeedForwardShape& feedForward = shape.layer[layer].feedForward;
#define COTERIE_ADD(member, form, ...)                                                                                 \
    if (const double share = shareOf(TensorForm::form, feedForward); share > 0)                                        \
        add(weights, tensors.layers[layer].member, share);
        COTERIE_LAYER_TENSORS(COTERIE_ADD)
#undef COTERIE_ADD
    }
    return weights;
}

/// Sets dispatches and submissions.
void countPasses(ModelWork& work, int64_t layers, int64_t dispatches, const DeviceAbilities& abilities, int64_t chunk) {
    const int64_t runs = ceilDiv(layers, std::max<int64_t>(abilities.layersAtOnce, 1)) + 1; // the head's is the last
    const auto tokens = static_cast<double>(std::max<int64_t>(chunk, 1));
    work.answer.dispatches = static_cast<double>(dispatches);
    work.answer.submissions = abilities.tokenAtOnce ? 1 : static_cast<double>(runs);
    work.prompt.dispatches = static_cast<double>(dispatches) / tokens;
    work.prompt.submissions = static_cast<double>(runs) / tokens;
}

} // namespace

ModelWork workOf(const ModelShape& shape, const ModelTensors& tensors, const WorkOptions& options) {
    ModelWork work;
    work.prompt.weights = work.answer.weights = weightsOfLayers(shape, tensors);
    add(work.answer.weights, options.predictedHead ? tensors.headPredictor : tensors.head, 1);
    work.answer.bytesDown = static_cast<double>(shape.vocabulary) * sizeof(float);
    int64_t dispatches = kDispatchesBesides;
    for (const LayerShape& layer : shape.layer)
        dispatches += layer.feedForward.isDense() ? kDispatchesOfDense : kDispatchesWithExperts;
    countPasses(work, shape.layers, dispatches, options.abilities, options.chunk);
    return work;
}

ModelWork exampleWork(const DeviceAbilities& abilities) {
    ModelWork work;
    work.prompt.weights = work.answer.weights = {{kExampleFormat, kExampleBytes}};
    countPasses(work, kExampleLayers, kExampleLayers * kDispatchesOfDense + kDispatchesBesides, abilities,
                kExampleChunk);
    return work;
}

std::vector<TensorType> formatsOf(const ModelWork& work) {
    std::vector<TensorType> formats;
    for (const FormatBytes& part : work.answer.weights) formats.push_back(part.type);
    return formats;
}

} // namespace coterie::engine
