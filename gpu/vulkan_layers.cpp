// SPDX-License-Identifier: Apache-2.0
// See vulkan_layers.h. The functions are in the order of a pass.
#include "vulkan_layers.h"

#include "shader_names.h"
#include "shaders/interface.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace coterie::gpu {

using engine::FeedForwardShape;
using engine::Result;
using engine::Status;

namespace {

constexpr uint32_t kLanes = 64;         ///< lanes of a workgroup whose lanes work alone
constexpr uint32_t kTeam = 32;          ///< lanes that share a row of a product
constexpr uint32_t kRowsOfTeam = 2;     ///< rows of a product that a team computes together
constexpr uint32_t kMostOfLayer = 40;   ///< commands of a layer
constexpr uint32_t kMostBesides = 8;    ///< commands of a pass beside its layers
constexpr uint32_t kMostGroups = 65535; ///< every device takes so many along each axis

uint32_t u32(int64_t value) { return static_cast<uint32_t>(value); }

uint32_t preparedWords(uint32_t columns) {
    return static_cast<uint32_t>(engine::preparedBytes(engine::VectorForm::Bytes, columns) / sizeof(uint32_t));
}

/// The value at this index of a buffer, as the device wrote it.
template <typename T>
T valueAt(const DeviceBuffer& buffer, uint64_t index) {
    T value;
    std::memcpy(&value, buffer.bytes().data() + index * sizeof(T), sizeof(T));
    return value;
}

} // namespace

// Memory

Status VulkanLayers::allocate(const engine::ModelShape& shape, const engine::MemoryPlan& plan) {
    shape_ = shape;
    plan_ = plan;
    layout_ = engine::KvLayout(shape, plan.keyValueFormat, plan.context, plan.chunk);
    Result<std::unique_ptr<CommandList>> commands =
        CommandList::create(device_, u32(shape_.layers) * kMostOfLayer + kMostBesides);
    if (!commands) return commands.error();
    commands_ = std::move(commands).value();
    for (int64_t layer = 0; layer < shape_.layers; ++layer) {
        Result<const DeviceBuffer*> buffer =
            allocateBuffer(2 * layout_.keyBytes(layout_.layer(layer)), HostAccess::None);
        if (!buffer) return buffer.error();
        cache_.push_back(*buffer);
    }
    const size_t before = owned_.size();
    if (Status made = allocateBuffers(); !made) return made;
    for (size_t i = before; i < owned_.size(); ++i) scratchBytes_ += owned_[i].size();
    return {};
}

Result<const DeviceBuffer*> VulkanLayers::allocateBuffer(uint64_t bytes, HostAccess access) {
    if (bytes > std::min<uint64_t>(device_.abilities().largestBufferRange, UINT32_MAX))
        return engine::Error{engine::ErrorKind::Unsupported, "This model can't run on the graphics processor",
                             "The context needs a larger buffer than it can have",
                             "Choose a shorter context, or compute on the CPU"};
    Result<DeviceBuffer> buffer = DeviceBuffer::create(device_, std::max<uint64_t>((bytes + 15) / 16 * 16, 16), access);
    if (!buffer) return buffer.error();
    return &owned_.emplace_back(std::move(buffer).value());
}

Status VulkanLayers::allocateBuffers() {
    const uint32_t n = u32(plan_.chunk), width = u32(shape_.width);
    const uint32_t rows = n * u32(shape_.mostChosenExperts());
    const uint32_t neurons =
        u32(shape_.largest([](const FeedForwardShape& each) { return std::max(each.width, each.sharedWidth); }));
    const uint32_t widest = std::max({width, u32(shape_.queryWidth())});
    const uint32_t prepared =
        std::max({n * preparedWords(widest), rows * preparedWords(neurons), u32(kHeadTokens) * preparedWords(width)});
    reportStride_ = rows;
    struct Row {
        const DeviceBuffer* Buffers::*buffer;
        uint64_t words;
        HostAccess access = HostAccess::None;
    };
    const Row all[] = {
        {&Buffers::tokens, n, HostAccess::Writes},
        {&Buffers::cosSin, n * u32(shape_.ropeDimensions), HostAccess::Writes},
        {&Buffers::x, n * width},
        {&Buffers::next, n * width},
        {&Buffers::normed, n * width},
        {&Buffers::prepared, prepared},
        {&Buffers::query, n * u32(shape_.queryWidth())},
        {&Buffers::otherQuery, n * u32(shape_.queryWidth())},
        {&Buffers::key, n * u32(shape_.keyWidth())},
        {&Buffers::otherKey, n * u32(shape_.keyWidth())},
        {&Buffers::value, n * u32(shape_.keyWidth())},
        {&Buffers::attended, n * u32(shape_.queryWidth())},
        {&Buffers::attentionOut, n * width},
        {&Buffers::logits, n * u32(shape_.mostStoredExperts())},
        {&Buffers::experts, rows},
        {&Buffers::shares, rows},
        {&Buffers::gate, uint64_t{rows} * neurons},
        {&Buffers::up, uint64_t{rows} * neurons},
        {&Buffers::neurons, uint64_t{rows} * neurons},
        {&Buffers::active, rows},
        {&Buffers::down, uint64_t{rows} * width},
        {&Buffers::sharedLogit, n},
        {&Buffers::headInput, u32(kHeadTokens) * width},
        {&Buffers::headLogits, u32(kHeadTokens) * u32(shape_.vocabulary), HostAccess::Reads},
        {&Buffers::reports, static_cast<uint64_t>(shape_.layers) * kReportParts * rows, HostAccess::Reads},
        {&Buffers::ignored, 4},
    };
    for (const Row& row : all) {
        Result<const DeviceBuffer*> buffer = allocateBuffer(row.words * sizeof(uint32_t), row.access);
        if (!buffer) return buffer.error();
        b_.*row.buffer = *buffer;
    }
    return {};
}

Status VulkanLayers::load(const engine::ModelFile& file, const engine::ModelTensors& tensors,
                          const engine::KernelTable& kernels, const DeviceWeights::Progress& progress) {
    Result<DeviceWeights> weights = DeviceWeights::load(device_, file, tensors, kernels, progress);
    if (!weights) return weights.error();
    weights_ = std::move(weights).value();
    const std::vector<float>& factors = weights_->hostRopeFactors();
    Result<engine::RopeTable> rope = engine::RopeTable::create(shape_, factors.empty() ? nullptr : factors.data());
    if (!rope) return rope.error();
    rope_ = std::move(rope).value();
    return {};
}

// Recording. The first error ends it, and finish() returns it.

void VulkanLayers::add(const Dispatch& dispatch) {
    if (recorded_) recorded_ = commands_->dispatch(dispatch);
}

template <typename Push>
void VulkanLayers::add(std::string_view shader, std::vector<uint32_t> specialisation,
                       std::vector<const DeviceBuffer*> bindings, const Push& push, std::array<uint32_t, 3> groups) {
    add(Dispatch{.shader = shader,
                 .specialisation = std::move(specialisation),
                 .bindings = std::move(bindings),
                 .push = bytesOf(push),
                 .groups = groups});
}

/// Submits what was recorded, and waits for it.
Status VulkanLayers::finish() {
    if (!recorded_) return recorded_;
    return commands_->run();
}

/// The shader's variant for this device.
std::string VulkanLayers::variant(std::string_view shader) const {
    return shuffleName(std::string(shader), true, device_.abilities());
}

// Products and norms

/// The vectors as products with integer formats take them. Products that follow each other share them.
const DeviceBuffer& VulkanLayers::prepare(const DeviceBuffer& input, uint32_t columns, uint32_t vectors) {
    if (preparedFrom_ == &input) return *b_.prepared;
    const PreparePush push{columns, vectors, columns, preparedWords(columns)};
    add("prepare_bytes", {kLanes}, {&input, b_.prepared}, push, {groupsFor(push.outStride, kLanes), vectors, 1});
    preparedFrom_ = &input;
    return *b_.prepared;
}

/// out: [vectors, rows]. input: [vectors / vectorsPerInput, columns].
void VulkanLayers::multiply(const DeviceMatrix& matrix, const DeviceBuffer& input, uint32_t vectors,
                            const DeviceBuffer& out, const ProductOptions& options) {
    const bool prepares = engine::vectorForm(matrix.type) == engine::VectorForm::Bytes;
    const DeviceBuffer& from = prepares ? prepare(input, matrix.columns, vectors / options.vectorsPerInput) : input;
    const ProductTuning tuning{.rows = kRowsOfTeam, .integerDot = device_.abilities().integerDot && prepares};
    const ProductPush push{.rows = matrix.rows,
                           .columns = matrix.columns,
                           .vectors = vectors,
                           .vectorsPerInput = options.vectorsPerInput,
                           .inputStride = prepares ? preparedWords(matrix.columns) : matrix.columns,
                           .outStride = matrix.rows,
                           .outOffset = 0,
                           .matrixOffset = 0,
                           .biasOffset = 0,
                           .biasStride = matrix.rows};
    const uint32_t groups = groupsFor(matrix.rows, tuning.lanes / kTeam * tuning.rows);
    add(productName(matrix.type, tuning, device_.abilities()),
        {tuning.lanes, tuning.rows, tuning.vectors, options.experts, 0, options.bias != nullptr},
        {matrix.buffer, &from, options.experts ? b_.experts : &weights_->orNothing(nullptr),
         options.experts ? &weights_->places(matrix) : &weights_->orNothing(nullptr), &weights_->orNothing(nullptr),
         &weights_->orNothing(options.bias), &out},
        push, {std::min(groups, kMostGroups), vectors, 1});
}

void VulkanLayers::norm(const DeviceBuffer& x, const DeviceBuffer* weight, uint32_t vectors, uint32_t width,
                        const DeviceBuffer& out) {
    const NormPush push{width, 0, 1 / static_cast<float>(width), shape_.normEpsilon};
    add(variant("norm"), {0}, {&x, &weights_->orNothing(nullptr), weight, &out, b_.ignored}, push, {vectors, 1, 1});
    if (preparedFrom_ == &out) preparedFrom_ = nullptr;
}

/// Adds attention's output to the residual stream, and norms that for the feed-forward part.
void VulkanLayers::addAndNorm(const DeviceBuffer* weight) {
    const uint32_t width = u32(shape_.width);
    const NormPush push{width, 0, 1 / static_cast<float>(width), shape_.normEpsilon};
    add(variant("norm"), {1}, {b_.x, b_.attentionOut, weight, b_.normed, b_.next}, push, {count(), 1, 1});
    preparedFrom_ = nullptr;
    std::swap(b_.x, b_.next);
}

// A pass

Status VulkanLayers::embed(std::span<const engine::TokenId> tokens, int64_t position) {
    tokens_ = static_cast<int64_t>(tokens.size());
    position_ = position;
    std::memcpy(b_.tokens->bytes().data(), tokens.data(), tokens.size_bytes());
    for (int64_t t = 0; t < tokens_; ++t)
        rope_->fill(position + t, reinterpret_cast<float*>(b_.cosSin->bytes().data()) + t * shape_.ropeDimensions);
    recorded_ = commands_->begin();
    preparedFrom_ = nullptr;
    const DeviceMatrix& matrix = weights_->embedding;
    const ExpandPush push{matrix.columns, count(), matrix.columns, 0};
    add(shaderName("expand_row", matrix.type), {kLanes}, {matrix.buffer, b_.tokens, b_.x}, push,
        {groupsFor(matrix.columns, kTeam * kLanes), count(), 1});
    embedded_ = true;
    return recorded_;
}

Status VulkanLayers::run(engine::LayerRange layers) {
    if (!std::exchange(embedded_, false)) recorded_ = commands_->begin();
    for (int64_t layer = layers.first; layer < layers.end; ++layer) compute(layer);
    return finish();
}

void VulkanLayers::compute(int64_t layer) {
    preparedFrom_ = nullptr;
    const bool routesFirst = shape_.architecture->routerInput == engine::RouterInput::LayerInput;
    if (routesFirst) route(layer, *b_.x);
    attend(layer);
    if (!routesFirst) route(layer, *b_.normed);
    runExperts(layer);
    report(layer);
    runShared(layer);
}

void VulkanLayers::attend(int64_t layer) {
    const DeviceLayerWeights& weights = weights_->layers[static_cast<size_t>(layer)];
    norm(*b_.x, weights.attentionNorm, count(), u32(shape_.width), *b_.normed);
    multiply(weights.query, *b_.normed, count(), *b_.query, {.bias = weights.queryBias});
    multiply(weights.key, *b_.normed, count(), *b_.key, {.bias = weights.keyBias});
    multiply(weights.value, *b_.normed, count(), *b_.value, {.bias = weights.valueBias});
    finishHeads(weights, shape_.layer[static_cast<size_t>(layer)].rope);
    keep(*b_.key, layer, 0);
    keep(*b_.value, layer, layout_.keyBytes(layout_.layer(layer)));
    overCache(layer, weights);
    preparedFrom_ = nullptr;
    multiply(weights.output, *b_.attended, count(), *b_.attentionOut, {.bias = weights.outputBias});
    addAndNorm(weights.feedForwardNorm);
}

/// Norms and rotates the heads of queries and keys.
void VulkanLayers::finishHeads(const DeviceLayerWeights& weights, bool rotates) {
    normHeads(weights.queryNorm, u32(shape_.heads), b_.query, b_.otherQuery);
    normHeads(weights.keyNorm, u32(shape_.kvHeads), b_.key, b_.otherKey);
    if (!rotates) return;
    rotate(u32(shape_.heads), b_.query, b_.otherQuery);
    rotate(u32(shape_.kvHeads), b_.key, b_.otherKey);
}

void VulkanLayers::normHeads(const DeviceBuffer* weight, uint32_t heads, const DeviceBuffer*& from,
                             const DeviceBuffer*& to) {
    if (weight == nullptr) return;
    const bool each = shape_.architecture->headNorm == engine::HeadNorm::EachHead;
    const uint32_t width = each ? u32(shape_.headDim) : u32(shape_.headDim) * heads;
    norm(*from, weight, each ? count() * heads : count(), width, *to);
    std::swap(from, to);
}

void VulkanLayers::rotate(uint32_t heads, const DeviceBuffer*& from, const DeviceBuffer*& to) {
    const RopePush push{heads, u32(shape_.headDim), u32(shape_.ropeDimensions)};
    add("rope", {shape_.architecture->rope == engine::RopeKind::Neox}, {from, b_.cosSin, to}, push,
        {groupsFor(push.headDim, kLanes), count() * heads, 1});
    std::swap(from, to);
}

/// Stores the tokens' keys or values. offset: bytes in front of the layer's.
void VulkanLayers::keep(const DeviceBuffer& rows, int64_t layer, uint64_t offset) {
    const KeepPush push{.heads = u32(shape_.kvHeads),
                        .headDim = u32(shape_.headDim),
                        .position = u32(position_),
                        .capacity = u32(layout_.layer(layer).capacity),
                        .offset = static_cast<uint32_t>(offset / sizeof(uint16_t))};
    const uint32_t words = u32(layout_.rowBytes()) / sizeof(uint16_t);
    add(shaderName("keep_rows", layout_.format()), {}, {&rows, cache_[static_cast<size_t>(layer)]}, push,
        {groupsFor(words, kLanes), count() * push.heads, 1});
}

void VulkanLayers::overCache(int64_t layer, const DeviceLayerWeights& weights) {
    const engine::KvLayout::Layer& place = layout_.layer(layer);
    const AttentionPush push{.heads = u32(shape_.heads),
                             .group = u32(shape_.heads / shape_.kvHeads),
                             .headDim = u32(shape_.headDim),
                             .position = u32(position_),
                             .window = u32(place.window),
                             .capacity = u32(place.capacity),
                             .keysOffset = 0,
                             .valuesOffset = static_cast<uint32_t>(layout_.keyBytes(place)),
                             .sinksOffset = 0,
                             .scale = 1 / std::sqrt(static_cast<float>(shape_.headDim))};
    add(variant(shaderName("attention", layout_.format())), {groupsFor(push.headDim, kLanes), weights.sinks != nullptr},
        {b_.query, cache_[static_cast<size_t>(layer)], &weights_->orNothing(weights.sinks), b_.attended}, push,
        {push.heads, count(), 1});
}

// Experts

void VulkanLayers::route(int64_t layer, const DeviceBuffer& input) {
    const FeedForwardShape& shape = feedForward(layer);
    if (shape.isDense()) return;
    const DeviceLayerWeights& weights = weights_->layers[static_cast<size_t>(layer)];
    multiply(weights.router, input, count(), *b_.logits, {.bias = weights.routerBias});
    const RoutePush push{
        .groups = u32(shape.router.groups), .groupsUsed = u32(shape.router.groupsUsed), .biasOffset = 0};
    add(variant("route"),
        {u32(shape.experts), u32(shape.expertsPerToken), shape.router.gating == engine::Gating::Sigmoid,
         shape.router.normalised, weights.selectionBias != nullptr},
        {b_.logits, &weights_->orNothing(weights.selectionBias), b_.experts, b_.shares}, push, {count(), 1, 1});
}

void VulkanLayers::runExperts(int64_t layer) {
    const FeedForwardShape& shape = feedForward(layer);
    const DeviceLayerWeights& weights = weights_->layers[static_cast<size_t>(layer)];
    const bool routed = !shape.isDense();
    const uint32_t chosen = u32(shape.chosenExperts()), rows = count() * chosen;
    const auto with = [&](const DeviceBuffer* bias, uint32_t perInput) {
        return ProductOptions{.bias = bias, .experts = routed, .vectorsPerInput = perInput};
    };
    multiply(weights.gate, *b_.normed, rows, *b_.gate, with(weights.gateBias, chosen));
    multiply(weights.up, *b_.normed, rows, *b_.up, with(weights.upBias, chosen));
    activate(rows, u32(shape.width));
    projectDown(weights.down, rows, with(weights.downBias, 1));
    addRows(chosen, shape.router.scale, routed ? b_.shares : nullptr, routed ? 1 : 0);
}

void VulkanLayers::activate(uint32_t rows, uint32_t neurons) {
    add("activate", {static_cast<uint32_t>(shape_.architecture->activation)}, {b_.gate, b_.up, b_.neurons, b_.active},
        ActivatePush{neurons}, {rows, 1, 1});
    preparedFrom_ = nullptr;
}

void VulkanLayers::projectDown(const DeviceMatrix& down, uint32_t rows, const ProductOptions& options) {
    if (!options.experts || !shape_.transposedDown) return multiply(down, *b_.neurons, rows, *b_.down, options);
    const NeuronSumPush push{.neurons = down.rows,
                             .columns = down.columns,
                             .vectors = rows,
                             .inputStride = down.rows,
                             .outStride = down.columns,
                             .matrixOffset = 0};
    add(shaderName("neuron_sum", down.type), {kLanes, 1},
        {down.buffer, b_.neurons, b_.experts, &weights_->places(down), b_.down}, push,
        {groupsFor(down.columns, 4 * kLanes), rows, 1});
}

/// Adds rows of b_.down to the residual stream. kind: weights as weighted_sum.comp names them.
void VulkanLayers::addRows(uint32_t rows, float scale, const DeviceBuffer* weights, uint32_t kind) {
    const WeightedSumPush push{u32(shape_.width), rows, scale};
    add("weighted_sum", {kind}, {b_.x, b_.down, &weights_->orNothing(weights), b_.next}, push,
        {groupsFor(push.width, kLanes), count(), 1});
    std::swap(b_.x, b_.next);
}

void VulkanLayers::runShared(int64_t layer) {
    const FeedForwardShape& shape = feedForward(layer);
    if (shape.sharedWidth == 0) return;
    const DeviceLayerWeights& weights = weights_->layers[static_cast<size_t>(layer)];
    if (shape.sharedIsGated) multiply(weights.sharedRouter, *b_.normed, count(), *b_.sharedLogit);
    multiply(weights.sharedGate, *b_.normed, count(), *b_.gate);
    multiply(weights.sharedUp, *b_.normed, count(), *b_.up);
    activate(count(), u32(shape.sharedWidth));
    multiply(weights.sharedDown, *b_.neurons, count(), *b_.down);
    addRows(1, 1, shape.sharedIsGated ? b_.sharedLogit : nullptr, shape.sharedIsGated ? 2 : 0);
}

/// Copies what the host wants to know of a layer's experts.
void VulkanLayers::report(int64_t layer) {
    const FeedForwardShape& shape = feedForward(layer);
    const uint64_t bytes = static_cast<uint64_t>(tokens_ * shape.chosenExperts()) * sizeof(uint32_t);
    const auto keep = [&](const DeviceBuffer& from, int64_t part) {
        if (recorded_) commands_->copy(from, 0, *b_.reports, reportPlace(layer, part) * sizeof(uint32_t), bytes);
    };
    if (!shape.isDense()) {
        keep(*b_.experts, 0);
        keep(*b_.shares, 1);
    }
    if (countsNeurons()) keep(*b_.active, 2);
}

/// Place of the first word of one part in b_.reports: experts, shares or active neurons.
uint64_t VulkanLayers::reportPlace(int64_t layer, int64_t part) const {
    return static_cast<uint64_t>(layer * kReportParts + part) * reportStride_;
}

engine::ExpertUse VulkanLayers::use(int64_t layer, int64_t token, int64_t rank) const {
    const FeedForwardShape& shape = feedForward(layer);
    const auto row = static_cast<uint64_t>(token * shape.chosenExperts() + rank);
    engine::ExpertUse use{.expert = 0, .weight = 1, .hit = true, .activeNeurons = 0};
    if (!shape.isDense()) {
        use.expert = valueAt<int32_t>(*b_.reports, reportPlace(layer, 0) + row);
        use.weight = valueAt<float>(*b_.reports, reportPlace(layer, 1) + row);
    }
    if (countsNeurons()) use.activeNeurons = valueAt<int32_t>(*b_.reports, reportPlace(layer, 2) + row);
    return use;
}

Result<std::span<const float>> VulkanLayers::head(int64_t first, int64_t count) {
    const uint64_t row = static_cast<uint64_t>(shape_.width) * sizeof(float);
    recorded_ = commands_->begin();
    preparedFrom_ = nullptr;
    if (recorded_)
        commands_->copy(*b_.x, static_cast<uint64_t>(first) * row, *b_.headInput, 0,
                        static_cast<uint64_t>(count) * row);
    norm(*b_.headInput, weights_->outputNorm, u32(count), u32(shape_.width), *b_.normed);
    multiply(weights_->head, *b_.normed, u32(count), *b_.headLogits);
    if (Status done = finish(); !done) return done.error();
    return std::span(reinterpret_cast<const float*>(b_.headLogits->bytes().data()),
                     static_cast<size_t>(count * shape_.vocabulary));
}

} // namespace coterie::gpu
