// SPDX-License-Identifier: Apache-2.0
// A packed file: a model's experts written once more, each as one aligned block in the layout that a slot has, so that
// one read fills a slot and nothing is left to do. It is made once, checked against its model whenever it is opened,
// and of no use without that model.
//
//   | header | 0 .. | layer 0: expert 0 | expert 1 | ... | layer 1: expert 0 | ... |
//   header, little-endian:
//     | "coterexp" | version u32 | byte order u32 | header's bytes u64 | key: model's bytes, times, headers, layout:
//     u64 each | file's bytes u64 | alignment u32 | layers u32 | path's bytes u32 | zero u32 | the model's path | for
//     each layer: a block's bytes u64, experts u64 | checksum u64 of all before |
//   A block holds the expert's matrices at ExpertLayer::packedOffsets(), the down matrix already arranged. It begins at
//   a multiple of the alignment and is padded with zeros up to the next one.
//
// Blocks have no checksums, because nothing would verify them while a model runs: that takes 0.2 ms for a block of 2
// MB, as long as a fast disk takes to read it. checkPackedFile() compares the blocks with the model itself.
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

/// Everything that a packed file depends on: if one of these differs, the file is of no use.
struct PackedFileKey {
    uint64_t modelBytes = 0; ///< bytes of all files of the model
    uint64_t times = 0;      ///< hash of the times when each file was last changed
    uint64_t headers = 0;    ///< hash of the files' headers
    uint64_t layout = 0;     ///< hash of the layout's name and of the offsets of an expert's matrices

    /// layout: a name for what `arrangeDown` does, which changes with it ("regroup-1").
    static PackedFileKey of(const ModelFile& model, std::span<const ExpertLayer> layers, std::string_view layout);
    /// One hash of all members.
    uint64_t hash() const;
    bool operator==(const PackedFileKey&) const = default;
};

/// The facts that a packed file gives without its model.
struct PackedFileCard {
    PackedFileKey key;
    std::string model;  ///< path of the model's first file when the packed file was made
    uint64_t bytes = 0; ///< size of the whole packed file

    /// NotFound; BadInput if the file is damaged or from another version of this program.
    static Result<PackedFileCard> read(FileSystem& files, const std::string& path);
};

/// Gets the bytes done and the bytes in all; returns whether to go on.
using PackedFileProgress = std::function<bool(uint64_t done, uint64_t total)>;

/// A packed file that is open and belongs to its model. Any thread may read it.
class PackedFile {
  public:
    /// layers: as the store gets them. NotFound if there is no file; BadInput if it is damaged, or was made from
    /// another model, layout or version of this program, and must be made again.
    static Result<PackedFile> open(FileSystem& files, const std::string& path, const PackedFileKey& key,
                                   std::span<const ExpertLayer> layers);

    /// Opened past the page cache if the system can do that: alignment() is a multiple of the file's.
    RandomAccessFile& file() const { return *file_; }
    /// Every block's offset and size are multiples of it.
    uint64_t alignment() const { return alignment_; }
    /// Offset at which the expert's block begins.
    uint64_t offset(int layer, int expert) const {
        const Blocks& blocks = layers_[static_cast<size_t>(layer)];
        return blocks.offset + static_cast<uint64_t>(expert) * blocks.bytes;
    }
    /// Size of one block of the layer with its padding.
    uint64_t bytes(int layer) const { return layers_[static_cast<size_t>(layer)].bytes; }

    /// A layer's blocks, which follow each other.
    struct Blocks {
        uint64_t offset = 0; ///< offset of the first block
        uint64_t bytes = 0;  ///< bytes of each block
        uint64_t experts = 0;
    };

  private:
    std::unique_ptr<RandomAccessFile> file_;
    uint64_t alignment_ = 0;
    std::vector<Blocks> layers_;
};

/// A source that reads the packed file. layers: those with which it was opened.
std::unique_ptr<ExpertSource> createPackedSource(PackedFile file, std::vector<ExpertLayer> layers);

/// Size that the model's packed file has, or would have.
uint64_t packedFileBytes(const ModelFile& model, std::span<const ExpertLayer> layers);
/// Writes the file beside `path`, then renames it: after an error, on a full disk (Io) or if `progress` returns false
/// (Cancelled), what was at `path` before is still there. Holds one expert in memory at a time.
Status writePackedFile(FileSystem& files, const std::string& path, const ModelFile& model,
                       std::span<const ExpertLayer> layers, const PackedFileKey& key,
                       const PackedFileProgress& progress);
/// Compares every block with the model. BadInput names the first expert that differs.
Status checkPackedFile(const PackedFile& packed, const ModelFile& model, std::span<const ExpertLayer> layers,
                       const PackedFileProgress& progress);

} // namespace coterie::engine
