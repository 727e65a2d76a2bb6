// SPDX-License-Identifier: Apache-2.0
// See decoder_opening.h.
#include "session/decoder_opening.h"

#include "decoder/cpu_backend.h"
#include "experts/disk_record.h"
#include "experts/expert_source.h"
#include "session/devices.h"
#include "session/inspect.h"
#include "session/packed_files.h"

#include <algorithm>
#include <string>
#include <utility>

namespace coterie::engine {
namespace {

/// The way in which experts are read. If not all of them fit, they are read again and again.
struct ExpertReading {
    ExpertStoreChoices choices;
    std::string packedPath;
};

ExpertReading readingFor(const DecoderNeeds& needs, const MemoryPlan& plan, std::optional<DiskProfile>& disk) {
    ExpertReading reading{.choices = needs.options.experts, .packedPath = {}};
    if (plan.slots == plan.totalExperts) return reading;
    reading.packedPath = packedPath(needs.options.packedFolder, needs.file, needs.shape);
    // The measurement uses the memory that the slots take afterwards.
    const DiskProfile profile =
        DiskRecord(filesOf(needs.options), needs.options.recordsFolder, needs.options.path).profile(plan.slotArena());
    if (profile.measured()) disk = profile;
    // The reads of one expert go to the disk together.
    if (reading.choices.readDepth == 0)
        reading.choices.readDepth = std::max(profile.readDepth, static_cast<int>(kMostReadsPerExpert));
    return reading;
}

Result<std::unique_ptr<Decoder>> makeDecoder(const DecoderNeeds& needs, const DeviceInfo& device,
                                             const ExpertReading& reading) {
    const Result<const KernelTable*> kernels = chooseKernels(needs.options.kernels);
    if (!kernels) return kernels.error();
    const BackendOptions options{.kernels = *kernels.value(),
                                 .threads = threadsOf(needs.options),
                                 .shortcuts = needs.options.shortcuts,
                                 .experts = reading.choices,
                                 .packedPath = reading.packedPath,
                                 .headAgreement = needs.measured,
                                 .heat = needs.memory.heat,
                                 .steps = needs.options.steps};
    if (device.name == cpuDevice().name) return std::make_unique<Decoder>(createCpuBackend(options));
    Result<std::unique_ptr<Backend>> backend = needs.options.devices.create(device.name, options);
    if (!backend) return backend.error();
    return std::make_unique<Decoder>(std::move(backend).value(), options);
}

} // namespace

Result<OpenedDecoder> openDecoder(const DecoderNeeds& needs, const DeviceInfo& device,
                                  const std::function<bool(uint64_t done, uint64_t total)>& progress,
                                  std::optional<DiskProfile>& disk) {
    MemoryRequest memory = needs.memory;
    placeOn(device, needs.options.deviceMemory, memory);
    Result<MemoryPlan> plan = planMemory(needs.shape, needs.file.header(), memory);
    if (!plan) return plan.error();
    Result<std::unique_ptr<Decoder>> decoder = makeDecoder(needs, device, readingFor(needs, *plan, disk));
    if (!decoder) return decoder.error();
    OpenedDecoder opened{std::move(decoder).value(), std::move(plan).value()};
    if (Status status = opened.decoder->prepare(needs.shape, opened.plan); !status) return status.error();
    if (Status status = opened.decoder->upload(needs.file, progress); !status) return status.error();
    return opened;
}

} // namespace coterie::engine
