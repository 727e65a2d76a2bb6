// SPDX-License-Identifier: Apache-2.0
// See pass_recorder.h. The functions are in the order of a pass.
#include "pass_recorder.h"

#include "shader_names.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coterie::gpu {

using engine::FeedForwardShape;

namespace {

constexpr uint32_t kLanes = 64;         ///< lanes of a workgroup whose lanes work alone, and of attention's
constexpr uint32_t kTeam = 32;          ///< lanes that share a row of a product
constexpr uint32_t kBlock = 32;         ///< values that have a scale together when they are bytes
constexpr uint32_t kRowsOfTeam = 2;     ///< rows of a product that a team computes together
constexpr uint32_t kNeuronLanes = 128;  ///< lanes that share a group of neurons: every device has so many
constexpr uint32_t kMostGroups = 65535; ///< every device takes so many along each axis
constexpr uint32_t kOnes = 0, kGiven = 1, kSigmoids = 2; ///< weights of rows

uint32_t u32(int64_t value) { return static_cast<uint32_t>(value); }

bool takesBytes(const DeviceMatrix& matrix) { return engine::vectorForm(matrix.type) == engine::VectorForm::Bytes; }

/// Whether all products read bytes.
bool takeBytes(const std::vector<DeviceProduct>& products) {
    return std::ranges::all_of(products, [](const DeviceProduct& each) { return takesBytes(each.matrix); });
}

} // namespace

PassRecorder::PassRecorder(const PassContext& context, int64_t tokens)
    : context_(context), shape_(context.shape), b_(context.buffers), tokens_(u32(tokens)), x_(b_.x), next_(b_.next) {}

void PassRecorder::add(const Dispatch& dispatch) {
    if (status_) status_ = list_->dispatch(dispatch);
}

template <typename Push>
void PassRecorder::add(std::string_view shader, std::vector<uint32_t> specialisation,
                       std::vector<const DeviceBuffer*> bindings, const Push& push, std::array<uint32_t, 3> groups) {
    add(Dispatch{.shader = shader,
                 .specialisation = std::move(specialisation),
                 .bindings = std::move(bindings),
                 .push = bytesOf(push),
                 .groups = groups});
}

void PassRecorder::copy(const DeviceBuffer& from, uint64_t fromOffset, const DeviceBuffer& to, uint64_t toOffset,
                        uint64_t bytes) {
    if (status_) list_->copy(from, fromOffset, to, toOffset, bytes);
}

/// The shader's variant for this device.
std::string PassRecorder::variant(std::string_view shader) const {
    return shuffleName(std::string(shader), true, context_.device.abilities());
}

// Products and norms

/// The vectors as products with integer formats take them, if no shader has written them so.
const DeviceBuffer& PassRecorder::prepare(const DeviceBuffer& input, uint32_t columns, uint32_t vectors) {
    if (areBytes_.contains(&input)) return input;
    if (preparedFrom_ == &input) return *b_.prepared;
    const PreparePush push{columns, vectors, columns, preparedWords(columns)};
    add("prepare_bytes", {kLanes}, {&input, b_.prepared}, push, {groupsFor(push.outStride, kLanes), vectors, 1});
    preparedFrom_ = &input;
    return *b_.prepared;
}

/// out: [vectors, outStride]. input: [vectors / vectorsPerInput, columns].
void PassRecorder::multiply(const DeviceProduct& product, const DeviceBuffer& input, uint32_t vectors,
                            const DeviceBuffer& out, const ProductOptions& options) {
    const DeviceMatrix& matrix = product.matrix;
    const bool prepares = takesBytes(matrix);
    const DeviceBuffer& from = prepares ? prepare(input, matrix.columns, vectors / options.vectorsPerInput) : input;
    const Abilities& abilities = context_.device.abilities();
    const ProductTuning tuning{.rows = kRowsOfTeam, .integerDot = abilities.integerDot && prepares};
    const ProductPush push{.rows = matrix.rows,
                           .columns = matrix.columns,
                           .vectors = vectors,
                           .vectorsPerInput = options.vectorsPerInput,
                           .inputStride = prepares ? preparedWords(matrix.columns) : matrix.columns,
                           .outStride = options.outStride != 0 ? options.outStride : matrix.rows,
                           .outOffset = product.outOffset,
                           .matrixOffset = 0,
                           .biasOffset = 0,
                           .biasStride = matrix.rows};
    const DeviceBuffer* nothing = &context_.weights.orNothing(nullptr);
    weightBytes_ += vectors * matrix.stride();
    const uint32_t groups = groupsFor(matrix.rows, tuning.lanes / kTeam * tuning.rows);
    add(productName(matrix.type, tuning, abilities),
        {tuning.lanes, tuning.rows, tuning.vectors, options.experts, 0, product.bias != nullptr},
        {matrix.buffer, &from, options.experts ? b_.experts : nothing,
         options.experts ? &context_.weights.places(matrix) : nothing, nothing,
         &context_.weights.orNothing(product.bias), &out},
        push, {std::min(groups, kMostGroups), vectors, 1});
}

void PassRecorder::multiply(const std::vector<DeviceProduct>& products, const DeviceBuffer& input, uint32_t vectors,
                            const DeviceBuffer& out, const ProductOptions& options) {
    for (const DeviceProduct& product : products) multiply(product, input, vectors, out, options);
}

/// Norms vectors, after adding to them what is pending: they are the residual stream then. prepares: all products that
/// read the result take bytes, and no floats are written.
void PassRecorder::norm(const DeviceBuffer& x, uint32_t vectors, const DeviceBuffer* weight, bool prepares,
                        const Router& router) {
    const uint32_t width = u32(shape_.width);
    const bool adds = pending_.rows != nullptr;
    const NormPush push{.width = width,
                        .weightOffset = 0,
                        .inverseWidth = 1 / static_cast<float>(width),
                        .epsilon = shape_.normEpsilon,
                        .rows = pending_.count,
                        .scale = pending_.scale,
                        .preparedStride = preparedWords(width),
                        .routerRows = router.matrix != nullptr ? router.matrix->rows : 0};
    const DeviceWeights& weights = context_.weights;
    std::vector<uint32_t> specialisation{adds, pending_.weights, prepares};
    std::vector<const DeviceBuffer*> bindings{
        &x,     &weights.orNothing(pending_.rows),  &weights.orNothing(pending_.weightOf),
        weight, prepares ? b_.prepared : b_.normed, adds ? next_ : b_.ignored};
    if (router.matrix != nullptr) {
        weightBytes_ += vectors * router.matrix->stride();
        specialisation.push_back(router.readsNormed);
        bindings.insert(bindings.end(), {router.matrix->buffer, b_.logits});
    }
    const std::string shader = router.matrix != nullptr ? shaderName("norm_router", router.matrix->type) : "norm";
    add(variant(shader), std::move(specialisation), std::move(bindings), push,
        {vectors, 1 + groupsFor(push.routerRows, kRouterGroup), 1});
    preparedFrom_ = prepares ? b_.normed : nullptr;
    if (adds) std::swap(x_, next_);
    pending_ = {};
}

/// Adds what is pending to the residual stream.
void PassRecorder::addPending() {
    if (pending_.rows == nullptr) return;
    const WeightedSumPush push{u32(shape_.width), pending_.count, pending_.scale};
    add("weighted_sum", {pending_.weights}, {x_, pending_.rows, &context_.weights.orNothing(pending_.weightOf), next_},
        push, {groupsFor(push.width, kLanes), tokens_, 1});
    std::swap(x_, next_);
    pending_ = {};
}

// A pass

void PassRecorder::embed() {
    const DeviceMatrix& matrix = context_.weights.embedding;
    const ExpandPush push{matrix.columns, tokens_, matrix.columns, 0};
    weightBytes_ += tokens_ * engine::rowBytes(matrix.type, matrix.columns);
    add(shaderName("expand_row", matrix.type), {kLanes}, {matrix.buffer, b_.tokens, x_}, push,
        {groupsFor(matrix.columns, kTeam * kLanes), tokens_, 1});
}

void PassRecorder::layer(int64_t layer) {
    attend(layer);
    runExperts(layer);
    runShared(layer);
    if (layer + 1 == shape_.layers && tokens_ > 1) addPending(); // head() takes some of the tokens
}

void PassRecorder::attend(int64_t layer) {
    const DeviceLayerWeights& weights = weightsOf(layer);
    const bool isAlone = tokens_ == 1;
    const Router router{.matrix = joinsRouter(layer, true) ? &weights.router : nullptr};
    norm(*x_, tokens_, weights.attentionNorm, takeBytes(weights.queryKeyValue), router);
    const engine::AttentionShape& shape = attention(layer);
    const uint32_t row = u32(shape.queryWidth() + 2 * shape.keyWidth());
    multiply(weights.queryKeyValue, *b_.normed, tokens_, *b_.queryKeyValue, {.outStride = row});
    if (hasRouter(layer, true)) route(layer, *x_);
    finishHeads(layer, row);
    const DeviceProduct output{.matrix = weights.output, .bias = weights.outputBias};
    const bool prepares = isAlone && takesBytes(weights.output) && shape.headDim % kBlock == 0;
    if (isAlone)
        overCacheInBlocks(layer, weights, prepares);
    else
        overCache(layer, weights);
    preparedFrom_ = prepares ? b_.attended : nullptr;
    multiply(output, *b_.attended, tokens_, *b_.attentionOut, {});
    pending_ = {.rows = b_.attentionOut};
}

/// Norms and rotates the heads of queries and keys, and stores keys and values in the cache.
void PassRecorder::finishHeads(int64_t layer, uint32_t row) {
    const DeviceLayerWeights& weights = weightsOf(layer);
    const engine::AttentionShape& shape = attention(layer);
    const engine::KvLayout::Layer& place = context_.cache.layer(layer);
    const bool each = shape.norm == engine::HeadNorm::EachHead;
    const auto inverse = [&](int64_t heads) { return 1 / static_cast<float>((each ? 1 : heads) * shape.headDim); };
    const HeadsPush push{.heads = u32(shape.heads),
                         .kvHeads = u32(shape.kvHeads),
                         .headDim = u32(shape.headDim),
                         .rowStride = row,
                         .dimensions = u32(shape_.rotation.dimensions),
                         .capacity = u32(place.capacity),
                         .keysOffset = 0,
                         .valuesOffset = static_cast<uint32_t>(place.keyBytes()),
                         .inverseQueryWidth = inverse(shape.heads),
                         .inverseKeyWidth = inverse(shape.kvHeads),
                         .epsilon = shape_.normEpsilon};
    const auto kind = [&](const DeviceBuffer* weight) {
        return weight == nullptr ? 0 : static_cast<uint32_t>(shape.norm);
    };
    const DeviceWeights& all = context_.weights;
    add(variant(shaderName("heads", context_.cache.format())),
        {kind(weights.queryNorm), kind(weights.keyNorm), shape.rope, shape.ropeKind == engine::RopeKind::Neox},
        {b_.queryKeyValue, b_.cosSin, &all.orNothing(weights.queryNorm), &all.orNothing(weights.keyNorm), b_.step,
         b_.query, b_.cache[static_cast<size_t>(layer)]},
        push, {push.heads + 2 * push.kvHeads, tokens_, 1});
}

AttentionPush PassRecorder::attentionOf(int64_t layer) const {
    const engine::AttentionShape& shape = attention(layer);
    const engine::KvLayout::Layer& place = context_.cache.layer(layer);
    return {.heads = u32(shape.heads),
            .group = u32(shape.heads / shape.kvHeads),
            .headDim = u32(shape.headDim),
            .mostBlocks = mostAttentionBlocks(context_.context, place.window),
            .window = u32(place.window),
            .capacity = u32(place.capacity),
            .keysOffset = 0,
            .valuesOffset = static_cast<uint32_t>(place.keyBytes()),
            .sinksOffset = 0,
            .scale = 1 / std::sqrt(static_cast<float>(shape.headDim))};
}

void PassRecorder::overCache(int64_t layer, const DeviceLayerWeights& weights) {
    const AttentionPush push = attentionOf(layer);
    add(variant(shaderName("attention", context_.cache.format())),
        {groupsFor(push.headDim, kLanes), weights.sinks != nullptr},
        {b_.query, b_.cache[static_cast<size_t>(layer)], &context_.weights.orNothing(weights.sinks), b_.step,
         b_.attended},
        push, {push.heads, tokens_, 1});
}

/// The same for one token.
void PassRecorder::overCacheInBlocks(int64_t layer, const DeviceLayerWeights& weights, bool prepares) {
    const AttentionPush push = attentionOf(layer);
    const uint32_t parts = groupsFor(push.headDim, kLanes);
    add({.shader = variant(shaderName("attention_blocks", context_.cache.format())),
         .specialisation = {parts},
         .bindings = {b_.query, b_.cache[static_cast<size_t>(layer)], b_.step, b_.blocks},
         .push = bytesOf(push),
         .counts = b_.blockGroups,
         .countsOffset = static_cast<uint64_t>(layer) * 3 * sizeof(uint32_t)});
    const AttentionSumPush sum{.heads = push.heads,
                               .headDim = push.headDim,
                               .mostBlocks = push.mostBlocks,
                               .window = push.window,
                               .sinksOffset = 0,
                               .preparedStride = preparedWords(u32(attention(layer).queryWidth()))};
    add("attention_sum", {parts, weights.sinks != nullptr, prepares},
        {b_.blocks, &context_.weights.orNothing(weights.sinks), b_.step, b_.attended,
         prepares ? b_.prepared : b_.ignored},
        sum, {push.heads, 1, 1});
}

// Experts

bool PassRecorder::hasRouter(int64_t layer, bool readsLayerInput) const {
    return !feedForward(layer).isDense() && (shape_.routerInput == engine::RouterInput::LayerInput) == readsLayerInput;
}

/// Whether the norm in front of the router's input computes the logits: in other formats they are a product of their
/// own.
bool PassRecorder::joinsRouter(int64_t layer, bool readsLayerInput) const {
    return hasRouter(layer, readsLayerInput) && !takesBytes(weightsOf(layer).router);
}

void PassRecorder::route(int64_t layer, const DeviceBuffer& input) {
    const FeedForwardShape& shape = feedForward(layer);
    const DeviceLayerWeights& weights = weightsOf(layer);
    if (takesBytes(weights.router)) multiply({.matrix = weights.router}, input, tokens_, *b_.logits, {});
    const RoutePush push{
        .groups = u32(shape.router.groups), .groupsUsed = u32(shape.router.groupsUsed), .biasOffset = 0};
    add(variant("route"),
        {u32(shape.experts), u32(shape.expertsPerToken), shape.router.gating == engine::Gating::Sigmoid,
         shape.router.normalised, weights.selectionBias != nullptr, weights.routerBias != nullptr},
        {b_.logits, &context_.weights.orNothing(weights.selectionBias), &context_.weights.orNothing(weights.routerBias),
         b_.experts, b_.shares},
        push, {tokens_, 1, 1});
}

void PassRecorder::runExperts(int64_t layer) {
    const FeedForwardShape& shape = feedForward(layer);
    const DeviceLayerWeights& weights = weightsOf(layer);
    const bool routed = !shape.isDense(), joins = joinsRouter(layer, false);
    // Neurons of two formats overwrite the bytes, and those who read them later need floats.
    const bool sharesBytes = shape.sharedWidth == 0 || (!shape.sharedIsGated && takeBytes(weights.sharedGateUp) &&
                                                        weights.gateUp.size() == 1 && weights.sharedGateUp.size() == 1);
    const bool prepares = takeBytes(weights.gateUp) && sharesBytes;
    norm(*x_, tokens_, weights.feedForwardNorm, prepares,
         {.matrix = joins ? &weights.router : nullptr, .readsNormed = true});
    if (hasRouter(layer, false)) route(layer, *b_.normed);
    const uint32_t chosen = u32(shape.chosenExperts()), rows = tokens_ * chosen;
    startShared(layer);
    computeNeurons({.gateUp = weights.gateUp,
                    .width = u32(shape.width),
                    .experts = routed,
                    .vectors = rows,
                    .vectorsPerInput = chosen,
                    .prepares = takesBytes(weights.down) && !isStoredByNeuron(layer),
                    .out = b_.neurons,
                    .gateUpOut = b_.gateUp,
                    .counts = b_.upsRead,
                    .countsOffset = countsPlace(layer)},
                   *b_.normed);
    projectDown(layer, rows);
    pending_ = {.rows = b_.down,
                .count = chosen,
                .weights = routed ? kGiven : kOnes,
                .weightOf = routed ? b_.shares : nullptr,
                .scale = shape.router.scale};
    report(layer);
}

/// Words in front of a layer's counts in b_.upsRead, which has room for those of one token in all layers.
uint32_t PassRecorder::countsPlace(int64_t layer) const {
    return tokens_ == 1 ? u32(layer * shape_.mostChosenExperts()) * b_.neuronGroups : 0;
}

/// One dispatch, if gates and ups have one format.
void PassRecorder::computeNeurons(const Neurons& neurons, const DeviceBuffer& input) {
    if (neurons.gateUp.size() > 1) return activate(neurons, input);
    const DeviceProduct& product = neurons.gateUp.front();
    const DeviceMatrix& matrix = product.matrix;
    const bool bytes = takesBytes(matrix);
    const DeviceBuffer& from =
        bytes ? prepare(input, matrix.columns, neurons.vectors / neurons.vectorsPerInput) : input;
    const Abilities& abilities = context_.device.abilities();
    const ProductTuning tuning{.lanes = kNeuronLanes, .rows = kRowsOfTeam, .integerDot = abilities.integerDot && bytes};
    const NeuronsPush push{.neurons = neurons.width,
                           .columns = matrix.columns,
                           .vectorsPerInput = neurons.vectorsPerInput,
                           .inputStride = bytes ? preparedWords(matrix.columns) : matrix.columns,
                           .outStride = neurons.prepares ? preparedWords(neurons.width) : neurons.width,
                           .countsOffset = neurons.countsOffset,
                           .countsStride = b_.neuronGroups};
    const bool gateFirst = shape_.activation == engine::Activation::ReGlu && neurons.counts != nullptr;
    weightBytes_ += neurons.vectors * matrix.stride() / (gateFirst ? 2 : 1);
    const DeviceBuffer* nothing = &context_.weights.orNothing(nullptr);
    add(neuronsName(matrix.type, tuning, abilities),
        {tuning.lanes, tuning.rows, neurons.experts, product.bias != nullptr, static_cast<uint32_t>(shape_.activation),
         gateFirst, neurons.prepares},
        {matrix.buffer, &from, neurons.experts ? b_.experts : nothing,
         neurons.experts ? &context_.weights.places(matrix) : nothing, &context_.weights.orNothing(product.bias),
         neurons.out, neurons.counts != nullptr ? neurons.counts : b_.ignored},
        push, {groupsFor(neurons.width, kNeuronGroup), neurons.vectors, 1});
    if (neurons.prepares)
        areBytes_.insert(neurons.out);
    else
        areBytes_.erase(neurons.out);
}

/// The same for gates and ups of two formats.
void PassRecorder::activate(const Neurons& neurons, const DeviceBuffer& input) {
    multiply(neurons.gateUp, input, neurons.vectors, *neurons.gateUpOut,
             {.experts = neurons.experts, .vectorsPerInput = neurons.vectorsPerInput, .outStride = 2 * neurons.width});
    const ActivatePush push{.neurons = neurons.width,
                            .inputStride = 2 * neurons.width,
                            .upOffset = neurons.width,
                            .preparedStride = preparedWords(neurons.width)};
    add("activate", {static_cast<uint32_t>(shape_.activation), neurons.prepares},
        {neurons.gateUpOut, neurons.gateUpOut, neurons.out, b_.active, neurons.prepares ? b_.prepared : b_.ignored},
        push, {neurons.vectors, 1, 1});
    areBytes_.erase(neurons.out);
    preparedFrom_ = neurons.prepares ? neurons.out : nullptr;
}

void PassRecorder::projectDown(int64_t layer, uint32_t rows) {
    const DeviceLayerWeights& weights = weightsOf(layer);
    const DeviceMatrix& down = weights.down;
    const bool routed = !feedForward(layer).isDense();
    if (!isStoredByNeuron(layer))
        return multiply({.matrix = down, .bias = weights.downBias}, *b_.neurons, rows, *b_.down, {.experts = routed});
    const NeuronSumPush push{.neurons = down.rows,
                             .columns = down.columns,
                             .vectors = rows,
                             .inputStride = down.rows,
                             .outStride = down.columns,
                             .matrixOffset = 0};
    add(shaderName("neuron_sum", down.type), {kLanes, 1},
        {down.buffer, b_.neurons, b_.experts, &context_.weights.places(down), b_.down}, push,
        {groupsFor(down.columns, 4 * kLanes), rows, 1});
}

/// The shared expert's neurons, which need not wait for the routed experts.
void PassRecorder::startShared(int64_t layer) {
    const FeedForwardShape& shape = feedForward(layer);
    if (shape.sharedWidth == 0) return;
    const DeviceLayerWeights& weights = weightsOf(layer);
    if (shape.sharedIsGated) multiply({.matrix = weights.sharedRouter}, *b_.normed, tokens_, *b_.sharedLogit, {});
    computeNeurons({.gateUp = weights.sharedGateUp,
                    .width = u32(shape.sharedWidth),
                    .vectors = tokens_,
                    .prepares = takesBytes(weights.sharedDown),
                    .out = b_.sharedNeurons,
                    .gateUpOut = b_.sharedGateUp},
                   *b_.normed);
}

void PassRecorder::runShared(int64_t layer) {
    const FeedForwardShape& shape = feedForward(layer);
    if (shape.sharedWidth == 0) return;
    addPending();
    multiply({.matrix = weightsOf(layer).sharedDown}, *b_.sharedNeurons, tokens_, *b_.down, {});
    pending_ = {.rows = b_.down,
                .weights = shape.sharedIsGated ? kSigmoids : kOnes,
                .weightOf = shape.sharedIsGated ? b_.sharedLogit : nullptr};
}

/// Copies what the host wants to know of a layer's experts.
void PassRecorder::report(int64_t layer) {
    const FeedForwardShape& shape = feedForward(layer);
    const uint64_t bytes = static_cast<uint64_t>(tokens_) * u32(shape.chosenExperts()) * sizeof(uint32_t);
    const auto keep = [&](const DeviceBuffer& from, int64_t part) {
        copy(from, 0, *b_.reports, b_.reportPlace(layer, part) * sizeof(uint32_t), bytes);
    };
    if (!shape.isDense()) {
        keep(*b_.experts, 0);
        keep(*b_.shares, 1);
    }
    if (countsUps(layer) && tokens_ > 1) reportOpen(layer, layer + 1);
    if (shape_.activation == engine::Activation::ReGlu && !countsUps(layer)) keep(*b_.active, 2);
}

/// Whether neurons.comp counts the neurons of this layer that are open.
bool PassRecorder::countsUps(int64_t layer) const {
    return shape_.activation == engine::Activation::ReGlu && weightsOf(layer).gateUp.size() == 1;
}

uint64_t PassRecorder::bytesOfNeuron(int64_t layer) const {
    const auto rowOf = [](const DeviceMatrix& matrix) { return engine::rowBytes(matrix.type, matrix.columns); };
    const DeviceLayerWeights& weights = weightsOf(layer);
    return (countsUps(layer) ? rowOf(weights.gateUp.front().matrix) : 0) +
           (isStoredByNeuron(layer) ? rowOf(weights.down) : 0);
}

/// The open neurons of layers [first, end), which have one shape.
void PassRecorder::reportOpen(int64_t first, int64_t end) {
    const FeedForwardShape& shape = feedForward(first);
    const GroupCountsPush push{.rows = tokens_ * u32(shape.chosenExperts()),
                               .groups = groupsFor(u32(shape.width), kNeuronGroup),
                               .rowStride = b_.neuronGroups,
                               .layerStride = countsPlace(1),
                               .countsOffset = countsPlace(first),
                               .outOffset = u32(static_cast<int64_t>(b_.reportPlace(first, 2))),
                               .outStride = u32(PassBuffers::kReportParts) * b_.reportStride};
    add("group_counts", {}, {b_.upsRead, b_.reports}, push, {groupsFor(push.rows, kLanes), u32(end - first), 1});
}

/// The open neurons of one token's layers, which have counts of their own: one dispatch for all layers of one shape.
void PassRecorder::reportOpenOfToken() {
    const auto alike = [this](int64_t one, int64_t other) {
        return countsUps(one) == countsUps(other) && feedForward(one).width == feedForward(other).width &&
               feedForward(one).chosenExperts() == feedForward(other).chosenExperts();
    };
    for (int64_t first = 0, end = 0; first < shape_.layers; first = end) {
        for (end = first + 1; end < shape_.layers && alike(first, end);) ++end;
        if (countsUps(first)) reportOpen(first, end);
    }
}

void PassRecorder::head(int64_t first, int64_t count) {
    const DeviceWeights& weights = context_.weights;
    const DeviceBuffer* from = x_;
    if (tokens_ > 1) {
        const uint64_t row = static_cast<uint64_t>(shape_.width) * sizeof(float);
        copy(*x_, static_cast<uint64_t>(first) * row, *b_.headInput, 0, static_cast<uint64_t>(count) * row);
        from = b_.headInput;
    }
    if (tokens_ == 1) reportOpenOfToken();
    norm(*from, u32(count), weights.outputNorm, takesBytes(weights.head), {});
    multiply({.matrix = weights.head}, *b_.normed, u32(count), *b_.headLogits, {});
}

} // namespace coterie::gpu
