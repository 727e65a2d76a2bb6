// SPDX-License-Identifier: Apache-2.0
// See images.h. The keys are those that llama.cpp's converter writes (gguf-py/gguf/constants.py).
#include "session/images.h"

#include "base/files.h"
#include "model/model_shape.h"

#include <algorithm>
#include <string>

namespace coterie::engine {
namespace {

/// Positions in parts (M-RoPE) are for the rows and columns of images; tags are the publisher's.
bool saysItself(const gguf::Header& header) {
    const std::string architecture(header.string("general.architecture").value_or(""));
    if (header.find(architecture + ".rope.dimension_sections") != nullptr) return true;
    const auto tags = header.strings("general.tags");
    if (tags && std::any_of(tags->begin(), tags->end(),
                            [](std::string_view tag) { return tag == "image-text-to-text" || tag == "any-to-any"; }))
        return true;
    return std::any_of(header.keys.begin(), header.keys.end(), [](const auto& key) {
        return key.first.find("mmproj") != key.first.npos || key.first.find(".vision.") != key.first.npos;
    });
}

/// "mmproj-F16.gguf", "Model-mmproj-BF16.gguf": how all who publish such files name them.
bool isNamedSo(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return name.find("mmproj") != name.npos && name.ends_with(".gguf");
}

/// Whether this is the other half of a model of that width.
bool fits(FileSystem& files, const std::string& path, uint64_t width) {
    const Result<std::unique_ptr<ModelFile>> file = ModelFile::open(files, path);
    if (!file || !readsImages(file.value()->header())) return false;
    const gguf::Header& header = file.value()->header();
    return header.boolean("clip.has_vision_encoder").value_or(true) &&
           header.unsignedInteger("clip.vision.projection_dim") == width;
}

} // namespace

bool couldSeeImages(const ModelFile& file) {
    const gguf::Header& header = file.header();
    if (readsImages(header)) return false;
    if (saysItself(header)) return true;
    const std::string architecture(header.string("general.architecture").value_or(""));
    const std::optional<uint64_t> width = header.unsignedInteger(architecture + ".embedding_length");
    const std::string folder = folderOf(file.path());
    const Result<std::vector<FolderEntry>> beside = file.files().listFiles(folder);
    if (!width || !beside) return false;
    constexpr size_t mostTried = 16; // a folder of many models
    size_t tried = 0;
    for (const FolderEntry& entry : *beside)
        if (isNamedSo(entry.name) && tried++ < mostTried && fits(file.files(), folder + "/" + entry.name, *width))
            return true;
    return false;
}

} // namespace coterie::engine
