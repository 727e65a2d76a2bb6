// SPDX-License-Identifier: Apache-2.0
#include "device_weights.h"

#include "staging_buffer.h"

#include "base/rounding.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <utility>

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

DeviceMatrix shapeOf(const engine::gguf::Tensor& tensor) {
    return {.buffer = nullptr,
            .type = *tensor.type,
            .rows = static_cast<uint32_t>(tensor.shape[1]),
            .columns = static_cast<uint32_t>(tensor.shape[0]),
            .count = static_cast<uint32_t>(tensor.shape[2])};
}

/// The largest buffer that shaders can read: they count bytes in 32 bits.
uint64_t mostBytes(const VulkanDevice& device) {
    return std::min<uint64_t>(device.abilities().largestBufferRange, UINT32_MAX);
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
    std::set<const engine::gguf::Tensor*> inProducts;

    /// The whole tensor as floats.
    Result<std::vector<float>> readFloats(const engine::gguf::Tensor& tensor) {
        std::vector<std::byte> raw(static_cast<size_t>(tensor.bytes));
        if (Status status = read(tensor, 0, raw); !status) return status.error();
        std::vector<float> floats(static_cast<size_t>(tensor.elements()));
        kernels.expandRow(*tensor.type, raw.data(), static_cast<int64_t>(floats.size()), floats.data());
        return floats;
    }

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
    if (room > mostBytes(reading.device)) return tooLarge(tensor);
    Result<DeviceBuffer> made = DeviceBuffer::create(reading.device, room, HostAccess::None);
    if (!made) return made.error();
    return &buffers_.emplace_back(std::move(made).value());
}

/// Reads bytes [begin, begin + bytes) of a tensor to a place in a buffer, as the file has them.
Status DeviceWeights::readPiece(Reading& reading, const engine::gguf::Tensor& tensor, uint64_t begin, uint64_t bytes,
                                const DeviceBuffer& to, uint64_t place) {
    for (uint64_t done = 0; done < bytes; done += StagingBuffer::kMostBytes) {
        const uint64_t size = std::min<uint64_t>(StagingBuffer::kMostBytes, bytes - done);
        const auto read = [&](std::span<std::byte> piece) { return reading.read(tensor, begin + done, piece); };
        if (Status filled = reading.staging.fill(to, place + done, size, read); !filled) return filled;
    }
    return {};
}

Result<const DeviceBuffer*> DeviceWeights::readMatrix(Reading& reading, const engine::gguf::Tensor& tensor) {
    const Result<const DeviceBuffer*> buffer = addBuffer(reading, tensor, tensor.bytes);
    if (!buffer) return buffer;
    if (Status read = readPiece(reading, tensor, 0, tensor.bytes, **buffer, 0); !read) return read.error();
    return buffer;
}

Result<const DeviceBuffer*> DeviceWeights::readVector(Reading& reading, const engine::gguf::Tensor& tensor) {
    Result<std::vector<float>> floats = reading.readFloats(tensor);
    if (!floats) return floats.error();
    const Result<const DeviceBuffer*> buffer = addFloats(reading, tensor, *floats);
    if (&tensor == reading.ropeFactors) ropeFactors_ = std::move(floats).value();
    return buffer;
}

Result<const DeviceBuffer*> DeviceWeights::addFloats(Reading& reading, const engine::gguf::Tensor& tensor,
                                                     std::span<const float> floats) {
    const auto bytes = std::as_bytes(floats);
    const Result<const DeviceBuffer*> buffer = addBuffer(reading, tensor, bytes.size());
    for (uint64_t begin = 0; buffer && begin < bytes.size(); begin += StagingBuffer::kMostBytes) {
        const auto piece = bytes.subspan(begin, std::min<size_t>(StagingBuffer::kMostBytes, bytes.size() - begin));
        const auto copy = [&](std::span<std::byte> to) {
            std::ranges::copy(piece, to.begin());
            return Status();
        };
        if (Status filled = reading.staging.fill(**buffer, begin, piece.size(), copy); !filled) return filled.error();
    }
    return buffer;
}

template <TensorForm form>
Status DeviceWeights::take(Reading& reading, const engine::gguf::Tensor* tensor,
                           typename DeviceWeight<form>::Type& to) {
    if (tensor == nullptr || reading.inProducts.contains(tensor)) return {};
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
        to = shapeOf(*tensor);
        to.buffer = buffer;
        if (form == TensorForm::Streamed) return addPlaces(reading.device, to);
    }
    return {};
}

/// Reads the parts, in their order, as few products.
Status DeviceWeights::takeProducts(Reading& reading, std::span<const Part> parts, TensorForm form,
                                   std::vector<DeviceProduct>& to) {
    const auto joins = [&](const Part& part, const Part& before, uint64_t bytes) {
        return part.matrix->type == before.matrix->type && (part.bias == nullptr) == (before.bias == nullptr) &&
               bytes + part.matrix->bytes <= mostBytes(reading.device);
    };
    uint32_t outOffset = 0;
    for (size_t first = 0, end; first < parts.size() && parts[first].matrix != nullptr; first = end) {
        uint64_t bytes = parts[first].matrix->bytes;
        for (end = first + 1; end < parts.size() && joins(parts[end], parts[first], bytes); ++end)
            bytes += parts[end].matrix->bytes;
        Result<DeviceProduct> read = readProduct(reading, parts.subspan(first, end - first));
        if (!read) return read.error();
        read->outOffset = std::exchange(outOffset, outOffset + read->matrix.rows);
        (form == TensorForm::Streamed ? expertBytes_ : residentBytes_) += read->matrix.buffer->size();
        if (form == TensorForm::Streamed)
            if (Status added = addPlaces(reading.device, read->matrix); !added) return added;
        to.push_back(*read);
    }
    return {};
}

Status DeviceWeights::takeAllProducts(Reading& reading, const engine::LayerTensors& from, DeviceLayerWeights& to) {
    const Part attention[] = {{from.query, from.queryBias}, {from.key, from.keyBias}, {from.value, from.valueBias}};
    const Part neurons[] = {{from.gate, from.gateBias}, {from.up, from.upBias}};
    const Part shared[] = {{from.sharedGate, nullptr}, {from.sharedUp, nullptr}};
    if (Status taken = takeProducts(reading, attention, TensorForm::Matrix, to.queryKeyValue); !taken) return taken;
    if (Status taken = takeProducts(reading, neurons, TensorForm::Streamed, to.gateUp); !taken) return taken;
    return takeProducts(reading, shared, TensorForm::Matrix, to.sharedGateUp);
}

Result<DeviceProduct> DeviceWeights::readProduct(Reading& reading, std::span<const Part> parts) {
    DeviceProduct product{.matrix = shapeOf(*parts.front().matrix)};
    for (const Part& part : parts.subspan(1)) product.matrix.rows += shapeOf(*part.matrix).rows;
    const Result<const DeviceBuffer*> buffer = addBuffer(reading, *parts.front().matrix, product.matrix.bytes());
    if (!buffer) return buffer.error();
    product.matrix.buffer = *buffer;
    uint64_t place = 0;
    for (uint32_t expert = 0; expert < product.matrix.count; ++expert)
        for (const Part& part : parts) {
            const uint64_t bytes = shapeOf(*part.matrix).stride();
            if (Status read = readPiece(reading, *part.matrix, expert * bytes, bytes, **buffer, place); !read)
                return read.error();
            place += bytes;
            reading.inProducts.insert(part.matrix);
        }
    if (parts.front().bias == nullptr) return product;
    const Result<const DeviceBuffer*> biases = readBiases(reading, parts, product.matrix.count);
    if (!biases) return biases.error();
    product.bias = *biases;
    residentBytes_ += product.bias->size();
    return product;
}

/// The biases of joined matrices, joined in the same way.
Result<const DeviceBuffer*> DeviceWeights::readBiases(Reading& reading, std::span<const Part> parts, uint32_t count) {
    std::vector<std::vector<float>> each;
    for (const Part& part : parts) {
        Result<std::vector<float>> floats = reading.readFloats(*part.bias);
        if (!floats) return floats.error();
        each.push_back(std::move(floats).value());
        reading.inProducts.insert(part.bias);
    }
    std::vector<float> joined;
    for (uint32_t expert = 0; expert < count; ++expert)
        for (const std::vector<float>& biases : each) {
            const auto length = static_cast<std::ptrdiff_t>(biases.size() / count);
            joined.insert(joined.end(), biases.begin() + expert * length, biases.begin() + (expert + 1) * length);
        }
    return addFloats(reading, *parts.front().bias, joined);
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
                    .found = {},
                    .inProducts = {}};
#define COTERIE_TAKE(member, form, ...)                                                                                \
    if (Status taken = weights.take<TensorForm::form>(reading, from.member, to.member); !taken) return taken.error();
    for (const engine::LayerTensors& from : tensors.layers) {
        DeviceLayerWeights& to = weights.layers.emplace_back();
        if (Status taken = weights.takeAllProducts(reading, from, to); !taken) return taken.error();
        COTERIE_LAYER_TENSORS(COTERIE_TAKE)
    }
    const engine::ModelTensors& from = tensors;
    DeviceWeights& to = weights;
    COTERIE_MODEL_TENSORS(COTERIE_TAKE)
#undef COTERIE_TAKE
    return weights;
}

} // namespace coterie::gpu
