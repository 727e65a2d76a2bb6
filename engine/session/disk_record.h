// SPDX-License-Identifier: Apache-2.0
// How many reads the disk under a model wants in flight: measured once, by reading from the model for a moment, and
// kept in a small file from one run to the next. Whatever is wrong with that file or its folder, the answer is that
// nothing is known yet: it costs measuring anew.
//
// The file, little-endian: | "coterdsk" | version u32 | depth u32 | bytes a second f64 | seconds a read f64 | checksum
// u64 of all before |. Its name tells the disk, or the model's file where the system doesn't name its disks.
#pragma once

#include "base/files.h"
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
    double latencySeconds = 0;            ///< of a read of kStreamedPiece alone

    bool measured() const { return bytesPerSecond > 0; }
};

/// Of memory, while a disk is measured.
inline constexpr uint64_t kMeasuringBytes = 8 * kStreamedPiece;

/// Reads pieces as the expert store does (kStreamedPiece, into large pages) at random places of the file, past the
/// cache where that can be had, with 1, 2, 4 and 8 in flight, 50 ms each; the reads of a disk that is slower than
/// that are waited for, and it sees fewer depths. A file of less than 8 MiB is not read: what it gives is not measured.
/// The first read that fails is the error.
Result<DiskProfile> measureDisk(FileSystem& files, const std::string& path);

struct DepthRate {
    int depth = 0;
    double bytesPerSecond = 0;
};
/// The smallest depth that reaches 95 % of the best rate. Of at least one, depths rising.
DepthRate smallestNearBest(std::span<const DepthRate> rates);

/// One thread at a time.
class DiskRecord {
  public:
    /// `folder` is there, or nothing will be kept; `files` outlives this. `path`: the model's, on the disk that it is
    /// about.
    DiskRecord(FileSystem& files, const std::string& folder, const std::string& path);

    /// What the file says; nothing of a disk never met.
    const std::optional<DiskProfile>& known() const { return known_; }
    /// What is known, or is measured now (a quarter of a second) and then kept. Not measured where that takes more than
    /// `room` of memory, or where reading failed: who needs those bytes will meet the error.
    DiskProfile profile(uint64_t room = std::numeric_limits<uint64_t>::max());

  private:
    FileSystem& files_;
    std::string modelPath_;
    std::string path_; ///< empty: there is no folder, or no model
    std::optional<DiskProfile> known_;
};

} // namespace coterie::engine
