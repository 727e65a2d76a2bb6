// SPDX-License-Identifier: Apache-2.0
// See record_file.h.
#include "base/record_file.h"

#include "base/number_text.h"

namespace coterie::engine {

RecordPlace::RecordPlace(const std::string& in, std::string_view kind, std::optional<uint64_t> identity) {
    if (in.empty() || !identity) return;
    folder = in;
    path = joinPath(in, std::string(kind) + "-" + hexText(*identity));
}

namespace {

uint64_t checksumOf(std::string_view bytes) {
    Hash hash;
    hash.add(std::as_bytes(std::span(bytes)));
    return hash.value();
}

void append(std::string& bytes, const auto& number) {
    static_assert(std::endian::native == std::endian::little, "the file is little-endian");
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

} // namespace

std::optional<std::string> readRecord(FileSystem& files, const RecordPlace& place, const RecordKind& kind,
                                      uint64_t most) {
    if (place.path.empty()) return std::nullopt;
    const size_t before = kind.magic.size() + sizeof kind.version, after = sizeof(uint64_t);
    const Result<std::string> bytes = readWholeFile(files, place.path, before + most + after);
    if (!bytes || bytes->size() < before + after) return std::nullopt;
    const std::string_view all(*bytes), summed = all.substr(0, all.size() - after);
    std::string expected(kind.magic);
    append(expected, kind.version);
    std::string sum;
    append(sum, checksumOf(summed));
    if (!summed.starts_with(expected) || all.substr(summed.size()) != sum) return std::nullopt;
    return std::string(summed.substr(before));
}

bool writeRecord(FileSystem& files, const RecordPlace& place, const RecordKind& kind, std::string_view content) {
    if (place.path.empty() || !files.makeFolder(place.folder)) return false;
    std::string bytes(kind.magic);
    append(bytes, kind.version);
    bytes += content;
    append(bytes, checksumOf(bytes));
    return writeWholeFile(files, place.path, bytes).ok();
}

} // namespace coterie::engine
