// SPDX-License-Identifier: Apache-2.0
// See expert_source.h.
#include "experts/expert_source.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace coterie::engine {
namespace {

constexpr uint64_t kLineBytes = 64; // a cache line, and the widest vector

constexpr uint64_t floorTo(uint64_t value, uint64_t multiple) { return value / multiple * multiple; }
constexpr uint64_t ceilTo(uint64_t value, uint64_t multiple) { return floorTo(value + multiple - 1, multiple); }

/// What regions and slots begin at: fit for any file, whether it is read directly or not, so that a plan holds for
/// both.
uint64_t regionAlignment() { return std::max(directAlignment(), kLineBytes); }

uint64_t regionBytes(uint64_t part) {
    // The first and the last block of a part are shared with its neighbours in the file.
    const uint64_t shared = directAlignment() > 1 ? directAlignment() : 0;
    return ceilTo(part, regionAlignment()) + shared;
}

Error internalError(std::string why) {
    return {ErrorKind::Internal, "The expert store was misused", std::move(why), "Please report this"};
}

/// Whether every expert's part lies within its tensor, and in a slot that can be counted.
Status checkLayers(const std::vector<ExpertLayer>& layers) {
    for (const ExpertLayer& layer : layers) {
        if (layer.experts < 0 || layer.parts.size() > kMostParts || (layer.experts > 0 && layer.parts.empty()))
            return internalError("A layer's experts have no parts, or too many");
        for (const ExpertLayer::Part& part : layer.parts) {
            if (!part.tensor || part.bytes == 0) return internalError("An expert's part has no tensor");
            if (static_cast<uint64_t>(layer.experts) > part.tensor->bytes / part.bytes)
                return internalError("The experts in " + std::string(part.tensor->name) + " reach beyond its end");
            if (part.bytes > std::numeric_limits<uint64_t>::max() / 8)
                return internalError("The experts in " + std::string(part.tensor->name) + " do not fit in a slot");
        }
    }
    return {};
}

class TensorSource final : public ExpertSource {
  public:
    TensorSource(const ModelFile& model, std::vector<ExpertLayer> layers,
                 std::vector<std::unique_ptr<RandomAccessFile>> direct)
        : model_(model), layers_(std::move(layers)), direct_(std::move(direct)) {
        for (const ExpertLayer& layer : layers_) experts_.push_back(layer.experts);
    }

    const std::vector<int>& experts() const override { return experts_; }

    uint64_t slotBytes() const override {
        uint64_t most = 0;
        for (const ExpertLayer& layer : layers_) most = std::max(most, layer.slotBytes());
        return most;
    }

    size_t extents(int layer, int expert, std::byte* slot, std::span<ReadExtent, kMostParts> out) const override {
        const std::vector<ExpertLayer::Part>& parts = layers_[static_cast<size_t>(layer)].parts;
        for (size_t p = 0; p < parts.size(); ++p) {
            RandomAccessFile& file = fileOf(parts[p]);
            const uint64_t begin = beginOf(parts[p], expert), aligned = floorTo(begin, file.alignment());
            const uint64_t end = ceilTo(begin + parts[p].bytes, file.alignment());
            out[p] = {&file, aligned, {slot, static_cast<size_t>(end - aligned)}};
            slot += regionBytes(parts[p].bytes);
        }
        return parts.size();
    }

    bool arranges(int layer) const override {
        const std::vector<ExpertLayer::Part>& parts = layers_[static_cast<size_t>(layer)].parts;
        return std::any_of(parts.begin(), parts.end(), [](const ExpertLayer::Part& part) { return !!part.arrange; });
    }

    void arrange(int layer, int expert, std::byte* slot) const override {
        for (const ExpertLayer::Part& part : layers_[static_cast<size_t>(layer)].parts) {
            if (part.arrange) part.arrange(slot + phaseOf(part, expert), slot);
            slot += regionBytes(part.bytes);
        }
    }

    ExpertParts parts(int layer, int expert, const std::byte* slot, bool arranged) const override {
        ExpertParts found{.arranged = arranged};
        size_t p = 0;
        for (const ExpertLayer::Part& part : layers_[static_cast<size_t>(layer)].parts) {
            found.at[p++] = slot + (part.arrange && arranged ? 0 : phaseOf(part, expert));
            slot += regionBytes(part.bytes);
        }
        return found;
    }

  private:
    RandomAccessFile& fileOf(const ExpertLayer::Part& part) const {
        return direct_.empty() ? model_.file(*part.tensor) : *direct_[part.tensor->part];
    }
    static uint64_t beginOf(const ExpertLayer::Part& part, int expert) {
        return part.tensor->offset + static_cast<uint64_t>(expert) * part.bytes;
    }
    uint64_t phaseOf(const ExpertLayer::Part& part, int expert) const {
        return beginOf(part, expert) % fileOf(part).alignment();
    }

    const ModelFile& model_;
    const std::vector<ExpertLayer> layers_;
    std::vector<int> experts_;
    const std::vector<std::unique_ptr<RandomAccessFile>> direct_; // [the model's files], or none: those of the model
};

} // namespace

uint64_t ExpertLayer::slotBytes() const {
    uint64_t bytes = 0;
    for (const Part& part : parts) bytes += regionBytes(part.bytes);
    return ceilTo(bytes, regionAlignment());
}

uint64_t ExpertLayer::packedOffset(size_t part) const {
    uint64_t offset = 0;
    for (size_t p = 0; p < part; ++p) offset += ceilTo(parts[p].bytes, kLineBytes);
    return offset;
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
