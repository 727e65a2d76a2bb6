// SPDX-License-Identifier: Apache-2.0
// See store_opening.h.
#include "decoder/store_opening.h"

#include "decoder/packing.h"
#include "experts/packed_file.h"

#include <algorithm>
#include <utility>

namespace coterie::engine {
namespace {

/// If all experts fit, each is read once, mostly from the page cache: several threads copy whole matrices.
constexpr int kThreadedReads = 4;

/// Returns a source that reads the packed file, or null if there is none that is current.
std::unique_ptr<ExpertSource> openPacked(const ModelFile& file, const std::vector<ExpertLayer>& layers,
                                         const std::string& path) {
    if (path.empty()) return nullptr;
    const PackedFileKey key = PackedFileKey::of(file, layers, kSlotLayout);
    Result<PackedFile> packed = PackedFile::open(file.files(), path, key, layers);
    if (!packed) return nullptr; // the model's own file is read instead
    return createPackedSource(std::move(packed).value(), layers);
}

} // namespace

Result<std::unique_ptr<ExpertStore>> openExpertStore(const ModelFile& file, std::vector<ExpertLayer> layers,
                                                     const std::string& packedPath, const MemoryPlan& plan,
                                                     const ExpertStoreChoices& choices, const ExpertHeat& heat) {
    const bool streams = plan.slots < plan.totalExperts;
    // If all layers are dense, the order in which they are needed is known.
    const bool sequential =
        std::all_of(layers.begin(), layers.end(), [](const ExpertLayer& layer) { return layer.experts == 1; });
    std::unique_ptr<ExpertSource> source;
    if (streams) source = openPacked(file, layers, packedPath);
    if (!source) {
        auto tensors = createTensorSource(file, std::move(layers), streams && choices.direct);
        if (!tensors) return tensors.error();
        source = std::move(tensors).value();
    }
    const int depth = choices.readDepth > 0 ? choices.readDepth : kUnmeasuredReadDepth;
    return ExpertStore::create(std::move(source),
                               streams ? file.files().createReads(depth) : createThreadedReads(kThreadedReads),
                               {.slots = plan.slots,
                                .minimumSlots = plan.minimumSlots,
                                .classes = plan.classes,
                                .eviction = choices.eviction,
                                .sequential = sequential,
                                .pieceBytes = streams ? kStreamedPiece : 0,
                                .heat = heat});
}

} // namespace coterie::engine
