// SPDX-License-Identifier: Apache-2.0
// See vulkan_backend.h. A token is one submission. Of a prompt's chunk a layer is one, and some logits are another.
#include "vulkan_backend.h"

#include "self_test.h"
#include "shader_names.h"
#include "vulkan_layers.h"

#include "base/mutex.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace coterie::gpu {
namespace {

using engine::Chunk;
using engine::Error;
using engine::ErrorKind;
using engine::LayerReport;
using engine::LayerRun;
using engine::Result;
using engine::Status;

class VulkanBackend final : public engine::Backend {
  public:
    VulkanBackend(std::unique_ptr<VulkanDevice> device, std::string name, const engine::BackendOptions& options,
                  SelfTest selfTest, std::function<void()> onLost)
        : device_(std::move(device)), name_(std::move(name)), kernels_(options.kernels), selfTest_(selfTest),
          onLost_(std::move(onLost)), layers_(*device_) {}

    std::string name() const override { return name_; }
    engine::DeviceAbilities abilities() const override { return vulkanAbilities(); }
    Status prepare(const engine::ModelShape& shape, const engine::MemoryPlan& plan) override;
    Status upload(const engine::ModelFile& file,
                  const std::function<bool(uint64_t done, uint64_t total)>& progress) override;

    Status begin(const Chunk& chunk) override;
    Result<LayerRun> run(engine::LayerRange layers) override;
    Result<LayerRun> resume(const engine::ExpertOutputs&) override { return LayerRun{}; } // it never stops
    Result<int64_t> head(const engine::HeadRequest& request) override;

    void commit() override {} // a chunk that was not finished is written over
    int64_t rewind(int64_t position) override;
    void fillWhileIdle() override {} // every expert is there
    engine::BackendTelemetry telemetry() const override;
    void limitSlots(uint64_t) override {} // all experts stay
    void expertStates(std::span<uint8_t> states) const override;

  private:
    Status kept(Status status);
    Status report(int64_t layer);
    void countWeights();

    const std::unique_ptr<VulkanDevice> device_; // outlives layers_
    const std::string name_;
    const engine::KernelTable& kernels_;
    const SelfTest selfTest_;
    const std::function<void()> onLost_;
    VulkanLayers layers_;
    Status lost_;         // the error after which the device is not used any more
    bool loaded_ = false; // upload() has succeeded
    bool trace_ = false;  // Chunk::trace
    int64_t highest_ = 0; // one after the last position that was written since the cache was empty
    std::vector<LayerReport> reports_;
    std::vector<std::vector<engine::ExpertUse>> uses_; // storage for the uses in reports_
    mutable engine::Mutex mutex_;                      // telemetry() may be called while a chunk is computed
    engine::BackendTelemetry telemetry_ COTERIE_GUARDED_BY(mutex_);
    uint64_t storedExperts_ COTERIE_GUARDED_BY(mutex_) = 0;
    uint64_t weightBytesOfNeurons_ COTERIE_GUARDED_BY(mutex_) = 0;
};

/// Remembers that the device is lost.
Status VulkanBackend::kept(Status status) {
    if (status || status.error().kind != ErrorKind::DeviceLost || !lost_) return status;
    lost_ = status;
    if (onLost_) onLost_();
    return status;
}

Status VulkanBackend::prepare(const engine::ModelShape& shape, const engine::MemoryPlan& plan) {
    if (const std::vector<engine::LayerNeed> missing = engine::needsAmong(abilities().lacks, shape); !missing.empty())
        return Error{ErrorKind::Unsupported,
                     {"This model can't run on %1", device_->name()},
                     {"It lacks what some layers need: %1", engine::namesOf(missing)},
                     "Compute on the CPU"};
    const uint64_t slots = plan.device.name.empty() ? plan.slots : plan.device.slots;
    if (slots < plan.totalExperts)
        return Error{
            ErrorKind::Unsupported,
            {"This model can't run on %1", device_->name()},
            {"All of its %1 experts must be in memory at once, and there is room for %2", plan.totalExperts, slots},
            "Allow more memory, or compute on the CPU"};
    if (Status made = kept(layers_.allocate(shape, plan)); !made) return made;
    const engine::MutexLock lock(mutex_);
    telemetry_.scratchBytes = layers_.scratchBytes();
    telemetry_.slots = {.used = plan.totalExperts, .usable = plan.totalExperts, .bytesEach = plan.meanSlotBytes()};
    storedExperts_ = plan.totalExperts;
    return {};
}

/// Refuses formats that the CPU has kernels for and the device no shaders.
Status everyFormatHasShaders(const engine::gguf::Header& header, const std::string& device) {
    for (const engine::gguf::Tensor& tensor : header.tensors)
        if (tensor.type && !hasShaders(*tensor.type))
            return Error{ErrorKind::Unsupported,
                         {"This model can't run on %1", device},
                         {"The tensor '%1' is stored in the format %2, with which it can't compute", tensor.name,
                          engine::typeName(tensor.typeId)},
                         "Compute on the CPU, or choose a file of this model in another format"};
    return {};
}

Status VulkanBackend::upload(const engine::ModelFile& file,
                             const std::function<bool(uint64_t done, uint64_t total)>& progress) {
    const Result<engine::ModelTensors> tensors = engine::findTensors(layers_.shape(), file.header());
    if (!tensors) return tensors.error();
    if (Status known = everyFormatHasShaders(file.header(), device_->name()); !known) return known;
    if (Status read = kept(layers_.load(file, *tensors, kernels_, progress)); !read) return read;
    if (selfTest_ == SelfTest::WhenLoaded) {
        if (Status made = kept(layers_.makeProgramsOfChunks()); !made) return made;
        if (Status same = kept(selfTestOfPrograms(*device_)); !same) return same;
    }
    loaded_ = true;
    const engine::MutexLock lock(mutex_);
    telemetry_.residentBytes = layers_.residentBytes();
    telemetry_.slots.bytesHeld = telemetry_.slots.bytesMost = layers_.expertBytes();
    return {};
}

Status VulkanBackend::begin(const Chunk& chunk) {
    if (!lost_) return lost_;
    if (!loaded_)
        return Error{ErrorKind::Internal, "The model is not loaded", "A forward pass came before upload",
                     "Report this as a bug"};
    trace_ = chunk.trace;
    if (Status done = kept(layers_.embed(chunk.tokens, chunk.position)); !done) return done;
    highest_ = std::max(highest_, chunk.position + layers_.tokens());
    const engine::MutexLock lock(mutex_);
    telemetry_.keyValueBytes = std::max(telemetry_.keyValueBytes, layers_.cache().bytesUpTo(highest_));
    return {};
}

Result<LayerRun> VulkanBackend::run(engine::LayerRange layers) {
    if (!lost_) return lost_.error();
    reports_.clear();
    uses_.clear();
    if (Status done = kept(layers_.run(layers)); !done) return done.error();
    for (int64_t layer = layers.first; layer < layers.end; ++layer)
        if (Status right = kept(report(layer)); !right) return right.error();
    countWeights();
    return LayerRun{.stop = {}, .choicesChanged = 0, .reports = reports_};
}

void VulkanBackend::countWeights() {
    const engine::MutexLock lock(mutex_);
    telemetry_.counts.weightBytesRead = layers_.weightBytes() + weightBytesOfNeurons_;
}

/// DeviceLost if the device names what the layer does not have. One that is gone may read as 0xFFFFFFFF everywhere.
Status checkUses(std::span<const engine::ExpertUse> uses, const engine::FeedForwardShape& shape) {
    const auto exists = [&shape](const engine::ExpertUse& use) {
        return use.expert >= 0 && use.expert < shape.storedExperts() && use.activeNeurons >= 0 &&
               use.activeNeurons <= shape.width;
    };
    if (std::ranges::all_of(uses, exists)) return {};
    return Error{ErrorKind::DeviceLost, "The graphics processor computes wrongly",
                 "It names experts or neurons that the model does not have", "Start the program again to use it"};
}

/// Counts what the layer's experts did, and keeps it for a trace.
Status VulkanBackend::report(int64_t layer) {
    const engine::FeedForwardShape& shape = layers_.shape().layer[static_cast<size_t>(layer)].feedForward;
    std::vector<engine::ExpertUse> uses;
    for (int64_t token = 0; token < layers_.tokens(); ++token)
        for (int64_t rank = 0; rank < shape.chosenExperts(); ++rank) uses.push_back(layers_.use(layer, token, rank));
    if (Status right = checkUses(uses, shape); !right) return right;
    std::vector<bool> asked(static_cast<size_t>(shape.storedExperts()));
    for (const engine::ExpertUse& use : uses) asked[static_cast<size_t>(use.expert)] = true;
    {
        const engine::MutexLock lock(mutex_);
        engine::Counts& counts = telemetry_.counts;
        counts.hits += static_cast<uint64_t>(std::ranges::count(asked, true));
        if (layers_.shape().activation == engine::Activation::ReGlu) {
            uint64_t open = 0;
            for (const engine::ExpertUse& use : uses) open += static_cast<uint64_t>(use.activeNeurons);
            counts.activeNeurons += open;
            counts.neurons += uses.size() * static_cast<uint64_t>(shape.width);
            weightBytesOfNeurons_ += open * layers_.bytesOfNeuron(layer);
        }
    }
    if (!trace_) return {};
    uses_.push_back(std::move(uses));
    reports_.push_back({.layer = static_cast<int>(layer),
                        .chosen = shape.chosenExperts(),
                        .waitSeconds = 0,
                        .uses = uses_.back()}); // its memory stays where it is when uses_ grows
    return {};
}

/// DeviceLost if the device computed something else than numbers. A damaged model may be the reason: the CPU, which
/// goes on, gives the same then.
Status checkNumbers(std::span<const float> logits) {
    if (std::ranges::all_of(logits, [](float logit) { return std::isfinite(logit); })) return {};
    return Error{ErrorKind::DeviceLost, "The graphics processor computes wrongly",
                 "Some of its results are not finite numbers", "Start the program again to use it"};
}

Result<int64_t> VulkanBackend::head(const engine::HeadRequest& request) {
    if (!lost_) return lost_.error();
    const int64_t vocabulary = layers_.shape().vocabulary, tokens = layers_.tokens();
    for (int64_t done = tokens - request.wanted; done < tokens; done += kHeadTokens) {
        const int64_t n = std::min(kHeadTokens, tokens - done);
        const Result<std::span<const float>> logits = layers_.head(done, n);
        if (!logits) return kept(logits.error()).error();
        if (Status checked = kept(checkNumbers(*logits)); !checked) return checked.error();
        for (int64_t i = 0; i < n; ++i)
            request.onLogits(done + i,
                             logits->subspan(static_cast<size_t>(i * vocabulary), static_cast<size_t>(vocabulary)));
    }
    countWeights();
    return vocabulary;
}

int64_t VulkanBackend::rewind(int64_t position) {
    if (layers_.cache().keeps(position, highest_)) return position;
    highest_ = 0;
    return 0;
}

engine::BackendTelemetry VulkanBackend::telemetry() const {
    const engine::MutexLock lock(mutex_);
    return telemetry_;
}

void VulkanBackend::expertStates(std::span<uint8_t> states) const {
    const engine::MutexLock lock(mutex_);
    std::ranges::fill(states.first(std::min<size_t>(states.size(), storedExperts_)),
                      static_cast<uint8_t>(engine::ExpertState::InMemory));
}

} // namespace

engine::DeviceAbilities vulkanAbilities() {
    return {.trace = true,
            .predictedHead = false,
            .approximateRouting = false,
            .sameBits = true,
            .allExperts = true,
            .layersAtOnce = 1,
            .tokenAtOnce = true,
            .lacks = {engine::LayerNeed::GatedAttention, engine::LayerNeed::DeltaRule,
                      engine::LayerNeed::ShortConvolution, engine::LayerNeed::Gelu, engine::LayerNeed::OutputNorms,
                      engine::LayerNeed::SoftCaps, engine::LayerNeed::ScoreScale, engine::LayerNeed::EmbeddingScale,
                      engine::LayerNeed::OwnRotations, engine::LayerNeed::SharedKeys, engine::LayerNeed::KeysAsValues,
                      engine::LayerNeed::ValueNorms, engine::LayerNeed::DenseBesideExperts,
                      engine::LayerNeed::JoinedExperts, engine::LayerNeed::OutputScales,
                      engine::LayerNeed::LayerEmbeddings}};
}

std::unique_ptr<engine::Backend> createVulkanBackend(std::unique_ptr<VulkanDevice> device, std::string name,
                                                     const engine::BackendOptions& options, SelfTest selfTest,
                                                     std::function<void()> onLost) {
    return std::make_unique<VulkanBackend>(std::move(device), std::move(name), options, selfTest, std::move(onLost));
}

} // namespace coterie::gpu
