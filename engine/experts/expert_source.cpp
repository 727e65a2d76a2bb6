// SPDX-License-Identifier: Apache-2.0
// See expert_source.h.
#include "experts/expert_source.h"

#include "base/rounding.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace coterie::engine {
namespace {

constexpr uint64_t floorTo(uint64_t value, uint64_t multiple) { return value / multiple * multiple; }

/// Alignment of regions and slots. It is right for any file, whether it is read directly or not, so that a memory plan
/// holds for both.
uint64_t regionAlignment() { return std::max(directAlignment(), kLineBytes); }

uint64_t regionBytes(uint64_t matrix) {
    // The first and the last block of a matrix are shared with its neighbours in the file.
    const uint64_t shared = directAlignment() > 1 ? directAlignment() : 0;
    return roundUp(matrix, regionAlignment()) + shared;
}

Error internalError(Sentence why) {
    return {ErrorKind::Internal, "The expert store was misused", std::move(why), "Please report this"};
}

/// Whether every expert's matrices lie within their tensors, and in a slot whose size can be counted.
Status checkLayers(const std::vector<ExpertLayer>& layers) {
    for (const ExpertLayer& layer : layers) {
        if (layer.experts < 0) return internalError("A layer has a negative number of experts");
        if (layer.experts == 0) continue;
        for (const ExpertLayer::Matrix* matrix : layer.matrices()) {
            if (!matrix->tensor || matrix->bytes == 0) return internalError("An expert's matrix has no tensor");
            const uint64_t pace = matrix->pace();
            if (matrix->first > pace || matrix->bytes > pace - matrix->first ||
                static_cast<uint64_t>(layer.experts) > matrix->tensor->bytes / pace)
                return internalError({"The experts in %1 reach beyond its end", matrix->tensor->name});
            if (matrix->bytes > std::numeric_limits<uint64_t>::max() / 8)
                return internalError({"The experts in %1 do not fit in a slot", matrix->tensor->name});
        }
    }
    return {};
}

class TensorSource final : public ExpertSource {
  public:
    TensorSource(const ModelFile& model, std::vector<ExpertLayer> layers,
                 std::vector<std::unique_ptr<RandomAccessFile>> direct)
        : model_(model), layers_(std::move(layers)), experts_(expertsOf(layers_)), direct_(std::move(direct)) {}

    const std::vector<int>& experts() const override { return experts_; }

    uint64_t slotBytes(int layer) const override { return layers_[static_cast<size_t>(layer)].slotBytes(); }

    size_t extents(int layer, int expert, std::byte* slot,
                   std::span<ReadExtent, kMostReadsPerExpert> out) const override {
        size_t count = 0;
        for (const ExpertLayer::Matrix* matrix : layers_[static_cast<size_t>(layer)].matrices()) {
            RandomAccessFile& file = fileOf(*matrix);
            const uint64_t begin = beginOf(*matrix, expert), aligned = floorTo(begin, file.alignment());
            const uint64_t end = roundUp(begin + matrix->bytes, file.alignment());
            out[count++] = {&file, aligned, {slot, static_cast<size_t>(end - aligned)}};
            slot += regionBytes(matrix->bytes);
        }
        return count;
    }

    bool arranges(int layer) const override { return layers_[static_cast<size_t>(layer)].arrangeDown != nullptr; }

    void arrange(int layer, int expert, std::byte* slot) const override {
        const ExpertLayer& from = layers_[static_cast<size_t>(layer)];
        if (!from.arrangeDown) return;
        std::byte* region = slot + downRegion(from);
        from.arrangeDown(region + phaseOf(from.down, expert), region);
    }

    ExpertParts parts(int layer, int expert, const std::byte* slot, bool arranged) const override {
        const ExpertLayer& from = layers_[static_cast<size_t>(layer)];
        const bool downArranged = arranged && from.arrangeDown;
        return {.gate = slot + phaseOf(from.gate, expert),
                .up = slot + regionBytes(from.gate.bytes) + phaseOf(from.up, expert),
                .down = slot + downRegion(from) + (downArranged ? 0 : phaseOf(from.down, expert)),
                .downArranged = downArranged};
    }

  private:
    RandomAccessFile& fileOf(const ExpertLayer::Matrix& matrix) const {
        return direct_.empty() ? model_.file(*matrix.tensor) : *direct_[matrix.tensor->shard];
    }
    static uint64_t beginOf(const ExpertLayer::Matrix& matrix, int expert) {
        return matrix.tensor->offset + matrix.offsetOf(static_cast<uint64_t>(expert));
    }
    /// Offset of the matrix in its region as it is read.
    uint64_t phaseOf(const ExpertLayer::Matrix& matrix, int expert) const {
        return beginOf(matrix, expert) % fileOf(matrix).alignment();
    }
    static uint64_t downRegion(const ExpertLayer& layer) {
        return regionBytes(layer.gate.bytes) + regionBytes(layer.up.bytes);
    }

    const ModelFile& model_;
    const std::vector<ExpertLayer> layers_;
    const std::vector<int> experts_;
    const std::vector<std::unique_ptr<RandomAccessFile>>
        direct_; // [the model's files]; empty: the model's own are read
};

} // namespace

std::vector<int> expertsOf(std::span<const ExpertLayer> layers) {
    std::vector<int> experts;
    for (const ExpertLayer& layer : layers) experts.push_back(layer.experts);
    return experts;
}

uint64_t ExpertLayer::slotBytes() const {
    if (experts == 0) return 0;
    uint64_t bytes = 0;
    for (const Matrix* matrix : matrices()) bytes += regionBytes(matrix->bytes);
    return roundUp(bytes, regionAlignment());
}

ExpertLayer::PackedOffsets ExpertLayer::packedOffsets() const {
    PackedOffsets at;
    at.up = roundUp(gate.bytes, kLineBytes);
    at.down = at.up + roundUp(up.bytes, kLineBytes);
    at.end = at.down + roundUp(down.bytes, kLineBytes);
    return at;
}

Result<std::unique_ptr<ExpertSource>> createTensorSource(const ModelFile& model, std::vector<ExpertLayer> layers,
                                                         bool direct) {
    if (Status checked = checkLayers(layers); !checked) return checked.error();
    std::vector<std::unique_ptr<RandomAccessFile>> files;
    if (direct) {
        auto opened = model.openDirect();
        if (!opened) return opened.error();
        files = std::move(opened).value();
    }
    return std::unique_ptr<ExpertSource>(std::make_unique<TensorSource>(model, std::move(layers), std::move(files)));
}

} // namespace coterie::engine
