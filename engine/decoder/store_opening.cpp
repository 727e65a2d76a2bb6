// SPDX-License-Identifier: Apache-2.0
// See store_opening.h.
#include "decoder/store_opening.h"

#include "decoder/packing.h"
#include "experts/packed_file.h"

#include <algorithm>
#include <utility>

namespace coterie::engine {
namespace {

/// Where every expert fits each is read once, mostly from the page cache: whole parts, copied by several threads.
constexpr int kThreadedReads = 4;
/// Where not, by the system's own queue.
constexpr int kUsualDepth = 8;

/// The packed file, where there is one that fits.
std::unique_ptr<ExpertSource> openPacked(const ModelFile& file, const std::vector<ExpertLayer>& layers,
                                         const std::string& path) {
    if (path.empty()) return nullptr;
    const PackedFileKey key = PackedFileKey::of(file, layers, kSlotLayout);
    Result<PackedFile> side = PackedFile::open(file.files(), path, key, layers);
    if (!side) return nullptr; // none, or of another model: the model's own file will do
    return createPackedSource(std::move(side).value(), layers);
}

} // namespace

Result<std::unique_ptr<ExpertStore>> openExpertStore(const ModelFile& file, std::vector<ExpertLayer> layers,
                                                     const std::string& packedPath, const MemoryPlan& plan,
                                                     const ExpertStoreChoices& choices) {
    const bool streams = plan.slots < plan.totalExperts;
    // Dense layers alone: whose turn is next is known.
    const bool certain = std::all_of(layers.begin(), layers.end(), [](const ExpertLayer& l) { return l.experts == 1; });
    std::unique_ptr<ExpertSource> source;
    if (streams) source = openPacked(file, layers, packedPath);
    if (!source) {
        auto tensors = createTensorSource(file, std::move(layers), streams && choices.direct);
        if (!tensors) return tensors.error();
        source = std::move(tensors).value();
    }
    const int depth = choices.readDepth > 0 ? choices.readDepth : kUsualDepth;
    return ExpertStore::create(std::move(source),
                               streams ? file.files().createReads(depth) : createThreadedReads(kThreadedReads),
                               {.slots = plan.slots,
                                .minimumSlots = plan.minimumSlots,
                                .eviction = choices.eviction,
                                .certain = certain,
                                .pieceBytes = streams ? kStreamedPiece : 0});
}

} // namespace coterie::engine
