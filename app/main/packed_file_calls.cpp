// SPDX-License-Identifier: Apache-2.0
// See packed_file_calls.h.
#include "main/packed_file_calls.h"

#include "session/packed_files.h"

#include <QFileInfo>

namespace coterie::app {
namespace {

using engine::OpenOptions;
using engine::PackedFileStatus;

PackedFileInfo infoOf(const PackedFileStatus& packed) {
    using enum PackedFileInfo::State;
    const bool none = packed.state == PackedFileStatus::State::None;
    return {.state = none                                               ? None
                     : packed.state == PackedFileStatus::State::Current ? Current
                                                                        : Stale,
            .path = QString::fromStdString(packed.path),
            .bytes = none ? packed.needed : packed.bytes};
}

engine::Result<PackedFileInfo> inspect(const OpenOptions& options) {
    const engine::Result<PackedFileStatus> packed = engine::inspectPacked(options);
    if (!packed) return packed.error();
    return infoOf(packed.value());
}

engine::Status pack(const OpenOptions& options, const std::function<bool(double share)>& progress) {
    const auto shares = [&](uint64_t done, uint64_t total) {
        return progress(total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0);
    };
    const engine::Result<PackedFileStatus> packed = engine::packModel(options, shares);
    if (!packed) return packed.error();
    return {};
}

engine::Status remove(const OpenOptions& options) {
    const engine::Result<uint64_t> freed = engine::removePacked(options);
    if (!freed) return freed.error();
    return {};
}

engine::Result<UnusedPackedFiles> unused(const OpenOptions& options) {
    const engine::Result<std::vector<engine::PackedFileEntry>> files = engine::listPacked(options);
    if (!files) return files.error();
    UnusedPackedFiles found;
    for (const engine::PackedFileEntry& file : files.value()) {
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

PackedFileCalls packedFileCalls() {
    return {.inspect = inspect, .pack = pack, .remove = remove, .unused = unused, .removeUnused = removeUnused};
}

} // namespace coterie::app
