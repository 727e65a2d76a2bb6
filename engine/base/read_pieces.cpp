// SPDX-License-Identifier: Apache-2.0
// See read_pieces.h.
#include "base/read_pieces.h"

#include "base/file_errors.h"

#include <limits>

namespace coterie::engine {

ReadPieces::ReadPieces(const RandomAccessFile& file, uint64_t offset, std::span<std::byte> out)
    : file_(&file), offset_(offset), out_(out), wanted_(out.size()) {
    if (file.alignment() > 1 && offset < file.size()) wanted_ = std::min<uint64_t>(wanted_, file.size() - offset);
}

Status ReadPieces::check() const {
    constexpr uint64_t furthest = std::numeric_limits<int64_t>::max();
    const uint64_t mask = file_->alignment() - 1;
    if (((offset_ | out_.size() | reinterpret_cast<uintptr_t>(out_.data())) & mask) != 0)
        return Error{ErrorKind::Internal,
                     {"Can't read %1", file_->path()},
                     {"A direct read was not aligned to %1 bytes", mask + 1},
                     "Please report this"};
    if (offset_ > furthest || out_.size() > furthest - offset_) return shortReadError(file_->path());
    // Aligned: offset and end lie at most at the end of the file's last piece.
    if (mask != 0 && offset_ + out_.size() > ((file_->size() + mask) & ~mask)) return shortReadError(file_->path());
    return {};
}

Status ReadPieces::advance(size_t got) {
    if (got >= wanted_) {
        wanted_ = 0;
        return {};
    }
    // A direct read continues at a multiple of the alignment, so the rest of a piece that was cut short is read again.
    // If nothing but that rest comes, the file ends here.
    const size_t kept = got & ~static_cast<size_t>(file_->alignment() - 1);
    if (kept == 0) return shortReadError(file_->path());
    offset_ += kept;
    out_ = out_.subspan(kept);
    wanted_ -= kept;
    return {};
}

} // namespace coterie::engine
