// SPDX-License-Identifier: Apache-2.0
// How many reads in flight the disk of a model needs. This is measured once, by reading from the model for a moment,
// and kept in a small file (base/record_file.h) from one run to the next. If anything is wrong with that file or its
// folder, nothing is known and the disk is measured again.
//
// The file, little-endian: | "coterdsk" | version u32 | depth u32 | bytes per second f64 | seconds per read f64 |
// checksum u64 of all before |. It is named after the disk, or after the model's file if the system does not name its
// disks.
#pragma once

#include "base/files.h"
#include "base/record_file.h"
#include "experts/expert_store.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>

namespace coterie::engine {

struct DiskProfile {
    int readDepth = kUnmeasuredReadDepth; ///< the fewest reads in flight that are nearly as fast as any number
    double bytesPerSecond = 0;            ///< at that depth; 0: not measured
    double latencySeconds = 0;            ///< a read of kStreamedPiece with no other in flight

    bool measured() const { return bytesPerSecond > 0; }
};

/// Memory that measuring a disk needs.
inline constexpr uint64_t kMeasuringBytes = 8 * kStreamedPiece;

/// Reads pieces as the expert store does (kStreamedPiece, into large pages) at random places of the file, if possible
/// past the cache, for 50 ms each with 1, 2, 4 and 8 in flight. A slow disk's reads are waited for, and fewer depths
/// are tried. A file of less than 8 MiB is not read, and the profile is then not measured(). Returns the error of the
/// first read that fails.
Result<DiskProfile> measureDisk(FileSystem& files, const std::string& path);

struct DepthRate {
    int depth = 0;
    double bytesPerSecond = 0;
};
/// Returns the smallest depth that reaches 95 % of the best rate. rates: at least one, sorted by depth.
DepthRate smallestNearBest(std::span<const DepthRate> rates);

/// One thread at a time.
class DiskRecord {
  public:
    /// Without a folder nothing is kept. `files` must outlive this. `path` is the model's, on the disk in question.
    DiskRecord(FileSystem& files, const std::string& folder, const std::string& path);

    /// The profile from the file, or nothing if this disk was never measured.
    const std::optional<DiskProfile>& known() const { return known_; }
    /// Returns the known profile, or measures the disk now (a quarter of a second) and keeps the result. The profile is
    /// not measured() if measuring needs more than `room` bytes of memory or if a read fails: whoever needs those bytes
    /// will get the error.
    DiskProfile profile(uint64_t room = std::numeric_limits<uint64_t>::max());

  private:
    FileSystem& files_;
    std::string modelPath_;
    RecordPlace place_;
    std::optional<DiskProfile> known_;
};

} // namespace coterie::engine
