// SPDX-License-Identifier: Apache-2.0
// A packed file: a model's experts once more, each as one block, its parts side by side (ExpertLayer::packedOffset) and
// already arranged. One aligned read fills a slot, and nothing is left to do. Made once, checked
// against its model whenever it is opened, and worth nothing without it.
//
//   | header | 0 .. | layer 0: expert 0 | expert 1 | ... | layer 1: expert 0 | ... |
//   header, little-endian:
//     | "coterexp" | version u32 | byte order u32 | header's bytes u64 | key: model's bytes, times, headers, layout:
//     u64 each | file's bytes u64 | alignment u32 | layers u32 | path's bytes u32 | zero u32 | the model's path | for
//     each layer: a block's bytes u64, experts u64 | checksum u64 of all before |
//   Every block begins at a multiple of the alignment and is padded with zeros up to the next one.
//
// Blocks carry no checksums: nothing would look at them while a model runs (0.2 ms for a block of 2 MB, as long as a
// fast disk takes to read it), and a check that is asked for compares with the model itself.
#pragma once

#include "base/files.h"
#include "experts/expert_source.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

/// What a packed file is made of: where one of these differs, it is of no use.
struct PackedFileKey {
    uint64_t modelBytes = 0; ///< of all parts
    uint64_t times = 0;      ///< hash of when each part was last changed
    uint64_t headers = 0;    ///< hash of the parts' headers
    uint64_t layout = 0;     ///< hash of the layout's name and of where each part of an expert lies

    /// layout: what was done to the parts by their `arrange`, a name that changes with it ("regroup-1").
    static PackedFileKey of(const ModelFile& model, std::span<const ExpertLayer> layers, std::string_view layout);
    /// Of all of it together.
    uint64_t hash() const;
    bool operator==(const PackedFileKey&) const = default;
};

/// What can be told of a packed file without its model.
struct PackedFileCard {
    PackedFileKey key;
    std::string model;  ///< where the model was that it was made from, its first part
    uint64_t bytes = 0; ///< of the whole file

    /// NotFound; BadInput where it is damaged or from another version of this program.
    static Result<PackedFileCard> read(FileSystem& files, const std::string& path);
};

/// bytes done, bytes in all -> whether to go on.
using PackedFileProgress = std::function<bool(uint64_t done, uint64_t total)>;

/// Open, and found to be of this model. Read from any thread.
class PackedFile {
  public:
    /// layers: as the store takes them. NotFound where there is none; BadInput where it is damaged, or of another
    /// model, layout or version of this program, and must be made anew.
    static Result<PackedFile> open(FileSystem& files, const std::string& path, const PackedFileKey& key,
                                   std::span<const ExpertLayer> layers);

    /// Opened past the page cache, where the system can: alignment() is a multiple of the file's.
    RandomAccessFile& file() const { return *file_; }
    /// Of every block's offset and bytes.
    uint64_t alignment() const { return alignment_; }
    /// Where that expert's block begins.
    uint64_t offset(int layer, int expert) const {
        const Blocks& blocks = layers_[static_cast<size_t>(layer)];
        return blocks.offset + static_cast<uint64_t>(expert) * blocks.bytes;
    }
    /// What is to be read of it: the layer's packedBytes(), padded to the alignment.
    uint64_t bytes(int layer) const { return layers_[static_cast<size_t>(layer)].bytes; }

    /// A layer's blocks: one after the other.
    struct Blocks {
        uint64_t offset = 0; ///< of the first one
        uint64_t bytes = 0;  ///< of one
        uint64_t experts = 0;
    };

  private:
    std::unique_ptr<RandomAccessFile> file_;
    uint64_t alignment_ = 0;
    std::vector<Blocks> layers_;
};

/// Experts as the file has them. layers: those that it was opened with.
std::unique_ptr<ExpertSource> createPackedSource(PackedFile side, std::vector<ExpertLayer> layers);

/// What the file will take on the disk.
uint64_t packedFileBytes(const ModelFile& model, std::span<const ExpertLayer> layers);
/// Writes it beside `path`, then renames: an error, a full disk (Io) or a progress that says no (Cancelled) leaves what
/// was there before. Holds one expert at a time.
Status writePackedFile(FileSystem& files, const std::string& path, const ModelFile& model,
                       std::span<const ExpertLayer> layers, const PackedFileKey& key,
                       const PackedFileProgress& progress);
/// Compares every block with what the model gives: BadInput names the first expert that differs.
Status checkPackedFile(const PackedFile& side, const ModelFile& model, std::span<const ExpertLayer> layers,
                       const PackedFileProgress& progress);

} // namespace coterie::engine
