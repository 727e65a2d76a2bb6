// SPDX-License-Identifier: Apache-2.0
// See weights.h. Every weight begins on a cache line.
#include "decoder/weights.h"

#include "decoder/sizes.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace coterie::engine {
namespace {

/// Vectors become floats when they are read; matrices stay as they are.
struct Item {
    const gguf::Tensor* tensor = nullptr;
    bool vector = false;
    uint64_t bytes() const { return vector ? tensor->elements() * sizeof(float) : tensor->bytes; }
};

std::vector<Item> residentItems(const ModelTensors& tensors, bool keepEmbedding) {
    std::vector<Item> items;
    const auto add = [&items](std::initializer_list<const gguf::Tensor*> list, bool vector) {
        for (const gguf::Tensor* tensor : list)
            if (tensor != nullptr) items.push_back({tensor, vector});
    };
    for (const LayerTensors& layer : tensors.layers) {
        add({layer.attentionNorm, layer.queryBias, layer.keyBias, layer.valueBias, layer.outputBias, layer.queryNorm,
             layer.keyNorm, layer.sinks, layer.feedForwardNorm, layer.routerBias, layer.gateBias, layer.upBias,
             layer.downBias},
            true);
        add({layer.query, layer.key, layer.value, layer.output, layer.router, layer.sharedRouter, layer.sharedGate,
             layer.sharedUp, layer.sharedDown},
            false);
    }
    add({tensors.outputNorm, tensors.ropeFactors}, true);
    add({tensors.head, tensors.headPredictor}, false);
    if (keepEmbedding && tensors.embedding != tensors.head) add({tensors.embedding}, false);
    return items;
}

/// A part of a matrix: large enough for a disk to be quick, small enough for threads to share one matrix.
constexpr uint64_t kPieceBytes = 4 << 20;

struct Piece {
    const gguf::Tensor* tensor = nullptr;
    uint64_t begin = 0;
    std::span<std::byte> out;
};

/// Reads all pieces, a few a thread at a time, so that `progress` is asked often and on the caller's thread.
Status readPieces(const ModelFile& file, std::span<const Piece> pieces, ThreadPool& pool,
                  const ResidentWeights::Progress& progress) {
    uint64_t total = 0, done = 0;
    for (const Piece& piece : pieces) total += piece.out.size();
    const size_t round = static_cast<size_t>(pool.threads()) * 4;
    std::mutex mutex;
    Status failure;
    const auto body = [&](std::span<const Piece> part) {
        return [&, part](int64_t begin, int64_t end, int) {
            for (int64_t i = begin; i < end; ++i) {
                const Piece& piece = part[static_cast<size_t>(i)];
                if (Status status = file.read(*piece.tensor, piece.begin, piece.out); !status) {
                    const std::lock_guard lock(mutex);
                    failure = std::move(status);
                }
            }
        };
    };
    for (size_t i = 0; i < pieces.size(); i += round) {
        const std::span<const Piece> part = pieces.subspan(i, std::min(round, pieces.size() - i));
        const auto readPart = body(part);
        pool.parallelFor(static_cast<int64_t>(part.size()), 1, std::ref(readPart));
        if (!failure) return failure;
        for (const Piece& piece : part) done += piece.out.size();
        if (progress && !progress(done, total))
            return Error{ErrorKind::Cancelled, "Opening the model was stopped", "The user asked for it",
                         "Open it again"};
    }
    return {};
}

/// Vectors are small: read one after the other, through a buffer of their own where they must be widened.
Status readVector(const ModelFile& file, const gguf::Tensor& tensor, const KernelTable& kernels, float* out) {
    if (*tensor.type == TensorType::F32)
        return file.read(tensor, 0, std::as_writable_bytes(std::span(out, static_cast<size_t>(tensor.elements()))));
    std::vector<std::byte> raw(static_cast<size_t>(tensor.bytes));
    if (Status status = file.read(tensor, 0, raw); !status) return status;
    kernels.expandRow(*tensor.type, raw.data(), static_cast<int64_t>(tensor.elements()), out);
    return {};
}

} // namespace

SaturatingBytes ResidentWeights::bytesNeeded(const ModelTensors& tensors, bool keepEmbedding) {
    SaturatingBytes bytes = 0;
    for (const Item& item : residentItems(tensors, keepEmbedding)) bytes += alignedSize(item.bytes());
    return bytes;
}

Result<ResidentWeights> ResidentWeights::load(const ModelFile& file, const ModelTensors& tensors, bool keepEmbedding,
                                              const KernelTable& kernels, ThreadPool& pool, const Progress& progress) {
    Result<Buffer> buffer =
        Buffer::allocate(bytesNeeded(tensors, keepEmbedding).value(),
                         "There is no memory for the model's resident weights", Buffer::Pages::Large);
    if (!buffer) return buffer.error();
    ResidentWeights weights;
    weights.buffer_ = std::move(buffer).value();
    std::vector<Piece> pieces;
    uint64_t offset = 0;
    for (const Item& item : residentItems(tensors, keepEmbedding)) {
        std::byte* out = weights.buffer_.data() + offset;
        weights.offsets_.emplace(item.tensor, offset);
        offset += alignedSize(item.bytes()).value();
        if (item.vector) {
            if (Status status = readVector(file, *item.tensor, kernels, reinterpret_cast<float*>(out)); !status)
                return status.error();
            continue;
        }
        for (uint64_t begin = 0; begin < item.bytes(); begin += kPieceBytes)
            pieces.push_back(
                {item.tensor, begin, {out + begin, static_cast<size_t>(std::min(kPieceBytes, item.bytes() - begin))}});
    }
    if (Status status = readPieces(file, pieces, pool, progress); !status) return status.error();
    weights.assemble(tensors);
    return weights;
}

const float* ResidentWeights::vector(const gguf::Tensor* tensor) const {
    const auto at = offsets_.find(tensor);
    return at == offsets_.end() ? nullptr : reinterpret_cast<const float*>(buffer_.data() + at->second);
}

Matrix ResidentWeights::matrix(const gguf::Tensor* tensor) const {
    if (tensor == nullptr) return {};
    const auto at = offsets_.find(tensor);
    return {.type = *tensor->type,
            .rows = static_cast<int64_t>(tensor->shape[1]),
            .columns = static_cast<int64_t>(tensor->shape[0]),
            .data = at == offsets_.end() ? nullptr : buffer_.data() + at->second};
}

/// Two matrices one behind the other, in one tensor.
void ResidentWeights::splitPredictor(const gguf::Tensor* tensor) {
    const auto at = offsets_.find(tensor);
    if (at == offsets_.end()) return;
    const int64_t rank = static_cast<int64_t>(tensor->elements()) / (head.rows + head.columns);
    predictorReduce = {
        .type = *tensor->type, .rows = rank, .columns = head.columns, .data = buffer_.data() + at->second};
    predictorExpand = {.type = *tensor->type, .rows = head.rows, .columns = rank, .data = predictorReduce.row(rank)};
}

void ResidentWeights::assemble(const ModelTensors& tensors) {
    for (const LayerTensors& from : tensors.layers) {
        LayerWeights layer;
        layer.attentionNorm = vector(from.attentionNorm);
        layer.query = matrix(from.query);
        layer.key = matrix(from.key);
        layer.value = matrix(from.value);
        layer.output = matrix(from.output);
        layer.queryBias = vector(from.queryBias);
        layer.keyBias = vector(from.keyBias);
        layer.valueBias = vector(from.valueBias);
        layer.outputBias = vector(from.outputBias);
        layer.queryNorm = vector(from.queryNorm);
        layer.keyNorm = vector(from.keyNorm);
        layer.sinks = vector(from.sinks);
        layer.feedForwardNorm = vector(from.feedForwardNorm);
        layer.router = matrix(from.router);
        layer.routerBias = vector(from.routerBias);
        layer.gate = matrix(from.gate);
        layer.up = matrix(from.up);
        layer.down = matrix(from.down);
        layer.gateBias = vector(from.gateBias);
        layer.upBias = vector(from.upBias);
        layer.downBias = vector(from.downBias);
        layer.sharedRouter = matrix(from.sharedRouter);
        layer.sharedGate = matrix(from.sharedGate);
        layer.sharedUp = matrix(from.sharedUp);
        layer.sharedDown = matrix(from.sharedDown);
        layers.push_back(layer);
    }
    embedding = matrix(tensors.embedding);
    head = matrix(tensors.head);
    splitPredictor(tensors.headPredictor);
    outputNorm = vector(tensors.outputNorm);
    if (const float* factors = vector(tensors.ropeFactors))
        ropeFactors.assign(factors, factors + tensors.ropeFactors->elements());
}

} // namespace coterie::engine
