// SPDX-License-Identifier: Apache-2.0
// See device_measure.h.
#include "device_measure.h"

#include "command_list.h"
#include "shader_names.h"
#include "shaders/interface.h"
#include "staging_buffer.h"
#include "vulkan_device.h"

#include "decoder/rates/rate_measure.h"
#include "kernels/kernels.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coterie::gpu {
namespace {

using engine::ErrorKind;
using engine::kPromptVectors;
using engine::kRateColumns;
using engine::Result;
using engine::Status;
using engine::Stopwatch;
using engine::TensorType;

constexpr uint32_t kLanes = 64, kTeam = 32, kRowsOfTeam = 2; ///< as a pass has them (pass_recorder.cpp)
constexpr uint32_t kMostGroups = 65535;                      ///< every device takes so many along each axis
constexpr int kRepetitions = 5;
constexpr uint64_t kLeastWeights = StagingBuffer::kMostBytes;
constexpr uint64_t kWordBytes = 16; ///< bytes of a buffer that a shader has and does not use

class DeviceBench {
  public:
    explicit DeviceBench(VulkanDevice& device) : device_(device), staging_(device) {}
    Status allocate();
    Status measureLink();
    Status measureCosts();
    Result<double> rate(TensorType type, int64_t vectors);
    engine::DeviceRates rates;

  private:
    Status take(std::optional<DeviceBuffer>& buffer, uint64_t bytes, HostAccess access);
    Status takeWeights();
    Status fill(const DeviceBuffer& to, double& bestRate);
    Result<double> down();
    Result<double> timed(uint32_t dispatches, const std::function<Status(CommandList& commands)>& add);
    Result<double> secondsOfSmall(uint32_t dispatches);
    Result<double> secondsOfProducts(TensorType type, int64_t vectors, int64_t rows, int64_t products);

    VulkanDevice& device_;
    StagingBuffer staging_;
    std::vector<std::byte> host_; // bytes that are copied to the device, or come back
    std::optional<DeviceBuffer> weights_, vectors_, out_, nothing_, read_;
    std::optional<engine::NextMatrix> next_;
};

Status DeviceBench::take(std::optional<DeviceBuffer>& buffer, uint64_t bytes, HostAccess access) {
    Result<DeviceBuffer> made = DeviceBuffer::create(device_, bytes, access);
    if (!made) return made.error();
    buffer = std::move(made).value();
    return {};
}

/// As much memory as a measurement should go through, or less where there is less. The caches of cards are larger.
Status DeviceBench::takeWeights() {
    uint64_t bytes = engine::kRateBytes * (device_.isCard() ? 2 : 1);
    bytes = std::min(bytes, device_.abilities().largestBufferRange / kWordBytes * kWordBytes);
    while (true) {
        Status taken = take(weights_, bytes, HostAccess::None);
        if (taken || taken.error().kind != ErrorKind::OutOfMemory || bytes / 2 < kLeastWeights) return taken;
        bytes /= 2;
    }
}

Status DeviceBench::allocate() {
    const auto vectors = static_cast<uint64_t>(kPromptVectors);
    const uint64_t floats = vectors * kRateColumns * sizeof(float); // bytes of vectors in the larger form
    host_.resize(StagingBuffer::kMostBytes);
    engine::fillWithWeights(host_);
    if (Status taken = takeWeights(); !taken) return taken;
    if (Status taken = take(vectors_, floats, HostAccess::None); !taken) return taken;
    if (Status taken = take(out_, vectors * engine::kMostRateRows * sizeof(float), HostAccess::None); !taken)
        return taken;
    if (Status taken = take(nothing_, kWordBytes, HostAccess::Writes); !taken) return taken;
    if (Status taken = take(read_, host_.size(), HostAccess::Reads); !taken) return taken;
    next_.emplace(weights_->size());
    std::ranges::fill(nothing_->bytes(), std::byte{0});
    double ignored = 0;
    return fill(*vectors_, ignored);
}

/// Fills a buffer. bestRate: bytes a second of the fastest piece.
Status DeviceBench::fill(const DeviceBuffer& to, double& bestRate) {
    for (uint64_t done = 0; done < to.size(); done += StagingBuffer::kMostBytes) {
        const uint64_t size = std::min<uint64_t>(StagingBuffer::kMostBytes, to.size() - done);
        const Stopwatch watch;
        const auto write = [&](std::span<std::byte> piece) {
            std::memcpy(piece.data(), host_.data(), piece.size());
            return Status();
        };
        if (Status filled = staging_.fill(to, done, size, write); !filled) return filled;
        bestRate = std::max(bestRate, static_cast<double>(size) / watch.seconds());
    }
    return {};
}

/// Bytes a second from the device's memory to the host's.
Result<double> DeviceBench::down() {
    Result<std::unique_ptr<CommandList>> commands = CommandList::create(device_, 1); // it only copies
    if (!commands) return commands.error();
    if (Status begun = (*commands)->begin(); !begun) return begun.error();
    (*commands)->copy(*weights_, 0, *read_, 0, read_->size());
    if (Status ended = (*commands)->end(); !ended) return ended.error();
    double best = 0;
    for (int i = 0; i < kRepetitions; ++i) {
        const Stopwatch watch;
        if (Status done = (*commands)->run(); !done) return done.error();
        std::memcpy(host_.data(), read_->bytes().data(), host_.size());
        best = std::max(best, static_cast<double>(host_.size()) / watch.seconds());
    }
    return best;
}

Status DeviceBench::measureLink() {
    if (Status filled = fill(*weights_, rates.upRate); !filled) return filled;
    const Result<double> rate = down();
    if (!rate) return rate.error();
    rates.downRate = *rate;
    return {};
}

/// Records dispatches, and returns the seconds from their submission until the host knows that they are done.
Result<double> DeviceBench::timed(uint32_t dispatches, const std::function<Status(CommandList& commands)>& add) {
    Result<std::unique_ptr<CommandList>> commands = CommandList::create(device_, dispatches);
    if (!commands) return commands.error();
    if (Status begun = (*commands)->begin(); !begun) return begun.error();
    for (uint32_t i = 0; i < dispatches; ++i)
        if (Status added = add(**commands); !added) return added.error();
    if (Status ended = (*commands)->end(); !ended) return ended.error();
    const Stopwatch watch;
    if (Status done = (*commands)->run(); !done) return done.error();
    return watch.seconds();
}

/// Dispatches with next to no work, each of which waits for the one before. The best of a few times.
Result<double> DeviceBench::secondsOfSmall(uint32_t dispatches) {
    constexpr uint32_t kColumns = 32; // the fewest
    const PreparePush push{kColumns, 1, kColumns, preparedWords(kColumns)};
    const Dispatch dispatch{.shader = "prepare_bytes",
                            .specialisation = {kLanes},
                            .bindings = {&*vectors_, &*out_},
                            .push = bytesOf(push),
                            .groups = {groupsFor(push.outStride, kLanes), 1, 1}};
    double best = 0;
    for (int i = 0; i <= kRepetitions; ++i) { // the first one may compile the shader
        const Result<double> taken =
            timed(dispatches, [&](CommandList& commands) { return commands.dispatch(dispatch); });
        if (!taken) return taken;
        best = i < 2 ? *taken : std::min(best, *taken);
    }
    return best;
}

Status DeviceBench::measureCosts() {
    constexpr uint32_t kMany = 65;
    const Result<double> one = secondsOfSmall(1);
    if (!one) return one.error();
    const Result<double> many = secondsOfSmall(kMany);
    if (!many) return many.error();
    rates.dispatchSeconds = std::max(0.0, (*many - *one) / (kMany - 1));
    rates.submissionSeconds = std::max(0.0, *one - rates.dispatchSeconds);
    return {};
}

/// The products are those of a pass.
Result<double> DeviceBench::secondsOfProducts(TensorType type, int64_t vectors, int64_t rows, int64_t products) {
    const bool prepares = engine::vectorForm(type) == engine::VectorForm::Bytes;
    const auto columns = static_cast<uint32_t>(kRateColumns), height = static_cast<uint32_t>(rows);
    const ProductTuning tuning{.rows = kRowsOfTeam, .integerDot = device_.abilities().integerDot && prepares};
    const uint32_t groups = groupsFor(height, tuning.lanes / kTeam * tuning.rows);
    const uint64_t bytes = height * engine::rowBytes(type, columns);
    const std::string shader = productName(type, tuning, device_.abilities());
    return timed(static_cast<uint32_t>(products), [&](CommandList& commands) {
        const ProductPush push{.rows = height,
                               .columns = columns,
                               .vectors = static_cast<uint32_t>(vectors),
                               .vectorsPerInput = 1,
                               .inputStride = prepares ? preparedWords(columns) : columns,
                               .outStride = height,
                               .outOffset = 0,
                               .matrixOffset = static_cast<uint32_t>(next_->take(bytes)),
                               .biasOffset = 0,
                               .biasStride = 0};
        const DeviceBuffer* nothing = &*nothing_;
        return commands.dispatch({.shader = shader,
                                  .specialisation = {tuning.lanes, tuning.rows, tuning.vectors, 0, 0, 0},
                                  .bindings = {&*weights_, &*vectors_, nothing, nothing, nothing, nothing, &*out_},
                                  .push = bytesOf(push),
                                  .groups = {std::min(groups, kMostGroups), push.vectors, 1}});
    });
}

Result<double> DeviceBench::rate(TensorType type, int64_t vectors) {
    return engine::measureRate(
        [&](int64_t rows, int64_t products) { return secondsOfProducts(type, vectors, rows, products); },
        {.perProduct = rates.dispatchSeconds, .perRun = rates.submissionSeconds},
        {.bytesOfRow = engine::rowBytes(type, static_cast<uint64_t>(kRateColumns)),
         .vectors = vectors,
         .mostBytes = weights_->size()});
}

} // namespace

Result<engine::DeviceRates> measureDevice(VulkanDevice& device, std::span<const TensorType> formats) {
    DeviceBench bench(device);
    if (Status made = bench.allocate(); !made) return made.error();
    if (Status measured = bench.measureLink(); !measured) return measured.error();
    if (Status measured = bench.measureCosts(); !measured) return measured.error();
    for (const TensorType type : formats) {
        if (!hasShaders(type)) continue;
        const Result<double> answers = bench.rate(type, 1);
        if (!answers) return answers.error();
        const Result<double> prompts = bench.rate(type, kPromptVectors);
        if (!prompts) return prompts.error();
        bench.rates.formats.push_back({type, *answers, *prompts});
    }
    return bench.rates;
}

} // namespace coterie::gpu
