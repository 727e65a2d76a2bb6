// SPDX-License-Identifier: Apache-2.0
// See devices.h.
#include "session/devices.h"

#include "model/model_shape.h"

#include <utility>

namespace coterie::engine {
namespace {

/// "vulkan" stands for "vulkan:0", "vulkan:1" and so on.
bool isMeant(const DeviceInfo& device, const std::string& name) {
    return device.name == name || device.name.starts_with(name + ":");
}

std::string namesOf(const std::vector<DeviceInfo>& devices) {
    std::string names;
    for (const DeviceInfo& device : devices) names += (names.empty() ? "" : ", ") + device.name;
    return names;
}

/// Whether the CPU may take the place of a device: nobody named it, or it is optional.
bool mayBeReplaced(const OpenOptions& options) { return options.deviceOptional || options.device == kAutomaticDevice; }

std::vector<DeviceInfo> untriedDevices(const DeviceFactory& factory) {
    std::vector<DeviceInfo> devices{cpuDevice()};
    if (!factory.list) return devices;
    for (DeviceInfo& device : factory.list()) devices.push_back(std::move(device));
    return devices;
}

} // namespace

DeviceInfo cpuDevice() { return {.name = "cpu", .description = "The processor", .abilities = {.longChunks = true}}; }

std::vector<DeviceInfo> listDevices(const DeviceFactory& factory) {
    std::vector<DeviceInfo> devices = untriedDevices(factory);
    if (!factory.test) return devices;
    for (DeviceInfo& device : devices)
        if (device.usable() && device.name != cpuDevice().name) {
            device.problem = factory.test(device.name);
            device.passedSelfTest = device.usable();
        }
    return devices;
}

Result<DeviceInfo> chooseDevice(const DeviceFactory& factory, const std::string& name) {
    // The list opens drivers: it is asked for only where it is needed.
    if (name == cpuDevice().name || name == kAutomaticDevice) return cpuDevice();
    const std::vector<DeviceInfo> devices = untriedDevices(factory);
    const DeviceInfo* unusable = nullptr;
    for (const DeviceInfo& device : devices) {
        if (!isMeant(device, name)) continue;
        if (device.usable()) return device;
        if (unusable == nullptr) unusable = &device;
    }
    if (unusable != nullptr)
        return Error{ErrorKind::Unsupported,
                     {"The device %1 can't be used", name},
                     unusable->problem,
                     "Choose the device cpu or auto"};
    return Error{ErrorKind::BadInput,
                 {"There is no device called '%1'", name},
                 {"This machine has %1", namesOf(devices)},
                 "Choose one of these, or auto"};
}

bool cpuTakesOver(const OpenOptions& options, const std::string& device, const Error& error,
                  std::vector<Sentence>& notes) {
    const bool ofDevice = error.kind == ErrorKind::BadInput || error.kind == ErrorKind::Unsupported ||
                          error.kind == ErrorKind::OutOfMemory || error.kind == ErrorKind::DeviceLost;
    if (!mayBeReplaced(options) || device == cpuDevice().name || !ofDevice) return false;
    notes.push_back(processorInstead(device, error.why));
    return true;
}

Result<DeviceInfo> wantedDevice(const OpenOptions& options, std::vector<Sentence>& notes) {
    Result<DeviceInfo> device = chooseDevice(options.devices, options.device);
    if (!device && cpuTakesOver(options, options.device, device.error(), notes)) return cpuDevice();
    return device;
}

Result<DeviceInfo> deviceFor(const ModelShape& shape, const DeviceInfo& device, const OpenOptions& options,
                             std::vector<Sentence>& notes) {
    const std::vector<LayerNeed> missing = needsAmong(device.abilities.lacks, shape);
    if (missing.empty()) return device;
    const Error error{ErrorKind::Unsupported,
                      {"The device %1 can't compute this model", device.name},
                      lackOf(missing),
                      "Choose the device cpu or auto"};
    if (!mayBeReplaced(options)) return error;
    notes.push_back(processorInstead(device.name, error.why));
    return cpuDevice();
}

Sentence processorInstead(const std::string& device, const Sentence& why) {
    return {"The processor computes this model, not the device %1: %2", device, why};
}

Sentence lackOf(std::span<const LayerNeed> missing) { return {"It lacks what some layers need: %1", namesOf(missing)}; }

std::vector<Sentence> missingAbilities(const DeviceInfo& device) {
    const DeviceAbilities& can = device.abilities;
    std::vector<Sentence> notes;
    if (!can.trace)
        notes.emplace_back("The device %1 doesn't report what experts do, so there is no trace", device.name);
    if (!can.predictedHead)
        notes.emplace_back(
            "The device %1 computes the whole output head for each token, not only the rows that are likely to matter",
            device.name);
    if (!can.approximateRouting)
        notes.emplace_back("The device %1 chooses experts exactly, so approximate routing has no effect", device.name);
    if (!can.sameBits)
        notes.emplace_back("The device %1 rounds differently from the processor, so the same seed may give another "
                           "text when experts are in other places",
                           device.name);
    return notes;
}

} // namespace coterie::engine
