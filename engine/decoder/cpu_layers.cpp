// SPDX-License-Identifier: Apache-2.0
// See cpu_layers.h. The functions are in the order of a pass; the arithmetic of each step is in a file of its own.
#include "decoder/cpu_layers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coterie::engine {

Status CpuLayers::allocate(const ModelShape& shape, const MemoryPlan& plan) {
    shape_ = shape;
    plan_ = plan;
    Result<SequenceMemory> memory = SequenceMemory::create(shape, plan);
    if (!memory) return memory.error();
    memory_ = std::move(memory).value();
    Result<Workspace> workspace = Workspace::create(shape, arrays());
    if (!workspace) return workspace.error();
    workspace_ = std::move(workspace).value();
    scratchBytes_ = workspace_.buffer.size();
    attention_.emplace(shape_, compute_, memory_.keysAndValues(), workspace_);
    deltaRule_.emplace(shape_, compute_, memory_, workspace_);
    shortConvolution_.emplace(shape_, compute_, memory_, workspace_);
    return {};
}

WorkspaceRequest CpuLayers::arrays() const {
    return {.chunk = plan_.chunk,
            .context = plan_.context,
            .threads = std::max(plan_.threads, compute_.pool.threads()),
            .regroupedRow = plan_.regroupedRow,
            .forms = plan_.forms};
}

uint64_t CpuLayers::longChunkBytes(int64_t tokens) const {
    return Workspace::longBytesNeeded(shape_, arrays(), tokens).value() +
           SequenceMemory::longBytesNeeded(shape_, plan_, tokens);
}

void CpuLayers::lengthenChunk(int64_t tokens, std::span<std::byte> memory) {
    const auto rings = static_cast<size_t>(SequenceMemory::longBytesNeeded(shape_, plan_, tokens));
    if (rings != 0) memory_.lengthen(shape_, plan_, tokens, memory.first(rings));
    workspace_.lengthen(shape_, arrays(), tokens, memory.subspan(rings));
}

void CpuLayers::shortenChunk() {
    memory_.shorten();
    workspace_.shorten(shape_, arrays());
}

/// Calls body(first, tokens) for the parts of a chunk: its tokens [first, first + tokens). Returns false if a request
/// that was cancelled has left some out: such a chunk must not be committed.
template <typename Body>
bool CpuLayers::forEachPart(const Body& body) const {
    for (int64_t first = 0; first < tokens_; first += plan_.chunk) {
        if (first > 0 && cancel_ != nullptr && cancel_->load(std::memory_order_relaxed)) return false;
        body(first, std::min(plan_.chunk, tokens_ - first));
    }
    return true;
}

Status CpuLayers::load(const ModelFile& file, const ModelTensors& tensors, const ResidentWeights::Progress& progress,
                       bool direct) {
    file_ = &file;
    embeddingTensor_ = tensors.embedding;
    Result<ResidentWeights> weights =
        ResidentWeights::load(file, tensors, plan_.embeddingKept, compute_.kernels, compute_.pool, progress);
    if (!weights) return weights.error();
    weights_ = std::move(weights).value();
    residentBytes_ = weights_.bytes();
    Result<RopeTable> rope = RopeTable::create(shape_.rotation, weights_.ropeFactors);
    if (!rope) return rope.error();
    rope_ = std::move(rope).value();
    windowRope_ = RopeTable::create(shape_.windowRotation, nullptr).value(); // only the file's factors can be wrong
    embeddingRow_.resize(static_cast<size_t>(rowBytes(*embeddingTensor_->type, static_cast<uint64_t>(shape_.width))));
    head_.emplace(shape_, compute_, workspace_, weights_);
    if (plan_.headSketch != 0) head_->deriveSketch(headAgreement_);
    residentBytes_ += head_->sketchBytes();
    if (shape_.widestSharedExpert() != 0) shared_.emplace(shape_, compute_, workspace_, plan_.chunk, plan_.chunk);
    return tensors.layerEmbedding == nullptr ? Status() : openEmbeddings(file, *tensors.layerEmbedding, direct);
}

Status CpuLayers::openEmbeddings(const ModelFile& file, const gguf::Tensor& table, bool direct) {
    Result<std::unique_ptr<RowStore>> rows =
        RowStore::open(file, table, {.chunk = plan_.chunk, .cached = plan_.cachedRows}, direct);
    if (!rows) return rows.error();
    layerEmbeddings_.emplace(shape_, compute_, workspace_, weights_, std::move(rows).value());
    sharedEmbeddings_ = &*layerEmbeddings_;
    return {};
}

Status CpuLayers::begin(const Chunk& chunk) {
    position_ = chunk.position;
    tokens_ = static_cast<int64_t>(chunk.tokens.size());
    cancel_ = chunk.cancel;
    const TensorType type = *embeddingTensor_->type;
    if (layerEmbeddings_) layerEmbeddings_->request(chunk.tokens);
    for (int64_t t = 0; t < tokens_; ++t) {
        const TokenId token = chunk.tokens[static_cast<size_t>(t)];
        const std::byte* row = embeddingRow_.data();
        if (weights_.embedding.data != nullptr)
            row = weights_.embedding.row(token);
        else if (Status status =
                     file_->read(*embeddingTensor_, static_cast<uint64_t>(token) * embeddingRow_.size(), embeddingRow_);
                 !status)
            return status;
        compute_.kernels.expandRow(type, row, shape_.width, workspace_.x + t * shape_.width);
    }
    if (shape_.embeddingScale != 1)
        std::for_each_n(workspace_.x, tokens_ * shape_.width, [this](float& value) { value *= shape_.embeddingScale; });
    if (layerEmbeddings_) layerEmbeddings_->project();
    compute_.countBytes(chunk.tokens.size() * embeddingRow_.size());
    compute_.forEachToken(tokens_, [&](int64_t t) {
        rope_->fill(position_ + t, workspace_.cosSin + t * shape_.rotation.dimensions);
        windowRope_->fill(position_ + t, workspace_.windowCosSin + t * shape_.windowRotation.dimensions);
    });
    memory_.begin(tokens_);
    return {};
}

bool CpuLayers::routesFirst(int64_t layer) const {
    return shape_.layer[static_cast<size_t>(layer)].feedForward.isDense() ||
           shape_.routerInput == RouterInput::LayerInput;
}

PreparedInputs CpuLayers::residual() const {
    PreparedInputs input(workspace_.prepared);
    input.set(workspace_.x, shape_.width, tokens_);
    return input;
}

PreparedInputs CpuLayers::mix(int64_t layer) {
    // If parts are left out, the layer's experts find the request cancelled, too.
    static_cast<void>(forEachPart([&](int64_t first, int64_t tokens) { mixPart(layer, first, tokens); }));
    PreparedInputs input(workspace_.prepared);
    input.set(workspace_.normed, shape_.width, tokens_);
    return input;
}

/// No token sees a later one, so the parts are mixed one after the other.
void CpuLayers::mixPart(int64_t layer, int64_t first, int64_t tokens) {
    const LayerWeights& weights = weights_.layers[static_cast<size_t>(layer)];
    float* normed = workspace_.normed + first * shape_.width;
    PreparedInputs input(workspace_.prepared);
    norm(workspace_.x + first * shape_.width, tokens, weights.attentionNorm, normed);
    input.set(normed, shape_.width, tokens);
    switch (shape_.layer[static_cast<size_t>(layer)].mixer) {
    case Mixer::Attention:
        attention_->run(layer, weights, position_ + first, first, input);
        break;
    case Mixer::DeltaRule:
        deltaRule_->run(layer, weights, first, input);
        break;
    case Mixer::ShortConvolution:
        shortConvolution_->run(layer, weights, first, input);
        break;
    }
    addAndNorm(weights, first, tokens);
}

std::optional<PreparedInputs> CpuLayers::ownRouterInput(int64_t layer) {
    const float* weight = weights_.layers[static_cast<size_t>(layer)].routerNorm;
    if (weight == nullptr) return std::nullopt;
    compute_.forEachToken(tokens_, [&](int64_t t) {
        compute_.kernels.rmsNorm(workspace_.x + t * shape_.width, weight, shape_.width, shape_.normEpsilon,
                                 workspace_.routerInput + t * shape_.width);
    });
    PreparedInputs input(workspace_.prepared);
    input.set(workspace_.routerInput, shape_.width, tokens_);
    return input;
}

Status CpuLayers::finish(int64_t layer) {
    const LayerShape& shape = shape_.layer[static_cast<size_t>(layer)];
    const LayerWeights& weights = weights_.layers[static_cast<size_t>(layer)];
    if (shape.feedForward.denseBeside) beginDensePart(weights);
    const auto add = [&](int64_t first, int64_t tokens) { addShared(shape, weights, first, tokens); };
    if (shape.feedForward.sharedWidth != 0 && !forEachPart(add)) return stopped();
    if (shape.outputNorms)
        compute_.forEachToken(tokens_, [&](int64_t t) {
            addBlock(weights.feedForwardOutputNorm, workspace_.blockOut + t * shape_.width, t);
        });
    if (layerEmbeddings_)
        if (Status status = addOwnEmbeddings(layer, weights); !status) return status;
    if (shape.outputScale)
        compute_.forEachToken(tokens_, [&](int64_t t) {
            float* x = workspace_.x + t * shape_.width;
            for (int64_t i = 0; i < shape_.width; ++i) x[i] *= *weights.outputScale;
        });
    return {};
}

/// The rows of a chunk are read while its first layer is computed.
Status CpuLayers::addOwnEmbeddings(int64_t layer, const LayerWeights& weights) {
    if (layer == 0)
        if (Status status = layerEmbeddings_->finishInputs(); !status) return status;
    layerEmbeddings_->run(layer, weights);
    compute_.forEachToken(
        tokens_, [&](int64_t t) { addBlock(weights.layerOutputNorm, workspace_.blockOut + t * shape_.width, t); });
    return {};
}

/// Norms the sum of the experts' outputs, and the residual stream for the dense part beside them.
void CpuLayers::beginDensePart(const LayerWeights& weights) {
    compute_.forEachToken(tokens_, [&](int64_t t) {
        float* sum = workspace_.blockOut + t * shape_.width;
        compute_.kernels.rmsNorm(sum, weights.expertsOutputNorm, shape_.width, shape_.normEpsilon, sum);
    });
    norm(workspace_.x, tokens_, weights.feedForwardNorm, workspace_.normed);
}

/// Adds the shared expert's output for the tokens [first, first + tokens) of the chunk.
void CpuLayers::addShared(const LayerShape& layer, const LayerWeights& weights, int64_t first, int64_t tokens) {
    const FeedForwardShape& shape = layer.feedForward;
    PreparedInputs input(workspace_.prepared); // its formats may differ from the experts'
    input.set(workspace_.normed + first * shape_.width, shape_.width, tokens);
    if (shape.sharedIsGated) {
        const StepScope step = compute_.measure(Step::Router);
        multiply(compute_, {weights.sharedRouter, input.form(compute_, weights.sharedRouter.type), tokens,
                            workspace_.sharedWeights, 1});
    }
    const FeedForwardJob job{.gate = weights.sharedGate,
                             .up = weights.sharedUp,
                             .down = weights.sharedDown,
                             .gateInput = input.form(compute_, weights.sharedGate.type),
                             .upInput = input.form(compute_, weights.sharedUp.type),
                             .rows = tokens};
    shared_->run({&job, 1}, shape.sharedWidth);
    compute_.forEachToken(tokens, [&](int64_t t) {
        const float weight = shape.sharedIsGated ? 1 / (1 + std::exp(-workspace_.sharedWeights[t])) : 1;
        float* to = (layer.outputNorms ? workspace_.blockOut : workspace_.x) + (first + t) * shape_.width;
        float* down = workspace_.down + t * shape_.width;
        if (weights.sharedOutputNorm != nullptr)
            compute_.kernels.rmsNorm(down, weights.sharedOutputNorm, shape_.width, shape_.normEpsilon, down);
        for (int64_t i = 0; i < shape_.width; ++i) to[i] += weight * down[i];
    });
}

/// x, out: [tokens, width]
void CpuLayers::norm(const float* x, int64_t tokens, const float* weight, float* out) {
    compute_.forEachToken(tokens, [&](int64_t t) {
        compute_.kernels.rmsNorm(x + t * shape_.width, weight, shape_.width, shape_.normEpsilon,
                                 out + t * shape_.width);
    });
}

/// Adds the output of the mixer or of the feed-forward part to a token's residual stream, normed if outputNorm is not
/// null. out: [width]
void CpuLayers::addBlock(const float* outputNorm, float* out, int64_t token) {
    float* x = workspace_.x + token * shape_.width;
    if (outputNorm != nullptr) compute_.kernels.rmsNorm(out, outputNorm, shape_.width, shape_.normEpsilon, out);
    for (int64_t i = 0; i < shape_.width; ++i) x[i] += out[i];
}

/// Adds the mixer's output to the residual stream and norms the stream for the feed-forward part, for a part of the
/// chunk.
void CpuLayers::addAndNorm(const LayerWeights& weights, int64_t first, int64_t tokens) {
    const float* before = weights.expertsNorm != nullptr ? weights.expertsNorm : weights.feedForwardNorm;
    compute_.forEachToken(tokens, [&](int64_t t) {
        addBlock(weights.mixerOutputNorm, workspace_.blockOut + t * shape_.width, first + t);
        compute_.kernels.rmsNorm(workspace_.x + (first + t) * shape_.width, before, shape_.width, shape_.normEpsilon,
                                 workspace_.normed + (first + t) * shape_.width);
    });
}

/// Caps the logits that were computed; the others are minus infinity and stay so.
void CpuLayers::capLogits(std::span<float> logits, bool all) const {
    if (shape_.logitCap == 0) return;
    if (all) return compute_.kernels.softCap(logits.data(), static_cast<int64_t>(logits.size()), shape_.logitCap);
    for (float& logit : logits)
        if (logit != -std::numeric_limits<float>::infinity()) compute_.kernels.softCap(&logit, 1, shape_.logitCap);
}

/// Computes the logits of a few tokens at a time.
int64_t CpuLayers::head(const HeadRequest& request) {
    const int64_t skipped = tokens_ - request.wanted;
    if (request.learn) learnFromPrompt(skipped);
    const bool single = request.rows == HeadRows::Predicted && request.wanted == 1;
    const bool predicted = single && head_->canPredict();
    int64_t rows = 0; // rows per token
    for (int64_t done = skipped; done < tokens_; done += kHeadBatch) {
        const int64_t n = std::min(kHeadBatch, tokens_ - done);
        norm(workspace_.x + done * shape_.width, n, weights_.outputNorm, workspace_.normed);
        PreparedInputs input(workspace_.prepared);
        input.set(workspace_.normed, shape_.width, n);
        rows = shape_.vocabulary;
        if (predicted)
            rows = head_->runPredicted(input, request.keptRows, request.bestRows);
        else
            head_->run(input);
        if (single && head_->isLearning()) head_->learn(input);
        for (int64_t i = 0; i < n; ++i) {
            const std::span logits(workspace_.logits + i * shape_.vocabulary, static_cast<size_t>(shape_.vocabulary));
            capLogits(logits, rows == shape_.vocabulary);
            request.onLogits(done + i, logits);
        }
    }
    return rows;
}

/// Measures the head's predictor on some of a chunk's first `tokens` tokens, whose states are computed anyway.
void CpuLayers::learnFromPrompt(int64_t tokens) {
    constexpr int64_t kStride = 4; // every fourth token: on average a quarter of the head's work per token
    const int64_t states = tokens / kStride;
    for (int64_t done = 0; done < states && head_->isLearning(); done += Head::kLearningBatch) {
        const int64_t n = std::min(Head::kLearningBatch, states - done);
        for (int64_t i = 0; i < n; ++i)
            compute_.kernels.rmsNorm(workspace_.x + (done + i) * kStride * shape_.width, weights_.outputNorm,
                                     shape_.width, shape_.normEpsilon, workspace_.normed + i * shape_.width);
        PreparedInputs input(workspace_.prepared);
        input.set(workspace_.normed, shape_.width, n);
        head_->run(input);
        head_->learn(input);
    }
}

} // namespace coterie::engine
