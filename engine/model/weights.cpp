// SPDX-License-Identifier: Apache-2.0
// See weights.h. Every weight begins on a cache line.
#include "model/weights.h"

#include "model/sizes.h"

#include <algorithm>
#include <mutex>

namespace coterie::engine {
namespace {

/// Vectors become floats when they are read; matrices stay as they are.
struct Item {
    const gguf::Tensor* tensor = nullptr;
    bool vector = false;
    uint64_t bytes() const { return vector ? tensor->elements() * sizeof(float) : tensor->bytes; }
};

void add(TensorForm form, const gguf::Tensor* tensor, std::vector<Item>& items) {
    const bool resident = form == TensorForm::Vector || form == TensorForm::Matrix;
    if (tensor != nullptr && resident) items.push_back({tensor, form == TensorForm::Vector});
}

std::vector<Item> residentItems(const ModelTensors& tensors, bool keepEmbedding) {
    std::vector<Item> items;
#define COTERIE_ADD(member, form, ...) add(TensorForm::form, from.member, items);
    for (const LayerTensors& from : tensors.layers) {
        COTERIE_LAYER_TENSORS(COTERIE_ADD)
    }
    ModelTensors from = tensors;
    if (!keepEmbedding || from.embedding == from.head) from.embedding = nullptr;
    COTERIE_MODEL_TENSORS(COTERIE_ADD)
#undef COTERIE_ADD
    return items;
}

/// Bytes of one read: large enough for a disk to be fast, small enough for threads to share one matrix.
constexpr uint64_t kPieceBytes = 4 << 20;

struct Piece {
    const gguf::Tensor* tensor = nullptr;
    uint64_t begin = 0;
    std::span<std::byte> out;
};

/// Reads all pieces, a few for each thread at a time, so that `progress` is called often and on the caller's thread.
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

/// Vectors are small: they are read one after the other, through a buffer if they must be widened.
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

template <TensorForm form>
typename Weight<form>::Type ResidentWeights::weight(const gguf::Tensor* tensor) const {
    if (tensor == nullptr) return {};
    const auto at = offsets_.find(tensor);
    const std::byte* data = at == offsets_.end() ? nullptr : buffer_.data() + at->second;
    if constexpr (form == TensorForm::Vector)
        return reinterpret_cast<const float*>(data);
    else
        return {.type = *tensor->type,
                .rows = static_cast<int64_t>(tensor->shape[1]),
                .columns = static_cast<int64_t>(tensor->shape[0]),
                .data = data};
}

/// The tensor holds two matrices, the second after the first.
void ResidentWeights::splitPredictor() {
    if (headPredictor.data == nullptr) return;
    const int64_t rank = headPredictor.columns / (head.rows + head.columns);
    predictorReduce = {.type = headPredictor.type, .rows = rank, .columns = head.columns, .data = headPredictor.data};
    predictorExpand = {
        .type = headPredictor.type, .rows = head.rows, .columns = rank, .data = predictorReduce.row(rank)};
}

void ResidentWeights::assemble(const ModelTensors& tensors) {
#define COTERIE_ASSEMBLE(member, form, ...) to.member = weight<TensorForm::form>(from.member);
    for (const LayerTensors& from : tensors.layers) {
        LayerWeights& to = layers.emplace_back();
        COTERIE_LAYER_TENSORS(COTERIE_ASSEMBLE)
        if (from.gateAndUp == nullptr) continue;
        to.gate = to.up = {.type = to.gateAndUp.type, .rows = to.gateAndUp.rows / 2, .columns = to.gateAndUp.columns};
    }
    ModelWeights& to = *this;
    const ModelTensors& from = tensors;
    COTERIE_MODEL_TENSORS(COTERIE_ASSEMBLE)
#undef COTERIE_ASSEMBLE
    splitPredictor();
}

} // namespace coterie::engine
