// SPDX-License-Identifier: Apache-2.0
// See packed_files.h.
#include "session/packed_files.h"

#include "base/guard.h"
#include "base/number_text.h"
#include "decoder/packing.h"
#include "session/inspect.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

namespace coterie::engine {
namespace {

constexpr std::string_view kEnding = ".experts";

/// Returns 0 if there is no such file.
uint64_t sizeOf(FileSystem& files, const std::string& path) {
    const auto file = files.openForReading(path);
    return file ? file.value()->size() : 0;
}

/// Returns whether the file is half-written (base/files) and its process was killed: a process that is still writing
/// changes the file all the time.
bool isAbandoned(const FolderEntry& file) {
    using std::chrono::system_clock, std::chrono::nanoseconds;
    constexpr std::chrono::hours kAbandoned(1);
    if (!file.name.starts_with(".coterie-") || !file.name.ends_with(".part")) return false;
    return system_clock::now().time_since_epoch() - nanoseconds(file.changedAt) > kAbandoned;
}

Status removeFile(FileSystem& files, const std::string& path) {
    Status removed = files.removeFile(path);
    if (removed) return removed;
    Error error = std::move(removed).error();
    error.action = "Close other windows of Coterie, and check who may write there";
    return error;
}

/// A file that can't be removed stays.
Status removeAbandoned(const OpenOptions& options) {
    const Result<std::vector<FolderEntry>> found = filesOf(options).listFiles(options.packedFolder);
    if (!found) return found.error();
    for (const FolderEntry& file : found.value())
        if (isAbandoned(file))
            static_cast<void>(filesOf(options).removeFile(joinPath(options.packedFolder, file.name)));
    return {};
}

/// Returns the bytes that were freed.
Result<uint64_t> removeAllOf(const std::vector<PackedFileEntry>& found, FileSystem& files) {
    uint64_t freed = 0;
    for (const PackedFileEntry& file : found) {
        if (Status status = removeFile(files, file.path); !status) return status.error();
        freed += file.bytes;
    }
    return freed;
}

/// A model that can be packed, and the path of its file, whether it exists or not.
struct Packing {
    std::unique_ptr<ModelFile> model;
    std::vector<ExpertLayer> layers;
    PackedFileKey key;
    std::string path;
};

Status checkFolder(const OpenOptions& options) {
    if (!options.packedFolder.empty()) return {};
    return Error{ErrorKind::BadInput, "There is no folder for packed files", "The system does not name one",
                 "Name a folder"};
}

/// "model" for "/folder/model-00001-of-00003.gguf", cut so that the rest of a file's name has room.
std::string stemOf(const std::string& modelPath) {
    constexpr size_t kLongest = 100;
    constexpr size_t kNumber = std::string_view("-00001-of-00003").size();
    std::string stem = fileStem(modelPath);
    if (stem.size() > kNumber && stem.substr(stem.size() - kNumber).starts_with("-00001-of-"))
        stem.resize(stem.size() - kNumber);
    if (stem.size() <= kLongest) return stem;
    size_t end = kLongest; // moved back to the end of a whole character
    while (end > 0 && (static_cast<unsigned char>(stem[end]) & 0xc0) == 0x80) --end;
    return stem.substr(0, end);
}

std::string pathOf(const std::string& folder, const ModelFile& model, const PackedFileKey& key) {
    return joinPath(folder, stemOf(model.shardPath(0)) + "-" + hexText(key.hash()) + std::string(kEnding));
}

Result<Packing> prepare(const OpenOptions& options) {
    if (Status status = checkFolder(options); !status) return status.error();
    Result<std::unique_ptr<ModelFile>> model = ModelFile::open(filesOf(options), absolutePath(options.path));
    if (!model) return model.error();
    const Result<ModelShape> shape = readModelShape(model.value()->header());
    if (!shape) return shape.error();
    Result<std::vector<ExpertLayer>> layers = layersForPacking(shape.value(), model.value()->header());
    if (!layers) return layers.error();
    if (layers->empty())
        return Error{ErrorKind::Unsupported,
                     {"Can't pack %1", options.path},
                     "The model has no experts, and its layers are read in large pieces as they are",
                     "Use it as it is"};
    Packing packing{.model = std::move(model).value(), .layers = std::move(layers).value(), .key = {}, .path = {}};
    packing.key = PackedFileKey::of(*packing.model, packing.layers, kSlotLayout);
    packing.path = pathOf(options.packedFolder, *packing.model, packing.key);
    return packing;
}

PackedFileEntry entryOf(const OpenOptions& options, const FolderEntry& file) {
    const std::string path = joinPath(options.packedFolder, file.name);
    Result<PackedFileCard> card = PackedFileCard::read(filesOf(options), path);
    const bool damaged = !card && card.error().kind == ErrorKind::BadInput;
    return {.path = path,
            .model = card ? std::move(card->model) : std::string(),
            .bytes = file.bytes,
            .state = damaged ? PackedFileEntry::State::Damaged : PackedFileEntry::State::Unknown};
}

/// Returns the files of this model except `except`: they were made from another version of the model or by another
/// version of the program.
Result<std::vector<PackedFileEntry>> othersOf(const OpenOptions& options, const std::string& model,
                                              const std::string& except) {
    const Result<std::vector<FolderEntry>> files = filesOf(options).listFiles(options.packedFolder);
    if (!files) return files.error();
    std::vector<PackedFileEntry> found;
    for (const FolderEntry& entry : files.value()) {
        if (!entry.name.ends_with(kEnding)) continue;
        PackedFileEntry file = entryOf(options, entry);
        if (file.model == model && file.path != except) found.push_back(std::move(file));
    }
    return found;
}

PackedFileStatus currentOf(const Packing& packing) {
    const uint64_t bytes = packedFileBytes(*packing.model, packing.layers);
    return {.state = PackedFileStatus::State::Current, .path = packing.path, .bytes = bytes, .needed = bytes};
}

Result<PackedFileStatus> stateOf(const OpenOptions& options, const Packing& packing) {
    PackedFileStatus packed = currentOf(packing);
    const Result<PackedFile> packedFile = PackedFile::open(filesOf(options), packing.path, packing.key, packing.layers);
    if (packedFile) {
        packed.bytes = packedFile->file().size();
        return packed;
    }
    packed.state = PackedFileStatus::State::None;
    packed.bytes = sizeOf(filesOf(options), packing.path);
    const ErrorKind kind = packedFile.error().kind;
    if (kind != ErrorKind::NotFound && kind != ErrorKind::BadInput) return packedFile.error();
    const Result<std::vector<PackedFileEntry>> others = othersOf(options, packing.model->shardPath(0), packing.path);
    if (!others) return others.error();
    for (const PackedFileEntry& other : others.value()) packed.bytes += other.bytes;
    if (packed.bytes > 0) packed.state = PackedFileStatus::State::Stale;
    return packed;
}

/// Returns the state of a whole file, which depends on what is now at its model's path.
PackedFileEntry::State stateFrom(OpenOptions options, const std::string& model, const std::string& path) {
    options.path = model;
    const Result<Packing> packing = prepare(options);
    if (packing) {
        const bool readable =
            packing->path == path && PackedFile::open(filesOf(options), path, packing->key, packing->layers);
        return readable ? PackedFileEntry::State::Current : PackedFileEntry::State::Stale;
    }
    switch (packing.error().kind) {
    case ErrorKind::NotFound:
        return PackedFileEntry::State::Gone;
    case ErrorKind::BadInput:
    case ErrorKind::Unsupported:
        return PackedFileEntry::State::Stale;
    default:
        return PackedFileEntry::State::Unknown;
    }
}

/// Returns the path of the packed file of the model in options.path. It is empty if options.path is empty or there is
/// nothing to pack.
Result<std::string> ownPath(const OpenOptions& options) {
    if (options.path.empty()) return std::string();
    const Result<Packing> packing = prepare(options);
    if (packing) return packing->path;
    return packing.error().kind == ErrorKind::Unsupported ? Result(std::string()) : packing.error();
}

/// Makes the folder, and checks that its disk has room for the file.
Status prepareFolder(FileSystem& files, const std::string& folder, uint64_t needed) {
    if (Status made = files.makeFolder(folder); !made) return made;
    const Result<uint64_t> room = files.freeSpace(folder);
    if (!room || room.value() >= needed) return {}; // if the system doesn't say, writing will show it
    return Error{ErrorKind::Io,
                 {"Can't pack the model into %1", folder},
                 {"It takes %1, and the disk has room for %2", ByteCount{needed}, ByteCount{room.value()}},
                 "Make room on that disk"};
}

} // namespace

Result<PackedFileStatus> inspectPacked(const OpenOptions& options) {
    return guarded([&]() -> Result<PackedFileStatus> {
        const Result<Packing> packing = prepare(options);
        if (!packing) return packing.error();
        return stateOf(options, packing.value());
    });
}

Result<PackedFileStatus> packModel(const OpenOptions& options, const PackProgress& progress) {
    return guarded([&]() -> Result<PackedFileStatus> {
        const Result<Packing> packing = prepare(options);
        if (!packing) return packing.error();
        FileSystem& files = filesOf(options);
        if (Status status = removeAbandoned(options); !status) return status.error();
        const Result<std::vector<PackedFileEntry>> others =
            othersOf(options, packing->model->shardPath(0), packing->path);
        if (!others) return others.error();
        // Nothing reads a stale file, and its room may be needed. A stale file that can't be removed does no harm.
        for (const PackedFileEntry& other : others.value()) static_cast<void>(files.removeFile(other.path));
        Result<PackedFileStatus> before = stateOf(options, packing.value());
        if (!before || before->state == PackedFileStatus::State::Current) return before;
        if (before->state == PackedFileStatus::State::Stale)
            if (Status removed = removeFile(files, packing->path); !removed) return removed.error();
        if (Status status = prepareFolder(files, options.packedFolder, before->needed); !status) return status.error();
        const Status written =
            writePackedFile(files, packing->path, *packing->model, packing->layers, packing->key, progress);
        return written ? Result(currentOf(packing.value())) : written.error();
    });
}

Result<PackedFileStatus> checkPacked(const OpenOptions& options, const PackProgress& progress) {
    return guarded([&]() -> Result<PackedFileStatus> {
        const Result<Packing> packing = prepare(options);
        if (!packing) return packing.error();
        const Result<PackedFile> packedFile =
            PackedFile::open(filesOf(options), packing->path, packing->key, packing->layers);
        if (!packedFile) return packedFile.error();
        const Status same = checkPackedFile(packedFile.value(), *packing->model, packing->layers, progress);
        return same ? Result(currentOf(packing.value())) : same.error();
    });
}

Result<uint64_t> removePacked(const OpenOptions& options) {
    return guarded([&]() -> Result<uint64_t> {
        if (Status status = checkFolder(options); !status) return status.error();
        if (Status status = removeAbandoned(options); !status) return status.error();
        const Result<Packing> packing = prepare(options);
        Result<std::vector<PackedFileEntry>> found =
            othersOf(options, packing ? packing->model->shardPath(0) : absolutePath(options.path), {});
        if (!found) return found.error();
        const auto isThere = [&](const std::string& path) {
            return std::any_of(found->begin(), found->end(),
                               [&](const PackedFileEntry& file) { return file.path == path; });
        };
        // A file whose model has moved since, or which is damaged, is recognised by its name.
        const uint64_t own = packing && !isThere(packing->path) ? sizeOf(filesOf(options), packing->path) : 0;
        if (own > 0) found->push_back({.path = packing->path, .model = {}, .bytes = own});
        if (!packing && found->empty()) return packing.error();
        return removeAllOf(found.value(), filesOf(options));
    });
}

Result<std::vector<PackedFileEntry>> listPacked(const OpenOptions& options) {
    return guarded([&]() -> Result<std::vector<PackedFileEntry>> {
        if (Status status = checkFolder(options); !status) return status.error();
        const Result<std::string> own = ownPath(options);
        if (!own) return own.error();
        const Result<std::vector<FolderEntry>> files = filesOf(options).listFiles(options.packedFolder);
        if (!files) return files.error();
        std::vector<PackedFileEntry> found;
        for (const FolderEntry& entry : files.value()) {
            if (isAbandoned(entry))
                found.push_back(
                    {joinPath(options.packedFolder, entry.name), {}, entry.bytes, PackedFileEntry::State::Damaged});
            if (!entry.name.ends_with(kEnding)) continue;
            PackedFileEntry file = entryOf(options, entry);
            if (!file.model.empty())
                file.state = stateFrom(options, file.path == own.value() ? options.path : file.model, file.path);
            found.push_back(std::move(file));
        }
        return found;
    });
}

Result<uint64_t> removeUnusedPacked(const OpenOptions& options) {
    return guarded([&]() -> Result<uint64_t> {
        Result<std::vector<PackedFileEntry>> found = listPacked(options);
        if (!found) return found.error();
        std::erase_if(found.value(), [](const PackedFileEntry& file) { return !file.unused(); });
        return removeAllOf(found.value(), filesOf(options));
    });
}

std::string packedPath(const std::string& folder, const ModelFile& model, const ModelShape& shape) {
    if (folder.empty()) return {};
    const Result<std::vector<ExpertLayer>> layers = layersForPacking(shape, model.header());
    if (!layers || layers->empty()) return {};
    return pathOf(folder, model, PackedFileKey::of(model, layers.value(), kSlotLayout));
}

} // namespace coterie::engine
