// SPDX-License-Identifier: Apache-2.0
// Computes experts in main memory for a device that does not hold all of them. It has the expert store, threads and
// kernels, but computes no attention. The decoder calls it whenever its backend stops. Inside decoder/ only.
#pragma once

#include "decoder/expert_compute.h"
#include "decoder/workspace.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>

namespace coterie::engine {

class MissingExperts {
  public:
    explicit MissingExperts(const BackendOptions& options);

    Status prepare(const ModelShape& shape, const MemoryPlan& plan);
    /// file outlives this: experts are read from it.
    Status upload(const ModelFile& file);
    /// Io if a read failed; the next stop may succeed. The outputs are valid until the next call.
    Result<ExpertOutputs> compute(const ExpertStop& stop);
    void fillWhileIdle();

    // Any thread:
    void limitSlots(uint64_t slots);
    /// Like ExpertStore::states().
    void expertStates(std::span<uint8_t> states) const;
    /// The counts have no KV cache.
    BackendTelemetry telemetry() const;
    ExpertHeat expertHeat() const;

  private:
    Status run(const ExpertStop& stop);

    ThreadPool pool_;
    Counters counters_;
    const Compute compute_;
    const ExpertStoreChoices choices_;
    const std::string packedPath_;
    const ExpertHeat heat_; // the heat of earlier runs
    ModelShape shape_;
    MemoryPlan plan_;
    Workspace workspace_;
    ResidentWeights weights_; // only biases of experts
    std::unique_ptr<ExpertStore> store_;
    std::optional<ExpertCompute> experts_;
    std::atomic<ExpertStore*> sharedStore_{nullptr}; // the store, for other threads
    std::atomic<uint64_t> residentBytes_{0}, scratchBytes_{0};
};

} // namespace coterie::engine
