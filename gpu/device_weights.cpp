// SPDX-License-Identifier: Apache-2.0
#include "device_weights.h"

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

constexpr uint64_t kWordBytes = 16;   ///< shaders read matrices in words of up to this size
constexpr uint64_t kPiece = 16 << 20; ///< bytes of one read, so that progress is reported often

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
    const VulkanDevice& device;
    const engine::ModelFile& file;
    const engine::KernelTable& kernels;
    const Progress& progress;
    uint64_t done = 0, total = 0;
    std::map<const engine::gguf::Tensor*, const DeviceBuffer*> found; // a tied head is the embedding
};

/// Reads the whole tensor into a buffer of its own.
Result<const DeviceBuffer*> DeviceWeights::read(Reading& reading, const engine::gguf::Tensor& tensor, bool asFloats) {
    const bool widened = asFloats && *tensor.type != engine::TensorType::F32;
    const uint64_t bytes = widened ? tensor.elements() * sizeof(float) : tensor.bytes;
    const uint64_t room = static_cast<uint64_t>(engine::roundUp(static_cast<int64_t>(bytes), int64_t{kWordBytes}));
    // Shaders count bytes in 32 bits.
    if (room > std::min<uint64_t>(reading.device.abilities().largestBufferRange, UINT32_MAX)) return tooLarge(tensor);
    Result<DeviceBuffer> made = DeviceBuffer::create(reading.device, room);
    if (!made) return made.error();
    const DeviceBuffer& buffer = buffers_.emplace_back(std::move(made).value());
    std::vector<std::byte> raw(widened ? static_cast<size_t>(tensor.bytes) : 0);
    const std::span<std::byte> to = widened ? std::span(raw) : buffer.bytes().first(static_cast<size_t>(bytes));
    for (uint64_t begin = 0; begin < to.size(); begin += kPiece) {
        const size_t size = static_cast<size_t>(std::min<uint64_t>(kPiece, to.size() - begin));
        if (Status status = reading.file.read(tensor, begin, to.subspan(static_cast<size_t>(begin), size)); !status)
            return status.error();
        reading.done += size;
        if (reading.progress && !reading.progress(reading.done, reading.total))
            return Error{ErrorKind::Cancelled, "Opening the model was stopped", "The user asked for it",
                         "Open it again"};
    }
    if (widened)
        reading.kernels.expandRow(*tensor.type, raw.data(), static_cast<int64_t>(tensor.elements()),
                                  reinterpret_cast<float*>(buffer.bytes().data()));
    return &buffer;
}

template <TensorForm form>
Status DeviceWeights::take(Reading& reading, const engine::gguf::Tensor* tensor,
                           typename DeviceWeight<form>::Type& to) {
    if (tensor == nullptr) return {};
    const DeviceBuffer*& buffer = reading.found[tensor];
    if (buffer == nullptr) {
        Result<const DeviceBuffer*> read = this->read(reading, *tensor, form == TensorForm::Vector);
        if (!read) return read.error();
        buffer = *read;
        (form == TensorForm::Streamed ? expertBytes_ : residentBytes_) += buffer->bytes().size();
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
    Result<DeviceBuffer> made = DeviceBuffer::create(device, matrix.count * sizeof(uint32_t));
    if (!made) return made.error();
    table = &buffers_.emplace_back(std::move(made).value());
    for (uint32_t expert = 0; expert < matrix.count; ++expert) {
        const auto place = static_cast<uint32_t>(expert * matrix.stride());
        std::memcpy(table->bytes().data() + expert * sizeof place, &place, sizeof place);
    }
    return {};
}

Result<DeviceWeights> DeviceWeights::load(const VulkanDevice& device, const engine::ModelFile& file,
                                          const engine::ModelTensors& tensors, const engine::KernelTable& kernels,
                                          const Progress& progress) {
    DeviceWeights weights;
    Result<DeviceBuffer> nothing = DeviceBuffer::create(device, kWordBytes);
    if (!nothing) return nothing.error();
    std::ranges::fill(nothing->bytes(), std::byte{0});
    weights.nothing_ = &weights.buffers_.emplace_back(std::move(nothing).value());
    Reading reading{device, file, kernels, progress, 0, bytesOf(tensors), {}};
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
