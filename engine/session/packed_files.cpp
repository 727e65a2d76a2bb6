// SPDX-License-Identifier: Apache-2.0
// See packed_files.h. Folders are std::filesystem's here: base/files knows files alone.
#include "session/packed_files.h"

#include "decoder/packing.h"
#include "session/guard.h"
#include "session/inspect.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace coterie::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".experts";

fs::path toPath(const std::string& text) { return {std::u8string(text.begin(), text.end())}; }
std::string toText(const fs::path& path) {
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
}

/// The same however the model is named; as it is where the system can't tell.
std::string absolute(const std::string& path) {
    std::error_code failed;
    const fs::path whole = fs::absolute(toPath(path), failed);
    return failed ? path : toText(whole.lexically_normal());
}

uint64_t sizeOf(const std::string& path) {
    std::error_code failed;
    const uintmax_t size = fs::file_size(toPath(path), failed);
    return failed ? 0 : size;
}

/// Calls visit(path) for each file of the folder.
template <typename Visit>
void eachFile(const std::string& folder, const Visit& visit) {
    std::error_code failed;
    fs::directory_iterator entry(toPath(folder), failed);
    while (!failed && entry != fs::directory_iterator()) {
        std::error_code unknown;
        if (entry->is_regular_file(unknown) && !unknown) visit(entry->path());
        entry.increment(failed);
    }
}

/// What a process that was killed was writing (base/files). One that still writes does so all the time.
bool isAbandoned(const fs::path& path) {
    constexpr std::chrono::hours kAbandoned(1);
    const std::string name = toText(path.filename());
    if (!name.starts_with(".coterie-") || !name.ends_with(".part")) return false;
    std::error_code failed;
    const fs::file_time_type written = fs::last_write_time(path, failed);
    return !failed && fs::file_time_type::clock::now() - written > kAbandoned;
}

void removeAbandoned(const std::string& folder) {
    eachFile(folder, [](const fs::path& path) {
        std::error_code failed;
        if (isAbandoned(path)) fs::remove(path, failed);
    });
}

Error ioError(Sentence what, const std::error_code& code, Sentence action) {
    return {ErrorKind::Io, std::move(what), {"%1", code.message()}, std::move(action)};
}

Status removeFile(const std::string& path) {
    std::error_code failed;
    fs::remove(toPath(path), failed);
    if (!failed) return {};
    return ioError({"Can't remove %1", path}, failed, "Close other windows of Coterie, and check who may write there");
}

/// The bytes freed.
Result<uint64_t> removeFiles(const std::vector<PackedFileEntry>& files) {
    uint64_t freed = 0;
    for (const PackedFileEntry& file : files) {
        if (Status status = removeFile(file.path); !status) return status.error();
        freed += file.bytes;
    }
    return freed;
}

/// A model that can be packed, and where its file is or would be.
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

/// "model" of "/folder/model-00001-of-00003.gguf", and no longer than leaves room for the rest of a name.
std::string stemOf(const std::string& modelPath) {
    constexpr size_t kLongest = 100;
    constexpr size_t kPart = std::string_view("-00001-of-00003").size();
    std::string stem = toText(toPath(modelPath).stem());
    if (stem.size() > kPart && stem.substr(stem.size() - kPart).starts_with("-00001-of-"))
        stem.resize(stem.size() - kPart);
    if (stem.size() <= kLongest) return stem;
    size_t end = kLongest; // of a whole character
    while (end > 0 && (static_cast<unsigned char>(stem[end]) & 0xc0) == 0x80) --end;
    return stem.substr(0, end);
}

std::string pathOf(const std::string& folder, const ModelFile& model, const PackedFileKey& key) {
    char hash[24];
    std::snprintf(hash, sizeof hash, "-%016llx", static_cast<unsigned long long>(key.hash()));
    return toText(toPath(folder) / toPath(stemOf(model.partPath(0)) + hash + std::string(kEnding)));
}

Result<Packing> prepare(const OpenOptions& options) {
    if (Status status = checkFolder(options); !status) return status.error();
    Result<std::unique_ptr<ModelFile>> model = ModelFile::open(filesOf(options), absolute(options.path));
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

/// All but the states of those that are whole, which take a look at their models.
std::vector<PackedFileEntry> listFiles(const OpenOptions& options) {
    std::vector<PackedFileEntry> found;
    eachFile(options.packedFolder, [&](const fs::path& path) {
        const std::string text = toText(path);
        if (!text.ends_with(kEnding)) return;
        Result<PackedFileCard> card = PackedFileCard::read(filesOf(options), text);
        const bool damaged = !card && card.error().kind == ErrorKind::BadInput;
        found.push_back({.path = text,
                         .model = card ? std::move(card->model) : std::string(),
                         .bytes = sizeOf(text),
                         .state = damaged ? PackedFileEntry::State::Damaged : PackedFileEntry::State::Unknown});
    });
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    return found;
}

/// Files of this model that are not `except`: made when it, or the program, was another.
std::vector<PackedFileEntry> othersOf(const OpenOptions& options, const std::string& model, const std::string& except) {
    std::vector<PackedFileEntry> found = listFiles(options);
    std::erase_if(found, [&](const PackedFileEntry& file) { return file.model != model || file.path == except; });
    return found;
}

PackedFileStatus currentOf(const Packing& packing) {
    const uint64_t bytes = packedFileBytes(*packing.model, packing.layers);
    return {.state = PackedFileStatus::State::Current, .path = packing.path, .bytes = bytes, .needed = bytes};
}

Result<PackedFileStatus> stateOf(const OpenOptions& options, const Packing& packing) {
    PackedFileStatus packed = currentOf(packing);
    const Result<PackedFile> side = PackedFile::open(filesOf(options), packing.path, packing.key, packing.layers);
    if (side) {
        packed.bytes = side->file().size();
        return packed;
    }
    packed.state = PackedFileStatus::State::None;
    packed.bytes = sizeOf(packing.path);
    const ErrorKind kind = side.error().kind;
    if (kind != ErrorKind::NotFound && kind != ErrorKind::BadInput) return side.error();
    for (const PackedFileEntry& other : othersOf(options, packing.model->partPath(0), packing.path))
        packed.bytes += other.bytes;
    if (packed.bytes > 0) packed.state = PackedFileStatus::State::Stale;
    return packed;
}

/// Of a whole file, by a look at what lies now where its model was.
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

/// Where the file of the model in options.path is or would be; "" where there is no such model or nothing to pack.
Result<std::string> ownPath(const OpenOptions& options) {
    if (options.path.empty()) return std::string();
    const Result<Packing> packing = prepare(options);
    if (packing) return packing->path;
    return packing.error().kind == ErrorKind::Unsupported ? Result(std::string()) : packing.error();
}

Result<std::vector<PackedFileEntry>> list(const OpenOptions& options) {
    if (Status status = checkFolder(options); !status) return status.error();
    const Result<std::string> own = ownPath(options);
    if (!own) return own.error();
    std::vector<PackedFileEntry> found = listFiles(options);
    for (PackedFileEntry& file : found)
        if (!file.model.empty())
            file.state = stateFrom(options, file.path == own.value() ? options.path : file.model, file.path);
    eachFile(options.packedFolder, [&found](const fs::path& path) {
        const std::string text = toText(path);
        if (isAbandoned(path)) found.push_back({text, {}, sizeOf(text), PackedFileEntry::State::Damaged});
    });
    return found;
}

Result<uint64_t> removeUnused(const OpenOptions& options) {
    Result<std::vector<PackedFileEntry>> found = list(options);
    if (!found) return found.error();
    std::erase_if(found.value(), [](const PackedFileEntry& file) { return !file.unused(); });
    return removeFiles(found.value());
}

/// The folder is there, with room for the file.
Status prepareFolder(const std::string& folder, uint64_t needed) {
    std::error_code failed;
    fs::create_directories(toPath(folder), failed);
    if (failed) return ioError({"Can't make the folder %1", folder}, failed, "Check who may write there");
    const fs::space_info room = fs::space(toPath(folder), failed);
    if (failed || room.available >= needed) return {}; // where the system doesn't tell, the disk will
    return Error{ErrorKind::Io,
                 {"Can't pack the model into %1", folder},
                 {"It takes %1, and the disk has room for %2", ByteCount{needed}, ByteCount{room.available}},
                 "Make room on that disk"};
}

Result<PackedFileStatus> pack(const OpenOptions& options, const PackProgress& progress) {
    const Result<Packing> packing = prepare(options);
    if (!packing) return packing.error();
    removeAbandoned(options.packedFolder);
    // Nobody reads a stale one, and its room may be needed. One that can't be removed is in the way of nothing.
    for (const PackedFileEntry& other : othersOf(options, packing->model->partPath(0), packing->path))
        static_cast<void>(removeFile(other.path));
    Result<PackedFileStatus> before = stateOf(options, packing.value());
    if (!before || before->state == PackedFileStatus::State::Current) return before;
    if (before->state == PackedFileStatus::State::Stale)
        if (Status removed = removeFile(packing->path); !removed) return removed.error();
    if (Status status = prepareFolder(options.packedFolder, before->needed); !status) return status.error();
    const Status written =
        writePackedFile(filesOf(options), packing->path, *packing->model, packing->layers, packing->key, progress);
    return written ? Result(currentOf(packing.value())) : written.error();
}

Result<PackedFileStatus> check(const OpenOptions& options, const PackProgress& progress) {
    const Result<Packing> packing = prepare(options);
    if (!packing) return packing.error();
    const Result<PackedFile> side = PackedFile::open(filesOf(options), packing->path, packing->key, packing->layers);
    if (!side) return side.error();
    const Status same = checkPackedFile(side.value(), *packing->model, packing->layers, progress);
    return same ? Result(currentOf(packing.value())) : same.error();
}

Result<uint64_t> removeAll(const OpenOptions& options) {
    if (Status status = checkFolder(options); !status) return status.error();
    removeAbandoned(options.packedFolder);
    const Result<Packing> packing = prepare(options);
    std::vector<PackedFileEntry> found =
        othersOf(options, packing ? packing->model->partPath(0) : absolute(options.path), {});
    const auto isThere = [&](const std::string& path) {
        return std::any_of(found.begin(), found.end(), [&](const PackedFileEntry& file) { return file.path == path; });
    };
    // Of a model that has moved since, or damaged: its name tells.
    if (packing && !isThere(packing->path) && sizeOf(packing->path) > 0)
        found.push_back({.path = packing->path, .model = {}, .bytes = sizeOf(packing->path)});
    if (!packing && found.empty()) return packing.error();
    return removeFiles(found);
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
    return guarded([&] { return pack(options, progress); });
}

Result<PackedFileStatus> checkPacked(const OpenOptions& options, const PackProgress& progress) {
    return guarded([&] { return check(options, progress); });
}

Result<uint64_t> removePacked(const OpenOptions& options) {
    return guarded([&] { return removeAll(options); });
}

Result<std::vector<PackedFileEntry>> listPacked(const OpenOptions& options) {
    return guarded([&] { return list(options); });
}

Result<uint64_t> removeUnusedPacked(const OpenOptions& options) {
    return guarded([&] { return removeUnused(options); });
}

std::string packedPath(const std::string& folder, const ModelFile& model, const ModelShape& shape) {
    if (folder.empty()) return {};
    const Result<std::vector<ExpertLayer>> layers = layersForPacking(shape, model.header());
    if (!layers || layers->empty()) return {};
    return pathOf(folder, model, PackedFileKey::of(model, layers.value(), kSlotLayout));
}

} // namespace coterie::engine
