// SPDX-License-Identifier: Apache-2.0
// The forward pass in the order of a token's life: embedding, layers (route, attention, feed-forward), head. The
// arithmetic of each step is in a file of its own.
#include "decoder/cpu_device.h"

#include "decoder/attention.h"
#include "decoder/expert_layer.h"
#include "decoder/head.h"
#include "decoder/packing.h"
#include "decoder/rope_table.h"
#include "decoder/store_opening.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>

namespace coterie::engine {
namespace {

Error outOfMemory(Sentence what) {
    return {ErrorKind::OutOfMemory, std::move(what), "The system has no memory left",
            "Close other programs, or allow the model less memory"};
}

/// Small containers throw; borders return values.
template <typename Body>
Status guarded(const Sentence& what, const Body& body) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        return outOfMemory(what);
    }
}

class CpuDevice final : public Device {
  public:
    explicit CpuDevice(const CpuDeviceOptions& options)
        : pool_(options.threads),
          compute_(*(options.kernels ? options.kernels : bestKernels()), pool_, counters_, options.shortcuts),
          choices_(options.experts), packedPath_(options.packedPath), headAgreement_(options.headAgreement) {}

    std::string name() const override { return std::string("cpu (") + compute_.kernels.name + ")"; }
    Status prepare(const ModelShape& shape, const MemoryPlan& plan) override {
        return guarded("The model can't be prepared", [&] { return allocate(shape, plan); });
    }
    Status upload(const ModelFile& file, const std::function<bool(uint64_t done, uint64_t total)>& progress) override {
        return guarded("The model can't be loaded", [&] { return load(file, progress); });
    }
    Status forward(const ForwardRequest& request) override {
        Status status = guarded("The model can't go on", [&] { return runChunks(request); });
        if (experts_ && !status) experts_->endPass();
        return status;
    }
    void rest() override {
        if (store_ && choices_.prefetch) store_->fillWhileIdle();
    }
    int64_t position() const override { return position_.load(std::memory_order_relaxed); }
    int64_t rewind(int64_t position) override;
    DeviceTelemetry telemetry() const override;
    void limitSlots(uint64_t slots) override {
        if (ExpertStore* store = sharedStore_.load()) store->limitSlots(slots);
    }
    HeadAgreement headAgreement() const override {
        return head_ && head_->sketchBytes() != 0 ? head_->agreement() : headAgreement_;
    }

  private:
    /// Without a word where the environment names kernels that can't run: who chose by name was told.
    static const KernelTable* bestKernels() {
        const Result<const KernelTable*> chosen = chooseKernels("auto");
        return chosen ? chosen.value() : kernelTables().back();
    }

    Status allocate(const ModelShape& shape, const MemoryPlan& plan);
    Status load(const ModelFile& file, const ResidentWeights::Progress& progress);
    Status openStore(const ModelFile& file, std::vector<ExpertLayer> layers);

    Status checkRequest(const ForwardRequest& request) const;
    Status runChunks(const ForwardRequest& request);
    static int64_t logitsWanted(const ForwardRequest& request, int64_t tokens, bool lastChunk);
    Status runLayers(int64_t first, int64_t n, const ForwardRequest& request);
    Status embed(std::span<const TokenId> tokens);
    Status runLayer(int64_t layer, int64_t tokens, TraceSink* trace);
    void runShared(const FeedForwardShape& shape, const LayerWeights& weights, PreparedInputs& input);
    void addAndNorm(int64_t tokens, const float* weight);
    void norm(const float* x, int64_t tokens, const float* weight);
    void runHead(int64_t first, int64_t tokens, int64_t wanted, const ForwardRequest& request);
    void learnFromPrompt(int64_t tokens);

    ThreadPool pool_;
    Counters counters_;
    Compute compute_;
    const ExpertStoreChoices choices_;
    const std::string packedPath_;
    HeadAgreement headAgreement_; // of a run before this one
    ModelShape shape_;
    MemoryPlan plan_;
    KvCache cache_;
    Workspace workspace_;
    const ModelFile* file_ = nullptr;
    const gguf::Tensor* embeddingTensor_ = nullptr;
    ResidentWeights weights_;
    std::optional<RopeTable> rope_;
    std::vector<std::byte> embeddingRow_; // where the embedding is not kept
    std::unique_ptr<ExpertStore> store_;
    std::optional<Attention> attention_;
    std::optional<ExpertLayers> experts_;
    std::optional<FeedForward> shared_; // the shared expert's
    std::optional<Head> head_;
    std::atomic<ExpertStore*> sharedStore_{nullptr}; // for other threads
    std::atomic<uint64_t> residentBytes_{0}, scratchBytes_{0};
    std::atomic<int64_t> position_{0};
};

Status CpuDevice::allocate(const ModelShape& shape, const MemoryPlan& plan) {
    shape_ = shape;
    plan_ = plan;
    Result<KvCache> cache = KvCache::create(shape, plan.keyValueFormat, plan.context, plan.chunk);
    if (!cache) return cache.error();
    cache_ = std::move(cache).value();
    Result<Workspace> workspace = Workspace::create(shape, {.chunk = plan.chunk,
                                                            .context = plan.context,
                                                            .threads = std::max(plan.threads, pool_.threads()),
                                                            .regroupedRow = plan.regroupedRow,
                                                            .forms = plan.forms});
    if (!workspace) return workspace.error();
    workspace_ = std::move(workspace).value();
    scratchBytes_ = workspace_.buffer.size();
    attention_.emplace(shape_, compute_, cache_, workspace_);
    return {};
}

Status CpuDevice::load(const ModelFile& file, const ResidentWeights::Progress& progress) {
    const Result<ModelTensors> tensors = findTensors(shape_, file.header());
    if (!tensors) return tensors.error();
    file_ = &file;
    embeddingTensor_ = tensors.value().embedding;
    Result<ResidentWeights> weights =
        ResidentWeights::load(file, tensors.value(), plan_.embeddingKept, compute_.kernels, pool_, progress);
    if (!weights) return weights.error();
    weights_ = std::move(weights).value();
    residentBytes_ = weights_.bytes();
    Result<RopeTable> rope = RopeTable::create(shape_, weights_.ropeFactors);
    if (!rope) return rope.error();
    rope_ = std::move(rope).value();
    embeddingRow_.resize(static_cast<size_t>(rowBytes(*embeddingTensor_->type, static_cast<uint64_t>(shape_.width))));
    head_.emplace(shape_, compute_, workspace_, weights_);
    if (plan_.headSketch != 0) head_->deriveSketch(headAgreement_);
    residentBytes_ += head_->sketchBytes();
    if (shape_.widestSharedExpert() != 0) shared_.emplace(shape_, compute_, workspace_, plan_.chunk);
    return openStore(file, expertLayers(shape_, tensors.value()));
}

Status CpuDevice::openStore(const ModelFile& file, std::vector<ExpertLayer> layers) {
    const bool regroups = compute_.shortcuts.sparsity;
    if (regroups) regroupAsRead(shape_, layers, [this] { return workspace_.regrouping; });
    Result<std::unique_ptr<ExpertStore>> store =
        openExpertStore(file, std::move(layers), regroups ? packedPath_ : "", plan_, choices_);
    if (!store) return store.error();
    store_ = std::move(store).value();
    experts_.emplace(shape_, compute_, workspace_, *store_, weights_.layers, plan_.chunk, choices_.prefetch);
    sharedStore_ = store_.get();
    return {};
}

int64_t CpuDevice::rewind(int64_t position) {
    if (position >= position_) return position_;
    position_ = cache_.rewind(std::max<int64_t>(0, position));
    return position_;
}

DeviceTelemetry CpuDevice::telemetry() const {
    DeviceTelemetry t;
    if (const ExpertStore* store = sharedStore_.load()) t.experts = store->statistics();
    t.residentBytes = residentBytes_;
    t.scratchBytes = scratchBytes_;
    t.keyValueBytes = cache_.touchedBytes();
    t.weightBytesRead = counters_.weightBytes;
    t.activeNeurons = counters_.activeNeurons;
    t.neurons = counters_.neurons;
    t.headRows = counters_.headRows;
    t.headRowsPossible = counters_.headRowsPossible;
    t.choices = counters_.choices;
    t.choicesChanged = counters_.choicesChanged;
    t.position = position_;
    return t;
}

Status CpuDevice::checkRequest(const ForwardRequest& request) const {
    if (weights_.layers.empty())
        return Error{ErrorKind::Internal, "The model is not loaded", "A forward pass came before upload",
                     "Report this as a bug"};
    const int64_t asked = static_cast<int64_t>(request.tokens.size());
    if (asked > plan_.context - position_)
        return Error{ErrorKind::ContextFull,
                     "The conversation doesn't fit into the context",
                     {"It would have %1 tokens, and the context holds %2", position_ + asked, plan_.context},
                     "Start a new chat, or choose a longer context"};
    for (const TokenId token : request.tokens)
        if (token < 0 || token >= shape_.vocabulary)
            return Error{ErrorKind::BadInput,
                         {"There is no token %1", token},
                         {"The vocabulary has %1", shape_.vocabulary},
                         "Use tokens of this model's tokenizer"};
    return {};
}

Status CpuDevice::runChunks(const ForwardRequest& request) {
    if (Status status = checkRequest(request); !status) return status;
    const int64_t total = static_cast<int64_t>(request.tokens.size());
    if (experts_) experts_->setRouting(total == 1 ? request.routing : ApproximateRouting{});
    for (int64_t done = 0; done < total;) {
        const int64_t n = std::min(plan_.chunk, total - done);
        if (Status status = runLayers(done, n, request); !status) return status;
        position_ = position_ + n;
        const int64_t wanted = logitsWanted(request, n, done + n == total);
        if (request.head == HeadRows::Predicted && request.wanted == LogitsWanted::Last) learnFromPrompt(n - wanted);
        runHead(done, n, wanted, request);
        done += n;
        if (request.onProgress) request.onProgress(done);
    }
    return {};
}

/// Of a chunk's tokens.
int64_t CpuDevice::logitsWanted(const ForwardRequest& request, int64_t tokens, bool lastChunk) {
    if (!request.onLogits || request.wanted == LogitsWanted::None) return 0;
    if (request.wanted == LogitsWanted::All) return tokens;
    return lastChunk ? 1 : 0;
}

/// The request's tokens [first, first + n).
Status CpuDevice::runLayers(int64_t first, int64_t n, const ForwardRequest& request) {
    const std::span tokens = request.tokens.subspan(static_cast<size_t>(first), static_cast<size_t>(n));
    if (Status status = embed(tokens); !status) return status;
    int64_t told = 0; // of the n
    compute_.forEachToken(
        n, [&](int64_t t) { rope_->fill(position_ + t, workspace_.cosSin + t * shape_.ropeDimensions); });
    cache_.extend(position_ + n);
    for (int64_t layer = 0; layer < shape_.layers; ++layer) {
        if (request.cancel != nullptr && request.cancel->load(std::memory_order_relaxed))
            return Error{ErrorKind::Cancelled, "The answer was stopped", "The user asked for it", "Ask again"};
        if (Status status = runLayer(layer, n, request.trace); !status) return status;
        const int64_t share = n * (layer + 1) / shape_.layers;
        if (!request.onProgress || share == told || share == n) continue; // runChunks() tells of a whole chunk
        told = share;
        request.onProgress(first + share);
    }
    return {};
}

Status CpuDevice::embed(std::span<const TokenId> tokens) {
    const TensorType type = *embeddingTensor_->type;
    for (size_t t = 0; t < tokens.size(); ++t) {
        const std::byte* row = embeddingRow_.data();
        if (weights_.embedding.data != nullptr)
            row = weights_.embedding.row(tokens[t]);
        else if (Status status = file_->read(*embeddingTensor_, static_cast<uint64_t>(tokens[t]) * embeddingRow_.size(),
                                             embeddingRow_);
                 !status)
            return status;
        compute_.kernels.expandRow(type, row, shape_.width, workspace_.x + static_cast<int64_t>(t) * shape_.width);
    }
    compute_.countBytes(tokens.size() * embeddingRow_.size());
    return {};
}

Status CpuDevice::runLayer(int64_t layer, int64_t tokens, TraceSink* trace) {
    const LayerWeights& weights = weights_.layers[static_cast<size_t>(layer)];
    const FeedForwardShape& feedForward = shape_.layer[static_cast<size_t>(layer)].feedForward;
    const bool routesFirst = feedForward.isDense() || shape_.architecture->routerInput == RouterInput::LayerInput;
    PreparedInputs input(workspace_.prepared);
    if (routesFirst) {
        input.set(workspace_.x, shape_.width, tokens);
        if (Status status = experts_->route(layer, weights, input); !status) return status;
    }
    norm(workspace_.x, tokens, weights.attentionNorm);
    input.set(workspace_.normed, shape_.width, tokens);
    attention_->run(layer, weights, position_, input);
    addAndNorm(tokens, weights.feedForwardNorm);
    input.set(workspace_.normed, shape_.width, tokens);
    if (!routesFirst)
        if (Status status = experts_->route(layer, weights, input); !status) return status;
    experts_->guess();
    if (Status status = experts_->run(weights, input); !status) return status;
    if (feedForward.sharedWidth != 0) runShared(feedForward, weights, input);
    if (trace != nullptr && !feedForward.isDense()) experts_->report(*trace, position_);
    return {};
}

/// After the routed experts, whose arrays it takes over.
void CpuDevice::runShared(const FeedForwardShape& shape, const LayerWeights& weights, PreparedInputs& input) {
    input.set(workspace_.normed, shape_.width, input.batch()); // its matrices may be of other formats than the experts'
    if (shape.sharedIsGated)
        multiply(compute_, {weights.sharedRouter, input.form(compute_, weights.sharedRouter.type), input.batch(),
                            workspace_.sharedWeights, 1});
    const FeedForwardJob job{.gate = weights.sharedGate,
                             .up = weights.sharedUp,
                             .down = weights.sharedDown,
                             .gateInput = input.form(compute_, weights.sharedGate.type),
                             .upInput = input.form(compute_, weights.sharedUp.type),
                             .rows = input.batch()};
    shared_->run({&job, 1}, shape.sharedWidth);
    compute_.forEachToken(input.batch(), [&](int64_t t) {
        const float weight = shape.sharedIsGated ? 1 / (1 + std::exp(-workspace_.sharedWeights[t])) : 1;
        for (int64_t i = t * shape_.width; i < (t + 1) * shape_.width; ++i)
            workspace_.x[i] += weight * workspace_.down[i];
    });
}

/// x: [tokens, width] -> workspace.normed.
void CpuDevice::norm(const float* x, int64_t tokens, const float* weight) {
    compute_.forEachToken(tokens, [&](int64_t t) {
        compute_.kernels.rmsNorm(x + t * shape_.width, weight, shape_.width, shape_.normEpsilon,
                                 workspace_.normed + t * shape_.width);
    });
}

/// Attention's answer joins the residual stream, which is normed for the feed-forward part.
void CpuDevice::addAndNorm(int64_t tokens, const float* weight) {
    compute_.forEachToken(tokens, [&](int64_t t) {
        float* x = workspace_.x + t * shape_.width;
        const float* block = workspace_.attentionOut + t * shape_.width;
        for (int64_t i = 0; i < shape_.width; ++i) x[i] += block[i];
        compute_.kernels.rmsNorm(x, weight, shape_.width, shape_.normEpsilon, workspace_.normed + t * shape_.width);
    });
}

/// Logits of the last `wanted` tokens of a chunk of `tokens`, a few at a time. `first`: the chunk's place in the
/// request.
void CpuDevice::runHead(int64_t first, int64_t tokens, int64_t wanted, const ForwardRequest& request) {
    const int64_t skipped = tokens - wanted;
    const bool predicted = request.head == HeadRows::Predicted && wanted == 1 && head_->canPredict();
    int64_t rows = 0; // of a token
    for (int64_t done = skipped; done < tokens; done += kHeadBatch) {
        const int64_t n = std::min(kHeadBatch, tokens - done);
        norm(workspace_.x + done * shape_.width, n, weights_.outputNorm);
        PreparedInputs input(workspace_.prepared);
        input.set(workspace_.normed, shape_.width, n);
        rows = shape_.vocabulary;
        if (predicted)
            rows = head_->runPredicted(input, request.keptRows, request.bestRows);
        else
            head_->run(input);
        if (request.head == HeadRows::Predicted && wanted == 1 && head_->isLearning()) head_->learn(input);
        for (int64_t i = 0; i < n; ++i)
            request.onLogits(first + done + i,
                             {workspace_.logits + i * shape_.vocabulary, static_cast<size_t>(shape_.vocabulary)});
    }
    counters_.headRows.fetch_add(static_cast<uint64_t>(wanted * rows), std::memory_order_relaxed);
    counters_.headRowsPossible.fetch_add(static_cast<uint64_t>(wanted * shape_.vocabulary), std::memory_order_relaxed);
    if (request.trace == nullptr) return;
    for (int64_t t = 0; t < tokens; ++t) request.trace->tokenDone(position_ - tokens + t, t < skipped ? 0 : rows);
}

/// A prompt's states are there for the taking: some of a chunk's first `tokens` measure the head's predictor.
void CpuDevice::learnFromPrompt(int64_t tokens) {
    constexpr int64_t kStride = 4; // a quarter of the head's work a token
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

} // namespace

std::unique_ptr<Device> createCpuDevice(const CpuDeviceOptions& options) {
    return std::make_unique<CpuDevice>(options);
}

} // namespace coterie::engine
