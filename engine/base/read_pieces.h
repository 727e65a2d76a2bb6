// SPDX-License-Identifier: Apache-2.0
// A positioned read on its way, the same on every system: what to ask of it next, and when all is there. For base/
// alone.
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
    /// The file outlives this.
    ReadPieces(const RandomAccessFile& file, uint64_t offset, std::span<std::byte> out);

    /// Whether this read can be asked of the file at all. First of all.
    Status check() const;
    bool done() const { return wanted_ == 0; }

    /// The next piece: all multiples of the file's alignment.
    uint64_t offset() const { return offset_; }
    std::byte* data() const { return out_.data(); }
    size_t length() const { return std::min(out_.size(), largestPiece); }
    /// The system put `got` bytes of the piece. An Io error where the file has ended too early.
    Status advance(size_t got);

  private:
    // One call moves at most this much: Linux stops at 2 GiB - 4 KiB, macOS refuses more than 2 GiB - 1, Windows counts
    // in 32 bits.
    static constexpr size_t largestPiece = size_t{1} << 30;

    const RandomAccessFile* file_ = nullptr;
    uint64_t offset_ = 0;
    std::span<std::byte> out_; ///< what is not filled yet
    uint64_t wanted_ = 0;      ///< of those, the bytes that must come: beyond the end of an aligned file none
};

} // namespace coterie::engine
