// SPDX-License-Identifier: Apache-2.0
#include "device_weights.h"

#include "staging_buffer.h"

#include "base/rounding.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace coterie::gpu {

using engine::Error;
using engine::ErrorKind;
using engine::Result;
using engine::Status;
using engine::TensorForm;

namespace {

constexpr uint64_t kWordBytes = 16; ///< shaders read matrices in words of up to this size

Error tooLarge(const engine::gguf::Tensor& tensor) {
    return {ErrorKind::Unsupported,
            "This model can't run on the graphics processor",
            {"%1 is larger than one of its buffers can be", std::string(tensor.name)},
            "Compute on the CPU"};
}

/// Bytes of all tensors in the file; a tied head counts once.
uint64_t bytesOf(const engine::ModelTensors& tensors) {
    uint64_t total = 0;
#define COTERIE_COUNT(member, ...) total += from.member == nullptr ? 0 : from.member->bytes;
    for (const engine::LayerTensors& from : tensors.layers) {
        COTERIE_LAYER_TENSORS(COTERIE_COUNT)
    }
    const engine::ModelTensors& from = tensors;
    COTERIE_MODEL_TENSORS(COTERIE_COUNT)
#undef COTERIE_COUNT
    return from.embedding == from.head ? total - from.head->bytes : total;
}

} // namespace

struct DeviceWeights::Reading {
    VulkanDevice& device;
    const engine::ModelFile& file;
    const engine::KernelTable& kernels;
    const Progress& progress;
    StagingBuffer staging;
    uint64_t done = 0, total = 0;
    const engine::gguf::Tensor* ropeFactors = nullptr;
    std::map<const engine::gguf::Tensor*, const DeviceBuffer*> found; // a tied head is the embedding

    /// Reads bytes of a tensor, and reports the progress.
    Status read(const engine::gguf::Tensor& tensor, uint64_t begin, std::span<std::byte> to) {
        if (Status status = file.read(tensor, begin, to); !status) return status;
        done += to.size();
        if (progress && !progress(done, total))
            return Error{ErrorKind::Cancelled, "Opening the model was stopped", "The user asked for it",
                         "Open it again"};
        return {};
    }
};

Result<const DeviceBuffer*> DeviceWeights::addBuffer(const Reading& reading, const engine::gguf::Tensor& tensor,
                                                     uint64_t bytes) {
    const uint64_t room = static_cast<uint64_t>(engine::roundUp(static_cast<int64_t>(bytes), int64_t{kWordBytes}));
    // Shaders count bytes in 32 bits.
    if (room > std::min<uint64_t>(reading.device.abilities().largestBufferRange, UINT32_MAX)) return tooLarge(tensor);
    Result<DeviceBuffer> made = DeviceBuffer::create(reading.device, room, HostAccess::None);
    if (!made) return made.error();
    return &buffers_.emplace_back(std::move(made).value());
}

/// Reads the whole tensor into a buffer of its own, as the file has it.
Result<const DeviceBuffer*> DeviceWeights::readMatrix(Reading& reading, const engine::gguf::Tensor& tensor) {
    const Result<const DeviceBuffer*> buffer = addBuffer(reading, tensor, tensor.bytes);
    for (uint64_t begin = 0; buffer && begin < tensor.bytes; begin += StagingBuffer::kMostBytes) {
        const uint64_t size = std::min<uint64_t>(StagingBuffer::kMostBytes, tensor.bytes - begin);
        const auto read = [&](std::span<std::byte> to) { return reading.read(tensor, begin, to); };
        if (Status filled = reading.staging.fill(**buffer, begin, size, read); !filled) return filled.error();
    }
    return buffer;
}

/// The same as floats.
Result<const DeviceBuffer*> DeviceWeights::readVector(Reading& reading, const engine::gguf::Tensor& tensor) {
    std::vector<std::byte> raw(static_cast<size_t>(tensor.bytes));
    if (Status read = reading.read(tensor, 0, raw); !read) return read.error();
    std::vector<float> floats(static_cast<size_t>(tensor.elements()));
    reading.kernels.expandRow(*tensor.type, raw.data(), static_cast<int64_t>(floats.size()), floats.data());
    const auto bytes = std::as_bytes(std::span(floats));
    const Result<const DeviceBuffer*> buffer = addBuffer(reading, tensor, bytes.size());
    for (uint64_t begin = 0; buffer && begin < bytes.size(); begin += StagingBuffer::kMostBytes) {
        const auto piece = bytes.subspan(begin, std::min<size_t>(StagingBuffer::kMostBytes, bytes.size() - begin));
        const auto copy = [&](std::span<std::byte> to) {
            std::ranges::copy(piece, to.begin());
            return Status();
        };
        if (Status filled = reading.staging.fill(**buffer, begin, piece.size(), copy); !filled) return filled.error();
    }
    if (&tensor == reading.ropeFactors) ropeFactors_ = std::move(floats);
    return buffer;
}

template <TensorForm form>
Status DeviceWeights::take(Reading& reading, const engine::gguf::Tensor* tensor,
                           typename DeviceWeight<form>::Type& to) {
    if (tensor == nullptr) return {};
    const DeviceBuffer*& buffer = reading.found[tensor];
    if (buffer == nullptr) {
        const Result<const DeviceBuffer*> read =
            form == TensorForm::Vector ? readVector(reading, *tensor) : readMatrix(reading, *tensor);
        if (!read) return read.error();
        buffer = *read;
        (form == TensorForm::Streamed ? expertBytes_ : residentBytes_) += buffer->size();
    }
    if constexpr (form == TensorForm::Vector) {
        to = buffer;
    } else {
        to = {.buffer = buffer,
              .type = *tensor->type,
              .rows = static_cast<uint32_t>(tensor->shape[1]),
              .columns = static_cast<uint32_t>(tensor->shape[0]),
              .count = static_cast<uint32_t>(tensor->shape[2])};
        if (form == TensorForm::Streamed) return addPlaces(reading.device, to);
    }
    return {};
}

Status DeviceWeights::addPlaces(const VulkanDevice& device, const DeviceMatrix& matrix) {
    const DeviceBuffer*& table = places_[{matrix.count, matrix.stride()}];
    if (table != nullptr) return {};
    Result<DeviceBuffer> made = DeviceBuffer::create(device, matrix.count * sizeof(uint32_t), HostAccess::Writes);
    if (!made) return made.error();
    table = &buffers_.emplace_back(std::move(made).value());
    for (uint32_t expert = 0; expert < matrix.count; ++expert) {
        const auto place = static_cast<uint32_t>(expert * matrix.stride());
        std::memcpy(table->bytes().data() + expert * sizeof place, &place, sizeof place);
    }
    return {};
}

Result<DeviceWeights> DeviceWeights::load(VulkanDevice& device, const engine::ModelFile& file,
                                          const engine::ModelTensors& tensors, const engine::KernelTable& kernels,
                                          const Progress& progress) {
    DeviceWeights weights;
    Result<DeviceBuffer> nothing = DeviceBuffer::create(device, kWordBytes, HostAccess::Writes);
    if (!nothing) return nothing.error();
    std::ranges::fill(nothing->bytes(), std::byte{0});
    weights.nothing_ = &weights.buffers_.emplace_back(std::move(nothing).value());
    Reading reading{.device = device,
                    .file = file,
                    .kernels = kernels,
                    .progress = progress,
                    .staging = StagingBuffer(device),
                    .total = bytesOf(tensors),
                    .ropeFactors = tensors.ropeFactors,
                    .found = {}};
#define COTERIE_TAKE(member, form, ...)                                                                                \
    if (Status taken = weights.take<TensorForm::form>(reading, from.member, to.member); !taken) return taken.error();
    for (const engine::LayerTensors& from : tensors.layers) {
        DeviceLayerWeights& to = weights.layers.emplace_back();
        COTERIE_LAYER_TENSORS(COTERIE_TAKE)
    }
    const engine::ModelTensors& from = tensors;
    DeviceWeights& to = weights;
    COTERIE_MODEL_TENSORS(COTERIE_TAKE)
#undef COTERIE_TAKE
    return weights;
}

} // namespace coterie::gpu
