// SPDX-License-Identifier: Apache-2.0
// A second backend for tests: it uses the CPU's kernels in memory of its own, holds the resident weights and some of
// the experts, and stops at a layer that needs the others, as a GPU would.
#pragma once

#include "base/memory.h"
#include "base/threads.h"
#include "decoder/cpu_layers.h"
#include "decoder/expert_routing.h"
#include "decoder/expert_rows.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coterie::test {

/// A test's settings for the backend, and the counters that it reads. It must outlive the backend.
struct SecondBackendScript {
    /// Whether the backend holds this expert; a dense layer's feed-forward is its expert 0.
    std::function<bool(int layer, int expert)> holds = [](int layer, int expert) { return (layer + expert) % 2 == 0; };
    int64_t layersAtOnce = 3;
    std::atomic<int64_t> ownRows{0}, missingRows{0}; ///< rows computed here, and rows left to the host
};

class SecondBackend final : public engine::Backend {
  public:
    SecondBackend(SecondBackendScript& script, const engine::BackendOptions& options);

    static engine::DeviceAbilities abilitiesOf(const SecondBackendScript& script) {
        return {.approximateRouting = false, .allExperts = false, .layersAtOnce = script.layersAtOnce};
    }
    std::string name() const override { return "second:0"; }
    engine::DeviceAbilities abilities() const override { return abilitiesOf(script_); }
    engine::Status prepare(const engine::ModelShape& shape, const engine::MemoryPlan& plan) override {
        return layers_.allocate(shape, plan);
    }
    engine::Status upload(const engine::ModelFile& file,
                          const std::function<bool(uint64_t, uint64_t)>& progress) override;
    engine::Status begin(const engine::Chunk& chunk) override;
    engine::Result<engine::LayerRun> run(engine::LayerRange layers) override;
    engine::Result<engine::LayerRun> resume(const engine::ExpertOutputs& outputs) override;
    engine::Result<int64_t> head(const engine::HeadRequest& request) override { return layers_.head(request); }
    void commit() override { layers_.commit(); }
    void keepState(bool stays) override { layers_.keepState(stays); }
    int64_t rewind(int64_t position) override { return layers_.rewind(position); }
    void expertStates(std::span<uint8_t> states) const override;
    void fillWhileIdle() override {}
    engine::BackendTelemetry telemetry() const override;
    void limitSlots(uint64_t) override {} // it has no slots in main memory
    engine::HeadAgreement headAgreement() const override { return layers_.headAgreement(); }

  private:
    engine::Status readExperts(const engine::ModelFile& file, const std::vector<engine::ExpertLayer>& layers);
    engine::Result<engine::LayerRun> advance();
    void startLayer();
    void computeOwn(const engine::LayerWeights& weights);
    engine::Status finishLayer(const engine::ExpertOutputs* outputs);

    SecondBackendScript& script_;
    engine::ThreadPool pool_{1};
    engine::Counters counters_;
    const engine::Compute compute_;
    engine::CpuLayers layers_;
    engine::Buffer memory_;                              // bytes of the held experts
    std::vector<std::vector<engine::ExpertParts>> held_; // [layers][experts] null if not held
    std::vector<std::vector<uint8_t>> elsewhere_;        // [layers][experts] not 0 if not held
    std::optional<engine::ExpertRouting> routing_;
    std::optional<engine::FeedForward> feedForward_;
    engine::RowInputs rows_;
    std::optional<engine::PreparedInputs> input_; // inputs of the current layer
    engine::LayerRange range_;                    // layers that are still to run
    bool trace_ = false;
    std::vector<engine::LayerReport> reports_;
    std::vector<std::vector<engine::ExpertUse>> uses_; // storage for the uses in reports_
    std::vector<engine::FeedForwardJob> work_;
    std::atomic<uint64_t> expertBytes_{0};
};

} // namespace coterie::test
