// SPDX-License-Identifier: Apache-2.0
// The progress of a positioned read, the same on every system: the next piece to read, and whether all is there. Only
// for base/.
//
//     ReadPieces pieces(*this, offset, out);
//     if (Status possible = pieces.check(); !possible) return possible;
//     while (!pieces.done()) { got = read(pieces.data(), pieces.length(), pieces.offset()); pieces.advance(got); ... }
#pragma once

#include "base/files.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace coterie::engine {

class ReadPieces {
  public:
    ReadPieces() = default;
    /// `file` must outlive this object.
    ReadPieces(const RandomAccessFile& file, uint64_t offset, std::span<std::byte> out);

    /// Checks whether the file can do this read at all. Call it first.
    Status check() const;
    bool done() const { return wanted_ == 0; }

    /// The next piece. All three are multiples of the file's alignment.
    uint64_t offset() const { return offset_; }
    std::byte* data() const { return out_.data(); }
    size_t length() const { return std::min(out_.size(), kLargestPiece); }
    /// Records that the system read `got` bytes of the piece. Returns an Io error if the file ended too early.
    Status advance(size_t got);

  private:
    // The most that one call may read: Linux stops at 2 GiB - 4 KiB, macOS refuses more than 2 GiB - 1, Windows counts
    // in 32 bits.
    static constexpr size_t kLargestPiece = size_t{1} << 30;

    const RandomAccessFile* file_ = nullptr;
    uint64_t offset_ = 0;
    std::span<std::byte> out_; ///< the bytes that are not filled yet
    uint64_t wanted_ =
        0; ///< how many of them the file must still give; those beyond the end of an aligned file are not counted
};

} // namespace coterie::engine
