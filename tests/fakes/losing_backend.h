// SPDX-License-Identifier: Apache-2.0
// A device that computes with another backend until it is lost, and a factory that offers it.
#pragma once

#include "decoder/cpu_backend.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace coterie::test {

/// A test's settings for the device, and the counters that it reads. It must outlive the device.
struct DeviceScript {
    std::string name = "fake:0";
    engine::Sentence problem{};
    engine::DeviceAbilities abilities{};
    uint64_t memory = 0;                        ///< bytes of the device's own memory
    bool simulated = false;                     ///< like engine::DeviceInfo::simulated
    std::optional<engine::DeviceRates> rates{}; ///< those that measuring the device gives; nothing: it fails
    std::atomic<int> measured{0};               ///< number of times that it was measured
    /// Makes the backend that computes until the device is lost; if empty, the CPU's backend computes.
    std::function<std::unique_ptr<engine::Backend>(const engine::BackendOptions&)> inner{};
    int64_t callsUntilLost = -1; ///< number of begin(), run() and head() calls that succeed; -1: it is never lost
    std::atomic<int64_t> calls{0};
    std::atomic<int> alive{0}; ///< number of backends that exist
};

class LosingBackend final : public engine::Backend {
  public:
    LosingBackend(DeviceScript& script, std::unique_ptr<engine::Backend> inner)
        : script_(script), inner_(std::move(inner)) {
        ++script_.alive;
    }
    ~LosingBackend() override { --script_.alive; }

    std::string name() const override { return script_.name; }
    engine::DeviceAbilities abilities() const override { return script_.abilities; }
    engine::Status prepare(const engine::ModelShape& shape, const engine::MemoryPlan& plan) override {
        return inner_->prepare(shape, plan);
    }
    engine::Status upload(const engine::ModelFile& file,
                          const std::function<bool(uint64_t, uint64_t)>& progress) override {
        return inner_->upload(file, progress);
    }
    engine::Status begin(const engine::Chunk& chunk) override {
        if (isLost()) return lost();
        return inner_->begin(chunk);
    }
    engine::Result<engine::LayerRun> run(engine::LayerRange layers) override {
        if (isLost()) return lost();
        return inner_->run(layers);
    }
    engine::Result<engine::LayerRun> resume(const engine::ExpertOutputs& outputs) override {
        if (isLost()) return lost();
        return inner_->resume(outputs);
    }
    engine::Result<int64_t> head(const engine::HeadRequest& request) override {
        if (isLost()) return lost();
        return inner_->head(request);
    }
    void commit() override { inner_->commit(); }
    void keepState(bool stays) override { inner_->keepState(stays); }
    int64_t rewind(int64_t position) override { return inner_->rewind(position); }
    void expertStates(std::span<uint8_t> states) const override { inner_->expertStates(states); }
    void fillWhileIdle() override { inner_->fillWhileIdle(); }
    engine::BackendTelemetry telemetry() const override { return inner_->telemetry(); }
    void limitSlots(uint64_t slots) override { inner_->limitSlots(slots); }
    engine::HeadAgreement headAgreement() const override { return inner_->headAgreement(); }

  private:
    bool isLost() {
        if (script_.callsUntilLost >= 0 && script_.calls >= script_.callsUntilLost) return true;
        ++script_.calls;
        return false;
    }
    static engine::Error lost() {
        return {engine::ErrorKind::DeviceLost, "The device is lost", "It was unplugged", "Plug it in"};
    }

    DeviceScript& script_;
    const std::unique_ptr<engine::Backend> inner_;
};

/// Makes devices that compute on the CPU and follow these scripts.
inline engine::DeviceFactory losingDevices(std::vector<DeviceScript*> scripts) {
    engine::DeviceFactory factory;
    factory.list = [scripts] {
        std::vector<engine::DeviceInfo> devices;
        for (const DeviceScript* script : scripts)
            devices.push_back({.name = script->name,
                               .description = "A device of a test",
                               .memory = script->memory,
                               .simulated = script->simulated,
                               .problem = script->problem,
                               .abilities = script->abilities});
        return devices;
    };
    factory.measure = [scripts](const std::string& name,
                                std::span<const engine::TensorType>) -> engine::Result<engine::DeviceRates> {
        for (DeviceScript* script : scripts)
            if (script->name == name && ++script->measured > 0 && script->rates) return *script->rates;
        return engine::Error{engine::ErrorKind::Unsupported, "No rates", "The device can't be measured", "Nothing"};
    };
    factory.create =
        [scripts](const std::string& name,
                  const engine::BackendOptions& options) -> engine::Result<std::unique_ptr<engine::Backend>> {
        for (DeviceScript* script : scripts)
            if (script->name == name)
                return std::unique_ptr<engine::Backend>(std::make_unique<LosingBackend>(
                    *script, script->inner ? script->inner(options) : engine::createCpuBackend(options)));
        return engine::Error{engine::ErrorKind::Unsupported, "No such device", {"It is called %1", name}, "Nothing"};
    };
    return factory;
}

} // namespace coterie::test
