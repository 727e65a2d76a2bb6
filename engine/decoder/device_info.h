// SPDX-License-Identifier: Apache-2.0
// Devices as a program lists and chooses them: their names, memory and abilities, and the factory that makes their
// backends. It is not the device border itself, which is device.h.
#pragma once

#include "base/result.h"
#include "decoder/rates/device_rates.h"
#include "model/layer_needs.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coterie::engine {

class Backend;
struct BackendOptions;

/// The abilities of a backend. The decoder switches off what needs a missing one, and the session says so in
/// ModelInfo::notes.
struct DeviceAbilities {
    bool trace = true;              ///< it reports what each layer's experts did
    bool predictedHead = true;      ///< HeadRows::Predicted; if false, all rows are computed
    bool approximateRouting = true; ///< if false, routing is always exact
    bool sameBits = true;           ///< see the contract about bits in device.h
    bool allExperts = true;         ///< run() never stops: every expert can reach the backend
    int64_t layersAtOnce = 1;       ///< most layers of one run(): cancel and progress wait until it ends
    bool tokenAtOnce = false;       ///< a chunk of one token has all layers in one run()
    bool longChunks = false;        ///< a chunk may have MemoryPlan::longChunk tokens, see Backend::makeRoom()
    std::vector<LayerNeed> lacks{}; ///< needs of layers that it does not compute: the CPU runs models that have them
};

/// One of the memories that a device computes in, as its driver describes it.
struct DeviceHeap {
    uint64_t bytes = 0;
    uint64_t budget = 0; ///< bytes that this process may take now; 0: the driver does not know
    bool own = false;    ///< near the device: on a card, its own memory
};

/// A device as `coterie-cli devices` lists it.
struct DeviceInfo {
    std::string name;        ///< as `--device` takes it: "cpu", "vulkan:0"
    std::string description; ///< description for people
    uint64_t memory = 0;     ///< bytes of its own memory; 0 if it computes in main memory
    bool simulated = false;  ///< its driver computes on the CPU, which is slower than the device "cpu"
    Sentence problem{};      ///< reason why this machine can't use it; "" if it can
    DeviceAbilities abilities{};
    std::string driver{}; ///< driver and its version, for people
    std::vector<DeviceHeap> heaps{};
    std::optional<bool> passedSelfTest{}; ///< nothing: it was not tried
    std::optional<DeviceRates> rates{};   ///< nothing: nobody measured them
    Sentence choice{}; ///< promise beside the CPU, and whether "auto" takes it; "" if nobody measured

    bool usable() const { return problem.empty(); }
};

/// Lists and creates the devices besides the CPU. The program above the engine fills it in, so that the engine links
/// none of them. An empty factory has no devices. Any thread may call it.
struct DeviceFactory {
    /// The best one first; names differ, and none is "cpu" or "auto". Opens drivers, but tries no device.
    std::function<std::vector<DeviceInfo>()> list{};
    /// Tries all that a listed device may be asked for, which may take seconds. Returns the reason why it can't be
    /// used, or "". Without it no device is tried. A backend tries by itself what its model needs.
    std::function<Sentence(const std::string& name)> test{};
    /// Measures a usable device, each format once: later calls return what was measured. Formats with which it can't
    /// compute are left out. Takes less than a second for each format, where the device is no simulated one. Without it
    /// "auto" takes no device.
    std::function<Result<DeviceRates>(const std::string& name, std::span<const TensorType> formats)> measure{};
    /// Creates a backend on a usable device of the list. Unsupported or DeviceLost if the device is no longer
    /// available.
    std::function<Result<std::unique_ptr<Backend>>(const std::string& name, const BackendOptions& options)> create{};
};

} // namespace coterie::engine
