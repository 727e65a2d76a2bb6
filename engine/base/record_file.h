// SPDX-License-Identifier: Apache-2.0
// A small file that keeps one plain struct, or a number of bytes, from one run of the program to the next. It is for
// measurements that can be made again: if anything is wrong with the file or its folder, the record counts as missing,
// and no error is reported.
//
//     struct Record {
//         static constexpr std::string_view kMagic = "coterdsk";
//         static constexpr uint32_t kVersion = 3;
//         char magic[8];
//         uint32_t version, depth; // the figures stand between version and checksum
//         double bytesPerSecond;
//         uint64_t checksum;
//     };
//
// The file holds the struct's bytes, little-endian: | magic | version u32 | ... | checksum u64 of all before |.
#pragma once

#include "base/files.h"
#include "base/hash.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace coterie::engine {

/// The place of a record: a folder, and a name made of a kind and a number that identifies the subject of the record.
/// Without a folder or a number, nothing is read or kept.
struct RecordPlace {
    RecordPlace(const std::string& folder, std::string_view kind, std::optional<uint64_t> identity);

    std::string folder, path; ///< both empty: there is no place
};

/// A record whose content has no fixed size.
struct RecordKind {
    std::string_view magic; ///< 8 characters
    uint32_t version = 0;
};

/// Returns the content that writeRecord() wrote, or nothing. most: bytes of content that are read at most.
std::optional<std::string> readRecord(FileSystem& files, const RecordPlace& place, const RecordKind& kind,
                                      uint64_t most);
/// Makes the folder if it does not exist. Returns whether the file was written:
/// | magic | version u32 | content | checksum u64 of all before |.
bool writeRecord(FileSystem& files, const RecordPlace& place, const RecordKind& kind, std::string_view content);

/// The part of a struct that is stored: the figures between version and checksum.
template <typename Record>
struct RecordContent {
    static_assert(std::endian::native == std::endian::little, "the file is little-endian");
    static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record::magic) == Record::kMagic.size());
    static_assert(offsetof(Record, checksum) + sizeof(Record::checksum) == sizeof(Record));
    static constexpr RecordKind kKind{.magic = Record::kMagic, .version = Record::kVersion};
    static constexpr size_t kBegin = sizeof(Record::magic) + sizeof(Record::version);
    static constexpr size_t kBytes = offsetof(Record, checksum) - kBegin;
};

/// Returns nothing unless the file holds a record that writeRecord() wrote. Its magic, version and checksum are unset.
template <typename Record>
std::optional<Record> readRecord(FileSystem& files, const RecordPlace& place) {
    using Content = RecordContent<Record>;
    const std::optional<std::string> content = readRecord(files, place, Content::kKind, Content::kBytes);
    if (!content || content->size() != Content::kBytes) return std::nullopt;
    Record record{};
    std::memcpy(reinterpret_cast<char*>(&record) + Content::kBegin, content->data(), Content::kBytes);
    return record;
}

/// Makes the folder if it does not exist. Returns whether the file was written.
template <typename Record>
bool writeRecord(FileSystem& files, const RecordPlace& place, const Record& record) {
    using Content = RecordContent<Record>;
    const std::string_view bytes(reinterpret_cast<const char*>(&record), sizeof record);
    return writeRecord(files, place, Content::kKind, bytes.substr(Content::kBegin, Content::kBytes));
}

} // namespace coterie::engine
