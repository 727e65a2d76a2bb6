// SPDX-License-Identifier: Apache-2.0
// See packed_models.h.
#include "main/packed_models.h"

#include "session/side_files.h"

#include <QFileInfo>

namespace coterie::app {
namespace {

using engine::OpenOptions;
using engine::PackedModel;

SideFileInfo infoOf(const PackedModel& packed) {
    using enum SideFileInfo::State;
    const bool none = packed.state == PackedModel::State::None;
    return {.state = none                                          ? None
                     : packed.state == PackedModel::State::Current ? Current
                                                                   : Stale,
            .path = QString::fromStdString(packed.path),
            .bytes = none ? packed.needed : packed.bytes};
}

engine::Result<SideFileInfo> inspect(const OpenOptions& options) {
    const engine::Result<PackedModel> packed = engine::inspectPacked(options);
    if (!packed) return packed.error();
    return infoOf(packed.value());
}

engine::Status pack(const OpenOptions& options, const std::function<bool(double share)>& progress) {
    const auto shares = [&](uint64_t done, uint64_t total) {
        return progress(total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0);
    };
    const engine::Result<PackedModel> packed = engine::packModel(options, shares);
    if (!packed) return packed.error();
    return {};
}

engine::Status remove(const OpenOptions& options) {
    const engine::Result<uint64_t> freed = engine::removePacked(options);
    if (!freed) return freed.error();
    return {};
}

engine::Result<UnusedCopies> unused(const OpenOptions& options) {
    const engine::Result<std::vector<engine::PackedFile>> files = engine::listPacked(options);
    if (!files) return files.error();
    UnusedCopies found;
    for (const engine::PackedFile& file : files.value()) {
        if (!file.unused()) continue;
        found.bytes += file.bytes;
        found.names.append(QFileInfo(QString::fromStdString(file.model.empty() ? file.path : file.model)).fileName());
    }
    return found;
}

engine::Status removeUnused(const OpenOptions& options) {
    const engine::Result<uint64_t> freed = engine::removeUnusedPacked(options);
    if (!freed) return freed.error();
    return {};
}

} // namespace

SideFileCalls packedModels() {
    return {.inspect = inspect, .pack = pack, .remove = remove, .unused = unused, .removeUnused = removeUnused};
}

} // namespace coterie::app
