// SPDX-License-Identifier: Apache-2.0
// See automatic_device.h.
#include "session/automatic_device.h"

#include "decoder/rates/cpu_rates.h"
#include "decoder/rates/model_work.h"
#include "model/model_tensors.h"
#include "session/devices.h"
#include "session/inspect.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace coterie::engine {
namespace {

/// A device on which the model could run.
struct Candidate {
    DeviceInfo device;
    MemoryPlan plan;
};

Result<DeviceRates> ratesOfCpu(const OpenOptions& options, std::span<const TensorType> formats) {
    if (options.measureCpu) return options.measureCpu(formats);
    const Result<const KernelTable*> kernels = chooseKernels(options.kernels);
    if (!kernels) return kernels.error();
    return measureCpu(**kernels, threadsOf(options), formats);
}

/// Rounded down, so that 1.199 does not look like enough.
double shownTimes(double times) { return std::floor(times * 100) / 100; }

Sentence tooLittle(const DevicePromise& promise) {
    return {"It promises %1 times the processor's speed for answers and %2 times for prompts, and one of them must be "
            "at least %3",
            shownTimes(promise.answers), shownTimes(promise.prompts), kLeastPromise};
}

Sentence imitated() { return "A driver imitates it on the processor, and is slower than that"; }

/// Plans the memory of the model on the device. An error says why it has no room there.
Result<MemoryPlan> planOn(const DeviceInfo& device, const ModelNeeds& needs) {
    MemoryRequest memory = needs.memory;
    placeOn(device, needs.options.deviceMemory, memory);
    Result<MemoryPlan> plan = planMemory(needs.shape, needs.header, memory);
    if (!plan || !device.abilities.allExperts) return plan;
    const uint64_t slots = plan->device.name.empty() ? plan->slots : plan->device.slots;
    if (slots >= plan->totalExperts) return plan;
    return Error{
        ErrorKind::OutOfMemory,
        {"This model can't run on %1", device.name},
        {"All of its %1 experts must be in memory at once, and there is room for %2", plan->totalExperts, slots},
        "Allow more memory, or compute on the CPU"};
}

/// The candidate, or why the device is none. Nothing is measured for it.
std::variant<Candidate, Sentence> candidateOf(const DeviceInfo& device, const ModelNeeds& needs) {
    if (!device.usable()) return device.problem;
    if (device.simulated) return imitated();
    if (const std::vector<LayerNeed> missing = needsAmong(device.abilities.lacks, needs.shape); !missing.empty())
        return lackOf(missing);
    Result<MemoryPlan> plan = planOn(device, needs);
    if (!plan) return plan.error().why;
    return Candidate{device, std::move(plan).value()};
}

/// Measures candidates, and keeps the best of them.
class Comparison {
  public:
    Comparison(const ModelNeeds& needs, const ModelTensors& tensors, ModelWork ofCpu, DeviceRates cpu)
        : needs_(needs), tensors_(tensors), cpuWork_(std::move(ofCpu)), cpuRates_(std::move(cpu)) {}

    /// Returns why the device is not taken; "" if it is the best so far.
    Sentence add(const Candidate& candidate) {
        const Result<DeviceRates> rates = needs_.options.devices.measure(candidate.device.name, formatsOf(cpuWork_));
        if (!rates) return rates.error().why;
        const ModelWork work =
            workOf(needs_.shape, tensors_, {.abilities = candidate.device.abilities, .chunk = candidate.plan.chunk});
        if (const std::optional<TensorType> missing = formatWithoutRate({work, *rates}))
            return {"It can't compute with weights in the format %1", traits(*missing).name};
        const DevicePromise promise = promiseOf({work, *rates}, {cpuWork_, cpuRates_});
        if (!isEnough(promise)) return tooLittle(promise);
        if (promise.most() > most_) {
            most_ = promise.most();
            best_ = ChosenDevice{
                candidate.device,
                {"The device %1 computes this model: it promises %2 times the processor's speed for answers and %3 "
                 "times for prompts",
                 candidate.device.name, shownTimes(promise.answers), shownTimes(promise.prompts)}};
        }
        return {};
    }
    const std::optional<ChosenDevice>& best() const { return best_; }

  private:
    const ModelNeeds& needs_;
    const ModelTensors& tensors_;
    const ModelWork cpuWork_;
    const DeviceRates cpuRates_;
    double most_ = 0;
    std::optional<ChosenDevice> best_;
};

/// Adds to `refusals`, in the order of the candidates, why each is not taken.
std::optional<ChosenDevice> compare(const ModelNeeds& needs, const std::vector<Candidate>& candidates,
                                    std::vector<std::pair<std::string, Sentence>>& refusals) {
    const Result<ModelTensors> tensors = findTensors(needs.shape, needs.header);
    if (!tensors || candidates.empty()) return std::nullopt; // without its tensors the model can't be opened
    const bool predicts = needs.shape.headPredictorRank != 0 || (needs.measured.settled() && needs.measured.good());
    const DeviceInfo cpu = cpuDevice();
    ModelWork work =
        workOf(needs.shape, *tensors,
               {.abilities = cpu.abilities, .chunk = candidates.front().plan.chunk, .predictedHead = predicts});
    Result<DeviceRates> rates = ratesOfCpu(needs.options, formatsOf(work));
    if (!rates) {
        refusals.emplace_back(candidates.front().device.name, rates.error().why);
        return std::nullopt;
    }
    Comparison comparison(needs, *tensors, std::move(work), std::move(rates).value());
    for (const Candidate& candidate : candidates)
        if (Sentence why = comparison.add(candidate); !why.empty())
            refusals.emplace_back(candidate.device.name, std::move(why));
    return comparison.best();
}

} // namespace

ChosenDevice automaticDevice(const ModelNeeds& needs) {
    const DeviceFactory& factory = needs.options.devices;
    if (!factory.list || !factory.measure) return {cpuDevice()};
    std::vector<Candidate> candidates;
    std::vector<std::pair<std::string, Sentence>> refusals, unfit; // names and reasons
    for (const DeviceInfo& device : factory.list()) {
        std::variant<Candidate, Sentence> found = candidateOf(device, needs);
        if (auto* candidate = std::get_if<Candidate>(&found))
            candidates.push_back(std::move(*candidate));
        else
            unfit.emplace_back(device.name, std::get<Sentence>(std::move(found)));
    }
    if (std::optional<ChosenDevice> best = compare(needs, candidates, refusals)) return std::move(*best);
    // One sentence is enough: that of a device which could have computed the model says the most.
    refusals.insert(refusals.end(), unfit.begin(), unfit.end());
    if (refusals.empty()) return {cpuDevice()};
    return {cpuDevice(), processorInstead(refusals.front().first, refusals.front().second)};
}

Result<ChosenDevice> deviceOfModel(const ModelNeeds& needs, std::vector<Sentence>& notes) {
    if (needs.options.device == kAutomaticDevice) return automaticDevice(needs);
    Result<DeviceInfo> device = wantedDevice(needs.options, notes);
    if (device) device = deviceFor(needs.shape, *device, needs.options, notes);
    if (!device) return device.error();
    return ChosenDevice{std::move(device).value()};
}

namespace {

/// Says what the device promises for exampleWork(), and whether "auto" would take it.
Sentence exampleChoice(const DeviceInfo& device, const DeviceRates& cpu) {
    if (device.simulated) return imitated();
    const ModelWork work = exampleWork(device.abilities), ofCpu = exampleWork(cpuDevice().abilities);
    const DevicePromise promise = promiseOf({work, *device.rates}, {ofCpu, cpu});
    const ByteCount bytes{static_cast<uint64_t>(kExampleBytes)};
    if (isEnough(promise))
        return {"For a model that reads %1 of %2 for each token it promises %3 times the processor's speed for answers "
                "and %4 times for prompts, and auto takes it",
                bytes, traits(kExampleFormat).name, shownTimes(promise.answers), shownTimes(promise.prompts)};
    return {"For a model that reads %1 of %2 for each token it promises %3 times the processor's speed for answers and "
            "%4 times for prompts, and auto takes none below %5",
            bytes,
            traits(kExampleFormat).name,
            shownTimes(promise.answers),
            shownTimes(promise.prompts),
            kLeastPromise};
}

} // namespace

Result<std::vector<DeviceInfo>> measureDevices(const OpenOptions& options) {
    std::vector<DeviceInfo> devices = listDevices(options.devices);
    const auto isMeasured = [&](const DeviceInfo& device) {
        return device.usable() && device.name != cpuDevice().name && options.devices.measure;
    };
    if (std::none_of(devices.begin(), devices.end(), isMeasured)) return devices;
    Result<DeviceRates> cpu = ratesOfCpu(options, supportedFormats());
    if (!cpu) return cpu.error();
    for (DeviceInfo& device : devices) {
        if (!isMeasured(device)) continue;
        Result<DeviceRates> rates = options.devices.measure(device.name, supportedFormats());
        if (!rates) {
            device.problem = rates.error().why;
            continue;
        }
        device.rates = std::move(rates).value();
        device.choice = exampleChoice(device, *cpu);
    }
    devices.front().rates = std::move(cpu).value();
    return devices;
}

} // namespace coterie::engine
